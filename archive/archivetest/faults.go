package archivetest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"pakbox/archive"
)

// errRead is the error of a disk that cannot read a sector.
var errRead = &fs.PathError{Op: "read", Path: "archive", Err: syscall.EIO}

// disk counts the reads of an archive's files and lets one of them fail.
type disk struct {
	reads atomic.Int64
	fails int64 // the number of the read that fails, from 1; 0 for none
}

// of puts a file on the disk, together with the files beside it.
func (d *disk) of(in archive.Input) archive.Input {
	in.ReaderAt = diskFile{d, in.ReaderAt}
	if open := in.Sibling; open != nil {
		in.Sibling = func(name string) (archive.Input, io.Closer, error) {
			beside, closer, err := open(name)
			return d.of(beside), closer, err
		}
	}
	return in
}

type diskFile struct {
	disk *disk
	file io.ReaderAt
}

func (f diskFile) ReadAt(p []byte, off int64) (int, error) {
	if f.disk.reads.Add(1) == f.disk.fails {
		return 0, errRead
	}
	return f.file.ReadAt(p, off)
}

// most is how many reads or moments of a job are tried as the point of failure.
const most = 24

// testEveryRead opens, reads, verifies and edits an archive while one read fails, then
// another read, and so on. Either the fault is reported, or the result is the same as
// without it.
func (f *fixture) testEveryRead(t *testing.T) {
	path := f.made(t)
	if isFolder(path) {
		return
	}
	for _, what := range []string{"reading", "verifying", "copying", "editing"} {
		job := f.job(what)
		whole := &disk{}
		want, err := f.onDisk(t, whole, path, job)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		last := whole.reads.Load()
		for k := int64(1); k <= last; k += max(1, last/most) {
			got, err := f.onDisk(t, &disk{fails: k}, path, job)
			switch {
			case err == nil && !reflect.DeepEqual(got, want):
				t.Errorf("%s: read %d of %d failed, but no error was returned", what, k, last)
			case err != nil && !errors.Is(err, errRead):
				t.Errorf("%s: read %d of %d failed; error = %v, want the reader's error", what, k, last, err)
			}
			wantKind(t, what, err)
		}
	}
}

// job is some work on an archive. Its result can be compared.
type job func(ctx context.Context, a archive.Archive, path string) (any, error)

func (f *fixture) job(what string) job {
	switch what {
	case "reading":
		return func(_ context.Context, a archive.Archive, _ string) (any, error) { return contents(a) }
	case "verifying":
		return f.verified
	}
	var edits []archive.Edit
	if what == "editing" && f.Items != nil {
		edits = []archive.Edit{{Put: &f.Items[0]}, {Remove: f.stored(f.Items[1].Name)}}
	}
	return func(ctx context.Context, a archive.Archive, path string) (any, error) {
		return f.saved(ctx, a, path, edits)
	}
}

// onDisk opens an archive and does a job with it.
func (f *fixture) onDisk(t *testing.T, d *disk, path string, do job) (any, error) {
	in, closer, err := archive.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	opts := f.Options
	opts.Workers = 1
	var beside []io.Closer
	defer func() {
		for _, c := range beside {
			c.Close()
		}
	}()
	if open := in.Sibling; open != nil {
		in.Sibling = func(name string) (archive.Input, io.Closer, error) {
			in, closer, err := open(name)
			if err == nil {
				beside = append(beside, closer)
			}
			return in, io.NopCloser(nil), err
		}
	}
	a, err := f.Format.Open(t.Context(), d.of(in), opts)
	if err != nil {
		return nil, err
	}
	return do(t.Context(), a, path)
}

// verified returns the report of Verify. A failed read must be an error or a finding.
func (f *fixture) verified(ctx context.Context, a archive.Archive, _ string) (any, error) {
	opts := f.Options
	opts.Workers = 1
	report, err := a.Verify(ctx, opts)
	if err == nil && report.Damaged() {
		err = errRead
		for _, found := range report.Findings {
			if !strings.Contains(found.Message, syscall.EIO.Error()) {
				err = fmt.Errorf("finding: %s", found.Message)
			}
		}
	}
	return report, err
}

