package archivetest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"

	"pakbox/archive"
	"pakbox/fault"
)

// errSource is the error of a source that cannot be read.
var errSource = errors.New("the source cannot be read")

// badSource is an item that does not deliver the promised content.
type badSource struct {
	what string
	make func(name string, content []byte) archive.Item
	want error
}

func source(name string, size int, r func() (io.Reader, error)) archive.Item {
	return archive.Item{Name: name, Size: int64(size), Open: func() (io.ReadCloser, error) {
		content, err := r()
		if err != nil {
			return nil, err
		}
		return io.NopCloser(content), nil
	}}
}

// badSources lists the ways in which a source can fail.
var badSources = []badSource{
	{"cannot be opened", func(name string, content []byte) archive.Item {
		return source(name, len(content), func() (io.Reader, error) { return nil, errSource })
	}, errSource},
	{"of unknown size, cannot be opened", func(name string, _ []byte) archive.Item {
		return source(name, -1, func() (io.Reader, error) { return nil, errSource })
	}, errSource},
	{"fails in the midst", func(name string, content []byte) archive.Item {
		return source(name, len(content), func() (io.Reader, error) { return halfOf(content), nil })
	}, errSource},
	{"of unknown size, fails in the midst", func(name string, content []byte) archive.Item {
		return source(name, -1, func() (io.Reader, error) { return halfOf(content), nil })
	}, errSource},
	{"is shorter than it was", func(name string, content []byte) archive.Item {
		return source(name, len(content)+1, func() (io.Reader, error) { return bytes.NewReader(content), nil })
	}, fault.SizeMismatch},
	{"is longer than it was", func(name string, content []byte) archive.Item {
		return source(name, len(content)-1, func() (io.Reader, error) { return bytes.NewReader(content), nil })
	}, fault.SizeMismatch},
}

func halfOf(content []byte) io.Reader {
	return io.MultiReader(bytes.NewReader(content[:len(content)/2]), iotest.ErrReader(errSource))
}

// testSources creates and edits archives from failing sources. Each must give an error
// that states the reason, and the old archive must stay. A folder accepts files of any
// length.
func (f *fixture) testSources(t *testing.T) {
	path := f.made(t)
	before := files(t, path)
	for _, bad := range badSources {
		if bad.want == fault.SizeMismatch && isFolder(path) {
			continue
		}
		for _, at := range []int{0, len(f.Items) - 1} {
			content, err := readItem(f.Items[at])
			if err != nil {
				t.Fatal(err)
			}
			items := slices.Clone(f.Items)
			items[at] = bad.make(items[at].Name, content)
			what := fmt.Sprintf("item %d %s", at, bad.what)
			f.wantRefused(t, what, f.create(t.Context(), path, items, f.options()), bad.want, items[at].Name)
			if _, ok := f.open(t, path).Archive.(archive.Editor); ok {
				f.wantRefused(t, what+", in an edit", f.edit(t, path, archive.Edit{Put: &items[at]}), bad.want, items[at].Name)
			}
			if !reflect.DeepEqual(files(t, path), before) {
				t.Fatalf("%s: something was left behind", what)
			}
		}
	}
}

func (f *fixture) wantRefused(t *testing.T, what string, err, want error, name string) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: %v, want %v", what, err, want)
	}
	var at *fault.Error
	if want == fault.SizeMismatch && (!errors.As(err, &at) || at.Entry != name) {
		t.Errorf("%s: %v does not name %s", what, err, name)
	}
}

// testSourcesAreClosed creates and edits archives, with success and with failure. No
// source may stay open.
func (f *fixture) testSourcesAreClosed(t *testing.T) {
	path := f.made(t)
	_, edits := f.open(t, path).Archive.(archive.Editor)
	for _, known := range []bool{true, false} {
		for _, whole := range []bool{true, false} {
			var open atomic.Int64
			items := slices.Clone(f.Items)
			for i := range items {
				items[i] = counted(items[i], &open, known, whole || i < len(items)-1)
			}
			if err := f.create(t.Context(), path, items, f.options()); (err == nil) != whole {
				t.Fatalf("err = %v; want success = %v", err, whole)
			}
			last := &items[len(items)-1]
			if edits {
				if err := f.edit(t, path, archive.Edit{Put: last}); (err == nil) != whole {
					t.Fatalf("err = %v; want success = %v", err, whole)
				}
			}
			if n := open.Load(); n != 0 {
				t.Errorf("sizes known: %v, sources whole: %v: %d were not closed", known, whole, n)
			}
		}
	}
}

