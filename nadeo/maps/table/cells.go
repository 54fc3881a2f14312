package table

import (
	"strconv"

	"pakbox/fact"
	"pakbox/internal/lib/csvline"
)

// Columns are the columns of a table of blocks and items on several maps.
var Columns = []*fact.Fact{
	{Name: "file", Kind: fact.Text, Doc: "the map"},
	{Name: "name", Kind: fact.Text, Doc: "name of the block, or of the item's model"},
	{Name: "kind", Kind: fact.Text, Doc: "block, baked or item"},
	{Name: "x", Kind: fact.Number, Doc: "place, in the unit"},
	{Name: "y", Kind: fact.Number, Doc: "height, in the unit"},
	{Name: "z", Kind: fact.Number, Doc: "place, in the unit"},
	{Name: "direction", Kind: fact.Count, Doc: "0 north, 1 east, 2 south, 3 west; of blocks on the grid"},
	{Name: "unit", Kind: fact.Text, Doc: "block on the grid, metre off the grid"},
	{Name: "yaw", Kind: fact.Number, Doc: "angle in radians; off the grid"},
	{Name: "pitch", Kind: fact.Number, Doc: "angle in radians; off the grid"},
	{Name: "roll", Kind: fact.Number, Doc: "angle in radians; off the grid"},
	{Name: "ghost", Kind: fact.Flag, Doc: "whether a block may stand in another one"},
	{Name: "ground", Kind: fact.Flag, Doc: "whether a block stands on the ground"},
	{Name: "color", Kind: fact.Count, Doc: "colour, by its number in the editor"},
	{Name: "skin", Kind: fact.Text, Doc: "file of the skin"},
	{Name: "waypoint", Kind: fact.Text, Doc: "kind of the waypoint"},
	{Name: "flags", Kind: fact.Text, Doc: "flags as stored, eight hexadecimal digits"},
	{Name: "order", Kind: fact.Count, Doc: "order of the waypoint"},
	{Name: "author", Kind: fact.Text, Doc: "login of the model's author"},
	{Name: "collection", Kind: fact.Text, Doc: "environment of an item's model"},
	{Name: "scale", Kind: fact.Number, Doc: "scale of an item"},
	{Name: "pivot_x", Kind: fact.Number, Doc: "point of an item that stands at its place, in metres"},
	{Name: "pivot_y", Kind: fact.Number, Doc: "height of that point"},
	{Name: "pivot_z", Kind: fact.Number, Doc: "the third coordinate of that point"},
}

// FilterColumn is the column of a list that has only some rows. It holds the condition for
// them, and [Read] refuses such a list, because the other blocks would be removed.
const FilterColumn = "only_where"

// Row returns the cells of a thing, without the column of the file.
func (t *Thing) Row() []string {
	row := make([]string, 0, len(Columns)-1)
	t.cells(nil, func(b []byte, s string) []byte { return append(b, s...) }, func(b []byte) []byte {
		row = append(row, string(b))
		return b[:0]
	})
	return row
}

// AppendCSV appends the cells of a thing to a line of CSV that already has the name of
// the file.
func (t *Thing) AppendCSV(b []byte) []byte {
	b = t.cells(append(b, ','), csvline.AppendText, func(b []byte) []byte { return append(b, ',') })
	b[len(b)-1] = '\n'
	return b
}

// Record returns the cells of a thing as typed values.
func (t *Thing) Record(file string) fact.Record {
	values := make([]any, 1, len(Columns))
	values[0] = file
	for i, text := range t.Row() {
		values = append(values, value(Columns[i+1].Kind, text))
	}
	return fact.Cells(Columns, values...)
}

func value(kind fact.Kind, text string) any {
	switch {
	case kind == fact.Text:
		return text
	case text == "":
		return nil
	case kind == fact.Flag:
		return text == "true"
	case kind == fact.Count:
		n, _ := strconv.ParseInt(text, 10, 64)
		return n
	}
	n, _ := strconv.ParseFloat(text, 64)
	return n
}

// cells appends the cells of a thing. The function text appends a text with any
// characters; end finishes a cell.
func (t *Thing) cells(b []byte, text func([]byte, string) []byte, end func([]byte) []byte) []byte {
	b = end(text(b, t.Name))
	b = end(append(b, t.Kind...))
	if t.Coord != nil {
		for _, c := range t.Coord {
			b = end(strconv.AppendInt(b, int64(c), 10))
		}
		b = end(strconv.AppendInt(b, int64(*t.Direction), 10))
		b = end(append(b, "block"...))
		b = end(end(end(b)))
	} else {
		b = end(appendVector(b, t.Position, end))
		b = end(append(b, "metre"...))
		b = appendVector(b, t.Rotation, end)
	}
	b = end(strconv.AppendBool(b, *t.Ghost))
	b = end(strconv.AppendBool(b, *t.Ground))
	b = end(appendWhole(b, t.Color))
	b = end(text(b, orEmpty(t.Skin)))
	b = end(text(b, orEmpty(t.Waypoint)))
	b = end(t.Flags.append(b))
	b = end(appendWhole(b, t.Order))
	b = end(text(b, orEmpty(t.Author)))
	b = end(text(b, orEmpty(t.Collection)))
	if t.Scale == nil {
		return end(end(end(end(b))))
	}
	return appendVector(end(appendFloat(b, *t.Scale)), t.Pivot, end)
}

func appendWhole(b []byte, n *int) []byte {
	if n == nil {
		return b
	}
	return strconv.AppendInt(b, int64(*n), 10)
}

func appendVector(b []byte, v *Vector, end func([]byte) []byte) []byte {
	for _, c := range v {
		b = end(appendFloat(b, c))
	}
	return b
}

// text returns the three numbers with spaces between them.
func (v *Vector) text() string {
	b := appendVector(nil, v, func(b []byte) []byte { return append(b, ' ') })
	return string(b[:len(b)-1])
}

// appendFloat appends a number with the fewest digits that restore the same number when
// read.
func appendFloat(b []byte, f float32) []byte { return csvline.AppendNumber(b, float64(f), -1, 32) }
