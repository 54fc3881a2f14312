package page

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"pakbox/cmd/internal/question"
	"pakbox/fault"
)

// Collection answers questions about an index of many files.
type Collection interface {
	// Name is the path of the index for commands.
	Name() string
	// Files returns the number of indexed files.
	Files(ctx context.Context) (int64, error)
	// Ask answers with at most limit rows.
	Ask(ctx context.Context, q Asked, limit int) (*Table, error)
	// CSV writes the whole answer.
	CSV(ctx context.Context, w io.Writer, q Asked) error
	// Facets returns the values by which the found files can be narrowed down.
	Facets(ctx context.Context, words []string) (any, error)
}

// Asked is a question to an index: in words or, if Query is set, in SQL that only reads.
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
	Cut     bool       `json:"cut"`   // there are more rows
}

// Limits of an answer: rows, and bytes of its CSV.
const (
	maxRows = 2000
	maxCSV  = 32 << 20
)

// indexes keeps the last index that a visitor opened.
type indexes struct {
	mu   sync.Mutex
	path string
	file fs.FileInfo // of the file when it was opened
	open Collection
}

// withCollection calls use with the index of the question: the one at the path in the
// parameter index, or the one with which the program was started.
func (s *Explorer) withCollection(c *call, use func(Collection) (any, error)) (any, error) {
	ctx, cancel := context.WithTimeout(c.ctx, maxAskTime)
	defer cancel()
	c.ctx = ctx
	value, err := s.useCollection(c, use)
	if errors.Is(err, context.DeadlineExceeded) && c.asker.Err() == nil {
		err = fault.New(fault.Limit, "the question exceeds the time limit of %v", maxAskTime)
	}
	return value, err
}

// maxAskTime limits the time for an answer.
const maxAskTime = 10 * time.Second

func (s *Explorer) useCollection(c *call, use func(Collection) (any, error)) (any, error) {
	path := c.param("index")
	switch {
	case path == "" && s.opts.Collection != nil:
		return use(s.opts.Collection)
	case path == "":
		if value, ready, err := s.gathering.use(use); ready {
			return value, err
		}
	case s.opts.OpenIndex != nil:
		return s.useIndex(c, path, use)
	}
	return nil, fault.New(fault.Unsupported, "no index is open: make one with pakbox index, and start pakbox serve with it")
}

// useIndex calls use with the index at a path, which stays open for the next question.
func (s *Explorer) useIndex(c *call, path string, use func(Collection) (any, error)) (any, error) {
	file, err := s.files.Stat(path)
	if err != nil {
		return nil, err
	}
	x := &s.indexes
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.path != path || !x.file.ModTime().Equal(file.ModTime()) || x.file.Size() != file.Size() { // it may have been made anew
		opened, err := s.opts.OpenIndex(c.Context(), path)
		if err != nil {
			if e := (*fault.Error)(nil); errors.As(err, &e) && e.Kind != fault.Usage {
				e.Path = path // the page must not reveal folders of this computer
			}
			return nil, err
		}
		x.close()
		x.path, x.file, x.open = path, file, opened
	}
	return use(x.open)
}

// close closes the open index. The caller holds the lock.
func (x *indexes) close() {
	if closer, ok := x.open.(io.Closer); ok {
		closer.Close()
	}
	x.path, x.open = "", nil
}

func (s *Explorer) collection(c *call) (any, error) {
	return s.withCollection(c, func(k Collection) (any, error) {
		n, err := k.Files(c.Context())
		return new(question.Object).Add("index", k.Name()).Add("files", n), err
	})
}

// isIndexName reports whether a file has the name that the help of index recommends.
func isIndexName(name string) bool { return strings.HasSuffix(strings.ToLower(name), ".pakbox.sqlite") }

// foundIndexes lists the indexes in the served folders. It does not open them.
func (s *Explorer) foundIndexes() []string {
	found := []string{}
	roots, _ := s.files.ReadDir("")
	for _, r := range roots {
		if !r.IsDir() {
			if isIndexName(r.Name()) {
				found = append(found, r.Name())
			}
			continue
		}
		list, _ := s.files.ReadDir(r.Name()) // an unreadable folder has none
		for _, e := range list {
			if !e.IsDir() && isIndexName(e.Name()) {
				found = append(found, path.Join(r.Name(), e.Name()))
			}
		}
	}
	return found
}

// asking makes the route of a question to the index, in words or in SQL.
func asking(sql bool, use func(c *call, k Collection, q Asked) (any, error)) route {
	return route{answer: func(s *Explorer, c *call) (any, error) {
		q := Asked{Words: c.Params["q"]}
		if sql {
			if q = (Asked{Query: c.param("q")}); q.Query == "" {
				return nil, usage("a question in SQL is needed")
			}
		}
		return s.withCollection(c, func(k Collection) (any, error) { return use(c, k, q) })
	}}
}

func foundRows(c *call, k Collection, q Asked) (any, error) {
	most := maxRows
	if n, err := strconv.Atoi(c.param("most")); err == nil && n > 0 {
		most = min(n, maxRows)
	}
	t, err := k.Ask(c.Context(), q, most)
	if err == nil {
		t.hideFolders()
	}
	return t, err
}

// hideFolders removes the folders of this computer from the rows, because an index made
// with absolute paths contains them. A served file gets its path on the page, another
// file its name.
func (t *Table) hideFolders() {
	at := slices.Index(t.Columns, "path")
	if at < 0 {
		return
	}
	for r := range t.Rows {
		name, ok := t.Rows[r][at].(string)
		if !ok || !isAbsolute(name) {
			continue
		}
		shown := path.Base(strings.ReplaceAll(name, `\`, "/"))
		if r < len(t.Paths) && t.Paths[r] != "" {
			shown = t.Paths[r]
		}
		t.Rows[r][at], t.Texts[r][at] = shown, shown
	}
}

// isAbsolute reports whether a path is absolute on any system.
func isAbsolute(name string) bool {
	return strings.HasPrefix(name, "/") || strings.HasPrefix(name, `\`) || len(name) > 2 && name[1] == ':' && (name[2] == '/' || name[2] == '\\')
}

// foundCSV returns the whole answer as a file.
func foundCSV(c *call, k Collection, q Asked) (any, error) {
	b := &limitedBuffer{most: maxCSV}
	if err := k.CSV(c.Context(), b, q); err != nil {
		return nil, err
	}
	a := bytesAnswer(OK, octets, b.Bytes())
	a.File = "pakbox.csv"
	return a, nil
}

// limitedBuffer is a buffer with a limit. Writing more fails.
type limitedBuffer struct {
	bytes.Buffer
	most int
}

func (b *limitedBuffer) Write(p []byte) (int, error) {
	if b.Len()+len(p) > b.most {
		return 0, fault.New(fault.Limit, "the answer exceeds the limit of %d bytes: ask for less, or use the command", b.most)
	}
	return b.Buffer.Write(p)
}

func (s *Explorer) facets(c *call) (any, error) {
	return s.withCollection(c, func(k Collection) (any, error) {
		list, err := k.Facets(c.Context(), c.Params["q"])
		return new(question.Object).Add("facets", list), err
	})
}
