package mount

import (
	"context"
	"maps"
	"runtime"
	"slices"
	"strings"
	"time"

	"pakbox/archive"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/internal/lib/quote"
)

// Commit saves all changes in one step, as put, rm and mv do, and returns their number.
// After a failure or crash the archive is either the old or the new one. The changes are kept
// until it is the new one.
func (t *Tree) Commit(ctx context.Context) (int, error) {
	if t.kept == nil {
		return 0, nil
	}
	t.changing.Lock()
	defer t.changing.Unlock()
	if err := t.settled(ctx); err != nil {
		return 0, err
	}
	n, _, err := t.commit(ctx)
	return n, err
}

// commit saves all changes except those of files that are not written to their end, which
// it lists, and of files that operating systems make for themselves. Those stay visible
// and are kept.
func (t *Tree) commit(ctx context.Context) (n int, half []string, err error) {
	t.mu.Lock()
	root := t.root
	t.mu.Unlock()
	work := t.opts.Opener.Apart()
	defer work.CleanUp()
	held := &held{kept: t.kept}
	edits, err := held.edits(ctx, work, root)
	if err != nil {
		return 0, nil, err
	}
	s := root.source()
	file := source.EditedFile(s.Place)
	if len(edits) > 0 {
		if err := t.save(ctx, s, edits); err != nil {
			return 0, nil, err
		}
	}
	now, err := identity(file)
	if err != nil {
		return 0, nil, err
	}
	slices.Sort(held.half)
	return len(edits), held.half, t.keepOn(now, held.list)
}

// releaseWait bounds how long Commit waits for the kernel to release closed files.
const releaseWait = 5 * time.Second

// settled waits until no file is open for writing. A program's close returns before the
// kernel releases the file, so a commit right after it finds the file still open. Such
// files are waited for. A file that a program still writes is an error.
func (t *Tree) settled(ctx context.Context) error {
	for end := time.Now().Add(releaseWait); ; {
		t.mu.Lock()
		busy := len(t.writing) > 0 && !time.Now().Before(end)
		for _, closed := range t.writing {
			busy = busy || !closed
		}
		open := len(t.writing)
		t.mu.Unlock()
		switch {
		case busy:
			return fault.InFile(fault.Wrap(fault.Unsupported, ErrBeingWritten, "cannot be saved yet"), t.path)
		case open == 0:
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Millisecond):
		}
	}
}

// edits lists the edits that give an archive the content of the tree, without the changes
// that are held back. Changed archives inside it become temporary files of the opener.
func (h *held) edits(ctx context.Context, o *source.Opener, v *volume) ([]archive.Edit, error) {
	list, err := v.draft.EditsBut(func(item archive.Item) bool { return h.holds(v, item) })
	if err != nil {
		return nil, err
	}
	for _, in := range v.changed() {
		below, err := h.edits(ctx, o, in)
		if err != nil {
			return nil, err
		}
		if len(below) == 0 {
			continue
		}
		p := &archive.Location{Path: in.at, Inner: ".", Archive: in.a, Outer: &archive.Location{Archive: v.a, Inner: in.at}}
		puts, err := o.EditCopy(ctx, p, in.path("."), below)
		if err != nil {
			return nil, err
		}
		list = append(list, puts...)
	}
	return list, nil
}

// changed lists the archives in a volume that have changes.
func (v *volume) changed() []*volume {
	v.mu.Lock()
	defer v.mu.Unlock()
	var list []*volume
	for _, in := range v.inner {
		if in != nil && in.unsaved() {
			list = append(list, in)
		}
	}
	slices.SortFunc(list, func(a, b *volume) int { return int(a.id) - int(b.id) })
	return list
}

// save saves edits of the root archive, and opens it again.
func (t *Tree) save(ctx context.Context, s *source.Source, edits []archive.Edit) error {
	for i := range edits {
		edits[i] = inArchive(s, edits[i])
	}
	if err := s.Place.Changed(); err != nil { // the changes of the inner archives are computed from it
		return err
	}
	if err := t.kept.add(change{Do: "saving"}); err != nil {
		return err
	}
	if err := t.kept.sync(); err != nil {
		return err
	}
	edited := s
	if runtime.GOOS != "windows" { // Windows cannot replace an open file
		again, err := t.opts.Opener.Open(ctx, t.path)
		if err != nil {
			return err
		}
		defer again.Close()
		edited = again
	}
	if err := t.opts.Opener.Edit(ctx, edited, edits); err != nil {
		return err
	}
	fresh, err := t.opts.Opener.Open(ctx, t.path)
	if err != nil {
		return err
	}
	t.replaceRoot(fresh)
	return nil
}

