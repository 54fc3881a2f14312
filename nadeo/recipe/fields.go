package recipe

import (
	"slices"
	"strings"

	"pakbox/fault"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/maps/table"
)

// fields holds the values of a step by name.
type fields struct {
	table.Values
	values map[string]string
	asked  []string // names of the values that the step has read
}

func newFields() *fields {
	f := &fields{values: map[string]string{}}
	f.Get = func(name string) (string, bool) {
		f.asked = append(f.asked, name)
		v, ok := f.values[name]
		return v, ok
	}
	return f
}

func bad(format string, args ...any) error { return fault.New(fault.BadEntry, format, args...) }

// splitLine splits a line into its verb, "" for none, and its fields.
func splitLine(text string) (verb string, f *fields, err error) {
	f = newFields()
	for {
		text = strings.TrimLeft(text, " \t")
		if text == "" || text[0] == '#' {
			return verb, f, nil
		}
		var word string
		if verb == "" {
			word, text = cutWord(text)
			verb = word
			continue
		}
		name, rest, ok := strings.Cut(text, "=")
		if !ok || strings.ContainsAny(name, " \t\"#") || name == "" {
			word, _ := cutWord(text)
			return "", nil, bad("%q is not of the form name=value", word)
		}
		value, rest, err := cutValue(rest)
		if err != nil {
			return "", nil, bad("%s: %v", name, err)
		}
		if _, twice := f.values[name]; twice {
			return "", nil, bad("%s stands here twice", name)
		}
		f.values[name], text = value, rest
	}
}

// cutWord cuts a text at the next space.
func cutWord(text string) (word, rest string) {
	if i := strings.IndexAny(text, " \t"); i >= 0 {
		return text[:i], text[i:]
	}
	return text, ""
}

// cutValue cuts off a value, which may be in quotes.
func cutValue(text string) (value, rest string, err error) {
	if !strings.HasPrefix(text, `"`) {
		value, rest = cutWord(text)
		if strings.ContainsAny(value, `"#`) {
			return "", "", bad(`a value with " or # in it stands in quotes`)
		}
		return value, rest, nil
	}
	rest = text[1:]
	for {
		part, after, ok := strings.Cut(rest, `"`)
		if !ok {
			return "", "", bad("the quote does not end in this line")
		}
		value, rest = value+part, after
		if strings.HasPrefix(rest, `"`) {
			value, rest = value+`"`, rest[1:]
			continue
		}
		if rest != "" && rest[0] != ' ' && rest[0] != '\t' {
			return "", "", bad("a space is missing after the quote")
		}
		return value, rest, nil
	}
}

// done returns the first error in the values, or an error if the line has values that the
// step did not read.
func (f *fields) done(verb string) error {
	if f.Err != nil {
		return f.Err
	}
	var unknown []string
	for name := range f.values {
		if !slices.Contains(f.asked, name) {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) > 0 {
		slices.Sort(unknown)
		slices.Sort(f.asked)
		return bad("%s has no %s here; it takes %s", verb, strings.Join(unknown, ", "), strings.Join(slices.Compact(f.asked), ", "))
	}
	return nil
}

// has reports whether the line has this value.
func (f *fields) has(name string) bool {
	_, ok := f.Get(name)
	return ok
}

// text returns a value, "" if it is missing.
func (f *fields) text(name string) string {
	v, _ := f.Get(name)
	return v
}

// needed returns a value that must be present and not empty.
func (f *fields) needed(name string) string {
	v := f.text(name)
	if v == "" {
		f.Fail("%s is missing", name)
	}
	return v
}

// whole returns a whole number, 0 if it is missing.
func (f *fields) whole(name string) int {
	if n := f.Integer(name); n != nil {
		return *n
	}
	return 0
}

// ways are the directions by name.
var ways = []string{"north", "east", "south", "west"}

// way reads a direction, nil if it is missing.
func (f *fields) way(name string) *int {
	v, ok := f.Get(name)
	if !ok {
		return nil
	}
	way := slices.Index(ways, v)
	if way < 0 && len(v) == 1 && v[0] >= '0' && v[0] <= '3' { // a number, as in tables of blocks
		way = int(v[0] - '0')
	}
	if way < 0 {
		f.Fail("%s: unknown direction %q; expected one of %s", name, v, strings.Join(ways, ", "))
	}
	return &way
}

// cell reads a place on the grid, or a distance in cells.
func (f *fields) cell(name string) table.Cell {
	at, err := maps.ParseCell(f.needed(name))
	if err != nil {
		f.Fail("%s: %v", name, err)
	}
	return table.Cell{at.X, at.Y, at.Z}
}

// box reads a box of cells, or the word all.
func (f *fields) box(name string) (r region) {
	text, ok := f.Get(name)
	if !ok {
		return r
	}
	r.given = true
	if text == "all" {
		r.all = true
		return r
	}
	box, err := maps.ParseBox(text)
	if err != nil {
		f.Fail("%s: %q is neither x,y,z:x,y,z nor all", name, text)
	}
	r.Box = box
	return r
}