// counted is an item that keeps count of its open readers.
func counted(it archive.Item, open *atomic.Int64, known, whole bool) archive.Item {
	from := it.Open
	if !known {
		it.Size = -1
	}
	it.Open = func() (io.ReadCloser, error) {
		rc, err := from()
		if err != nil {
			return nil, err
		}
		open.Add(1)
		var content io.Reader = rc
		if !whole {
			content = iotest.ErrReader(errSource)
		}
		return &countedFile{Reader: content, close: sync.OnceFunc(func() { rc.Close(); open.Add(-1) })}, nil
	}
	return it
}

type countedFile struct {
	io.Reader
	close func()
}

func (c *countedFile) Close() error { c.close(); return nil }

// testUnknownSizes makes an archive of items without a stated size: the result holds the
// same content.
func (f *fixture) testUnknownSizes(t *testing.T) {
	want := f.mustRead(t, f.made(t))
	items := slices.Clone(f.Items)
	for i := range items {
		items[i].Size = -1
	}
	path := f.path(t)
	if err := f.create(t.Context(), path, items, f.options()); err != nil {
		t.Fatal(err)
	}
	f.wantContents(t, path, want)
}

// testProgress creates and edits an archive: the bytes reported as done must add up to
// the announced total.
func (f *fixture) testProgress(t *testing.T) {
	var made, edited progress
	opts := f.options()
	opts.Progress = &made
	path := f.path(t)
	if err := f.create(t.Context(), path, f.Items, opts); err != nil {
		t.Fatal(err)
	}
	want := int64(0)
	for _, it := range f.Items {
		want += it.Size
	}
	if made.total != want || made.done != want {
		t.Errorf("creating: %d of %d bytes done, of items with %d", made.done, made.total, want)
	}
	p := f.open(t, path)
	editor, ok := p.Archive.(archive.Editor)
	if !ok {
		return
	}
	stage, err := archive.NewStage(path, true)
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Abort()
	opts = archive.CreateOptions{Options: f.Options}
	opts.Progress = &edited
	if err := editor.Edit(t.Context(), stage, []archive.Edit{{Put: &f.Items[0]}}, opts); err != nil {
		t.Fatal(err)
	}
	if edited.total < f.Items[0].Size || edited.done != edited.total {
		t.Errorf("editing: %d of %d bytes done", edited.done, edited.total)
	}
}

// testFullDisk closes the file that a new archive is written to, before the work or at
// the last item. Create must return an error in both cases.
func (f *fixture) testFullDisk(t *testing.T) {
	if isFolder(f.made(t)) {
		return
	}
	for _, late := range []bool{false, true} {
		path := f.path(t)
		stage, err := archive.NewStage(path, false)
		if err != nil {
			t.Fatal(err)
		}
		defer stage.Abort()
		file, err := stage.File()
		if err != nil {
			t.Fatal(err)
		}
		items := slices.Clone(f.Items)
		if last := &items[len(items)-1]; late {
			open := last.Open
			last.Open = func() (io.ReadCloser, error) { file.Close(); return open() }
		} else {
			file.Close()
		}
		if err := f.Format.(archive.Creator).Create(t.Context(), stage, items, f.options()); !errors.Is(err, os.ErrClosed) {
			t.Errorf("a file that cannot be written: %v", err)
		}
		stage.Abort()
		if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); len(left) > 0 {
			t.Errorf("left behind: %q", left)
		}
	}
}

// testReadFault closes the file of an open archive and edits the archive. The edit must
// fail, unless the archive is in memory.
func (f *fixture) testReadFault(t *testing.T) {
	path := f.made(t)
	p := f.open(t, path)
	p.Close()
	editor, ok := p.Archive.(archive.Editor)
	if !ok || isFolder(path) {
		return
	}
	before := files(t, path)
	stage, err := archive.NewStage(path, true)
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Abort()
	err = editor.Edit(t.Context(), stage, nil, archive.CreateOptions{Options: f.Options})
	if err == nil {
		err = stage.Commit()
		if !reflect.DeepEqual(files(t, path), before) {
			t.Error("the copy of an archive that cannot be read is another")
		}
	} else if errors.Is(err, os.ErrClosed) {
		err = nil
	}
	if err != nil {
		t.Errorf("copying an archive that cannot be read: %v", err)
	}
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