// saved returns the bytes of the archive after the edits.
func (f *fixture) saved(ctx context.Context, a archive.Archive, path string, edits []archive.Edit) (any, error) {
	editor, ok := a.(archive.Editor)
	if !ok {
		return nil, nil
	}
	if name := a.PrimaryName(); name != "" {
		path = filepath.Join(filepath.Dir(path), name)
	}
	stage, err := archive.NewStage(path, true)
	if err != nil {
		return nil, err
	}
	defer stage.Abort()
	opts := archive.CreateOptions{Options: f.Options}
	opts.Workers = 1
	if err := editor.Edit(ctx, stage, edits, opts); err != nil {
		return nil, err
	}
	file, err := stage.File()
	if err != nil {
		return nil, err
	}
	made, err := io.ReadAll(io.NewSectionReader(file, 0, 1<<40))
	if f.Volatile != nil {
		f.Volatile(made)
	}
	return made, err
}

// testEveryWrite creates and edits archives on a disk that becomes full, each time at a
// later moment. Every run must return an error.
func (f *fixture) testEveryWrite(t *testing.T) {
	path := f.made(t)
	if isFolder(path) {
		return
	}
	p := f.open(t, path)
	jobs := map[string]func(*archive.Stage, []archive.Item, archive.CreateOptions) error{
		"making": func(stage *archive.Stage, items []archive.Item, opts archive.CreateOptions) error {
			return f.Format.(archive.Creator).Create(t.Context(), stage, items, opts)
		},
	}
	if editor, ok := p.Archive.(archive.Editor); ok {
		jobs["editing"] = func(stage *archive.Stage, items []archive.Item, opts archive.CreateOptions) error {
			return editor.Edit(t.Context(), stage, []archive.Edit{{Put: &items[0]}, {Put: &items[len(items)-1]}}, opts)
		}
	}
	for what, job := range jobs {
		whole := &moments{}
		if err := f.staged(t, path, whole, job); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		last := whole.count
		for k := 1; k <= last; k += max(1, last/(most/2)) {
			m := &moments{full: k, unknown: k%2 == 0}
			err := f.staged(t, path, m, job)
			if m.err != nil {
				t.Fatal(m.err)
			}
			if m.files > 0 && !errors.Is(err, errFull) {
				t.Errorf("%s: the disk was full from moment %d of %d on: %v", what, k, last, err)
			}
		}
	}
}

// moments counts the points at which a writer opens an item or reports progress. At the
// point numbered full, the disk becomes full.
type moments struct {
	sync.Mutex
	dir         string
	count, full int
	unknown     bool // the sizes of items are not known
	files       int  // files that were being written when the disk became full
	err         error
}

func (m *moments) pass() {
	m.Lock()
	defer m.Unlock()
	if m.count++; m.count == m.full {
		m.files, m.err = fillDisk(m.dir)
	}
}

func (m *moments) Begin(int64)   { m.pass() }
func (m *moments) Advance(int64) { m.pass() }

// staged runs a writer and throws its output away.
func (f *fixture) staged(t *testing.T, path string, m *moments, job func(*archive.Stage, []archive.Item, archive.CreateOptions) error) error {
	stage, err := archive.NewStage(path, true)
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Abort()
	if m.dir, err = filepath.EvalSymlinks(filepath.Dir(path)); err != nil {
		t.Fatal(err)
	}
	items := slices.Clone(f.Items)
	for i := range items {
		open := items[i].Open
		items[i].Open = func() (io.ReadCloser, error) { m.pass(); return open() }
		if m.unknown {
			items[i].Size = -1
		}
	}
	opts := f.options()
	opts.Workers, opts.Progress = 1, m
	return job(stage, items, opts)
}
