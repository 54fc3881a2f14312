package page

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"

	"pakbox/index/ask"
	"pakbox/internal/answer/collected"
	"pakbox/internal/explore"
)

// collection answers the page's questions about an index.
type collection struct {
	index *ask.Index
	name  string
	files *explore.Files
	base  string // the folder to which the paths in the index are relative
}

// maxMemory limits the memory that SQLite takes for the page's questions.
const maxMemory = 128 << 20

// openCollection opens an index file. name is its name on the page.
func openCollection(ctx context.Context, file, name string, folders []string, files *explore.Files) (*collection, error) {
	x, err := ask.Open(ctx, file)
	if err != nil {
		return nil, err
	}
	if err := x.LimitMemory(ctx, maxMemory); err != nil {
		x.Close()
		return nil, err
	}
	return newCollection(ctx, x, file, name, folders, files)
}

// newCollection finds the folder to which the index's paths are relative. pakbox index
// was run in this folder, in the folder of the index, or in a folder above the served
// files.
func newCollection(ctx context.Context, x *ask.Index, file, name string, folders []string, files *explore.Files) (*collection, error) {
	c := &collection{index: x, name: name, files: files}
	first, err := c.Ask(ctx, explore.Asked{Query: "select path from files where parent is null limit 20"}, 20)
	if err != nil {
		x.Close()
		return nil, err
	}
	bases := []string{".", filepath.Dir(file)}
	for _, dir := range folders {
		bases = append(bases, filepath.Dir(dir), dir)
	}
	for _, b := range bases {
		c.base, err = filepath.Abs(b)
		if err == nil && slices.ContainsFunc(first.Rows, func(row []any) bool { return c.holds(row[0]) }) {
			return c, nil
		}
	}
	c.base = "" // what is indexed is not what is served
	return c, nil
}

// onDisk converts a path of the index to a path on disk.
func (c *collection) onDisk(path string) string {
	if path = filepath.FromSlash(path); filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(c.base, path)
}

// holds reports whether a path of the index leads to a served file.
func (c *collection) holds(path any) bool {
	p, isText := path.(string)
	_, served := c.files.Named(c.onDisk(p))
	_, err := os.Stat(c.onDisk(p))
	return isText && served && err == nil
}

// onPage converts a path of the index to a path on the page, "" if it is not served.
func (c *collection) onPage(path any) string {
	p, isText := path.(string)
	if !isText || c.base == "" {
		return ""
	}
	name, _ := c.files.Named(c.onDisk(p))
	return name
}

func (c *collection) Name() string { return c.name }

// Close closes the index.
func (c *collection) Close() error { return c.index.Close() }

func (c *collection) Files(ctx context.Context) (int64, error) { return c.index.Files(ctx) }

func (c *collection) Facets(ctx context.Context, words []string) (any, error) {
	return c.index.Facets(ctx, words)
}

// ask answers a question. If it is in words, the number of rows is limited.
func (c *collection) ask(ctx context.Context, q explore.Asked, limit int) (*ask.Answer, []*ask.Word, error) {
	if q.Query != "" {
		found, err := c.index.SQL(ctx, q.Query)
		return found, nil, err
	}
	return c.index.Find(ctx, ask.Search{Words: q.Words, Limit: limit})
}

func (c *collection) CSV(ctx context.Context, w io.Writer, q explore.Asked) error {
	found, _, err := c.ask(ctx, q, 0)
	if err == nil {
		err = collected.CSV(ctx, w, found)
	}
	return err
}

// Ask answers a question in the form that the page needs, with at most limit rows.
func (c *collection) Ask(ctx context.Context, q explore.Asked, limit int) (*explore.Table, error) {
	found, words, err := c.ask(ctx, q, limit+1)
	if err != nil {
		return nil, err
	}
	t := &explore.Table{Columns: found.Columns, Rows: [][]any{}, Texts: [][]string{}, Paths: []string{}}
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
			texts[i] = collected.Plain(v)
			if words != nil {
				texts[i] = words[i].Text(v)
			}
		}
		if path >= 0 {
			at = c.onPage(row[path])
		}
		t.Rows, t.Texts, t.Paths = append(t.Rows, slices.Clone(row)), append(t.Texts, texts), append(t.Paths, at)
	}
	return t, nil
}
