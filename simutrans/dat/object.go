package dat

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"pakbox/finding"
	"pakbox/internal/lib/spell"
)

// Entry is one key with its value.
type Entry struct {
	Key   string
	Value string
	Line  int

	read bool // the compiler has asked for the key
}

// Object is the text between two lines of dashes.
type Object struct {
	file     string
	line     int // first line
	keys     []string
	entries  map[string]*Entry
	missed   map[string]bool // names of keys that were asked for but are missing
	problems []finding.Finding

	directives []Entry
}

// Directives returns the comments of the object for pakbox, without their first
// word.
func (o *Object) Directives() []Entry { return o.directives }

// FailAt records an error about a directive.
func (o *Object) FailAt(d Entry, format string, args ...any) {
	o.problems = append(o.problems, problem(o.file, d.Line, d.Key, finding.Error, "source", fmt.Sprintf(format, args...), ""))
}

func (o *Object) add(e *Entry) {
	o.keys = append(o.keys, e.Key)
	o.entries[e.Key] = e
}

// Entries returns the keys and values in order, after expansion.
func (o *Object) Entries() []Entry {
	list := make([]Entry, len(o.keys))
	for i, key := range o.keys {
		list[i] = *o.entries[key]
	}
	return list
}

// Get returns the value of a key, "" if it has none.
func (o *Object) Get(key string) string {
	if e := o.entries[key]; e != nil {
		e.read = true
		return e.Value
	}
	o.missed[Stem(key)] = true
	return ""
}

// Has reports whether a key has a value. An empty value does not count.
func (o *Object) Has(key string) bool { return o.Get(key) != "" }

// IsSet reports whether a key exists, even without a value.
func (o *Object) IsSet(key string) bool { return o.entries[key] != nil }

// Default sets a key unless the file has it.
func (o *Object) Default(key, value string) {
	if o.entries[key] == nil {
		o.entries[key] = &Entry{Key: key, Value: value}
	}
}

// Line returns the line of a key, or the object's first line.
func (o *Object) Line(key string) int {
	if e := o.entries[key]; e != nil && e.Line > 0 {
		return e.Line
	}
	if e := o.entries["obj"]; e != nil {
		return e.Line
	}
	return o.line
}

// Fail records an error about a key.
func (o *Object) Fail(key, suggestion, format string, args ...any) {
	o.report(key, finding.Error, suggestion, fmt.Sprintf(format, args...))
}

// Warn records a warning about a key.
func (o *Object) Warn(key, suggestion, format string, args ...any) {
	o.report(key, finding.Warning, suggestion, fmt.Sprintf(format, args...))
}

// Report records a finding about a key, and adds the place of the key.
func (o *Object) Report(key string, f finding.Finding) {
	f.File, f.Line, f.Field = o.file, o.Line(key), key
	o.problems = append(o.problems, f)
}

func (o *Object) report(key string, s finding.Severity, suggestion, message string) {
	o.problems = append(o.problems, problem(o.file, o.Line(key), key, s, "source", message, suggestion))
}

// Problems returns the findings so far.
func (o *Object) Problems() []finding.Finding { return o.problems }

// Int returns a number like C's strtol with base 0: 0x10 is 16 and 010 is 8. A missing
// key gives the default, a key without a value gives 0.
func (o *Object) Int(key string, def int64) int64 {
	value := o.Get(key)
	if o.entries[key] == nil {
		return def
	}
	if value == "" && def != 0 {
		o.Warn(key, "remove the line to get the default", "the value is missing; it counts as 0, not as the default, which is %d", def)
	}
	return o.whole(key, value)
}

// whole reads a whole number, and warns if it differs from what the author sees.
func (o *Object) whole(key, text string) int64 {
	n, rest := leadingInt(text)
	decimal, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	switch {
	case strings.TrimSpace(rest) != "":
		o.Warn(key, "", "%q is not a whole number; it counts as %d", shorten(text), n)
	case err == nil && decimal != n:
		o.Warn(key, fmt.Sprintf("write %d without zeros before it", decimal), "a number that begins with 0 is octal; %q counts as %d", shorten(text), n)
	}
	return n
}

