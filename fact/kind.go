package fact

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"pakbox/internal/lib/racetime"
	"pakbox/internal/lib/styled"
)

// Kind states what a value means. It determines the value's type, unit and text.
type Kind string

// Kinds of values, each with the type of its values.
const (
	Text   Kind = "text"          // string
	Styled Kind = "coloured text" // string with the games' colour codes
	Login  Kind = "login"         // string
	ID     Kind = "identifier"    // string
	Hash   Kind = "hash"          // string of hex digits
	Count  Kind = "count"         // int64
	Bytes  Kind = "bytes"         // int64: a size
	Time   Kind = "time"          // int64: milliseconds of a run
	Moment Kind = "moment"        // int64: milliseconds since 1970
	Number Kind = "number"        // float64, or json.Number where digits matter
	Flag   Kind = "flag"          // bool
	List   Kind = "list"          // []string
	Times  Kind = "times"         // []*int64: milliseconds of a run, nil for none
	Object Kind = "object"        // any value that JSON can hold
	Group  Kind = "group"         // no value: a line of the card that sums up several facts
)

// Unit is the unit of the kind's numbers, "" if they have none.
func (k Kind) Unit() string {
	switch k {
	case Bytes:
		return "bytes"
	case Time, Times:
		return "milliseconds"
	case Moment:
		return "milliseconds since 1970"
	}
	return ""
}

// Scalar reports whether the kind has single values, which can be compared.
func (k Kind) Scalar() bool {
	switch k {
	case List, Times, Object, Group:
		return false
	}
	return true
}

// Numeric reports whether values of the kind are numbers.
func (k Kind) Numeric() bool {
	switch k {
	case Count, Bytes, Time, Moment, Number:
		return true
	}
	return false
}

// Text is a value of the kind as people read it. Colour codes are removed.
func (k Kind) Text(value any) string {
	switch v := value.(type) {
	case nil:
		return "-"
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case string:
		if k == Styled {
			return styled.Plain(v)
		}
		return v
	case int64:
		switch k {
		case Time:
			return racetime.Text(v)
		case Moment:
			return MomentText(time.UnixMilli(v))
		case Bytes:
			return LongSize(v)
		}
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case []string:
		return strings.Join(v, ", ")
	case []*int64:
		texts := make([]string, len(v))
		for i, t := range v {
			if texts[i] = racetime.None; t != nil {
				texts[i] = racetime.Text(*t)
			}
		}
		return strings.Join(texts, " ")
	}
	return fmt.Sprint(value)
}

// MomentText is a moment as text for people, in their own time zone.
func MomentText(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Local().Format("2006-01-02 15:04")
}

// SizeText is a number of bytes as text for people.
func SizeText(n int64) string {
	switch {
	case n < 0:
		return "unknown"
	case n == 1:
		return "1 byte"
	case n < 1024:
		return fmt.Sprintf("%d bytes", n)
	}
	value, units := float64(n)/1024, "KMGTPE"
	for value >= 1023.95 && len(units) > 1 {
		value, units = value/1024, units[1:]
	}
	return fmt.Sprintf("%.1f %ciB", value, units[0])
}

// LongSize is SizeText, with the exact number behind a rounded one.
func LongSize(n int64) string {
	if n < 1024 {
		return SizeText(n)
	}
	return fmt.Sprintf("%s (%d bytes)", SizeText(n), n)
}

// normal converts a value to the type of its kind.
func normal(value any) any {
	switch v := value.(type) {
	case int:
		return int64(v)
	case int32:
		return int64(v)
	case uint8:
		return int64(v)
	case uint16:
		return int64(v)
	case uint32:
		return int64(v)
	case float32:
		return float64(v)
	case *int64:
		if v == nil {
			return nil
		}
		return *v
	case *string:
		if v == nil {
			return nil
		}
		return unmarked(*v)
	case string:
		return unmarked(v)
	case time.Time:
		if v.IsZero() {
			return nil
		}
		return v.UnixMilli()
	}
	return value
}

// Known returns value if ok, otherwise nil, which stands for a missing value.
func Known[T any](value T, ok bool) any {
	if !ok {
		return nil
	}
	return value
}

// unmarked removes byte order marks, which games store before texts that are not ASCII. A
// text that is put into another one must not carry its mark along.
func unmarked(s string) string { return strings.ReplaceAll(s, "\ufeff", "") }
