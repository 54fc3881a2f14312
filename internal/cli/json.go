package cli

import (
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

// object is a JSON object whose fields keep their order, so that what
// identifies it comes first.
type object struct {
	names  []string
	values []any
}

// newObject begins the object that a command prints for one input.
func newObject(command, path, format string) *object {
	o := new(object).add("schema", "pakbox."+command+"/1").add("path", path)
	if format != "" {
		return o.add("format", format)
	}
	return o.add("format", nil)
}

// add appends a field. The first of a name stays: formats cannot replace
// what every command promises.
func (o *object) add(name string, value any) *object {
	for _, n := range o.names {
		if n == name {
			return o
		}
	}
	o.names = append(o.names, name)
	o.values = append(o.values, value)
	return o
}

// merge appends the fields of another object, which may be nil.
func (o *object) merge(more *object) *object {
	if more != nil {
		for i, name := range more.names {
			o.add(name, more.values[i])
		}
	}
	return o
}

// addFields appends the fields of a struct, by their names in JSON.
func (o *object) addFields(pointer any) *object {
	s := reflect.ValueOf(pointer).Elem()
	for i := range s.NumField() {
		name, _, _ := strings.Cut(s.Type().Field(i).Tag.Get("json"), ",")
		o.add(name, s.Field(i).Interface())
	}
	return o
}

// addFacts merges facts by their names.
func (o *object) addFacts(facts []archive.Fact) *object {
	for _, f := range facts {
		value := f.Value
		if t, ok := value.(time.Time); ok {
			value = millis(t)
		}
		o.add(f.Name, value)
	}
	return o
}

// MarshalJSON writes an object inside another.
func (o *object) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, name := range o.names {
		value, err := marshal(o.values[i])
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

// marshal is json.Marshal for readers that are not web pages.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// print writes one object as one line. What an archive holds is written entry
// by entry: it may be long.
func (a *app) print(o *object) error {
	fields := make([][]byte, len(o.names))
	for i, v := range o.values {
		if _, long := v.([]archive.Entry); long {
			continue
		}
		var err error
		if fields[i], err = marshal(v); err != nil {
			return err
		}
	}
	a.progress.hide()
	for i, name := range o.names {
		separator := ","
		if i == 0 {
			separator = "{"
		}
		fmt.Fprintf(a.out, "%s%q:", separator, name)
		if entries, long := o.values[i].([]archive.Entry); long {
			a.printEntries(entries)
		} else {
			a.out.Write(fields[i])
		}
	}
	_, err := a.out.WriteString("}\n")
	return err
}

func (a *app) printEntries(entries []archive.Entry) {
	a.out.WriteByte('[')
	for i, e := range entries {
		if i > 0 {
			a.out.WriteByte(',')
		}
		data, _ := marshal(a.entryObject(e)) // of plain fields: cannot fail
		a.out.Write(data)
	}
	a.out.WriteByte(']')
}

// entryJSON is an entry in ls --json.
type entryJSON struct {
	Name       string     `json:"name"`
	Size       *int64     `json:"size"` // null when only decoding would tell
	StoredSize int64      `json:"stored_size"`
	Compressed bool       `json:"compressed"`
	Encrypted  bool       `json:"encrypted"`
	Method     string     `json:"method"`
	Hash       string     `json:"hash"`
	Modified   *int64     `json:"modified"`
	Offset     *int64     `json:"offset"`
	Problem    *errorJSON `json:"problem,omitempty"`
}

func (a *app) entryObject(e archive.Entry) entryJSON {
	j := entryJSON{
		Name: e.Name, Size: known(e.Size), StoredSize: e.StoredSize,
		Compressed: e.Compressed, Encrypted: e.Encrypted, Method: e.Method, Hash: e.Hash,
		Modified: millis(e.ModTime), Offset: known(e.Offset),
	}
	if e.Problem != nil {
		j.Problem = a.errorObject(e.Problem)
	}
	return j
}

// errorJSON is an error wherever one occurs in JSON.
type errorJSON struct {
	Kind    string  `json:"kind"`
	Message string  `json:"message"`
	Entry   *string `json:"entry"`
	Offset  *int64  `json:"offset"`
}

func (a *app) errorObject(err error) *errorJSON {
	j := &errorJSON{Kind: errorKind(err), Message: a.unspool(describe(err))}
	var e *fault.Error
	if errors.As(err, &e) {
		j.Entry, j.Offset = nonEmpty(e.Entry), known(e.Offset)
	}
	return j
}

// findingJSON is a finding in verify --json.
type findingJSON struct {
	Severity archive.Severity `json:"severity"`
	Kind     fault.Kind       `json:"kind"`
	Message  string           `json:"message"`
	Entry    *string          `json:"entry"`
	Offset   *int64           `json:"offset"`
}

func findingObjects(findings []archive.Finding) []findingJSON {
	list := make([]findingJSON, len(findings))
	for i, f := range findings {
		list[i] = findingJSON{f.Severity, f.Kind, f.Message, nonEmpty(f.Entry), known(f.Offset)}
	}
	return list
}

// known turns a negative number, which stands for none, into null.
func known(n int64) *int64 {
	if n < 0 {
		return nil
	}
	return &n
}

func nonEmpty(s string) *string {
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
