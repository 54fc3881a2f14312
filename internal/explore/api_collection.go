package explore

import (
	"context"

	"pakbox/fault"
	"pakbox/internal/answer"
)

// Collection answers questions about an index of many files.
type Collection interface {
	// Files counts what is indexed.
	Files(ctx context.Context) (int64, error)
	// Find looks for files by the words that people use.
	Find(ctx context.Context, words []string, limit int) (*Table, error)
	// SQL answers a question in SQL, which changes nothing.
	SQL(ctx context.Context, query string, limit int) (*Table, error)
}

// Table is an answer in rows.
type Table struct {
	Columns []string `json:"columns"`
	Rows    [][]any  `json:"rows"`
	Cut     bool     `json:"cut"` // there are more
}

// maxRows is how many rows an answer has.
const maxRows = 2000

func (s *Explorer) withCollection(use func(Collection) (any, error)) (any, error) {
	if s.opts.Collection == nil {
		return nil, fault.New(fault.Unsupported, "there is no index: make one with pakbox index, and start pakbox serve with it")
	}
	return use(s.opts.Collection)
}

func (s *Explorer) collection(c *call) (any, error) {
	return s.withCollection(func(k Collection) (any, error) {
		n, err := k.Files(c.Context())
		return new(answer.Object).Add("files", n), err
	})
}

func (s *Explorer) find(c *call) (any, error) {
	return s.withCollection(func(k Collection) (any, error) { return k.Find(c.Context(), c.Params["q"], maxRows) })
}

func (s *Explorer) sql(c *call) (any, error) {
	return s.withCollection(func(k Collection) (any, error) { return k.SQL(c.Context(), c.param("q"), maxRows) })
}
