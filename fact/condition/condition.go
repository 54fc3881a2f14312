// Package condition is the language of conditions on facts: author=someone, laps>1,
// name~sunset, size>300KB. Tables select rows with it, and searches in an index select
// files.
package condition

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"pakbox/fact"
	"pakbox/fault"
)

// Condition compares the value of a field. Without an operator it means that the field
// has a value other than false.
type Condition struct {
	Field, Op, Value string
}

// operators of conditions. A longer operator comes before its beginning: <= before <.
var operators = []string{"!=", "<=", ">=", "=", "<", ">", "~"}

// Parse reads a condition such as FIELD=VALUE. A text without an operator is the name of
// a field.
func Parse(s string) (Condition, error) {
	at := strings.IndexAny(s, "!<>=~")
	for _, op := range operators {
		if at < 0 {
			break
		}
		if value, ok := strings.CutPrefix(s[at:], op); ok {
			c := Condition{strings.TrimSpace(s[:at]), op, strings.TrimSpace(value)}
			if c.Field == "" {
				return c, fault.Usagef("%q is not of the form FIELD=VALUE", s)
			}
			return c, nil
		}
	}
	if s = strings.TrimSpace(s); s == "" {
		return Condition{}, fault.Usagef("%q is not of the form FIELD=VALUE", s)
	}
	return Condition{Field: s}, nil
}

// Holds reports whether the condition holds for a value. It returns an error if the
// condition's own value does not fit the kind, such as a word for a time.
func (c Condition) Holds(v fact.Value) (bool, error) {
	if c.Op == "" {
		return v.Value != nil && v.Value != false && v.Value != "", nil
	}
	if v.Fact == nil || v.Value == nil {
		return c.Op == "!=" && c.Value != "", nil
	}
	if c.Op == "~" || !ordered(v.Kind) {
		return c.holdsText(v), nil
	}
	x, ok := number(v.Value)
	if !ok {
		return c.holdsText(v), nil
	}
	low, high, err := Range(v.Kind, c.Value)
	if err != nil {
		return false, err
	}
	switch c.Op {
	case "=":
		return x >= low && (x < high || x == low), nil
	case "!=":
		return x < low || x >= high && x != low, nil
	case "<":
		return x < low, nil
	case ">=":
		return x >= low, nil
	case ">":
		return x >= high && x > low, nil
	}
	return x < high || x == low, nil
}

// Fits returns an error if the condition's own value cannot be compared with values of
// this kind, such as a word with times.
func (c Condition) Fits(k fact.Kind) error {
	if c.Op == "" || c.Op == "~" || !ordered(k) {
		return nil
	}
	_, _, err := Range(k, c.Value)
	return err
}

// ordered reports whether values of a kind are compared as numbers.
func ordered(k fact.Kind) bool { return k.Numeric() || k == fact.Flag }

func number(value any) (float64, bool) {
	switch v := value.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	case json.Number:
		f, err := v.Float64()
		return f, err == nil
	}
	return 0, false
}

// holdsText compares texts without colours, case and accents. For = and !=, a * stands
// for any text.
func (c Condition) holdsText(v fact.Value) bool {
	shown, raw, want := Fold(v.Text()), Fold(Raw(v.Value)), Fold(c.Value)
	switch c.Op {
	case "~":
		return strings.Contains(shown, want) || strings.Contains(raw, want)
	case "=":
		return matches(shown, want) || matches(raw, want)
	case "!=":
		return !matches(shown, want) && !matches(raw, want)
	}
	order := cmp.Compare(shown, want)
	switch c.Op {
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	}
	return order >= 0
}

// matches compares a text with a pattern in which * stands for any text.
func matches(text, pattern string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return text == pattern
	}
	if !strings.HasPrefix(text, parts[0]) {
		return false
	}
	text = text[len(parts[0]):]
	last := len(parts) - 1
	for _, part := range parts[1:last] {
		at := strings.Index(text, part)
		if at < 0 {
			return false
		}
		text = text[at+len(part):]
	}
	return strings.HasSuffix(text, parts[last])
}

// Raw formats a value for CSV that programs read.
func Raw(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case json.Number:
		return v.String()
	}
	return string(fact.JSON(value))
}

// Compare orders two values of one fact. A missing value comes last in both directions.
func Compare(x, y fact.Value, descending bool) int {
	switch {
	case x.Value == nil && y.Value == nil:
		return 0
	case x.Value == nil:
		return 1
	case y.Value == nil:
		return -1
	}
	order := cmp.Or(cmp.Compare(strings.ToLower(x.Text()), strings.ToLower(y.Text())), cmp.Compare(x.Text(), y.Text()))
	if a, ok := number(x.Value); ok {
		if b, ok := number(y.Value); ok {
			order = cmp.Compare(a, b)
		}
	}
	if descending {
		return -order
	}
	return order
}
