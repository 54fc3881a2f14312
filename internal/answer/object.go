// Package answer is what pakbox says about files, one function for each
// question. A command, a page and whatever else tells a fact call the same
// function; it returns values and never prints.
package answer

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"pakbox/archive"
	"pakbox/fault"
)

// Object is a JSON object whose fields keep their order, so that what
// identifies it comes first.
type Object struct {
	names  []string
	values []any
}

// New begins the object that a command prints for one input.
func New(command, path, format string) *Object {
	o := new(Object).Add("schema", "pakbox."+command+"/1").Add("path", path)
	if format != "" {
		return o.Add("format", format)
	}
	return o.Add("format", nil)
}

// Add appends a field. The first of a name stays: formats cannot replace
// what every command promises.
func (o *Object) Add(name string, value any) *Object {
	for _, n := range o.names {
		if n == name {
			return o
		}
	}
	o.names = append(o.names, name)
	o.values = append(o.values, value)
	return o
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

// AddFields appends the fields of a struct, by their names in JSON.
func (o *Object) AddFields(pointer any) *Object {
	s := reflect.ValueOf(pointer).Elem()
	for i := range s.NumField() {
		name, _, _ := strings.Cut(s.Type().Field(i).Tag.Get("json"), ",")
		o.Add(name, s.Field(i).Interface())
	}
	return o
}

// AddFacts merges facts by their names.
func (o *Object) AddFacts(facts []archive.Fact) *Object {
	for _, f := range facts {
		value := f.Value
		if t, ok := value.(time.Time); ok {
			value = millis(t)
		}
		o.Add(f.Name, value)
	}
	return o
}

// MarshalJSON writes an object inside another.
func (o *Object) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, name := range o.names {
		value, err := Marshal(o.values[i])
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(strconv.AppendQuote(b, name), ':'), value...)
	}
	return append(b, '}'), nil
}

// Write writes the object as one line. What an archive holds is written entry
// by entry: it may be long.
func (o *Object) Write(w *bufio.Writer) error {
	fields := make([][]byte, len(o.names))
	for i, v := range o.values {
		if _, long := v.([]archive.Entry); long {
			continue
		}
		var err error
		if fields[i], err = Marshal(v); err != nil {
			return err
		}
	}
	for i, name := range o.names {
		separator := ","
		if i == 0 {
			separator = "{"
		}
		fmt.Fprintf(w, "%s%q:", separator, name)
		if entries, long := o.values[i].([]archive.Entry); long {
			writeEntries(w, entries)
		} else {
			w.Write(fields[i])
		}
	}
	_, err := w.WriteString("}\n")
	return err
}

func writeEntries(w *bufio.Writer, entries []archive.Entry) {
	w.WriteByte('[')
	for i, e := range entries {
		if i > 0 {
			w.WriteByte(',')
		}
		data, _ := Marshal(EntryOf(e)) // of plain fields: cannot fail
		w.Write(data)
	}
	w.WriteByte(']')
}

// Marshal is json.Marshal for readers that are not web pages.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Entry is an entry in ls --json.
type Entry struct {
	Name       string `json:"name"`
	Size       *int64 `json:"size"` // null when only decoding would tell
	StoredSize int64  `json:"stored_size"`
	Compressed bool   `json:"compressed"`
	Encrypted  bool   `json:"encrypted"`
	Method     string `json:"method"`
	Hash       string `json:"hash"`
	Modified   *int64 `json:"modified"`
	Offset     *int64 `json:"offset"`
	Problem    *Error `json:"problem,omitempty"`
}

// EntryOf is an entry as JSON has it.
func EntryOf(e archive.Entry) Entry {
	j := Entry{
		Name: e.Name, Size: Known(e.Size), StoredSize: e.StoredSize,
		Compressed: e.Compressed, Encrypted: e.Encrypted, Method: e.Method, Hash: e.Hash,
		Modified: millis(e.ModTime), Offset: Known(e.Offset),
	}
	if e.Problem != nil {
		j.Problem = ErrorOf(e.Problem)
	}
	return j
}

// Error is an error wherever one occurs in JSON.
type Error struct {
	Kind    string  `json:"kind"`
	Message string  `json:"message"`
	Entry   *string `json:"entry"`
	Offset  *int64  `json:"offset"`
}

// ErrorOf is an error as JSON has it.
func ErrorOf(err error) *Error {
	j := &Error{Kind: Kind(err), Message: Describe(err)}
	var e *fault.Error
	if errors.As(err, &e) {
		j.Entry, j.Offset = NonEmpty(e.Entry), Known(e.Offset)
	}
	return j
}

// Known turns a negative number, which stands for none, into null.
func Known(n int64) *int64 {
	if n < 0 {
		return nil
	}
	return &n
}

// NonEmpty turns an empty text, which stands for none, into null.
func NonEmpty(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func millis(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	ms := t.UnixMilli()
	return &ms
}
