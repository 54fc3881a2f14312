package recipe

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/trackmania/maps"
)

// fields are the values of a line, by their names. Asking for one that is not
// as it should be is noted, and done says so.
type fields struct {
	values map[string]string
	asked  []string
	err    error
}

func bad(format string, args ...any) error { return fault.New(fault.BadEntry, format, args...) }

// splitLine takes a line apart into its verb, "" for none, and its fields.
func splitLine(text string) (verb string, f *fields, err error) {
	f = &fields{values: map[string]string{}}
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

// cutWord cuts off a text up to the next space.
func cutWord(text string) (word, rest string) {
	if i := strings.IndexAny(text, " \t"); i >= 0 {
		return text[:i], text[i:]
	}
	return text, ""
}

// cutValue cuts off a value, which may stand in quotes.
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
			return "", "", bad("behind the quote there is no space")
		}
		return value, rest, nil
	}
}

// done returns what was wrong with the values, or which of them nobody asked
// for.
func (f *fields) done(verb string) error {
	if f.err != nil {
		return f.err
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

func (f *fields) fail(format string, args ...any) {
	if f.err == nil {
		f.err = bad(format, args...)
	}
}

// get returns a value, and whether there is one.
func (f *fields) get(name string) (string, bool) {
	f.asked = append(f.asked, name)
	v, ok := f.values[name]
	return v, ok
}

// has reports whether there is a value.
func (f *fields) has(name string) bool {
	_, ok := f.get(name)
	return ok
}

// text is a value that may be missing.
func (f *fields) text(name string) string {
	v, _ := f.get(name)
	return v
}

// needed is a value that must not be missing or empty.
func (f *fields) needed(name string) string {
	v, ok := f.get(name)
	if !ok || v == "" {
		f.fail("%s is missing", name)
	}
	return v
}

// whole is a whole number; 0 where it is missing.
func (f *fields) whole(name string) int {
	v, ok := f.get(name)
	if !ok {
		return 0
	}
	n, err := strconv.ParseInt(v, 10, 32)
	if err != nil {
		f.fail("%s: %q is no whole number", name, v)
	}
	return int(n)
}

// flags is a number in hexadecimal.
func (f *fields) flags(name string, bits int) uint32 {
	v, ok := f.get(name)
	if !ok {
		return 0
	}
	n, err := strconv.ParseUint(v, 16, bits)
	if err != nil {
		f.fail("%s: %q is no hexadecimal number of %d bits", name, v, bits)
	}
	return uint32(n)
}

func (f *fields) yes(name string) bool {
	switch v, ok := f.get(name); {
	case !ok, v == "no":
		return false
	case v != "yes":
		f.fail("%s: %q is neither yes nor no", name, v)
	}
	return true
}

// ways are the directions by name.
var ways = []string{"north", "east", "south", "west"}

// way is a direction.
func (f *fields) way(name string) int {
	v, ok := f.get(name)
	if !ok {
		return 0
	}
	if i := slices.Index(ways, v); i >= 0 {
		return i
	}
	if len(v) == 1 && v[0] >= '0' && v[0] <= '3' { // as lists of blocks have it
		return int(v[0] - '0')
	}
	f.fail("%s: %q is none of %s", name, v, strings.Join(ways, ", "))
	return 0
}

// cell is a place in blocks, or a way between two.
func (f *fields) cell(name string) gbx.Int3 {
	c, err := parseCell(f.needed(name))
	if err != nil {
		f.fail("%s: %v", name, err)
	}
	return c
}

func parseCell(text string) (gbx.Int3, error) {
	var n [3]int32
	parts := strings.Split(text, ",")
	for i := range n {
		if len(parts) != len(n) {
			return gbx.Int3{}, bad("%q is not of the form x,y,z", text)
		}
		v, err := strconv.ParseInt(parts[i], 10, 16) // maps have at most 256 cells a side
		if err != nil {
			return gbx.Int3{}, bad("%q is no whole number of cells", parts[i])
		}
		n[i] = int32(v)
	}
	return gbx.Int3{X: n[0], Y: n[1], Z: n[2]}, nil
}

// vector is three numbers; zero where it is missing.
func (f *fields) vector(name string) (v gbx.Vec3) {
	text, ok := f.get(name)
	if !ok {
		return v
	}
	parts := strings.Split(text, ",")
	if len(parts) != 3 {
		f.fail("%s: %q is not of the form x,y,z", name, text)
		return v
	}
	for i, to := range []*float32{&v.X, &v.Y, &v.Z} {
		*to = f.parseNumber(name, parts[i])
	}
	return v
}

// number is a number; 0 where it is missing.
func (f *fields) number(name string) float32 {
	v, ok := f.get(name)
	if !ok {
		return 0
	}
	return f.parseNumber(name, v)
}

func (f *fields) parseNumber(name, text string) float32 {
	n, err := strconv.ParseFloat(text, 32)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		f.fail("%s: %q is no number", name, text)
		return 0
	}
	return float32(n)
}

// box is a part of the grid.
func (f *fields) box(name string) (r region) {
	text, ok := f.get(name)
	if !ok {
		return r
	}
	r.given = true
	if text == "all" {
		r.all = true
		return r
	}
	from, to, ok := strings.Cut(text, ":")
	if !ok {
		f.fail("%s: %q is neither x,y,z:x,y,z nor all", name, text)
		return r
	}
	a, err := parseCell(from)
	b, err2 := parseCell(to)
	if err != nil || err2 != nil {
		f.fail("%s: %q is not of the form x,y,z:x,y,z", name, text)
	}
	r.Box = maps.Box{
		Min: gbx.Int3{X: min(a.X, b.X), Y: min(a.Y, b.Y), Z: min(a.Z, b.Z)},
		Max: gbx.Int3{X: max(a.X, b.X), Y: max(a.Y, b.Y), Z: max(a.Z, b.Z)},
	}
	return r
}
