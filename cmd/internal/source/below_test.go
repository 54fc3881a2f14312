package source_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pakbox/archive"
	"pakbox/archive/folder"
	"pakbox/archive/ziparchive"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fact"
	"pakbox/fault"
)

// box is a format of the tests: its archives begin with BOX.
type box struct {
	entries []boxed
	groups  []archive.Group
	edit    func(stage *archive.Stage) error
}

type boxed struct {
	name string
	size int64
	open func() (io.ReadCloser, error)
}

func (box) Name() string                { return "box" }
func (box) Description() string         { return "" }
func (box) Extensions() []string        { return []string{".box", ".lid"} }
func (box) Match(in archive.Input) bool { return string(in.Prefix(3)) == "BOX" }
func (b box) Open(context.Context, archive.Input, archive.Options) (archive.Archive, error) {
	var list []archive.Entry
	for _, e := range b.entries {
		list = append(list, archive.Entry{Name: e.name, Size: e.size})
	}
	return &openBox{archive.NewTree(list, true, func(i int) (io.ReadCloser, error) { return b.entries[i].open() }), b}, nil
}

type openBox struct {
	*archive.Tree
	box box
}

func (openBox) Format() string            { return "box" }
func (openBox) Facts() fact.Record        { return nil }
func (b openBox) Groups() []archive.Group { return b.box.groups }
func (openBox) Verify(context.Context, archive.Options) (*archive.Report, error) {
	return &archive.Report{}, nil
}
func (b openBox) Edit(_ context.Context, stage *archive.Stage, _ []archive.Edit, _ archive.CreateOptions) error {
	return b.box.edit(stage)
}

func content(text string) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }
}

// boxes writes a.box into the working folder, alone and in a zip.
func boxes(t *testing.T, b box) *source.Opener {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"a.box": "BOX", "in.zip": zipped(t, "d/a.box", "BOX", "d/A.lid", "lid", "d/other.box", "BOX")} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	o := source.NewOpener(archive.Registry{b, ziparchive.Format{}, folder.Format{}})
	t.Cleanup(o.CleanUp)
	return o
}

// If a change fails, is cancelled or cannot start, the file is unchanged, and no other file
// is left beside it.
func TestEditFails(t *testing.T) {
	broken := errors.New("broken")
	ctx, cancel := context.WithCancel(t.Context())
	var edit error
	keys := error(nil)
	o := boxes(t, box{edit: func(stage *archive.Stage) error {
		f, err := stage.File()
		if err == nil {
			_, err = f.WriteString("BOX changed")
		}
		if edit == context.Canceled {
			cancel()
			return err
		}
		return errors.Join(err, edit)
	}})
	o.Keys = func() (archive.Keys, error) { return nil, keys }
	before := map[string]string{}
	for _, name := range []string{"a.box", "in.zip"} {
		data, _ := os.ReadFile(name)
		before[name] = string(data)
	}
	same := func(what string) {
		t.Helper()
		left, _ := os.ReadDir(".")
		for name, want := range before {
			if data, err := os.ReadFile(name); err != nil || string(data) != want || len(left) != 2 {
				t.Errorf("%s: %s has %d bytes, %v; the folder has %d files", what, name, len(data), err, len(left))
			}
		}
	}
	for _, path := range []string{"a.box", "in.zip/d/a.box"} {
		s, err := o.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		edit = broken
		if err := o.Edit(t.Context(), s, nil); !errors.Is(err, broken) {
			t.Errorf("%s: err = %v; want err matching %v", path, err, broken)
		}
		same("it fails")
		edit, keys = nil, broken
		if err := o.Edit(t.Context(), s, nil); !errors.Is(err, broken) {
			t.Errorf("%s without keys: %v", path, err)
		}
		same("without keys")
		keys = nil
		if path == "a.box" {
			edit = context.Canceled
			if err := o.Edit(ctx, s, nil); !errors.Is(err, context.Canceled) {
				t.Errorf("%s cancelled: %v", path, err)
			}
			same("it is given up")
		}
		s.Close()
	}
	edit = nil
	s, err := o.Open(t.Context(), "in.zip/d/a.box")
	if err != nil {
		t.Fatal(err)
	}
	if err := o.Edit(t.Context(), s, nil); err != nil {
		t.Fatal(err)
	}
	// The files of the archive are restored together, and others stay.
	z, err := o.Open(t.Context(), "in.zip")
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	if got := []string{read(t, z, "d/a.box"), read(t, z, "d/A.lid"), read(t, z, "d/other.box")}; !slices.Equal(got, []string{"BOX changed", "lid", "BOX"}) || len(z.Entries()) != 3 {
		t.Errorf(`got = %q; want got equal to []string{"BOX changed", "lid", "BOX"}, z.Entries() of length 3`, got)
	}
}