// Float returns a decimal number.
func (o *Object) Float(key string, def float64) float64 {
	value := o.Get(key)
	if value == "" {
		return def
	}
	s := strings.TrimSpace(value)
	end := 0
	for end < len(s) && strings.IndexByte("+-.0123456789abcdefABCDEFxXpP", s[end]) >= 0 {
		end++
	}
	for end > 0 {
		if f, err := parseFloat(s[:end]); err == nil {
			if end < len(s) {
				o.Warn(key, "", "%q is not a number; it counts as %g", shorten(value), f)
			}
			return f
		}
		end--
	}
	o.Warn(key, "", "%q is not a number; it counts as 0", shorten(value))
	return 0
}

// parseFloat reads a number like C: a hexadecimal number needs no exponent.
func parseFloat(s string) (float64, error) {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		f, err = strconv.ParseFloat(s+"p0", 64)
	}
	return f, err
}

// Ints returns the numbers of a list separated by commas.
func (o *Object) Ints(key string) []int64 {
	value := o.Get(key)
	if value == "" {
		return nil
	}
	var list []int64
	for part := range strings.SplitSeq(value, ",") {
		list = append(list, o.whole(key, part))
	}
	return list
}

// leadingInt reads the number at the beginning of a string like strtol with base 0, and
// returns the rest.
func leadingInt(s string) (n int64, rest string) {
	t := strings.TrimLeft(s, " \t\v\f\r\n")
	negative := false
	if t != "" && (t[0] == '-' || t[0] == '+') {
		negative = t[0] == '-'
		t = t[1:]
	}
	base := int64(10)
	switch {
	case len(t) > 2 && t[0] == '0' && (t[1] == 'x' || t[1] == 'X') && digit(t[2]) < 16:
		base, t = 16, t[2:]
	case len(t) > 1 && t[0] == '0':
		base = 8
	}
	i := 0
	for i < len(t) && digit(t[i]) < base {
		if n > (1<<62)/base {
			n = 1 << 62
		} else {
			n = n*base + digit(t[i])
		}
		i++
	}
	if i == 0 {
		return 0, s
	}
	if negative {
		n = -n
	}
	return n, t[i:]
}

func digit(c byte) int64 {
	switch {
	case c >= '0' && c <= '9':
		return int64(c - '0')
	case c >= 'a' && c <= 'f':
		return int64(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int64(c-'A') + 10
	}
	return 99
}

// Unused reports every key that was never asked for, with a similar key that exists. If
// the object has errors, some keys may not have been reached; then it reports only keys
// whose names were never asked for. For an unknown type it reports nothing.
func (o *Object) Unused() []finding.Finding {
	var list []finding.Finding
	asked := o.missed
	failed := finding.Worst(o.problems) == finding.Error
	if failed {
		asked = o.Asked()
		if !asked["copyright"] {
			return nil
		}
	}
	wanted := o.wanted()
	suggestions := map[string]string{} // by stem, because one line may stand for many keys
	for _, key := range o.keys {
		name := Stem(key)
		if o.entries[key].read || failed && asked[name] {
			continue
		}
		suggestion, ok := suggestions[name]
		if !ok {
			if near := Nearest(name, wanted); near != "" && near != name {
				suggestion = "did you mean " + near + "?"
			}
			suggestions[name] = suggestion
		}
		list = append(list, problem(o.file, o.entries[key].Line, key, finding.Warning, "unused_key", "nothing reads this key", suggestion))
	}
	return list
}

// Asked returns the names of the keys that were asked for, without indices.
func (o *Object) Asked() map[string]bool {
	asked := maps.Clone(o.missed)
	for key, e := range o.entries {
		if e.read {
			asked[Stem(key)] = true
		}
	}
	return asked
}

// wanted returns the names of keys that were asked for but are missing.
func (o *Object) wanted() []string {
	return slices.Sorted(maps.Keys(o.missed))
}

// Stem is a key without its indices.
func Stem(key string) string {
	name, _, _ := strings.Cut(key, "[")
	return name
}

// Nearest returns the candidate that differs least from word, or "" if none is similar
// enough.
func Nearest(word string, candidates []string) string {
	best, distance := "", len(word)/3+1
	for _, c := range candidates {
		d := spell.Distance(strings.ToLower(word), strings.ToLower(c))
		if d < distance || d == distance && best != "" && c < best {
			best, distance = c, d
		}
	}
	return best
}

// Write writes objects with all keys expanded.
func Write(w io.Writer, objects []*Object) error {
	var b bytes.Buffer
	for _, o := range objects {
		for _, key := range o.keys {
			fmt.Fprintf(&b, "%s=%s\n", key, o.entries[key].Value)
		}
		b.WriteString("---\n")
	}
	_, err := w.Write(b.Bytes())
	return err
}
