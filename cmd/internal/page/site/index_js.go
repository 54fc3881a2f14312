package main

import (
	"context"
	"path"
	"slices"
	"strings"

	"pakbox/cmd/internal/page"
	"pakbox/cmd/internal/page/indexed"
	"pakbox/index/engine"
)

// index is an index that was dropped on the page.
type index struct {
	*indexed.Collection
	done func()
}

// Close closes the index.
func (x *index) Close() error {
	defer x.done()
	return x.Collection.Close()
}

// openIndex opens a dropped index. It reads the browser's file directly, without a copy.
func (s *site) openIndex(ctx context.Context, name string) (page.Collection, error) {
	in, closer, err := s.files.OpenFile(name)
	if err != nil {
		return nil, err
	}
	unserve := engine.Serve(name, in.ReaderAt, in.Size)
	done := func() {
		unserve()
		closer.Close()
	}
	c, err := indexed.Open(ctx, name, name)
	if err != nil {
		done()
		return nil, err
	}
	first, err := c.First(ctx)
	if err != nil {
		c.Close()
		done()
		return nil, err
	}
	s.lead(c, first)
	return &index{c, done}, nil
}

// mostParts limits how many leading folders of an index's paths may be missing on the
// page.
const mostParts = 16

// lead connects the rows of an index with dropped files. The paths of the index may begin
// above the folder that was dropped.
func (s *site) lead(c *indexed.Collection, first []string) {
	for missing := range mostParts {
		onPage := func(name string) string {
			parts := strings.Split(name, "/")
			return s.dropped(parts[min(missing, len(parts)):])
		}
		if slices.ContainsFunc(first, func(name string) bool { return onPage(name) != "" }) {
			c.At(onPage)
			return
		}
	}
}

// dropped returns the path on the page of a dropped file, or of a file in it; "" if there
// is none.
func (s *site) dropped(parts []string) string {
	for n := range parts {
		if info, err := s.files.Stat(path.Join("dropped", path.Join(parts[:n+1]...))); err == nil && !info.IsDir() {
			return path.Join("dropped", path.Join(parts...))
		}
	}
	return ""
}
