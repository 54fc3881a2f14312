package answer

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
)

// placedRow is a block or item as a person wrote it down: what is nil is not
// said.
type placedRow struct {
	file  string // the map, "" if that is not said
	where string // in the text, for errors

	name, kind       string
	free             bool       // at is in metres
	at               [3]float32 // cells are whole numbers
	direction, color *int
	order            *int
	rotation, pivot  *[3]float32
	scale            *float32
	ghost, ground    *bool
	skin, waypoint   *string
	author           *string
	collection       *string
	flags            *uint32
}

// PlacedTable is what is to stand on maps, as 'map blocks' prints it and people
// change it.
type PlacedTable struct{ rows []placedRow }

// ReadPlaced reads what [Placed] writes, as CSV or JSON. Columns and fields may
// be missing but for the name and the place. JSON may be the objects that
// commands print, or a plain list of blocks.
func ReadPlaced(text []byte) (*PlacedTable, error) {
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	t := &PlacedTable{}
	trimmed := bytes.TrimLeft(text, " \t\r\n")
	if len(trimmed) > 0 && (trimmed[0] == '{' || trimmed[0] == '[') {
		return t, t.readJSON(trimmed)
	}
	return t, t.readCSV(text)
}

// badRow is what is wrong at a place in the text.
func badRow(where, format string, args ...any) error {
	e := fault.New(fault.BadEntry, format, args...)
	e.Field = where
	return e
}

// readCSV reads rows whose first is the names of the columns.
func (t *PlacedTable) readCSV(text []byte) error {
	r := csv.NewReader(bytes.NewReader(text))
	r.ReuseRecord = true
	head, err := r.Read()
	if err == io.EOF {
		return badRow("", "the table is empty: its first line names the columns")
	}
	if err != nil {
		return badCSV(err)
	}
	columns := slices.Clone(head)
	for i, name := range columns {
		if !slices.Contains(fact.Names(PlacedFacts), name) {
			return badRow("line 1", "there is no column %q; there are %s", name, strings.Join(fact.Names(PlacedFacts), ", "))
		}
		if slices.Contains(columns[:i], name) {
			return badRow("line 1", "there are two columns %q", name)
		}
	}
	for _, needed := range []string{"name", "x", "y", "z"} {
		if !slices.Contains(columns, needed) {
			return badRow("line 1", "the column %q is missing", needed)
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
		c := cellReader{columns: columns, cells: cells}
		row := c.row()
		row.where = "line " + strconv.Itoa(line)
		if c.err == nil {
			c.err = row.check()
		}
		if c.err != nil {
			return inRow(c.err, row.where)
		}
		t.rows = append(t.rows, row)
	}
}

func badCSV(err error) error {
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		return badRow("line "+strconv.Itoa(parse.Line), "%v", parse.Err)
	}
	return err
}

// inRow says where in the text an error is.
func inRow(err error, where string) error {
	e := fault.Wrap(fault.KindOf(err), err, "")
	e.Field = where
	return e
}

// cellReader reads the cells of a row of CSV. An empty cell says nothing, but
// for texts that a thing need not have.
type cellReader struct {
	columns, cells []string
	err            error
}

func (c *cellReader) cell(name string) (text string, given bool) {
	i := slices.Index(c.columns, name)
	if i < 0 {
		return "", false
	}
	return c.cells[i], c.cells[i] != ""
}

func (c *cellReader) fail(name, text, what string) {
	if c.err == nil {
		c.err = fault.New(fault.BadEntry, "%s: %q is no %s", name, text, what)
	}
}

// text is one that may be empty; nil without the column.
func (c *cellReader) text(name string) *string {
	if !slices.Contains(c.columns, name) {
		return nil
	}
	text, _ := c.cell(name)
	return &text
}

func (c *cellReader) whole(name string) *int {
	text, given := c.cell(name)
	if !given {
		return nil
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		c.fail(name, text, "whole number")
	}
	v := int(n)
	return &v
}

