package source_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"pakbox/archive"
	"pakbox/archive/folder"
	"pakbox/archive/ziparchive"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
)

// zipped makes a zip of names and contents, which alternate.
func zipped(t *testing.T, files ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		f, err := w.Create(files[i])
		if err == nil {
			_, err = io.WriteString(f, files[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// stored writes outer.zip into the working folder: texts, and a zip that contains a zip.
func stored(t *testing.T) *source.Opener {
	t.Helper()
	t.Chdir(t.TempDir())
	deep := zipped(t, "z.txt", "deepest")
	inner := zipped(t, "in/y.txt", "deep", "other.txt", "o", "deep.zip", deep)
	outer := zipped(t, "docs/x.txt", "hello", "docs/more/w.txt", "w", "docs/in[1].txt", "odd", "inner.zip", inner, "README", "read me")
	if err := os.WriteFile("outer.zip", []byte(outer), 0o666); err != nil {
		t.Fatal(err)
	}
	o := source.NewOpener(archive.Registry{ziparchive.Format{}, folder.Format{}})
	t.Cleanup(o.CleanUp)
	return o
}

// entries lists the names in an archive, sorted.
func entries(a archive.Archive) string {
	var names []string
	for _, e := range a.Entries() {
		if !strings.HasSuffix(e.Name, "/") {
			names = append(names, e.Name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

func read(t *testing.T, a archive.Archive, name string) string {
	t.Helper()
	f, err := a.Open(name)
	if err != nil {
		return err.Error()
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		t.Error(err)
	}
	return string(data)
}

// A path can lead into nested archives. The opened archive has the names below
// the path.
func TestOpenInside(t *testing.T) {
	o := stored(t)
	for _, test := range []struct {
		path    string
		entries string
		is      string // the path of the source
		whole   bool
	}{
		{"outer.zip", "README docs/in[1].txt docs/more/w.txt docs/x.txt inner.zip", "outer.zip", true},
		{"outer.zip/", "README docs/in[1].txt docs/more/w.txt docs/x.txt inner.zip", "outer.zip", true},
		{"outer.zip/docs", "in[1].txt more/w.txt x.txt", "outer.zip/docs", false},
		{"outer.zip/docs/more/", "w.txt", "outer.zip/docs/more", false},
		{"outer.zip/inner.zip", "deep.zip in/y.txt other.txt", "outer.zip/inner.zip", true},
		{"outer.zip/inner.zip/in", "y.txt", "outer.zip/inner.zip/in", false},
		{"outer.zip/inner.zip/deep.zip", "z.txt", "outer.zip/inner.zip/deep.zip", true},
		{"outer.zip/docs/x.txt", "x.txt", "outer.zip/docs", false},
	} {
		s, err := o.OpenAny(t.Context(), test.path)
		if err != nil {
			t.Errorf("%s: %v", test.path, err)
			continue
		}
		if entries(s) != test.entries || s.Path != test.is || s.Whole != test.whole {
			t.Errorf("%s is %s, whole: %v, and has %s", test.path, s.Path, s.Whole, entries(s))
		}
		for i, e := range s.Entries() {
			if strings.HasSuffix(e.Name, "/") || strings.HasSuffix(e.Name, ".zip") {
				continue
			}
			f, err := s.OpenEntry(i)
			if err != nil {
				t.Errorf("%s: %v", e.Name, err)
				continue
			}
			data, _ := io.ReadAll(f)
			f.Close()
			// The path of the archive and the name of the entry make a path to the same file.
			in, closer, err := o.Input(t.Context(), s.Path+"/"+e.Name)
			if err != nil {
				t.Errorf("%s/%s: %v", s.Path, e.Name, err)
				continue
			}
			same, _ := io.ReadAll(io.NewSectionReader(in, 0, in.Size))
			closer.Close()
			if string(same) != string(data) || read(t, s, e.Name) != string(data) || in.Size != e.Size {
				t.Errorf("s.Path = %s/e.Name = %s: data = %q, same = %q; want same = %q, read(t, s, e.Name) = %v, in.Size = %v", s.Path, e.Name, data, same, string(data), string(data), e.Size)
			}
			if got, want := s.InArchive(e.Name), strings.TrimPrefix(s.Path+"/"+e.Name, strings.TrimSuffix(s.Path, "docs")); !s.Whole && strings.HasSuffix(s.Path, "docs") && got != want {
				t.Errorf("%s is called %s in its archive, want %s", e.Name, got, want)
			}
		}
		s.Close()
	}
	for path, want := range map[string]error{"outer.zip/none": fs.ErrNotExist, "outer.zip/docs/x.txt/a": fs.ErrNotExist, "none.zip": fs.ErrNotExist, "outer.zip/inner.zip/none": fs.ErrNotExist} {
		if s, err := o.OpenAny(t.Context(), path); !errors.Is(err, want) && fault.KindOf(err) != fault.NotFormat {
			t.Errorf("%s: s = %v, err = %v; want err matching %v or err of kind fault.NotFormat", path, s, err, want)
		}
	}
	if _, err := o.Open(t.Context(), "outer.zip/docs/x.txt"); fault.KindOf(err) != fault.NotFormat || !strings.Contains(err.Error(), "is a file in a zip archive") {
		t.Errorf("a text opened as an archive: %v", err)
	}
	if _, _, err := o.Input(t.Context(), "outer.zip/docs"); fault.KindOf(err) != fault.NotFormat {
		t.Errorf("a folder as a file: %v", err)
	}
	_, _, err := o.Find(t.Context(), "outer.zip/docs/X.TXT/../raedme")
	if err == nil {
		t.Error("a missing path")
	}
	for path, near := range map[string]string{"outer.zip/x.txt": "there is docs/x.txt", "outer.zip/REDME": "there is README", "outer.zip/qqqqqqqqqqq": "to see what outer.zip holds: pakbox ls outer.zip"} {
		_, _, err := o.Find(t.Context(), path)
		if got := strings.Join(question.Hints(err), ""); !errors.Is(err, fs.ErrNotExist) || got != near {
			t.Errorf("%s: %v, %q, want %q", path, err, got, near)
		}
	}
}

// Standard input is an archive like others, but can be read only once.
func TestStandardInput(t *testing.T) {
	o := stored(t)
	file, err := os.Open("outer.zip")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	o.Stdin = file
	for path, want := range map[string]string{"-": "README docs/in[1].txt docs/more/w.txt docs/x.txt inner.zip", "-/docs": "in[1].txt more/w.txt x.txt", "-/inner.zip": "deep.zip in/y.txt other.txt"} {
		t.Run(path, func(t *testing.T) {
			s, err := o.Open(t.Context(), path)
			if err != nil || entries(s) != want {
				t.Fatalf("%s: err = %v; want no error, entries(s) = %v", path, err, want)
			}
			if s.Path != path || source.CanEdit(s) == nil || o.Edit(t.Context(), s, nil) == nil || source.CanReplace(s, path) == nil {
				t.Errorf("%s: %s can be changed", path, s.Path)
			}
			s.Close()
		})
	}
	at, err := o.SpoolStdin(t.Context())
	if err != nil || o.Unspool("in "+at+"/docs: bad") != "in -/docs: bad" {
		t.Errorf(`at = %s, err = %v: o.Unspool(at) = %s; want no error, o.Unspool("in " + at + "/docs: bad") = "in -/docs: bad"`, at, err, o.Unspool(at))
	}
	o.CleanUp()
	if _, err := os.Stat(at); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the copy remains: %v", err)
	}
}

// Arguments select entries by name, by folder and by pattern. An existing name is not
// a pattern.
func TestSelect(t *testing.T) {
	o := stored(t)
	s, err := o.Open(t.Context(), "outer.zip")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for args, want := range map[string]string{
		"README": "README", "docs": "docs/in[1].txt docs/more/w.txt docs/x.txt", "docs/": "docs/in[1].txt docs/more/w.txt docs/x.txt", "./docs/x.txt": "docs/x.txt", ".": "README docs/in[1].txt docs/more/w.txt docs/x.txt inner.zip",
		"*": "README docs/in[1].txt docs/more/w.txt docs/x.txt inner.zip", "docs/*.txt": "docs/in[1].txt docs/x.txt", "**/*.txt": "docs/in[1].txt docs/more/w.txt docs/x.txt", "docs/in[1].txt": "docs/in[1].txt", "docs/[wx].txt": "docs/x.txt",
		"d*/more": "docs/more/w.txt", "README docs/more": "README docs/more/w.txt", "DOCS/X*": "docs/x.txt", "none": "", "doc": "", "*.txt": "", "README none": "", "docs/none*": "",
	} {
		found, err := source.SelectEntries(s, strings.Fields(args))
		var names []string
		for name := range found {
			if !strings.HasSuffix(name, "/") {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		if strings.Join(names, " ") != want || (err == nil) != (want != "") || err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf(`%s: names = %q, err = %v; want strings.Join(names, " ") = %v, no error exactly if want is not empty, (no error or err matching fs.ErrNotExist)`, args, names, err, want)
		}
	}
	if found := source.SelectOne(s, "", source.MatchPath); found != nil {
		t.Errorf("arguments without a match selected %q", found)
	}
	for arg, want := range map[string]string{"*.txt": "'**/*.txt' looks in all of them", "w.txt": "there is docs/more/w.txt", "*.qqq": "pakbox ls outer.zip"} {
		err := source.NothingMatches(s, arg)
		if got := strings.Join(question.Hints(err), ""); !strings.Contains(got, want) || want == "" && got != "" || !strings.HasPrefix(question.Describe(err), "outer.zip/"+arg) {
			t.Errorf(`%s: err = %v, got = %q; want got with %q, (want not empty or got = ""), question.Describe(err) beginning with "outer.zip/" + arg`, arg, err, got, want)
		}
	}
}

// A pattern is expanded on disk, and inside an archive.
func TestExpandInside(t *testing.T) {
	o := stored(t)
	for arg, want := range map[string]string{
		"*.zip": "outer.zip", "outer.zip/docs/*.txt": "outer.zip/docs/x.txt outer.zip/docs/in[1].txt", "o*.zip/docs/m*/*": "outer.zip/docs/more/w.txt", "outer.zip/docs/in[1].txt": "outer.zip/docs/in[1].txt",
		"outer.zip/docs": "outer.zip/docs", "outer.zip/inner.zip/*.txt": "outer.zip/inner.zip/other.txt", "outer.zip/*.none": "error", "none*": "error", "outer.zip/none/*.txt": "error",
	} {
		targets, err := o.ExpandAll(t.Context(), []string{arg})
		var names []string
		for _, target := range targets {
			var found []string
			if found, err = o.ExpandInside(t.Context(), target); err != nil {
				break
			}
			names = append(names, found...)
		}
		if got := strings.Join(names, " "); err == nil && got != want || (err != nil) != (want == "error") {
			t.Errorf(`%s: got = %s, err = %v; want (an error or got = %s), an error exactly if that is expected`, arg, got, err, want)
		}
	}
	if all, err := o.ExpandAll(t.Context(), []string{"a", "*.zip", "b"}); err != nil || fmt.Sprint(all) != "[{a } {outer.zip } {b }]" {
		t.Errorf(`all = %v, err = %v; want no error, fmt.Sprint(all) = "[{a } {outer.zip } {b }]"`, all, err)
	}
	if _, err := o.ExpandAll(t.Context(), []string{"a", "none*"}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("err = %v; want err matching fs.ErrNotExist", err)
	}
}

func text(name, content string) archive.Edit {
	return archive.Edit{Put: &archive.Item{Name: name, Size: int64(len(content)), ModTime: time.Unix(1e9, 0), Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(content)), nil }}}
}

// A change of a nested archive changes the file on disk that contains it, and nothing
// else in that file.
func TestEditNested(t *testing.T) {
	o := stored(t)
	open := func(path string) *source.Source {
		t.Helper()
		s, err := o.OpenAny(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := open("outer.zip/inner.zip/deep.zip")
	if err := source.CanEdit(s); err != nil {
		t.Error(err)
	}
	if got := source.EditedFile(s.Place); filepath.Base(got) != "outer.zip" {
		t.Errorf("the file that changes is %s", got)
	}
	if err := o.Edit(t.Context(), s, []archive.Edit{text("new.txt", "new"), {Remove: "z.txt"}}); err != nil {
		t.Fatal(err)
	}
	s.Close()
	s = open("outer.zip/docs/in[1].txt")
	if err := source.CanReplace(s, "outer.zip/docs/in[1].txt"); err != nil {
		t.Error(err)
	}
	s.Close()
	s = open("outer.zip/inner.zip")
	if err := o.Replace(t.Context(), s, []byte(zipped(t, "only.txt", "one"))); err != nil {
		t.Fatal(err)
	}
	s = open("outer.zip/inner.zip")
	if entries(s) != "only.txt" || read(t, s, "only.txt") != "one" {
		t.Errorf("replaced: %s", entries(s))
	}
	s.Close()
	s = open("outer.zip")
	if entries(s) != "README docs/in[1].txt docs/more/w.txt docs/x.txt inner.zip" || read(t, s, "docs/x.txt") != "hello" {
		t.Errorf("the others: %s", entries(s))
	}
	if err := o.Replace(t.Context(), s, []byte("now a text")); err != nil {
		t.Fatal(err)
	}
	if data, _ := os.ReadFile("outer.zip"); string(data) != "now a text" {
		t.Errorf(`data = %q; want "now a text"`, data)
	}
	left, _ := os.ReadDir(".")
	if len(left) != 1 {
		t.Errorf("files left behind: %v", left)
	}
}

func TestEditDeep(t *testing.T) {
	o := stored(t)
	s, err := o.Open(t.Context(), "outer.zip/inner.zip/deep.zip")
	if err != nil {
		t.Fatal(err)
	}
	if err := o.Edit(t.Context(), s, []archive.Edit{text("new.txt", "new")}); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"outer.zip/inner.zip/deep.zip": "new.txt z.txt", "outer.zip/inner.zip": "deep.zip in/y.txt other.txt", "outer.zip": "README docs/in[1].txt docs/more/w.txt docs/x.txt inner.zip"} {
		s, err := o.Open(t.Context(), path)
		if err != nil || entries(s) != want {
			t.Errorf("%s: err = %v; want no error, entries(s) = %v", path, err, want)
		}
		if err == nil && want[0] == 'n' && read(t, s, "new.txt")+read(t, s, "z.txt") != "newdeepest" {
			t.Error("the content differs")
		}
		if err == nil {
			s.Close()
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	s, err = o.Open(t.Context(), "outer.zip")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	cancel()
	before, _ := os.ReadFile("outer.zip")
	if err := o.Edit(ended, s, []archive.Edit{{Remove: "README"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v; want err matching context.Canceled", err)
	}
	if after, _ := os.ReadFile("outer.zip"); !bytes.Equal(before, after) {
		t.Error("a cancelled change was made")
	}
}

// The target folder of a put may be new.
func TestOpenForPut(t *testing.T) {
	o := stored(t)
	for path, want := range map[string]string{"outer.zip": "outer.zip|", "outer.zip/docs": "outer.zip/docs|docs", "outer.zip/new/er": "outer.zip|new/er", "outer.zip/docs/new": "outer.zip/docs|docs/new", "outer.zip/inner.zip/new": "outer.zip/inner.zip|new"} {
		s, dir, err := o.OpenForPut(t.Context(), path)
		if err != nil || s.Path+"|"+dir != want {
			t.Errorf(`%s: dir = %q, err = %v; want no error, s.Path + "|" + dir = %v`, path, dir, err, want)
			continue
		}
		s.Close()
	}
	var hinted *fault.Error
	if _, _, err := o.OpenForPut(t.Context(), "new.zip"); !errors.Is(err, fs.ErrNotExist) || !errors.As(err, &hinted) || !strings.Contains(fault.Hints(hinted)[0], "pakbox create new.zip") {
		t.Errorf(`err = %v; want err matching fs.ErrNotExist, err of the type of hinted, fault.Hints(hinted)[0] with "pakbox create new.zip"`, err)
	}
}

// given are files that are not on disk.
type given struct{ fstest.MapFS }

func (g given) OpenFile(name string) (archive.Input, io.Closer, error) {
	f, ok := g.MapFS[name]
	if !ok {
		return archive.Input{}, nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return archive.Input{ReaderAt: bytes.NewReader(f.Data), Size: int64(len(f.Data)), Name: filepath.Base(name)}, io.NopCloser(nil), nil
}

// With given files, paths begin with these, and files on disk are not read.
func TestOtherFiles(t *testing.T) {
	o := stored(t)
	data, err := os.ReadFile("outer.zip")
	if err != nil {
		t.Fatal(err)
	}
	o.Files = given{fstest.MapFS{"in/some.zip": {Data: data}}}
	for path, want := range map[string]string{"in/some.zip": "README docs/in[1].txt docs/more/w.txt docs/x.txt inner.zip", "in/some.zip/docs": "in[1].txt more/w.txt x.txt", "in//some.zip/inner.zip/in": "y.txt", "outer.zip": "", "in": "", "in/none.zip": ""} {
		s, err := o.Open(t.Context(), path)
		if (err == nil) != (want != "") || err == nil && entries(s) != want {
			t.Errorf(`%s: err = %v; want no error exactly if want is not empty, (an error or entries(s) = %v)`, path, err, want)
		}
		if err == nil {
			s.Close()
		}
		info, err := o.StatOutermost(path)
		if path == "in" { // nothing is entered, as on the file system
			if err != nil || !info.IsDir() {
				t.Errorf("%s: info = %v, err = %v; want the folder", path, info, err)
			}
			continue
		}
		if (err == nil) != (want != "") || err == nil && (info.Name() != "some.zip" || info.Size() != int64(len(data))) {
			t.Errorf(`%s: info = %v, err = %v; want no error exactly if want is not empty, (an error or info.Name() = "some.zip", info.Size() = int64(len(data)))`, path, info, err)
		}
	}
	in, closer, err := o.Input(t.Context(), "in/some.zip/docs/x.txt")
	if err != nil || in.Size != 5 || in.Name != "x.txt" {
		t.Fatalf(`in = %+v, err = %v; want no error, in.Size = 5, in.Name = "x.txt"`, in, err)
	}
	closer.Close()
}
