package nadeo

import "pakbox/internal/lib/styled"

// Names and nicknames contain codes for colours and styles, which begin with a dollar
// sign. Package styled reads them; these functions make it available to users of the
// library.

// Span is a piece of a name in one style, for programs that draw names.
type Span struct {
	Text   string `json:"text"`
	Color  string `json:"color,omitempty"` // #rrggbb, "" for the usual colour
	Bold   bool   `json:"bold,omitempty"`
	Italic bool   `json:"italic,omitempty"`
	Wide   bool   `json:"wide,omitempty"`
	Narrow bool   `json:"narrow,omitempty"`
}

// Plain returns a text without its codes, for lists, sorting and searching.
func Plain(s string) string { return styled.Plain(s) }

// ANSI converts the colour codes of a text to those of a terminal. It drops control
// characters, so that a name cannot send commands to the terminal.
func ANSI(s string) string { return styled.ANSI(s) }

// Spans splits a name into pieces of one style each, without links.
func Spans(s string) []Span {
	list := []Span{}
	for _, p := range styled.Spans(s) {
		list = append(list, Span(p))
	}
	return list
}
