package explore

import (
	"pakbox/internal/form"
	"pakbox/trackmania"
)

// spans splits names into pieces of one colour, for pages that draw names.
func (s *Explorer) spans(c *call) (any, error) {
	list := [][]trackmania.Span{}
	for _, name := range c.Params["text"] {
		list = append(list, trackmania.Spans(name))
	}
	return new(form.Object).Add("spans", list), nil
}