func (c *cellReader) number(name string) *float32 {
	text, given := c.cell(name)
	if !given {
		return nil
	}
	n, err := strconv.ParseFloat(text, 32)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		c.fail(name, text, "number")
	}
	v := float32(n)
	return &v
}

// vector is one if any of its parts is given.
func (c *cellReader) vector(names ...string) *[3]float32 {
	var v [3]float32
	given := false
	for i, name := range names {
		if n := c.number(name); n != nil {
			v[i], given = *n, true
		}
	}
	if !given {
		return nil
	}
	return &v
}

// yes takes what spreadsheets make of true and false, too.
func (c *cellReader) yes(name string) *bool {
	text, given := c.cell(name)
	if !given {
		return nil
	}
	v := strings.EqualFold(text, "true")
	if !v && !strings.EqualFold(text, "false") {
		c.fail(name, text, "true or false")
	}
	return &v
}

func (c *cellReader) row() (r placedRow) {
	r.file, _ = c.cell("file")
	r.name, _ = c.cell("name")
	r.kind, _ = c.cell("kind")
	unit, given := c.cell("unit")
	r.free = unit == "metre" || !given && r.kind == itemKind
	if given && unit != "metre" && unit != "block" {
		c.fail("unit", unit, "block or metre")
	}
	for i, name := range []string{"x", "y", "z"} {
		n := c.number(name)
		if n == nil {
			c.fail(name, "", "number")
			return r
		}
		r.at[i] = *n
	}
	r.direction, r.color, r.order = c.whole("direction"), c.whole("color"), c.whole("order")
	r.rotation, r.pivot, r.scale = c.vector("yaw", "pitch", "roll"), c.vector("pivot_x", "pivot_y", "pivot_z"), c.number("scale")
	r.ghost, r.ground = c.yes("ghost"), c.yes("ground")
	r.skin, r.waypoint, r.author, r.collection = c.text("skin"), c.text("waypoint"), c.text("author"), c.text("collection")
	if text, given := c.cell("flags"); given {
		flags, err := parseFlags(text)
		r.flags = &flags
		if err != nil {
			c.fail("flags", text, "hexadecimal number")
		}
	}
	return r
}

func parseFlags(text string) (uint32, error) {
	n, err := strconv.ParseUint(text, 16, 32)
	return uint32(n), err
}

// Kinds of things.
const (
	blockKind = "block"
	bakedKind = "baked"
	itemKind  = "item"
)

// check refuses what makes no sense on any map.
func (r *placedRow) check() error {
	switch r.kind {
	case "":
		r.kind = blockKind
	case blockKind, itemKind:
	case bakedKind:
		return fault.New(fault.Unsupported, "the game adds baked blocks by itself: they cannot be set")
	default:
		return fault.New(fault.BadEntry, "kind: %q is neither block nor item", r.kind)
	}
	if r.kind == itemKind && !r.free {
		return fault.New(fault.BadEntry, "items stand at a place in metres")
	}
	for i, v := range r.at {
		if !r.free && (v != float32(int32(v)) || math.Abs(float64(v)) > math.MaxInt16) {
			return fault.New(fault.BadEntry, "%s: %v is no cell; the place of a free block is in metres", "xyz"[i:i+1], v)
		}
	}
	if r.kind == itemKind && r.flags != nil && *r.flags > math.MaxUint16 {
		return fault.New(fault.Limit, "flags: those of an item have 16 bits")
	}
	return nil
}

