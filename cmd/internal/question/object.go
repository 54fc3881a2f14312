package question

import (
	"bufio"
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"pakbox/fact"
	"pakbox/internal/lib/pathname"
)

// Object is a JSON object whose fields keep their order, so that the identifying fields
// come first.
type Object struct {
	names  []string
	values []any
}

// New begins the object that a command prints for one input.
func NewObject(command, path, format string) *Object {
	o := new(Object).Add("schema", "pakbox."+command+"/1").Add("path", path)
	if format != "" {
		return o.Add("format", format)
	}
	return o.Add("format", nil)
}

// Add appends a field, unless the object already has one of this name. So formats cannot
// replace the fields that every command guarantees.
func (o *Object) Add(name string, value any) *Object {
	for _, n := range o.names {
		if n == name {
			return o
		}
	}
	if o.names == nil {
		o.names, o.values = make([]string, 0, 8), make([]any, 0, 8)
	}
	o.names = append(o.names, name)
	o.values = append(o.values, valid(value))
	return o
}

// valid escapes names that are not UTF-8, which JSON cannot hold: two of them would be
// the same.
func valid(value any) any {
	switch v := value.(type) {
	case string:
		return pathname.Escaped(v)
	case []string:
		if slices.ContainsFunc(v, func(s string) bool { return !utf8.ValidString(s) }) {
			v = slices.Clone(v)
			for i := range v {
				v[i] = pathname.Escaped(v[i])
			}
		}
		return v
	}
	return value
}

// Merge appends the fields of another object, which may be nil.
func (o *Object) Merge(more *Object) *Object {
	if more != nil {
		for i, name := range more.names {
			o.Add(name, more.values[i])
		}
	}
	return o
}

// AddFields appends the fields of a struct, under their JSON names.
func (o *Object) AddFields(pointer any) *Object {
	s := reflect.ValueOf(pointer).Elem()
	for _, f := range reflect.VisibleFields(s.Type()) {
		name, rule, _ := strings.Cut(f.Tag.Get("json"), ",")
		value := s.FieldByIndex(f.Index)
		if name != "" && name != "-" && !(rule == "omitempty" && value.IsZero()) {
			o.Add(name, value.Interface())
		}
	}
	return o
}

// AddFacts appends a record by the names of its facts.
func (o *Object) AddFacts(record fact.Record) *Object {
	var group *Object // the object whose members are being added
	for _, v := range record {
		name, member, nested := strings.Cut(v.Name, ".")
		switch {
		case v.Kind == fact.Group:
		case !nested:
			o.Add(v.Name, v.Value)
		default:
			if len(o.names) == 0 || o.names[len(o.names)-1] != name {
				group = new(Object)
				o.Add(name, group)
			}
			group.Add(member, v.Value)
		}
	}
	return o
}

// Envelope returns the first fields of every answer as a record: schema, path, format.
func Envelope(command, path, format string) fact.Record {
	return fact.Record{
		{Fact: schemaFact, Value: "pakbox." + command + "/1"},
		{Fact: PathFact, Value: path},
		{Fact: formatFact, Value: fact.Known(format, format != "")},
	}
}

var (
	schemaFact = &fact.Fact{Name: "schema", Kind: fact.ID, Doc: "name and version of the answer's form"}
	PathFact   = &fact.Fact{Name: "path", Kind: fact.Text, Doc: "path that was asked about"}
	formatFact = &fact.Fact{Name: "format", Kind: fact.Text, Doc: "format of the file"}
)

// MarshalJSON writes the object inside another one.
func (o *Object) MarshalJSON() ([]byte, error) {
	b := append(make([]byte, 0, 256), '{')
	for i, name := range o.names {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(strconv.AppendQuote(b, name), ':')
		more, known := appendPlain(b, o.values[i])
		if !known {
			value, err := Marshal(o.values[i])
			if err != nil {
				return nil, err
			}
			more = append(b, value...)
		}
		b = more
	}
	return append(b, '}'), nil
}

// appendPlain appends a value as JSON if it is of the most frequent ones: null, a whole
// number, or a text without escapes.
func appendPlain(b []byte, value any) (more []byte, known bool) {
	switch v := value.(type) {
	case nil:
		return append(b, "null"...), true
	case int64:
		return strconv.AppendInt(b, v, 10), true
	case string:
		for i := range len(v) {
			if c := v[i]; c-' ' > '~'-' ' || c == '"' || c == '\\' {
				return b, false
			}
		}
		return append(append(append(b, '"'), v...), '"'), true
	}
	return b, false
}

// Write writes the object as one line.
func (o *Object) Write(w *bufio.Writer) error {
	line, err := o.MarshalJSON()
	if err != nil {
		return err
	}
	w.Write(line)
	return w.WriteByte('\n')
}

// Marshal is json.Marshal without the escapes for web pages.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Known returns nil for a negative number, which stands for an unknown one.
func Known(n int64) *int64 {
	if n < 0 {
		return nil
	}
	return &n
}

// NonEmpty returns nil for an empty text.
func NonEmpty(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
