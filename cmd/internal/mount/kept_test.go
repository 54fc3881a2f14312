package mount_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pakbox"
	"pakbox/archive"
	"pakbox/cmd/internal/mount"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
)

// inFolder lists the names of the files in a folder.
func inFolder(t *testing.T, dir string) string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		return "no folder"
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

// tryTree opens a tree for writing, or returns the error.
func tryTree(t *testing.T, file string) (*mount.Tree, error) {
	t.Helper()
	o := source.NewOpener(pakbox.Formats())
	t.Cleanup(o.CleanUp)
	tree, err := mount.Open(t.Context(), file, mount.Options{Opener: o, Write: true})
	if err == nil {
		t.Cleanup(func() { tree.Close() })
	}
	return tree, err
}

// keptOf makes an archive with unsaved changes, and returns the lines of their log.
func keptOf(t *testing.T) (file string, log []string) {
	t.Helper()
	file = writeFile(t, zipOf(t, "a", "alpha"))
	tree := openTree(t, file, mount.Options{Write: true})
	if err := errors.Join(put(t, tree, "b", "bee", create), put(t, tree, "a", "other", create), tree.Mkdir("d")); err != nil {
		t.Fatal(err)
	}
	tree.Close()
	data, err := os.ReadFile(filepath.Join(mount.KeptAt(file), "changes"))
	if err != nil {
		t.Fatal(err)
	}
	return file, slices.Collect(strings.Lines(string(data)))
}

