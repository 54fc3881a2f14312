package mount

import (
	"io"
	"path"
	"slices"
	"strings"
	"sync"

	"pakbox/archive"
	"pakbox/cmd/internal/draft"
	"pakbox/cmd/internal/source"
	"pakbox/internal/lib/vfs"
)

// volume is an archive in the tree. Archives inside others are opened when needed, and
// closed when they have not been used for a while.
type volume struct {
	tree  *Tree
	id    uint64
	outer *volume // the archive that contains this one; nil for the root
	at    string  // its name in outer
	depth int

	onDisk bool // a folder of the disk, not an archive

	refs int // guarded by tree.mu

	mu     sync.Mutex // guards the fields below
	a      archive.Archive
	draft  *draft.Draft
	closer io.Closer
	folder bool               // an archive of files, shown as a folder
	file   bool               // known to be a document, although it was never opened
	pinned bool               // it, or an archive in it, has changes: it stays open
	inner  map[string]*volume // archives in it, by name; nil for a file that is not an archive
	parts  []part             // texts of its values
}

// rootVolume makes the volume of an open archive.
func (t *Tree) rootVolume(a archive.Archive, closer io.Closer) *volume {
	t.last++
	v := &volume{tree: t, id: t.last, refs: 1, a: a, draft: draft.New(a), closer: closer, inner: map[string]*volume{}}
	if s := v.source(); s != nil {
		v.onDisk = source.IsFolder(source.EditedFile(s.Place))
	}
	return v
}

// maxIdle limits how many unused archives inside others stay open.
const maxIdle = 32

// maxDepth limits archives inside archives, as everywhere in pakbox.
const maxDepth = 16

// within returns the volume for a file, open or not; nil if the file is not an archive.
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

// enter returns the open volume for a file. The caller must release it.
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

// open opens an archive inside another, which stays open as well.
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
	document := archive.IsDocument(p.Archive)
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

// input gives random access to a file of the volume, which must be open.
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

// release ends one use of a volume. An unused volume is closed after other volumes have
// been used.
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

// close closes a volume, unless somebody uses it again.
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

// path returns the path of a volume's file in the tree.
func (v *volume) path(name string) string {
	if v.outer == nil {
		return v.tree.where(name)
	}
	return path.Join(v.outer.path(v.at), name)
}

// isFolder reports whether a file of the volume is an archive of files, which is shown as
// a folder. It checks the name first, then the content. If an archive consists of two
// files, only one of them is a folder. A new file stays a file until it is saved.
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

// known returns the volume for a file if it was determined before, and an error if the
// file is not an archive.
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
		return nil, nil // it was never opened
	}
	return in, nil
}

// isDocument reports from the beginning of a file whether it is a document, if a file of
// its format was opened before. Which formats are documents is known only after opening
// one, and a folder may have thousands of files.
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

// holdsFiles reports whether an archive is one of files and not a document. If several
// files are one archive, it is true for only one of them.
func holdsFiles(a archive.Archive, name string) bool {
	if archive.IsDocument(a) {
		return false
	}
	primary := a.PrimaryName()
	return primary == "" || strings.EqualFold(primary, path.Base(name))
}

// looksLikeArchive judges by the name. Few files have an extension that needs a closer
// look.
func (t *Tree) looksLikeArchive(name string) bool {
	low := strings.ToLower(path.Base(name))
	if !slices.ContainsFunc(t.ends[path.Ext(low)], func(end string) bool { return strings.HasSuffix(low, end) }) {
		return false
	}
	for _, f := range t.opts.Opener.Formats.ByPath(name) {
		if _, document := f.(archive.DocumentFormat); !document {
			return true
		}
	}
	return false
}

// archiveEnds returns the extensions of archives of files, such as .pack.gbx, by their
// last parts.
func archiveEnds(formats archive.Registry) map[string][]string {
	ends := map[string][]string{}
	for _, f := range formats {
		if _, document := f.(archive.DocumentFormat); document {
			continue
		}
		for _, ext := range f.Extensions() {
			ends[path.Ext(ext)] = append(ends[path.Ext(ext)], ext)
		}
	}
	return ends
}

// source returns the Source of the root volume, nil for others.
func (v *volume) source() *source.Source {
	s, _ := v.closer.(*source.Source)
	return s
}
