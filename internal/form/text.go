package form

import (
	"strconv"

	"pakbox/fact"
	"pakbox/internal/lib/styled"
)

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
