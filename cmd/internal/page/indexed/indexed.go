// Package indexed answers the page's questions about an index of many files.
package indexed

import (
	"context"
	"io"
	"slices"

	answers "pakbox/cmd/internal/answer/index"
	"pakbox/cmd/internal/page"
	"pakbox/index/ask"
)

// Collection is an open index that answers the page's questions.
type Collection struct {
	index  *ask.Index
	name   string
	onPage func(path string) string
}

// maxMemory limits the memory that SQLite takes for the page's questions.
const maxMemory = 128 << 20

// Open opens an index file. name is its path on the page.
func Open(ctx context.Context, file, name string) (*Collection, error) {
	x, err := ask.Open(ctx, file)
	if err != nil {
		return nil, err
	}
	if err := x.LimitMemory(ctx, maxMemory); err != nil {
		x.Close()
		return nil, err
	}
	return &Collection{index: x, name: name, onPage: func(string) string { return "" }}, nil
}

// First returns the paths of some files in the index, so that the caller can find the
// folder to which they are relative.
func (c *Collection) First(ctx context.Context) (paths []string, err error) {
	first, err := c.Ask(ctx, page.Asked{Query: "select path from files where parent is null limit 20"}, 20)
	if err != nil {
		return nil, err
	}
	for _, row := range first.Rows {
		if path, ok := row[0].(string); ok {
			paths = append(paths, path)
		}
	}
	return paths, nil
}

// At sets the function that converts a path of the index to a path on the page; "" for a
// file that the page does not have.
func (c *Collection) At(onPage func(path string) string) { c.onPage = onPage }

// Name returns the path of the index on the page.
func (c *Collection) Name() string { return c.name }

// Close closes the index.
func (c *Collection) Close() error { return c.index.Close() }

// Files returns the number of files in the index.
func (c *Collection) Files(ctx context.Context) (int64, error) { return c.index.Files(ctx) }

// Facets returns the values by which the found files can be narrowed down.
func (c *Collection) Facets(ctx context.Context, words []string) (any, error) {
	return c.index.Facets(ctx, words)
}

// ask answers a question. If it is in words, the number of rows is limited.
func (c *Collection) ask(ctx context.Context, q page.Asked, limit int) (*ask.Result, []*ask.Word, error) {
	if q.Query != "" {
		found, err := c.index.SQL(ctx, q.Query)
		return found, nil, err
	}
	return c.index.Find(ctx, ask.Search{Words: q.Words, Limit: limit})
}

// CSV writes a whole answer as comma-separated values.
func (c *Collection) CSV(ctx context.Context, w io.Writer, q page.Asked) error {
	found, _, err := c.ask(ctx, q, 0)
	if err == nil {
		err = answers.CSV(ctx, w, found)
	}
	return err
}

// Ask answers a question in the form that the page needs, with at most limit rows.
func (c *Collection) Ask(ctx context.Context, q page.Asked, limit int) (*page.Table, error) {
	found, words, err := c.ask(ctx, q, limit+1)
	if err != nil {
		return nil, err
	}
	t := &page.Table{Columns: found.Columns, Rows: [][]any{}, Texts: [][]string{}, Paths: []string{}}
	path := slices.Index(t.Columns, "path")
	for row, err := range found.Rows(ctx) {
		if err != nil {
			return nil, err
		}
		if len(t.Rows) == limit {
			t.Cut = true
			break
		}
		texts, at := make([]string, len(row)), ""
		for i, v := range row {
			texts[i] = answers.Plain(v)
			if words != nil {
				texts[i] = words[i].Text(v)
			}
		}
		if path >= 0 {
			if p, isText := row[path].(string); isText {
				at = c.onPage(p)
			}
		}
		t.Rows, t.Texts, t.Paths = append(t.Rows, slices.Clone(row)), append(t.Texts, texts), append(t.Paths, at)
	}
	return t, nil
}
