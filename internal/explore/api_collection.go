package explore

import (
	"bytes"
	"context"
	"io"

	"pakbox/fault"
	"pakbox/internal/form"
)

// Collection answers questions about an index of many files.
type Collection interface {
	// Name is what the commands call the index by.
	Name() string
	// Files counts what is indexed.
	Files(ctx context.Context) (int64, error)
	// Ask answers with so many rows at most.
	Ask(ctx context.Context, q Asked, limit int) (*Table, error)
	// CSV writes the whole answer.
	CSV(ctx context.Context, w io.Writer, q Asked) error
	// Facets tells what the files that are found by words can be told apart by.
	Facets(ctx context.Context, words []string) (any, error)
}

// Asked is a question to an index: in the words that people use or, if there
// is a query, in SQL, which changes nothing.
type Asked struct {
	Words []string
	Query string
}

// Table is an answer in rows.
type Table struct {
	Columns []string   `json:"columns"`
	Rows    [][]any    `json:"rows"`
	Texts   [][]string `json:"texts"` // the rows as the command prints them
	Paths   []string   `json:"paths"` // where on the page the file of each row is; "" if it is not there
	Cut     bool       `json:"cut"`   // there are more
}

// Limits of an answer: rows, and bytes of it as CSV.
const (
	maxRows = 2000
	maxCSV  = 64 << 20
)

func (s *Explorer) withCollection(use func(Collection) (any, error)) (any, error) {
	if s.opts.Collection == nil {
		return nil, fault.New(fault.Unsupported, "there is no index: make one with pakbox index, and start pakbox serve with it")
	}
	return use(s.opts.Collection)
}

func (s *Explorer) collection(c *call) (any, error) {
	return s.withCollection(func(k Collection) (any, error) {
		n, err := k.Files(c.Context())
		return new(form.Object).Add("index", k.Name()).Add("files", n), err
	})
}

// asking is a question to the index, in words or in SQL.
func asking(sql bool, use func(c *call, k Collection, q Asked) (any, error)) route {
	return route{answer: func(s *Explorer, c *call) (any, error) {
		q := Asked{Words: c.Params["q"]}
		if sql {
			if q = (Asked{Query: c.param("q")}); q.Query == "" {
				return nil, usage("a question in SQL is needed")
			}
		}
		return s.withCollection(func(k Collection) (any, error) { return use(c, k, q) })
	}}
}

func foundRows(c *call, k Collection, q Asked) (any, error) { return k.Ask(c.Context(), q, maxRows) }

// foundCSV is the whole answer as a file to keep.
func foundCSV(c *call, k Collection, q Asked) (any, error) {
	b := &limitedBuffer{most: maxCSV}
	if err := k.CSV(c.Context(), b, q); err != nil {
		return nil, err
	}
	a := bytesAnswer(OK, octets, b.Bytes())
	a.File = "pakbox.csv"
	return a, nil
}

// limitedBuffer holds so much and no more.
type limitedBuffer struct {
	bytes.Buffer
	most int
}

func (b *limitedBuffer) Write(p []byte) (int, error) {
	if b.Len()+len(p) > b.most {
		return 0, fault.New(fault.Limit, "the answer is larger than %d bytes: ask for less, or use the command", b.most)
	}
	return b.Buffer.Write(p)
}

func (s *Explorer) facets(c *call) (any, error) {
	return s.withCollection(func(k Collection) (any, error) {
		list, err := k.Facets(c.Context(), c.Params["q"])
		return new(form.Object).Add("facets", list), err
	})
}
