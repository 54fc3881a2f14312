package mount

import (
	"io"
	"path"
	"strings"
	"sync"

	"pakbox/archive"
	"pakbox/internal/draft"
	"pakbox/internal/lib/vfs"
	"pakbox/internal/source"
)

// volume is an archive of the tree. Those inside others are opened when they
// are needed, and closed when they have not been for a while.
type volume struct {
	tree  *Tree
	id    uint64
	outer *volume // the archive that this one is in; nil for the root
	at    string  // and the name that it has there
	depth int

	refs int // guarded by tree.mu

	mu     sync.Mutex // guards the rest
	a      archive.Archive
	draft  *draft.Draft
	closer io.Closer
	folder bool               // it is an archive of files, shown as a folder
	file   bool               // it is known to be a document, though it was never open
	pinned bool               // there are changes in it or below: it stays open
	inner  map[string]*volume // archives in it, by name; nil for what is none
	parts  []part             // texts of its values
}

// rootVolume is the volume of an archive that is open.
func (t *Tree) rootVolume(a archive.Archive, closer io.Closer) *volume {
	t.last++
	return &volume{tree: t, id: t.last, refs: 1, a: a, draft: draft.New(a), closer: closer, inner: map[string]*volume{}}
}

// maxIdle is how many archives inside others stay open that nobody needs now.
const maxIdle = 32

// maxDepth bounds archives inside archives, as everywhere.
const maxDepth = 16

// within returns the archive that a file is, open or not, nil for what is none.
func (v *volume) within(name string) *volume {
	v.mu.Lock()
	defer v.mu.Unlock()
	in, known := v.inner[name]
	if !known {
		v.tree.mu.Lock()
		v.tree.last++
		in = &volume{tree: v.tree, id: v.tree.last, outer: v, at: name, depth: v.depth + 1}
		v.tree.mu.Unlock()
		v.inner[name] = in
	}
	return in
}

// enter returns the archive that a file is, open; it must be released.
func (v *volume) enter(name string) (*volume, error) {
	in := v.within(name)
	if in == nil || in.depth > maxDepth {
		return nil, vfs.ErrNotDir
	}
	if err := in.acquire(); err != nil {
		return nil, err
	}
	return in, nil
}

// acquire opens a volume, or keeps it open.
func (v *volume) acquire() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.a == nil {
		if err := v.open(); err != nil {
			return err
		}
	}
	t := v.tree
	t.mu.Lock()
	defer t.mu.Unlock()
	v.refs++
	for i, idle := range t.idle {
		if idle == v {
			t.idle = append(t.idle[:i], t.idle[i+1:]...)
			break
		}
	}
	return nil
}

// open opens an archive inside another, which stays open with it.
func (v *volume) open() error {
	t := v.tree
	outer := v.outer
	in, closer, err := outer.input(v.at)
	if err != nil {
		return err
	}
	opts, err := t.opts.Opener.WithoutAsking().Options(outer.path(v.at))
	if err != nil {
		closer.Close()
		return err
	}
	opts.Progress = nil
	p, err := t.opts.Opener.Formats.LocateInput(t.ctx, path.Base(v.at), in, closer, ".", opts)
	if err != nil {
		return err
	}
	_, document := p.Archive.(archive.Valuer)
	t.mu.Lock()
	outer.refs++
	t.documents[p.Archive.Format()] = document
	t.mu.Unlock()
	v.a, v.draft, v.closer, v.folder = p.Archive, draft.New(p.Archive), p, holdsFiles(p.Archive, v.at)
	if v.inner == nil {
		v.inner = map[string]*volume{}
	}
	return nil
}

// input gives random access to a file of the volume, which is open.
func (v *volume) input(name string) (archive.Input, io.Closer, error) {
	f, err := v.tree.open(&node{vol: v, name: name})
	if err != nil {
		return archive.Input{}, nil, err
	}
	return archive.Input{
		ReaderAt: f, Size: f.Size(), Name: path.Base(name),
		Sibling: func(sibling string) (archive.Input, io.Closer, error) {
			return v.input(path.Join(path.Dir(name), sibling))
		},
	}, f, nil
}