// readJSON reads objects with a list of blocks, or lists of blocks.
func (t *PlacedTable) readJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	for {
		var value json.RawMessage
		switch err := d.Decode(&value); {
		case err == io.EOF:
			return nil
		case err != nil:
			return badRow("", "the text is no JSON: %v", err)
		}
		var object struct {
			Path   string
			Blocks *[]json.RawMessage
		}
		var list []json.RawMessage
		if value[0] == '[' {
			object.Blocks = &list
		}
		var err error
		if object.Blocks != nil {
			err = json.Unmarshal(value, &list)
		} else {
			err = json.Unmarshal(value, &object)
		}
		if err != nil || object.Blocks == nil {
			return badRow("", "the JSON is neither a list of blocks nor an object that has one as \"blocks\"")
		}
		for i, element := range *object.Blocks {
			where := fmt.Sprintf("blocks[%d]", i)
			row, err := placedFromJSON(element)
			if err == nil {
				err = row.check()
			}
			if err != nil {
				return inRow(err, where)
			}
			row.file, row.where = object.Path, where
			t.rows = append(t.rows, row)
		}
	}
}

// placedJSON has the fields of [Placed], with room for those that are null.
type placedJSON struct {
	Name       *string    `json:"name"`
	Kind       *string    `json:"kind"`
	Coord      *[]int32   `json:"coord"`
	Direction  *int       `json:"direction"`
	Position   *[]float32 `json:"position"`
	Rotation   *[]float32 `json:"yaw_pitch_roll"`
	Ghost      *bool      `json:"ghost"`
	Ground     *bool      `json:"ground"`
	Color      *int       `json:"color"`
	Skin       textOrNull `json:"skin"`
	Waypoint   textOrNull `json:"waypoint"`
	Flags      *string    `json:"flags"`
	Order      *int       `json:"order"`
	Author     textOrNull `json:"author"`
	Collection *string    `json:"collection"`
	Scale      *float32   `json:"scale"`
	Pivot      *[]float32 `json:"pivot"`
}

// textOrNull is a text that a thing need not have: null says that it has none.
type textOrNull struct{ text *string }

// UnmarshalJSON is called for null, too.
func (t *textOrNull) UnmarshalJSON(data []byte) error {
	t.text = new(string)
	return json.Unmarshal(data, t.text) // null leaves it empty
}

func placedFromJSON(element []byte) (r placedRow, err error) {
	var v placedJSON
	d := json.NewDecoder(bytes.NewReader(element))
	d.DisallowUnknownFields()
	if err := d.Decode(&v); err != nil {
		return r, fault.New(fault.BadEntry, "%s", strings.TrimPrefix(err.Error(), "json: "))
	}
	if v.Name == nil {
		return r, fault.New(fault.BadEntry, "name is missing")
	}
	r = placedRow{
		name: *v.Name, free: v.Position != nil, direction: v.Direction, color: v.Color, order: v.Order, scale: v.Scale, ghost: v.Ghost, ground: v.Ground,
		skin: v.Skin.text, waypoint: v.Waypoint.text, author: v.Author.text, collection: v.Collection,
	}
	if v.Kind != nil {
		r.kind = *v.Kind
	}
	if (v.Position == nil) == (v.Coord == nil) {
		return r, fault.New(fault.BadEntry, "the place is either coord, in blocks, or position, in metres")
	}
	if v.Coord != nil {
		floats := make([]float32, len(*v.Coord))
		for i, n := range *v.Coord {
			floats[i] = float32(n)
		}
		v.Position = &floats
	}
	at, err := three("the place", v.Position)
	if err != nil {
		return r, err
	}
	r.at = *at
	if r.rotation, err = three("yaw_pitch_roll", v.Rotation); err != nil {
		return r, err
	}
	if r.pivot, err = three("pivot", v.Pivot); err != nil {
		return r, err
	}
	if v.Flags != nil {
		flags, err := parseFlags(*v.Flags)
		if err != nil {
			return r, fault.New(fault.BadEntry, "flags: %q is no hexadecimal number", *v.Flags)
		}
		r.flags = &flags
	}
	return r, nil
}

// three is a list of three numbers; nil stays so.
func three(name string, list *[]float32) (*[3]float32, error) {
	if list == nil {
		return nil, nil
	}
	if len(*list) != 3 {
		return nil, fault.New(fault.BadEntry, "%s has %d numbers, not three", name, len(*list))
	}
	v := [3]float32(*list)
	return &v, nil
}
