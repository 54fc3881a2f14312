package answer

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"pakbox/archive"
	"pakbox/gbx"
	"pakbox/trackmania"
)

// Row is an answer as a row of a table. Its columns are the fields that the
// answer has as JSON; those of objects in it are called by both names, such as
// medals.author.
type Row struct {
	Object *Object
	// Labels are what people call fields, in lower case, such as "author" for
	// author_login.
	Labels map[string]string

	fields map[string]any
	names  []string // of a plain row, those of its cells
	cells  []any
}

// NewRow makes a row of an answer.
func NewRow(o *Object) *Row { return &Row{Object: o} }

// PlainRow makes a row of values, which are texts, numbers, booleans, or nil. It
// costs little, so that there can be very many.
func PlainRow(names []string, cells ...any) *Row { return &Row{names: names, cells: cells} }

// Row makes a row of a card.
func (c *Card) Row() *Row {
	r := &Row{Object: c.Object(), Labels: map[string]string{}}
	for _, f := range c.Facts {
		if f.Label != "" {
			r.Labels[strings.ToLower(f.Label)] = f.Name
		}
	}
	return r
}

// Names lists the fields of the row, those in objects behind a dot.
func (r *Row) Names() (names []string) {
	if r.Object == nil {
		return r.names
	}
	r.decode()
	for _, name := range r.Object.names {
		names = append(names, name)
		if inner, ok := r.fields[name].(map[string]any); ok {
			var below []string
			for key := range inner {
				below = append(below, name+"."+key)
			}
			slices.Sort(below)
			names = append(names, below...)
		}
	}
	return names
}

// Get returns the value of a field by its name or by what people call it. It
// is nil where the answer does not know, and not ok where it has no such field.
func (r *Row) Get(name string) (value any, ok bool) {
	if r.Object == nil {
		if i := slices.Index(r.names, name); i >= 0 {
			return asDecoded(r.cells[i]), true
		}
		return nil, false
	}
	r.decode()
	if value, ok = lookup(r.fields, name); ok {
		return value, true
	}
	if known, is := r.Labels[strings.ToLower(name)]; is {
		return lookup(r.fields, known)
	}
	return nil, false
}

// asDecoded is a value as a decoder of JSON gives it.
func asDecoded(value any) any {
	switch v := value.(type) {
	case int:
		return json.Number(strconv.Itoa(v))
	case int64:
		return json.Number(strconv.FormatInt(v, 10))
	case float32:
		return json.Number(string(appendFloat(nil, v)))
	case *int64:
		if v == nil {
			return nil
		}
		return json.Number(strconv.FormatInt(*v, 10))
	}
	return value
}

func lookup(fields map[string]any, name string) (any, bool) {
	if v, ok := fields[name]; ok {
		return v, true
	}
	head, rest, ok := strings.Cut(name, ".")
	inner, is := fields[head].(map[string]any)
	if !ok || !is {
		return nil, false
	}
	return lookup(inner, rest)
}

func (r *Row) decode() {
	if r.fields != nil {
		return
	}
	r.fields = map[string]any{}
	text, err := r.Object.MarshalJSON()
	if err != nil {
		return
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	dec.Decode(&r.fields)
}

// Pick returns the row as JSON with only some fields.
func (r *Row) Pick(names []string) *Object {
	if len(names) == 0 && r.Object != nil {
		return r.Object
	}
	if len(names) == 0 {
		names = r.names
	}
	o := new(Object)
	for _, name := range names {
		value, _ := r.Get(name)
		o.Add(name, value)
	}
	return o
}

// RawText is a value as a program reads it from CSV.
func RawText(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	case bool, json.Number:
		return fmt.Sprint(v)
	}
	text, _ := Marshal(value)
	return string(text)
}

// FieldText is a value of a field as people read it: times of runs as times,
// moments as dates, and names without the codes of their style, or in their
// colours.
func FieldText(name string, value any, colours bool) string {
	last := name[strings.LastIndexByte(name, '.')+1:]
	switch v := value.(type) {
	case nil:
		return ""
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case string:
		if !isStyled(last) {
			return v
		}
		if colours {
			return trackmania.ANSI(v)
		}
		return trackmania.Plain(v)
	case json.Number:
		n, err := v.Int64()
		switch {
		case err == nil && isRunTime(name):
			return trackmania.TimeText(gbx.Time(n))
		case err == nil && isMoment(last):
			return TimeText(time.UnixMilli(n))
		}
		return v.String()
	case []any:
		texts := make([]string, len(v))
		for i, e := range v {
			texts[i] = FieldText(name, e, colours)
		}
		if len(v) > 0 {
			if _, objects := v[0].(map[string]any); objects {
				return strconv.Itoa(len(v))
			}
		}
		return strings.Join(texts, " ")
	}
	return RawText(value)
}

