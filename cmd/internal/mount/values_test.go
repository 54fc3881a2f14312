package mount_test

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"path"
	"strings"
	"testing"

	"pakbox"
	"pakbox/archive"
	"pakbox/cmd/internal/mount"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/internal/lib/vfs"
)

// document is an archive whose values are texts.
type document struct {
	*unsized
	parts   map[string]string // texts by path; "broken" cannot be written
	order   []string
	written map[string]int // the number of requests for each
	err     error
}

func (d *document) Parts() ([]string, func(io.Writer, int) error, error) {
	return d.order, func(w io.Writer, i int) error {
		name := d.order[i]
		d.written[name]++
		if d.parts[name] == "broken" {
			return fault.New(fault.Corrupt, "is broken")
		}
		for c := range strings.SplitSeq(d.parts[name], "") { // in parts, as dump does
			io.WriteString(w, c)
		}
		return nil
	}, d.err
}

func documentOf(t *testing.T, files []archive.Entry, texts ...string) (*document, *mount.Tree) {
	t.Helper()
	d := &document{parts: map[string]string{}, written: map[string]int{}, unsized: &unsized{Tree: archive.NewTree(files, false, func(int) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("file")), nil
	})}}
	for i := 0; i < len(texts); i += 2 {
		d.parts[texts[i]], d.order = texts[i+1], append(d.order, texts[i])
	}
	o := source.NewOpener(pakbox.Formats())
	t.Cleanup(o.CleanUp)
	tree := mount.New("some.doc", d, d, mount.Options{Opener: o})
	t.Cleanup(func() { tree.Close() })
	return d, tree
}

// Values are texts in nested folders, following their paths, each with an ID of its
// own. The length of a text is determined once.
func TestTextsInFolders(t *testing.T) {
	d, tree := documentOf(t, []archive.Entry{{Name: "picture", Size: 4}}, "a.b.c", "see", "a.b.d", "", "a.e", "eee", "f", "eff", "a.b.g.h", "deep")
	want := map[string]string{
		"picture": "file", "values/": "", "values/a/": "", "values/a/b/": "", "values/a/b/c.txt": "see", "values/a/b/d.txt": "", "values/a/e.txt": "eee",
		"values/f.txt": "eff", "values/a/b/g/": "", "values/a/b/g/h.txt": "deep",
	}
	if got := shown(t, tree, "."); !maps.Equal(got, want) {
		t.Errorf("got = %q; want got equal to %q", got, want)
	}
	if d.written["a.b.d"] != 2 || d.written["f"] != 2 {
		t.Errorf("written %v times, to be measured and to be read", d.written)
	}
	seen := map[uint64]string{}
	for name := range want {
		name = strings.TrimSuffix(name, "/")
		info, err := tree.Stat(name)
		if err != nil || info.Name() != path.Base(name) || seen[info.ID] != "" {
			t.Errorf("%s: %+v, as %q, %v", name, info, seen[info.ID], err)
		}
		seen[info.ID] = name
		if again, _ := tree.Stat(name); again != info {
			t.Errorf("%s: %+v, then %+v", name, info, again)
		}
	}
	for _, name := range []string{"values/a/b/c", "values/a/x", "values/f.txt/x", "values/b", "values#"} {
		if _, err := tree.Stat(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: err = %v; want err matching fs.ErrNotExist", name, err)
		}
	}
	if _, err := tree.Open("values/a"); !errors.Is(err, vfs.ErrIsDir) {
		t.Errorf("a folder is read: %v", err)
	}
}

// A file of the archive hides a folder of values with the same name.
func TestFileCalledValues(t *testing.T) {
	_, tree := documentOf(t, []archive.Entry{{Name: "values", Size: 4}}, "f", "eff")
	if got := shown(t, tree, "."); !maps.Equal(got, map[string]string{"values": "file"}) {
		t.Errorf(`got = %q; want got equal to map[string]string{"values": "file"}`, got)
	}
}

// A text that cannot be written fails when it is read; other texts can be
// read.
func TestBrokenTexts(t *testing.T) {
	_, tree := documentOf(t, nil, "a.bad", "broken", "f", "eff")
	if got := read(t, tree, "values/f.txt"); got != "eff" {
		t.Errorf(`got = %q; want "eff"`, got)
	}
	_, errStat := tree.Stat("values/a/bad.txt")
	_, errOpen := tree.Open("values/a/bad.txt")
	_, errList := tree.ReadDir("values/a")
	d, other := documentOf(t, nil, "f", "eff")
	d.err = fault.New(fault.Corrupt, "has no parts")
	_, errParts := other.Stat("values/f.txt")
	_, errFolder := other.ReadDir("values")
	for i, err := range []error{errStat, errOpen, errList, errParts, errFolder} {
		if !errors.Is(err, fault.Corrupt) {
			t.Errorf("%d: err = %v; want err matching fault.Corrupt", i, err)
		}
	}
	if list, err := tree.ReadDir("values"); err != nil || len(list) != 2 {
		t.Errorf("list = %v, err = %v; want no error, list of length 2", list, err)
	}
}