// The unsaved changes are those of the log up to its truncation; damage of the log is an
// error.
func TestLog(t *testing.T) {
	type end struct {
		what  string
		spoil func(t *testing.T, file string, log []string) []string // returns the new log
		kind  fault.Kind
		says  string
		shown string // files in the folder of changes
	}
	for _, c := range []end{
		{"as it is", func(_ *testing.T, _ string, log []string) []string { return log }, "", "", "a=other b=bee d/; 0 1 changes"},
		{"cut off", func(_ *testing.T, _ string, log []string) []string { return append(log[:2], log[2][:10]) }, "", "", "a=alpha b=bee; 0 1 changes"},
		{"saving came to nothing", func(_ *testing.T, _ string, log []string) []string { return append(log, `{"do":"saving"}`+"\n") }, "", "", "a=other b=bee d/; 0 1 changes"},
		{"saved", func(t *testing.T, file string, log []string) []string {
			if err := os.WriteFile(file, zipOf(t, "a", "saved", "b", "bee"), 0o666); err != nil {
				t.Fatal(err)
			}
			return append(log, `{"do":"saving"}`+"\n")
		}, "", "", "a=saved b=bee; changes"},
		{"saving came to nothing, and more was done", func(_ *testing.T, _ string, log []string) []string {
			return append(log, `{"do":"saving"}`+"\n", `{"do":"mkdir","name":"e"}`+"\n")
		}, "", "", "a=other b=bee d/ e/; 0 1 changes"},
		{"empty", func(*testing.T, string, []string) []string { return nil }, "", "", "a=alpha; 0 1 changes"},
		{"no JSON", func(_ *testing.T, _ string, log []string) []string { return append(log, "x\n") }, fault.Corrupt, "the log of changes", ""},
		{"a content elsewhere", func(_ *testing.T, _ string, log []string) []string {
			return append(log, `{"do":"put","name":"c","content":"../x"}`+"\n")
		}, fault.Unsafe, `names "../x"`, ""},
		{"an invalid number", func(_ *testing.T, _ string, log []string) []string {
			return append(log, `{"do":"put","name":"c","content":"01"}`+"\n")
		}, fault.Unsafe, `names "01"`, ""},
		{"no content", func(_ *testing.T, _ string, log []string) []string {
			return append(log, `{"do":"put","name":"c"}`+"\n")
		}, fault.Corrupt, "the new content of c is missing", ""},
		{"content that is gone", func(t *testing.T, file string, log []string) []string {
			if err := os.Remove(filepath.Join(mount.KeptAt(file), "0")); err != nil {
				t.Fatal(err)
			}
			return log
		}, fault.Corrupt, "the new content of b is missing", ""},
		{"content that is a link", func(t *testing.T, file string, log []string) []string {
			at := filepath.Join(mount.KeptAt(file), "0")
			if err := errors.Join(os.Remove(at), os.Symlink(file, at)); err != nil {
				t.Fatal(err)
			}
			return log
		}, fault.Corrupt, "the new content of b is missing", ""},
		{"what cannot be done", func(_ *testing.T, _ string, log []string) []string {
			return append(log, `{"do":"remove","name":"none"}`+"\n")
		}, fault.Corrupt, "the unsaved changes at", ""},
		{"another archive", func(t *testing.T, file string, log []string) []string {
			if err := os.WriteFile(file, zipOf(t, "other", "o", "and", "more"), 0o666); err != nil {
				t.Fatal(err)
			}
			return log
		}, fault.Unsupported, "was changed after", ""},
	} {
		t.Run(c.what, func(t *testing.T) {
			file, log := keptOf(t)
			log = c.spoil(t, file, log)
			if err := os.WriteFile(filepath.Join(mount.KeptAt(file), "changes"), []byte(strings.Join(log, "")), 0o600); err != nil {
				t.Fatal(err)
			}
			before := inFolder(t, mount.KeptAt(file))
			tree, err := tryTree(t, file)
			if c.kind != "" {
				if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.says) || inFolder(t, mount.KeptAt(file)) != before {
					t.Errorf("%v; the folder holds %s", err, inFolder(t, mount.KeptAt(file)))
				}
				if err := mount.Discard(file); err != nil || inFolder(t, mount.KeptAt(file)) != "no folder" {
					t.Errorf("dropped: %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var all []string
			for name, text := range shown(t, tree, ".") {
				if !strings.HasSuffix(name, "/") {
					name += "=" + text
				}
				all = append(all, name)
			}
			slices.Sort(all)
			if got := strings.Join(all, " ") + "; " + inFolder(t, mount.KeptAt(file)); got != c.shown {
				t.Errorf("%s, want %s", got, c.shown)
			}
			// A new change gets an unused number, and all changes can be saved.
			if err := put(t, tree, "new", "new", create); err != nil {
				t.Error(err)
			}
			if _, err := tree.Commit(t.Context()); err != nil || inFolder(t, mount.KeptAt(file)) != "changes" {
				t.Errorf("saved: %v, %s", err, inFolder(t, mount.KeptAt(file)))
			}
		})
	}
}

// Only one mount can write. If saving fails, the changes are kept, and the error contains
// their path.
func TestKeptStays(t *testing.T) {
	file := writeFile(t, zipOf(t, "a", "alpha"))
	if err := mount.Discard(file); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("nothing to drop: %v", err)
	}
	tree := openTree(t, file, mount.Options{Write: true})
	if _, err := tryTree(t, file); !errors.Is(err, fault.Unsupported) || !strings.Contains(err.Error(), "is being changed by another mount") {
		t.Errorf("a second mount: %v", err)
	}
	if err := put(t, tree, "b", "bee", create); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(file, file+".away"); err != nil {
		t.Fatal(err)
	}
	_, err := tree.End(t.Context())
	var hinted *fault.Error
	if !errors.Is(err, fs.ErrNotExist) || !errors.As(err, &hinted) || !strings.Contains(strings.Join(fault.Hints(hinted), ""), mount.KeptAt(file)) {
		t.Errorf("a removed archive: %v, %+v", err, hinted)
	}
	if got := inFolder(t, mount.KeptAt(file)); got != "0 changes" {
		t.Errorf("the folder of changes holds %s", got)
	}
	if err := os.Rename(file+".away", file); err != nil {
		t.Fatal(err)
	}
	if n, err := tree.End(t.Context()); n != 1 || err != nil || inFolder(t, mount.KeptAt(file)) != "no folder" {
		t.Errorf("%d saved, %v, %s", n, err, inFolder(t, mount.KeptAt(file)))
	}
	// Without changes, a removed archive is an error too.
	tree = openTree(t, file, mount.Options{Write: true})
	if err := os.Rename(file, file+".away"); err != nil {
		t.Fatal(err)
	}
	if _, err := tree.Commit(t.Context()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a removed archive: %v", err)
	}
	if err := errors.Join(os.Rename(file+".away", file), os.RemoveAll(mount.KeptAt(file))); err != nil {
		t.Fatal(err)
	}
	if _, err := tree.Commit(t.Context()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a removed folder of changes: %v", err)
	}
	// Without a folder for changes the tree is read-only.
	if err := os.WriteFile(mount.KeptAt(file), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := tryTree(t, file); !errors.Is(err, fault.Unsafe) {
		t.Errorf("a file in place of the folder for changes: %v", err)
	}
	if _, err := tryTree(t, filepath.FromSlash("../../../samples/trackmania/Sample.Map.Gbx")); !errors.Is(err, fault.Unsupported) {
		t.Errorf("a file of values: %v", err)
	}
	long := filepath.Join(t.TempDir(), strings.Repeat("long", 60)+".zip")
	if err := os.WriteFile(long, zipOf(t, "a", "alpha"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := tryTree(t, long); err == nil || read(t, openTree(t, long, mount.Options{}), "a") != "alpha" {
		t.Errorf("no writable folder for changes: %v", err)
	}
	if _, err := tryTree(t, file+".none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing archive: %v", err)
	}
}

// Kept content is in files that no other user can read, whatever their size. Reading a
// removed one fails.
func TestKeptFiles(t *testing.T) {
	file := writeFile(t, zipOf(t, "a", "alpha"))
	tree := openTree(t, file, mount.Options{Write: true})
	want := map[string]string{"a": "alpha"}
	for i := range 15 {
		name := fmt.Sprint("file ", i)
		want[name] = fmt.Sprint("content ", i)
		if err := put(t, tree, name, want[name], create); err != nil {
			t.Fatal(err)
		}
	}
	dir, _ := tree.Unsaved()
	list, err := os.ReadDir(dir)
	if err != nil || len(list) != 16 {
		t.Errorf("%d files, %v", len(list), err)
	}
	for _, e := range list {
		if info, err := e.Info(); err != nil || info.Mode() != 0o600 {
			t.Errorf("%s: info.Mode() = %v, err = %v; want no error, info.Mode() = 0o600", e.Name(), info.Mode(), err)
		}
	}
	if info, err := os.Stat(dir); err != nil || info.Mode() != fs.ModeDir|0o700 {
		t.Errorf("info.Mode() = %v, err = %v; want no error, info.Mode() = fs.ModeDir | 0o700", info.Mode(), err)
	}
	tree.Close()
	again := openTree(t, file, mount.Options{Write: true})
	if got := shown(t, again, "."); !maps.Equal(got, want) {
		t.Errorf("got = %q; want got equal to %q", got, want)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{
		"a new file": put(t, again, "new", "x", create), "one that was new": put(t, again, "file 3", "x", appendTo), "one of the archive": put(t, again, "a", "x", appendTo),
	} {
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: err = %v; want err matching fs.ErrNotExist", what, err)
		}
	}
	if _, err := again.Open("file 3"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("err = %v; want err matching fs.ErrNotExist", err)
	}
	if n, err := again.Commit(t.Context()); n != 0 || err == nil {
		t.Errorf("%d saved, %v", n, err)
	}
	if got := read(t, again, "a"); got != "alpha" {
		t.Errorf(`got = %q; want "alpha"`, got)
	}
}

// unsized is an archive whose sizes are known only after unpacking.
type unsized struct {
	*archive.Tree
	closed int
}

func (*unsized) Format() string { return "unsized" }
func (u *unsized) Close() error { u.closed++; return nil }

// A tree of an opened archive equals one of its path. Sizes are found by unpacking; a file
// that cannot be unpacked is listed, and its error is logged.
func TestOf(t *testing.T) {
	entries := []archive.Entry{{Name: "bad", Size: -1}, {Name: "d/good", Size: -1}, {Name: "sized", Size: 4}}
	a := &unsized{Tree: archive.NewTree(entries, false, func(i int) (io.ReadCloser, error) {
		if i == 0 {
			return nil, fault.New(fault.Corrupt, "is broken")
		}
		return io.NopCloser(strings.NewReader("1234")), nil
	})}
	var logged []string
	o := source.NewOpener(pakbox.Formats())
	t.Cleanup(o.CleanUp)
	tree := mount.New("some.zip", a, a, mount.Options{Opener: o, Write: true, Log: func(err error) { logged = append(logged, err.Error()) }})
	if tree.Writable() || tree.Path() != "some.zip" {
		t.Errorf(`tree.Writable() = %v, tree.Path() = %s; want tree.Writable() = false, tree.Path() = "some.zip"`, tree.Writable(), tree.Path())
	}
	list, err := tree.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, i := range list {
		got = append(got, fmt.Sprintf("%s %d %v", i.Name(), i.Size(), i.IsDir()))
	}
	if s := strings.Join(got, " "); s != "bad -1 false d 0 true sized 4 false" {
		t.Errorf(`s = %v; want "bad -1 false d 0 true sized 4 false"`, s)
	}
	for name, want := range map[string]int64{"bad": 0, "d/good": 4, "sized": 4} {
		if info, err := tree.Stat(name); err != nil || info.Size() != want || info.Name() != path.Base(name) {
			t.Errorf("%s: info = %+v, err = %v; want no error, info.Size() = %v, info.Name() = path.Base(name)", name, info, err, want)
		}
	}
	if s := strings.Join(logged, ", "); s != "some.zip/bad: is broken" {
		t.Errorf("log: %s", s)
	}
	if _, err := tree.Open("bad"); !errors.Is(err, fault.Corrupt) || len(logged) != 2 {
		t.Errorf("err = %v, logged = %q; want err matching fault.Corrupt, logged of length 2", err, logged)
	}
	if _, err := tree.ReadDir("none"); !errors.Is(err, fs.ErrNotExist) || len(logged) != 2 {
		t.Errorf("err = %v, logged = %q; want err matching fs.ErrNotExist, logged of length 2", err, logged)
	}
	if _, err := tree.ReadDir("sized"); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file is listed: %v", err)
	}
	if got := read(t, tree, "d/good"); got != "1234" {
		t.Errorf(`got = %v; want "1234"`, got)
	}
	if a.closed != 0 {
		t.Error("the archive was closed before the tree")
	}
	tree.Close()
	if a.closed != 1 {
		t.Errorf("closed %d times", a.closed)
	}
}

// zeros are this many readable zero bytes, and count the bytes that were read.
type zeros struct {
	*io.SectionReader
	read   *int64
	closed *int
}

func (z zeros) ReadAt(p []byte, off int64) (int, error) {
	n, err := z.SectionReader.ReadAt(p, off)
	*z.read += int64(n)
	return n, err
}

func (z zeros) Read(p []byte) (int, error) {
	n, err := z.SectionReader.Read(p)
	*z.read += int64(n)
	return n, err
}

func (z zeros) Close() error { *z.closed++; return nil }

// endless contains zeros.
type endless struct{}

func (endless) ReadAt(p []byte, _ int64) (int, error) { clear(p); return len(p), nil }

// Content without a checksum is read directly from the archive, and so is content above the
// limit for copies. Other files are unpacked from their beginning up to the requested bytes.
func TestHowMuchIsRead(t *testing.T) {
	const mib = 1 << 20
	for _, c := range []struct {
		size       int64
		hash       string
		at         int64 // where a byte is read
		read       int64 // reads for that byte
		atOnce     int64 // for opening it
		keptAround bool
	}{
		{0, "", 0, 0, 0, false}, {64 * mib, "", 9 * mib, 1, 0, false}, {mib, "x", mib - 1, mib, mib, true}, {mib + 1, "x", 0, 256 << 10, 0, false}, {300 * mib, "x", 280 * mib, 1, 0, false},
	} {
		var read int64
		var opened, closed int
		a := &unsized{Tree: archive.NewTree([]archive.Entry{{Name: "f", Size: c.size, Hash: c.hash}, {Name: "bad", Size: 1, Problem: fault.New(fault.Corrupt, "is bad")}}, false, func(int) (io.ReadCloser, error) {
			opened++
			return zeros{io.NewSectionReader(endless{}, 0, c.size), &read, &closed}, nil
		})}
		o := source.NewOpener(pakbox.Formats())
		tree := mount.New("a", a, a, mount.Options{Opener: o})
		for range 2 {
			f, err := tree.Open("f")
			if err != nil {
				t.Fatal(err)
			}
			if f.Size() != c.size || read != c.atOnce {
				t.Errorf("%+v: opened as %d bytes, of which %d were read", c, f.Size(), read)
			}
			one := []byte{1}
			if n, err := f.ReadAt(one, c.at); n > 0 && one[0] != 0 || (n == 0) != (c.size == 0) || (err == io.EOF) != (c.size == 0) {
				t.Errorf("%+v: n = %d, err = %v; want (n at most 0 or one[0] = 0), n is 0 exactly if c.size is 0, err is io.EOF exactly if c.size is 0", c, n, err)
			}
			if read != c.read {
				t.Errorf("%+v: %d bytes were read", c, read)
			}
			f.Close()
			if !c.keptAround {
				read = 0
			}
		}
		if c.keptAround != (opened == 1) || !c.keptAround && closed != opened {
			t.Errorf("%+v: opened %d times and closed %d", c, opened, closed)
		}
		if _, err := tree.Open("bad"); !errors.Is(err, fault.Corrupt) || !strings.Contains(err.Error(), "is bad") {
			t.Errorf(`err = %v; want err matching fault.Corrupt, err with "is bad"`, err)
		}
		tree.Close()
		o.CleanUp()
		if closed != opened {
			t.Errorf("%+v: opened %d times and closed %d", c, opened, closed)
		}
	}
}