func inArchive(s *source.Source, e archive.Edit) archive.Edit {
	switch {
	case e.Put != nil:
		item := *e.Put
		item.Name = s.InArchive(item.Name)
		return archive.Edit{Put: &item}
	case e.Rename != nil:
		return archive.Edit{Rename: &archive.Rename{From: s.InArchive(e.Rename.From), To: s.InArchive(e.Rename.To)}}
	}
	return archive.Edit{Remove: s.InArchive(e.Remove)}
}

// replaceRoot shows a new archive instead of the old one. The old one is closed when its
// last file is.
func (t *Tree) replaceRoot(s *source.Source) {
	t.mu.Lock()
	old := t.root
	t.root = t.rootVolume(s.Archive, s)
	idle := t.idle
	t.idle = nil
	t.mu.Unlock()
	for _, v := range idle {
		v.close()
	}
	old.unpin()
	t.release(old)
}

// unpin releases a volume that was kept open for its changes, and the volumes in it.
func (v *volume) unpin() {
	v.mu.Lock()
	inner, pinned := v.inner, v.pinned
	v.inner, v.pinned = map[string]*volume{}, false
	v.mu.Unlock()
	for _, in := range inner {
		if in != nil {
			in.unpin()
		}
	}
	if pinned {
		v.tree.release(v)
	}
}

// Unsaved returns the folder of unsaved changes, and how many an earlier mount left there.
// The folder is "" if the tree is read-only.
func (t *Tree) Unsaved() (dir string, found int) {
	if t.kept == nil {
		return "", 0
	}
	return t.kept.dir, t.found
}

// Half lists the incompletely written files: programs are writing
// them, or were writing them when an earlier mount ended. They are kept and not saved, unless
// [Options.Halves] is set or a program writes them from the start.
func (t *Tree) Half() []string {
	if t.kept == nil || !t.kept.anyUnfinished() {
		return nil
	}
	t.mu.Lock()
	root := t.root
	t.mu.Unlock()
	h := &held{kept: t.kept}
	if err := h.look(root); err != nil {
		return nil // saving will report the error
	}
	slices.Sort(h.half)
	return h.half
}

// End saves the changes when no program can write any more, and removes their folder. If saving
// fails, they stay there, and the error contains the path.
func (t *Tree) End(ctx context.Context) (int, error) {
	if t.kept == nil {
		return 0, nil
	}
	t.changing.Lock()
	defer t.changing.Unlock()
	t.awaitRelease()
	n, half, err := t.commit(ctx)
	switch {
	case err != nil:
		return 0, fault.WithHint(err, "the changes are in %s; 'pakbox mount commit %s' tries again", t.kept.dir, quote.Word(t.path))
	case len(half) > 0:
		err := fault.InFile(fault.New(fault.Unsupported, "programs were still writing these files, so they were not saved: %s", strings.Join(half, ", ")), t.path)
		name := quote.Word(t.path)
		return n, fault.WithHint(err, "their incomplete content is in %s; 'pakbox mount commit %s' saves it, 'pakbox mount discard %s' drops it", t.kept.dir, name, name)
	}
	return n, t.kept.remove()
}

// AllClosed records that no program can have a file open any more. The kernel does not
// report each file when a folder is unmounted.
func (t *Tree) AllClosed() {
	t.mu.Lock()
	open := slices.Collect(maps.Keys(t.writing))
	t.mu.Unlock()
	for _, w := range open {
		w.ended()
	}
}

// awaitRelease waits a moment for the kernel to release the files that programs have
// closed. It does not if a program has another descriptor of such a file.
func (t *Tree) awaitRelease() {
	const endWait = time.Second
	for end := time.Now().Add(endWait); time.Now().Before(end); {
		t.mu.Lock()
		releasing := false
		for _, closed := range t.writing {
			releasing = releasing || closed
		}
		t.mu.Unlock()
		if !releasing {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// Discard deletes the kept changes of an archive.
func Discard(file string) error {
	k, err := lockKept(file, 0)
	if err != nil {
		return err
	}
	return k.remove()
}
