package page

import (
	"pakbox/cmd/internal/question"
	"pakbox/nadeo"
)

// spans splits names into pieces of one colour, for pages that draw names.
func (s *Explorer) spans(c *call) (any, error) {
	list := [][]nadeo.Span{}
	for _, name := range c.Params["text"] {
		list = append(list, nadeo.Spans(name))
	}
	return new(question.Object).Add("spans", list), nil
}
