package fact

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"pakbox/internal/lib/pathname"
)

// Record holds the values of one file, in the order of their table.
type Record []Value

// Cells makes a record of values in the order of their facts.
func Cells(facts []*Fact, values ...any) Record {
	r := make(Record, len(values))
	for i, v := range values {
		r[i] = Value{Fact: facts[i], Value: normal(v)}
	}
	return r
}

// Names lists the names of facts.
func Names(facts []*Fact) []string {
	names := make([]string, len(facts))
	for i, f := range facts {
		names[i] = f.Name
	}
	return names
}

// Get finds a value by any name of its fact. The exact name comes first; otherwise the
// first fact with that label or further name and with a value.
func (r Record) Get(name string) (Value, bool) {
	for i := range r {
		if r[i].Name == name && r[i].Kind != Group {
			return r[i], true
		}
	}
	found := -1
	for i := range r {
		if r[i].Kind == Group || !r[i].Answers(name) {
			continue
		}
		if r[i].Value != nil && r[i].Value != "" {
			return r[i], true
		}
		if found < 0 {
			found = i
		}
	}
	if found >= 0 {
		return r[found], true
	}
	return Value{}, false
}

// Has reports whether the record has a fact with this exact name.
func (r Record) Has(name string) bool {
	for i := range r {
		if r[i].Name == name {
			return true
		}
	}
	return false
}

// MarshalJSON writes the record as an object whose fields keep their order.
func (r Record) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	if err := r.appendFields(&b, true); err != nil {
		return nil, err
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// AppendFields appends the fields of the record's JSON object to other fields.
func (r Record) AppendFields(b *bytes.Buffer) error { return r.appendFields(b, false) }

func (r Record) appendFields(b *bytes.Buffer, first bool) error {
	object := "" // the name of the nested object that is being written
	for i := range r {
		v := &r[i]
		if v.Kind == Group {
			continue
		}
		group, member, nested := strings.Cut(v.Name, ".")
		if object != "" && (!nested || group != object) {
			b.WriteByte('}')
			object = ""
		}
		name := v.Name
		switch {
		case nested && object == "":
			comma(b, &first)
			b.WriteString(strconv.Quote(group) + ":{")
			object, name = group, member
		case nested:
			b.WriteByte(',')
			name = member
		default:
			comma(b, &first)
		}
		b.WriteString(strconv.Quote(name) + ":")
		if err := appendJSON(b, v.Value); err != nil {
			return err
		}
	}
	if object != "" {
		b.WriteByte('}')
	}
	return nil
}

func comma(b *bytes.Buffer, first *bool) {
	if !*first {
		b.WriteByte(',')
	}
	*first = false
}

// JSON returns a value as JSON, without escapes for < and &; null if JSON cannot hold it.
func JSON(value any) []byte {
	var b bytes.Buffer
	if appendJSON(&b, value) != nil {
		return []byte("null")
	}
	return b.Bytes()
}

// appendJSON appends a value as JSON.
func appendJSON(b *bytes.Buffer, value any) error {
	switch v := value.(type) {
	case nil:
		b.WriteString("null")
		return nil
	case bool:
		b.WriteString(strconv.FormatBool(v))
		return nil
	case int64:
		b.Write(strconv.AppendInt(b.AvailableBuffer(), v, 10))
		return nil
	case string:
		if simple(v) {
			b.WriteByte('"')
			b.WriteString(v)
			b.WriteByte('"')
			return nil
		}
		value = pathname.Escaped(v) // JSON cannot hold names that are not UTF-8: two of them would be the same
	}
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return err
	}
	b.Truncate(b.Len() - 1) // remove the line end
	return nil
}

// Pick returns a record with exactly these names, in this order. An unknown name has no
// value.
func (r Record) Pick(names []string) Record {
	picked := make(Record, len(names))
	for i, name := range names {
		v, _ := r.Get(name)
		kind := Text
		if v.Fact != nil {
			kind = v.Kind
		}
		picked[i] = Value{Fact: &Fact{Name: name, Kind: kind}, Value: v.Value}
	}
	return picked
}

// Names lists the names of the record's facts, without groups.
func (r Record) Names() (names []string) {
	for i := range r {
		if r[i].Kind != Group {
			names = append(names, r[i].Name)
		}
	}
	return names
}

// simple reports whether a text needs no escapes in JSON.
func simple(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}