// The working folder cannot be replaced, nor one of its parents.
func TestOwnFolder(t *testing.T) {
	o := boxes(t, box{})
	if err := os.MkdirAll("sub/deep", 0o777); err != nil {
		t.Fatal(err)
	}
	t.Chdir("sub")
	for path, want := range map[string]bool{".": false, "..": false, "deep": true} {
		t.Run(path, func(t *testing.T) {
			s, err := o.Open(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			if err := o.Edit(t.Context(), s, []archive.Edit{text("new.txt", "new")}); (err == nil) != want || err != nil && !errors.Is(err, fault.Usage) {
				t.Errorf("%s: err = %v; want success = %v, (no error or err matching fault.Usage)", path, err, want)
			}
			s.Close()
		})
	}
	if data, err := os.ReadFile("deep/new.txt"); err != nil || string(data) != "new" {
		t.Errorf(`data = %q, err = %v; want no error, data = "new"`, data, err)
	}
}

// A file in an archive can be an input, also if its size is known only after unpacking. An
// error during unpacking is reported.
func TestInputs(t *testing.T) {
	broken := errors.New("broken")
	o := boxes(t, box{entries: []boxed{
		{"d/known", 3, content("abc")}, {"d/unknown", -1, content("abcdef")}, {"d/closed", 3, func() (io.ReadCloser, error) { return nil, broken }},
		{"d/damaged", -1, func() (io.ReadCloser, error) {
			return io.NopCloser(io.MultiReader(strings.NewReader("ab"), failing{broken})), nil
		}},
	}})
	for name, want := range map[string]string{"known": "abc", "unknown": "abcdef"} {
		in, closer, err := o.Input(t.Context(), "a.box/d/"+name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		data, err := io.ReadAll(io.NewSectionReader(in, 0, in.Size))
		if err != nil || string(data) != want || in.Size != int64(len(want)) || in.Name != name {
			t.Errorf("%s: %q of %d bytes, %v", name, data, in.Size, err)
		}
		if err := closer.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"closed", "damaged"} {
		if _, _, err := o.Input(t.Context(), "a.box/d/"+name); !errors.Is(err, broken) {
			t.Errorf("%s: err = %v; want err matching %v", name, err, broken)
		}
	}
	if _, _, err := o.Input(t.Context(), "a.box/d"); fault.KindOf(err) != fault.NotFormat || !strings.Contains(err.Error(), "is a folder") {
		t.Errorf("a folder: %v", err)
	}
}

type failing struct{ error }

func (f failing) Read([]byte) (int, error) { return 0, f.error }

// A folder of an archive lists its own files, and has the facts of its object.
func TestFolderOfArchive(t *testing.T) {
	facts := fact.Record{fact.Make("n", "N", fact.Count, int64(7), "")}
	o := boxes(t, box{entries: []boxed{{"7/a", 1, content("a")}, {"7/b/c", 1, content("c")}, {"8", 1, content("8")}},
		groups: []archive.Group{{Folder: "1"}, {Folder: "7", Facts: func() fact.Record { return facts }}}})
	for path, want := range map[string]string{"a.box/7": "a b/c", "a.box/7/": "a b/c", "a.box/7/b": "c"} {
		t.Run(path, func(t *testing.T) {
			s, err := o.Open(t.Context(), path)
			if err != nil || entries(s) != want || s.Whole {
				t.Fatalf("%s: err = %v; want no error, entries(s) = %v, s.Whole = false", path, err, want)
			}
			if got := s.Facts(); (got != nil) != (want == "a b/c") {
				t.Errorf(`%s: got = %v; want a result for a b/c alone`, path, got)
			}
			if want == "a b/c" {
				info, err := s.Stat("b/c")
				list, err2 := fs.ReadDir(s, ".")
				if err != nil || info.Name() != "c" || err2 != nil || len(list) != 2 || s.InArchive("b/c") != "7/b/c" || s.Root() != (archive.Root{}) {
					t.Errorf(`%s: info = %v, err = %v, list = %v, err2 = %v; want no error, info.Name() = "c", err2 = nil, list of length 2, s.InArchive("b/c") = "7/b/c", s.Root() = archive.Root{}`, path, info, err, list, err2)
				}
			}
			s.Close()
		})
	}
	if s, err := o.OpenAny(t.Context(), "a.box/8"); err != nil || entries(s) != "8" || s.Path != "a.box" || s.Facts() != nil {
		t.Errorf(`err = %v; want no error, entries(s) = "8", s.Path = "a.box", s.Facts() = nil`, err)
	} else {
		s.Close()
	}
}

// An opener passes on the keys, the code page and the prompt of its user.
func TestOptions(t *testing.T) {
	o := boxes(t, box{})
	if opts, err := o.Options("x"); err != nil || opts.Passphrase != nil || opts.Keys != nil {
		t.Errorf("opts = %+v, err = %v; want no error, opts.Passphrase = nil, opts.Keys = nil", opts, err)
	}
	var asked []source.Request
	o.Passphrase = func(r source.Request) (string, error) { asked = append(asked, r); return "secret", nil }
	o.CodePage = "1252"
	o.Keys = func() (archive.Keys, error) { return archive.Keys{"k": "1"}, nil }
	opts, err := o.Options("x")
	made, err2 := o.CreateOptions("y", map[string]string{"p": "q"})
	quiet, err3 := o.WithoutAsking().Options("z")
	if err := errors.Join(err, err2, err3); err != nil || opts.CodePage != "1252" || opts.Keys["k"] != "1" || made.Params["p"] != "q" || made.Keys["k"] != "1" {
		t.Fatalf(`opts = %+v, made = %+v, err = %v; want no error, opts.CodePage = "1252", opts.Keys["k"] = "1", made.Params["p"] = "q", made.Keys["k"] = "1"`, opts, made, err)
	}
	opts.Passphrase()
	made.Passphrase()
	quiet.Passphrase()
	if want := []source.Request{{Path: "x", MayAsk: true}, {Path: "y", IsNew: true, MayAsk: true}, {Path: "z"}}; !slices.Equal(asked, want) {
		t.Errorf("%+v, want %+v", asked, want)
	}
	if got := o.Extensions("box"); !slices.Equal(got, []string{".box", ".lid"}) || o.Extensions("none") != nil {
		t.Errorf(`got = %q; want got equal to []string{".box", ".lid"}, o.Extensions("none") = nil`, got)
	}
	if o.Unspool("as it is") != "as it is" {
		t.Error("a message without a temporary file was changed")
	}
	apart := o.Apart()
	one, err := o.TempDir()
	two, err2 := apart.TempDir()
	if err := errors.Join(err, err2); err != nil || one == two {
		t.Fatalf("one = %v, two = %v, err = %v; want no error, one other than %v", one, two, err, two)
	}
	apart.CleanUp()
	apart.CleanUp()
	if source.IsFolder(two) || !source.IsFolder(one) {
		t.Error("two openers share temporary folders")
	}
	o.CleanUp()
	if source.IsFolder(one) {
		t.Error("a temporary folder remains")
	}
}

// A backup copies all files of an archive before it is replaced, with their times. A failed
// copy is an error.
func TestBackupOfSeveral(t *testing.T) {
	t.Chdir(t.TempDir())
	when := time.Unix(1e9, 0)
	for _, name := range []string{"a.box", "A.lid", "a.txt", "b.lid"} {
		if err := errors.Join(os.WriteFile(name, []byte("BOX "+name), 0o600), os.Chtimes(name, when, when)); err != nil {
			t.Fatal(err)
		}
	}
	o := source.NewOpener(archive.Registry{box{}})
	t.Cleanup(o.CleanUp)
	s, err := o.Open(t.Context(), "a.box")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	copies, err := o.Backup(s)
	if err != nil || len(copies) != 2 {
		t.Fatalf("copies = %q, err = %v; want no error, copies of length 2", copies, err)
	}
	for i, name := range []string{"A.lid", "a.box"} {
		data, err := os.ReadFile(copies[i])
		info, _ := os.Stat(copies[i])
		if err != nil || filepath.Base(copies[i]) != name+".bak" || !bytes.Equal(data, []byte("BOX "+name)) || !info.ModTime().Equal(when) || info.Mode().Perm() != 0o600 {
			t.Errorf(`%s: data = %q, info = %v, err = %v; want no error, filepath.Base(copies[i]) = name + ".bak", data equal to []byte("BOX " + name), info.ModTime().Equal(when) = true, info.Mode().Perm() = 0o600`, copies[i], data, info, err)
		}
	}
	if err := os.Chmod("A.lid", 0o400); err != nil {
		t.Fatal(err)
	}
	if err := o.Protected(s); err == nil || !strings.Contains(err.Error(), "A.lid") {
		t.Errorf("a part of the archive is read-only: %v", err)
	}
	if err := source.CanReplace(s, "-"); err == nil || !question.IsUsage(err) {
		t.Errorf("standard input: %v", err)
	}
}