// release ends one use of a volume. An unused volume is closed once other volumes have
// been used after it.
func (t *Tree) release(v *volume) {
	t.mu.Lock()
	v.refs--
	var oldest *volume
	switch {
	case v.refs > 0:
	case t.ended || v.outer == nil:
		oldest = v
	default:
		t.idle = append(t.idle, v)
		if len(t.idle) > maxIdle {
			oldest, t.idle = t.idle[0], t.idle[1:]
		}
	}
	t.mu.Unlock()
	if oldest != nil {
		oldest.close()
	}
}

// close closes a volume unless somebody needs it again.
func (v *volume) close() {
	t := v.tree
	v.mu.Lock()
	t.mu.Lock()
	busy := v.refs > 0 || v.a == nil
	t.mu.Unlock()
	if busy {
		v.mu.Unlock()
		return
	}
	t.cache.forget(v)
	v.closer.Close()
	v.a, v.draft, v.parts = nil, nil, nil
	v.mu.Unlock()
	if v.outer != nil {
		t.release(v.outer)
	}
}

// path is where a file of the volume stands in the tree.
func (v *volume) path(name string) string {
	if v.outer == nil {
		return v.tree.where(name)
	}
	return path.Join(v.outer.path(v.at), name)
}

// isFolder reports whether a file of the volume is an archive of files, which
// is shown as a folder. It is asked by its name first, then by its content; of
// an archive that is two files only one is a folder. What was put there since
// stays a file until it is saved.
func (v *volume) isFolder(name string, info draft.Info) bool {
	if v.tree.opts.Flat || info.Entry < 0 || !v.tree.looksLikeArchive(name) {
		return false
	}
	in, err := v.known(name)
	if err != nil {
		return false
	}
	if in == nil && v.isDocument(name) {
		if in = v.within(name); in == nil {
			return false
		}
		in.mu.Lock()
		defer in.mu.Unlock()
		in.file = true
		return false
	}
	if in == nil {
		if in, err = v.enter(name); err != nil {
			v.mu.Lock()
			defer v.mu.Unlock()
			v.inner[name] = nil
			return false
		}
		defer v.tree.release(in)
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.folder
}

// known returns the archive that a file is if that was found out before, and an
// error if it is none.
func (v *volume) known(name string) (*volume, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	in, ok := v.inner[name]
	switch {
	case !ok:
		return nil, nil
	case in == nil:
		return nil, vfs.ErrNotDir
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.inner == nil && !in.file {
		return nil, nil // it was never open
	}
	return in, nil
}

// isDocument tells by the beginning of a file whether it is a document, if one
// of its format was open before. Only who opens one knows which formats are of
// documents; a folder may have thousands of them.
func (v *volume) isDocument(name string) bool {
	in, closer, err := v.input(name)
	if err != nil {
		return false
	}
	defer closer.Close()
	f, err := v.tree.opts.Opener.Formats.Detect(in)
	if err != nil {
		return false
	}
	v.tree.mu.Lock()
	defer v.tree.mu.Unlock()
	return v.tree.documents[f.Name()]
}

// holdsFiles tells archives of files from documents, and of several files that
// are one archive the one that stands for all.
func holdsFiles(a archive.Archive, name string) bool {
	if _, document := a.(archive.Valuer); document {
		return false
	}
	primary := a.PrimaryName()
	return primary == "" || strings.EqualFold(primary, path.Base(name))
}

// looksLikeArchive goes by the name. Few files have an end that has to be
// looked at more closely.
func (t *Tree) looksLikeArchive(name string) bool {
	if !t.ends[strings.ToLower(path.Ext(name))] {
		return false
	}
	for _, f := range t.opts.Opener.Formats.ByPath(name) {
		if _, document := f.(source.DocumentFormat); !document {
			return true
		}
	}
	return false
}

// archiveEnds are the last parts of the names that archives of files have.
func archiveEnds(formats archive.Registry) map[string]bool {
	ends := map[string]bool{}
	for _, f := range formats {
		if _, document := f.(source.DocumentFormat); document {
			continue
		}
		for _, ext := range f.Extensions() {
			ends[path.Ext(ext)] = true
		}
	}
	return ends
}

// source is what the volume was opened as, if it is the root.
func (v *volume) source() *source.Source {
	s, _ := v.closer.(*source.Source)
	return s
}
