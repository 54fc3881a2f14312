package table

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"pakbox/fact"
	"pakbox/fault"
	"pakbox/internal/lib/csvline"
)

// Table is a list of the things that somebody wants on maps.
type Table struct{ rows []row }

// row is one thing of the table, and its line in the text.
type row struct {
	Thing
	file  string // the map's file; "" if the row does not name one
	where string // "line 3", for errors
}

// Read reads a table in the form that [Thing.AppendCSV] writes, or as JSON. All
// columns and fields may be missing, except for the name and the place. JSON is
// objects with a list "blocks", as commands print them, or a plain list of
// things.
func Read(text []byte) (*Table, error) {
	text = csvline.Text(text)
	t := &Table{}
	trimmed := bytes.TrimLeft(text, " \t\r\n")
	if len(trimmed) > 0 && (trimmed[0] == '{' || trimmed[0] == '[') {
		return t, t.readJSON(trimmed)
	}
	return t, t.readCSV(text)
}

// badAt makes an error about a line of the text.
func badAt(where, format string, args ...any) error {
	return at(where, fault.New(fault.BadEntry, format, args...))
}

// at adds the line of the text to an error.
func at(where string, err error) error {
	e := fault.Wrap(fault.KindOf(err), err, "")
	e.Field = where
	return e
}

// add checks a row and appends it.
func (t *Table) add(r row, err error) error {
	if err == nil {
		err = r.Check()
	}
	if err != nil {
		return at(r.where, err)
	}
	t.rows = append(t.rows, r)
	return nil
}

// readCSV reads CSV. The first row has the names of the columns.
func (t *Table) readCSV(text []byte) error {
	r := csvline.NewReader(text)
	r.ReuseRecord = true
	head, err := r.Read()
	if err == io.EOF {
		return badAt("", "the table is empty: its first line names the columns")
	}
	if err != nil {
		return badCSV(err)
	}
	columns := slices.Clone(head)
	known := append(fact.Names(Columns), FilterColumn)
	for i, name := range columns {
		if !slices.Contains(known, name) {
			return badAt("line 1", "unknown column %q; expected one of %s", name, strings.Join(known, ", "))
		}
		if slices.Contains(columns[:i], name) {
			return badAt("line 1", "there are two columns %q", name)
		}
	}
	for _, needed := range []string{"name", "x", "y", "z"} {
		if !slices.Contains(columns, needed) {
			return badAt("line 1", "the column %q is missing", needed)
		}
	}
	for {
		cells, err := r.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return badCSV(err)
		}
		line, _ := r.FieldPos(0)
		if i := slices.Index(columns, FilterColumn); i >= 0 && cells[i] != "" {
			return badAt("line 1", "the list has only the rows with %s: all other blocks would be removed", cells[i])
		}
		read, err := readCells(columns, cells)
		read.where = "line " + strconv.Itoa(line)
		if err := t.add(read, err); err != nil {
			return err
		}
	}
}

func badCSV(err error) error {
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		return badAt("line "+strconv.Itoa(parse.Line), "%v", parse.Err)
	}
	return err
}

// readCells reads a row of CSV. An empty cell means that no value is given. In text
// columns that a thing may leave empty, it means the empty text.
func readCells(columns, cells []string) (r row, err error) {
	v := Values{Get: func(name string) (string, bool) {
		i := slices.Index(columns, name)
		if i < 0 {
			return "", false
		}
		return cells[i], cells[i] != ""
	}}
	text := func(name string) *string {
		if i := slices.Index(columns, name); i >= 0 {
			return clone(&cells[i])
		}
		return nil
	}
	vector := func(names ...string) *Vector {
		var out Vector
		given := false
		for i, name := range names {
			if n := v.Number(name); n != nil {
				out[i], given = *n, true
			}
		}
		if !given {
			return nil
		}
		return &out
	}
	r.file, _ = v.Get("file")
	r.Name, _ = v.Get("name")
	r.Kind, _ = v.Get("kind")
	var place Vector
	for i, name := range []string{"x", "y", "z"} {
		if n := v.Number(name); n != nil {
			place[i] = *n
		} else {
			v.Fail("%s: %q is not a number", name, "")
		}
	}
	switch unit, given := v.Get("unit"); {
	case unit == "metre", !given && r.Kind == Item:
		r.Position = &place
	case unit == "block", !given:
		r.Coord = v.cell(place)
	default:
		v.Fail("unit: %q is not a block or metre", unit)
	}
	r.Direction, r.Color, r.Order = v.Integer("direction"), v.Integer("color"), v.Integer("order")
	r.Rotation, r.Pivot, r.Scale = vector("yaw", "pitch", "roll"), vector("pivot_x", "pivot_y", "pivot_z"), v.Number("scale")
	r.Ghost, r.Ground, r.Flags = v.Flag("ghost"), v.Flag("ground"), v.Flags("flags")
	r.Skin, r.Waypoint, r.Author, r.Collection = text("skin"), text("waypoint"), text("author"), text("collection")
	return r, v.Err
}

