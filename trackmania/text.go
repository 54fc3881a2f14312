package trackmania

import (
	"pakbox/internal/lib/styled"
)

// Names and nicknames hold codes that begin with a dollar, for colours and
// styles. Package styled reads them; these are its functions for users of the
// library.

// Span is a stretch of a name in one style, for programs that draw names.
type Span = styled.Span

// Plain returns a text without its codes, for lists, sorting and searching.
func Plain(s string) string { return styled.Plain(s) }

// ANSI returns a text with its codes as those of a terminal. Control
// characters of the text are left out, so that a name cannot do anything else
// to the terminal.
func ANSI(s string) string { return styled.ANSI(s) }

// Spans returns a name as stretches of one style each, without links.
func Spans(s string) []Span { return styled.Spans(s) }
