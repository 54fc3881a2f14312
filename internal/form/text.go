package form

import (
	"strconv"

	"pakbox/fact"
	"pakbox/internal/lib/styled"
)

// CellText is a value in a cell of a table for people. Coloured names keep
// their colours if there may be colours.
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
	case fact.List:
		return fact.Text.Text(v.Value)
	}
	return v.Kind.Text(v.Value)
}

// CardText is a value on a card. Coloured names keep their colours if there
// may be colours.
func CardText(v fact.Value, colours bool) string {
	if name, ok := v.Value.(string); ok && colours && v.Kind == fact.Styled && v.Words == "" {
		return styled.ANSI(name)
	}
	return v.Text()
}
