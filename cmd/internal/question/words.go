package question

import (
	"fmt"
	"strconv"
	"strings"

	"pakbox/fact"
	"pakbox/internal/lib/styled"
)

// Count formats a number of things: 1 file, 2 files.
func Count[N int | int64](n N, thing string) string {
	switch {
	case n == 1:
		return "1 " + thing
	case strings.HasSuffix(thing, "y") && !strings.HasSuffix(thing, "ay") && !strings.HasSuffix(thing, "ey") && !strings.HasSuffix(thing, "oy"):
		return fmt.Sprintf("%d %sies", n, strings.TrimSuffix(thing, "y"))
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// OrList joins names with commas and or: a, b or c.
func OrList(names []string) string {
	last := len(names) - 1
	if last <= 0 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// Percent formats a part of a whole.
func Percent(part, whole int64) string {
	if whole == 0 {
		return "100%"
	}
	return fmt.Sprintf("%.4g%%", 100*float64(part)/float64(whole))
}

// CellText formats a value for a cell of a table. With colours set, names keep their
// colours.
func CellText(v fact.Value, colours bool) string {
	if v.Fact == nil || v.Value == nil {
		return ""
	}
	if name, ok := v.Value.(string); ok && colours && v.Kind == fact.Styled {
		return styled.ANSI(name)
	}
	switch v.Kind {
	case fact.Bytes:
		return strconv.FormatInt(v.Value.(int64), 10)
	case fact.Time:
		return v.Text() // a result of Stunts is in points
	}
	return v.Kind.Text(v.Value)
}

// CardText formats a value for a card. With colours set, names keep their colours.
func CardText(v fact.Value, colours bool) string {
	if name, ok := v.Value.(string); ok && colours && v.Kind == fact.Styled && v.Words == "" {
		return styled.ANSI(name)
	}
	return v.Text()
}
