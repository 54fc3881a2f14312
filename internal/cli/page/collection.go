package page

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"time"

	"pakbox/fault"
	"pakbox/index/ask"
	"pakbox/internal/explore"
)

// askTime is how long a question of the page may take.
const askTime = 10 * time.Second

// collection answers the page's questions about an index.
type collection struct{ index *ask.Index }

// openCollection opens the index in a file or, if none is named, the first one
// that lies in one of the folders, named as the help of index names it. There
// may be none.
func openCollection(ctx context.Context, file string, folders []string) (*collection, error) {
	if file != "" {
		x, err := ask.Open(ctx, file)
		return &collection{x}, err
	}
	for _, dir := range folders {
		found, _ := filepath.Glob(filepath.Join(dir, "*.pakbox.sqlite")) // of a pattern that is right
		for _, name := range found {
			if x, err := ask.Open(ctx, name); err == nil {
				return &collection{x}, nil
			}
		}
	}
	return nil, nil
}

func (c *collection) Files(ctx context.Context) (int64, error) { return c.index.Files(ctx) }

func (c *collection) Find(ctx context.Context, words []string, limit int) (*explore.Table, error) {
	return table(ctx, limit, func(ctx context.Context) (*ask.Answer, error) {
		found, _, err := c.index.Find(ctx, ask.Search{Words: words, Limit: limit + 1})
		return found, err
	})
}

func (c *collection) SQL(ctx context.Context, query string, limit int) (*explore.Table, error) {
	return table(ctx, limit, func(ctx context.Context) (*ask.Answer, error) { return c.index.SQL(ctx, query) })
}

// table is an answer as the page takes it, with so many rows at most.
func table(ctx context.Context, limit int, question func(context.Context) (*ask.Answer, error)) (*explore.Table, error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	found, err := question(ctx)
	if err != nil {
		return nil, tooLong(err)
	}
	t := &explore.Table{Columns: found.Columns, Rows: [][]any{}}
	for row, err := range found.Rows(ctx) {
		if err != nil {
			return nil, tooLong(err)
		}
		if len(t.Rows) == limit {
			t.Cut = true
			break
		}
		t.Rows = append(t.Rows, slices.Clone(row))
	}
	return t, nil
}

func tooLong(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return fault.New(fault.Limit, "the question takes longer than %v", askTime)
	}
	return err
}
