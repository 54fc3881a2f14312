package mount

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"slices"
	"sync"

	"pakbox/archive"
	"pakbox/fault"
)

// File is an open file. Several goroutines may read it at any offset.
type File struct {
	io.ReaderAt
	size   int64
	close  func()
	failed func(error) // receives read errors
	once   sync.Once
}

// Size returns the size of the content.
func (f *File) Size() int64 { return f.size }

// Close closes the file.
func (f *File) Close() error {
	f.once.Do(f.close)
	return nil
}

// ReadAt reads at an offset, at most to the end.
func (f *File) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.ReaderAt.ReadAt(p, off)
	if err != nil && err != io.EOF {
		f.failed(err)
	}
	return n, err
}

// Sizes of contents.
const (
	// checkedFirst is the largest content that is completely unpacked and checked before
	// a program gets the first byte.
	checkedFirst = 1 << 20
	// readInPlace is the size from which stored content is read directly from the
	// archive, without a copy. Its checksum is then not checked.
	readInPlace = 256 << 20
	// cacheSize limits the unpacked contents that nobody has open.
	cacheSize = 32 << 20
)

// open opens the file at a node.
func (t *Tree) open(n *node) (*File, error) {
	v := n.vol
	failed := func(err error) { t.failed(n, err) }
	if n.value != "" {
		return t.openText(n, failed)
	}
	info, err := v.stat(n.name)
	if err != nil {
		return nil, err
	}
	if info.Entry < 0 {
		f, err := v.draft.Open(n.name)
		if err != nil {
			return nil, err
		}
		kept, ok := f.(*os.File) // in the folder of changes
		if !ok {                 // it has just been replaced by a folder
			f.Close()
			return nil, fs.ErrNotExist
		}
		return &File{ReaderAt: kept, size: info.Size(), close: func() { kept.Close() }, failed: failed}, nil
	}
	entry := v.a.Entries()[info.Entry]
	if entry.Problem != nil {
		return nil, fault.InEntry(entry.Problem, entry.Name)
	}
	s, err := t.cache.get(v, info.Entry, func() (content, error) { return openEntry(v.a, info.Entry, entry) })
	if err != nil {
		return nil, err
	}
	size := entry.Size
	if size < 0 || size <= checkedFirst {
		if size, err = s.Size(); err != nil {
			t.cache.put(s)
			return nil, err
		}
	}
	t.mu.Lock()
	v.refs++
	t.mu.Unlock()
	return &File{ReaderAt: s, size: size, failed: failed, close: func() {
		t.cache.put(s)
		t.release(v)
	}}, nil
}

func (t *Tree) openText(n *node, failed func(error)) (*File, error) {
	n.vol.mu.Lock()
	i := slices.IndexFunc(n.vol.parts, func(p part) bool { return p.name == n.value }) // the index of the part
	p := n.vol.parts[i]
	n.vol.mu.Unlock()
	text, err := p.text()
	if err != nil {
		return nil, err
	}
	return &File{ReaderAt: bytes.NewReader(text), size: int64(len(text)), close: func() {}, failed: failed}, nil
}

// content is the content of an entry.
type content interface {
	io.ReaderAt
	io.Closer
	Size() (int64, error)
	held() int64 // memory that it takes, in bytes
}

// openEntry opens an entry. It reads directly from the archive if the entry has no checksum,
// or if the content is too large to copy. Otherwise it reads the entry once from
// beginning to end, where checksums are compared.
func openEntry(a archive.Archive, i int, e archive.Entry) (content, error) {
	f, err := a.OpenEntry(i)
	if err != nil {
		return nil, err
	}
	if ra, ok := f.(io.ReaderAt); ok && e.Size >= 0 && (e.Hash == "" || e.Size > readInPlace) {
		return inPlace{ra, f, e.Size}, nil
	}
	return newSpool(f, e.Size), nil
}

// inPlace is content that is read directly from the archive.
type inPlace struct {
	io.ReaderAt
	io.Closer
	size int64
}

func (c inPlace) Size() (int64, error) { return c.size, nil }
func (c inPlace) held() int64          { return 0 }

// contents keeps the open contents, and some that were closed recently.
type contents struct {
	mu   sync.Mutex
	open map[contentKey]*shared
	idle []*shared // contents that nobody has open; oldest first
	held int64     // memory of the idle contents
}

type contentKey struct {
	vol   *volume
	entry int
}

// shared is content that several users may have open.
type shared struct {
	content
	key   contentKey
	ready chan struct{} // closed when the content is open, or err is set
	err   error
	refs  int
}

func newContents() *contents { return &contents{open: map[contentKey]*shared{}} }

// get returns the content of an entry, which is opened once for all users. The caller
// must return it with put.
func (c *contents) get(v *volume, entry int, open func() (content, error)) (*shared, error) {
	key := contentKey{v, entry}
	c.mu.Lock()
	s, ok := c.open[key]
	if ok {
		if s.refs == 0 {
			c.wake(s)
		}
		s.refs++
		c.mu.Unlock()
		<-s.ready
		if s.err != nil {
			return nil, s.err
		}
		return s, nil
	}
	s = &shared{key: key, ready: make(chan struct{}), refs: 1}
	c.open[key] = s
	c.mu.Unlock()
	s.content, s.err = open()
	if s.err != nil {
		c.mu.Lock()
		delete(c.open, key)
		c.mu.Unlock()
	}
	close(s.ready)
	if s.err != nil {
		return nil, s.err
	}
	return s, nil
}

// wake removes content from the idle list.
func (c *contents) wake(s *shared) {
	if i := slices.Index(c.idle, s); i >= 0 {
		c.idle = slices.Delete(c.idle, i, i+1)
		c.held -= s.held()
	}
}

// put returns content. Content in memory is kept for a while, because programs often open
// a file several times.
func (c *contents) put(s *shared) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s.refs--
	if s.refs > 0 {
		return
	}
	if held := s.held(); held == 0 || held > cacheSize {
		c.drop(s)
		return
	}
	c.idle = append(c.idle, s)
	c.held += s.held()
	for c.held > cacheSize {
		oldest := c.idle[0]
		c.wake(oldest)
		c.drop(oldest)
	}
}

func (c *contents) drop(s *shared) {
	if c.open[s.key] == s {
		delete(c.open, s.key)
	}
	s.Close()
}

// forget drops the idle contents of a closed volume.
func (c *contents) forget(v *volume) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range slices.Clone(c.idle) {
		if s.key.vol == v {
			c.wake(s)
			c.drop(s)
		}
	}
}

func (c *contents) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.idle {
		c.drop(s)
	}
	c.idle, c.held = nil, 0
}