// cell converts numbers to a place on the grid. It fails for fractions.
func (v *Values) cell(place Vector) *Cell {
	var c Cell
	for i, n := range place {
		if c[i] = int32(n); float32(c[i]) != n {
			v.Fail("%s: %v is not a cell; the place of a free block is in metres", "xyz"[i:i+1], n)
		}
	}
	return &c
}

// Check rejects a thing that cannot be on a map.
func (t *Thing) Check() error {
	switch t.Kind {
	case "":
		t.Kind = Block
	case Block, Item:
	case Baked:
		return fault.New(fault.Unsupported, "the game adds baked blocks by itself: they cannot be set")
	default:
		return fault.New(fault.BadEntry, "kind: %q is neither block nor item", t.Kind)
	}
	if (t.Position == nil) == (t.Coord == nil) {
		return fault.New(fault.BadEntry, "the place is either coord, in blocks, or position, in metres")
	}
	if t.Kind == Item && t.Position == nil {
		return fault.New(fault.BadEntry, "items stand at a place in metres")
	}
	if t.Coord != nil {
		for i, n := range t.Coord {
			if n != int32(int16(n)) {
				return fault.New(fault.BadEntry, "%s: %v is not a cell", "xyz"[i:i+1], n)
			}
		}
	}
	if t.Kind == Item && t.Flags != nil && *t.Flags > math.MaxUint16 {
		return fault.New(fault.BadEntry, "flags: those of an item have 16 bits")
	}
	return nil
}

// readJSON reads objects with a list of things, or lists of things.
func (t *Table) readJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	for {
		var value json.RawMessage
		switch err := d.Decode(&value); {
		case err == io.EOF:
			return nil
		case err != nil:
			return badAt("", "the text is no JSON: %v", err)
		}
		var object struct {
			Path   string
			Blocks []json.RawMessage
		}
		var err error
		if value[0] == '[' {
			err = json.Unmarshal(value, &object.Blocks)
		} else {
			err = json.Unmarshal(value, &object)
		}
		if err != nil || object.Blocks == nil {
			return badAt("", "the JSON is neither a list of blocks nor an object that has one as \"blocks\"")
		}
		for i, element := range object.Blocks {
			thing, err := readObject(element)
			if err := t.add(row{Thing: thing, file: object.Path, where: fmt.Sprintf("blocks[%d]", i)}, err); err != nil {
				return err
			}
		}
	}
}

// readObject reads one thing. A text that is null means that the thing has no such text;
// if the text is missing, the thing keeps its old one.
func readObject(element []byte) (t Thing, err error) {
	d := json.NewDecoder(bytes.NewReader(element))
	d.DisallowUnknownFields()
	var texts struct{ Skin, Waypoint, Author json.RawMessage }
	if err = d.Decode(&t); err == nil {
		err = json.Unmarshal(element, &texts)
	}
	if err != nil {
		return t, fault.New(fault.BadEntry, "%s", strings.TrimPrefix(err.Error(), "json: "))
	}
	for _, field := range []struct {
		given json.RawMessage
		text  **string
	}{{texts.Skin, &t.Skin}, {texts.Waypoint, &t.Waypoint}, {texts.Author, &t.Author}} {
		if string(field.given) == "null" {
			*field.text = new(string)
		}
	}
	return t, nil
}