// StyledFact is FactText, with names in their colours if there may be colours.
func StyledFact(f archive.Fact, colours bool) string {
	if name, ok := f.Value.(string); ok && colours && isStyled(f.Name) && f.Text == trackmania.Plain(name) {
		return trackmania.ANSI(name)
	}
	return FactText(f)
}

// isStyled reports whether a field holds text with codes such as $f80.
func isStyled(name string) bool {
	return name == "name" || name == "nick" || strings.HasSuffix(name, "_nick") || name == "zone"
}

// isRunTime reports whether a field holds the time of a run, in milliseconds.
func isRunTime(name string) bool {
	return name == "time" || name == "race_time" || name == "checkpoints" || strings.HasPrefix(name, "medals.")
}

// isMoment reports whether a field holds a date.
func isMoment(name string) bool { return name == "modified" || name == "created" }

// Condition chooses rows: that a field has a value.
type Condition struct {
	field, op, value string
}

// operators are those of conditions; one that begins another comes behind it.
var operators = []string{"!=", "<=", ">=", "=", "<", ">", "~"}

// ParseCondition understands conditions such as author=someone, laps>1,
// name~sunset (contains) or password (is there, and not false).
func ParseCondition(s string) (Condition, error) {
	at, op := len(s), ""
	for _, o := range operators {
		if i := strings.Index(s, o); i >= 0 && i < at {
			at, op = i, o
		}
	}
	c := Condition{strings.TrimSpace(s[:at]), op, strings.TrimSpace(s[min(at+len(op), len(s)):])}
	if c.field == "" {
		return c, fmt.Errorf("%q is not of the form FIELD=VALUE", s)
	}
	return c, nil
}

// Field is what the condition is about.
func (c Condition) Field() string { return c.field }

// Holds reports whether a row meets the condition.
func (c Condition) Holds(r *Row) bool {
	value, _ := r.Get(c.field)
	if c.op == "" {
		return value != nil && value != false && value != ""
	}
	if value == nil {
		return c.op == "!=" && c.value != ""
	}
	raw, shown := RawText(value), FieldText(c.field, value, false)
	switch c.op {
	case "=":
		return strings.EqualFold(raw, c.value) || strings.EqualFold(shown, c.value) || equalNumbers(value, c.value)
	case "!=":
		return !strings.EqualFold(raw, c.value) && !strings.EqualFold(shown, c.value) && !equalNumbers(value, c.value)
	case "~":
		return strings.Contains(strings.ToLower(shown), strings.ToLower(c.value)) || strings.Contains(strings.ToLower(raw), strings.ToLower(c.value))
	}
	order := compareText(shown, c.value)
	if x, y, ok := numbers(value, c.value); ok {
		order = cmp.Compare(x, y)
	}
	switch c.op {
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	}
	return order >= 0
}

func equalNumbers(value any, given string) bool {
	x, y, ok := numbers(value, given)
	return ok && x == y
}

// numbers gives a value and what it is compared with as numbers; a time of a
// run may be given as one.
func numbers(value any, given string) (x, y float64, ok bool) {
	n, is := value.(json.Number)
	if !is {
		return 0, 0, false
	}
	x, err := n.Float64()
	y, err2 := strconv.ParseFloat(given, 64)
	if err2 != nil {
		t, ok := gbx.ParseTime(given)
		if !ok {
			return 0, 0, false
		}
		y = float64(t)
	}
	return x, y, err == nil
}

// CompareRows orders rows by a field. Rows that do not know it come last.
func CompareRows(x, y *Row, field string, descending bool) int {
	v, _ := x.Get(field)
	w, _ := y.Get(field)
	switch {
	case v == nil && w == nil:
		return 0
	case v == nil:
		return 1
	case w == nil:
		return -1
	}
	order := compareText(FieldText(field, v, false), FieldText(field, w, false))
	if n, ok := v.(json.Number); ok {
		if m, ok := w.(json.Number); ok {
			a, _ := n.Float64()
			b, _ := m.Float64()
			order = cmp.Compare(a, b)
		}
	}
	if descending {
		return -order
	}
	return order
}

func compareText(x, y string) int {
	return cmp.Or(cmp.Compare(strings.ToLower(x), strings.ToLower(y)), cmp.Compare(x, y))
}
