package archive_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"testing/iotest"
	"time"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/folder"
	"pakbox/internal/lib/pathname"
	"pakbox/ziparchive"
)

// memory is an archive of files in memory, for tests.
type memory struct{ *archive.Tree }

func (memory) Format() string { return "memory" }

// newMemory makes an archive of name, content pairs.
func newMemory(fold bool, pairs ...string) memory {
	var entries []archive.Entry
	for i := 0; i < len(pairs); i += 2 {
		entries = append(entries, archive.Entry{Name: pairs[i], Size: int64(len(pairs[i+1]))})
	}
	return memory{archive.NewTree(entries, fold, func(i int) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(pairs[2*i+1])), nil
	}).WithRoot(drive)}
}

// drive is the root of memory's names.
var drive = archive.Root{Place: "d:/ymir work", Folder: "d_ymir_work", Former: "ymir", Param: "drive"}

var registry = archive.Registry{ziparchive.Format{}, folder.Format{}}

func TestTreeIsAFileSystem(t *testing.T) {
	a := newMemory(true,
		"a.txt", "alpha",
		"dir/b.txt", "beta",
		"dir/sub/c", "",
		"d:/ymir work/x", "drive names are valid inside an archive",
		"../escape", "hidden",
		"/absolute", "hidden",
		"", "hidden",
		"dir", "hidden by the folder of the same name",
		"DIR", "a name of its own")
	if err := fstest.TestFS(a, "a.txt", "dir/b.txt", "dir/sub/c", "d:/ymir work/x", "DIR"); err != nil {
		t.Fatal(err)
	}
	if n := len(a.Entries()); n != 9 {
		t.Errorf("Entries lists %d of 9", n)
	}
}

func TestTreeLookup(t *testing.T) {
	a := newMemory(true, "Dir/Name.txt", "first", "dir2/x", "1", "DIR2/X", "2", "twice", "old", "twice", "new")
	for name, want := range map[string]string{
		"Dir/Name.txt": "first",
		"dir/NAME.TXT": "first",
		"dir2/x":       "1",
		"DIR2/X":       "2",
		"Dir2/X":       "2", // the last one stored
		"twice":        "new",
	} {
		got, err := fs.ReadFile(a, name)
		if err != nil || string(got) != want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, want)
		}
	}
	drive := newMemory(false, "d:/ymir work/item/x", "drive")
	if got, err := fs.ReadFile(drive, "d_ymir_work/item/x"); err != nil || string(got) != "drive" {
		t.Errorf("the portable name: %q, %v", got, err)
	}
	if list, err := drive.ReadDir("d_ymir_work"); err != nil || len(list) != 1 {
		t.Errorf("the portable folder: %v, %v", list, err)
	}
	exact := newMemory(false, "Name", "x")
	if _, err := exact.Stat("name"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("case was ignored: %v", err)
	}
	if _, err := exact.ReadDir("Name"); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("ReadDir of a file: %v", err)
	}
}

func TestRootCheck(t *testing.T) {
	for _, good := range []string{"a", "a/b.c", "ünïcode/ß", "d:/ymir work/x", "D_Ymir_Work/x", "..a/b..", ".hidden", "a b", strings.Repeat("n", 255) + "/x"} {
		if err := drive.Check(good); err != nil {
			t.Errorf("%q is refused: %v", good, err)
		}
	}
	for _, bad := range []string{"", ".", "..", "../x", "a/../../x", "/x", "a//b", "a/", "./a", "d:/ymir work/../x", "a\\b", "..\\x", "a\x00b", "a\nb", "\xff"} {
		if err := drive.Check(bad); !errors.Is(err, fault.Unsafe) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if err := pathname.Check("d:/ymir work/x"); !errors.Is(err, fault.Unsafe) {
		t.Errorf("a drive where there is no root: %v", err)
	}
	if err := pathname.Check("x/" + strings.Repeat("n", 256)); !errors.Is(err, fault.NameTooLong) {
		t.Errorf("a part that no file can be called: %v", err)
	}
}

func TestRootGoesBothWays(t *testing.T) {
	top, sub := drive, drive
	top.Folder, sub.Folder = ".", "data/Ymir"
	for _, c := range []struct {
		root         archive.Root
		stored, path string
	}{
		{drive, "d:/ymir work/item/a.gr2", "d_ymir_work/item/a.gr2"},
		{drive, "d:/ymir work", "d_ymir_work"},
		{drive, "D:/Ymir Work/A", "D_Ymir_Work/A"},
		{drive, "locale/x", "locale/x"},
		{drive, "d:/other/x", "d:/other/x"},
		{drive, "d:/ymir working/x", "d:/ymir working/x"},
		{drive, "d_ymir_work/x", "d_ymir_work_/x"},
		{drive, "d_ymir_work__/x", "d_ymir_work___/x"},
		{drive, "d_ymir_work", "d_ymir_work_"},
		{drive, "d_ymir_works/x", "d_ymir_works/x"},
		{top, "d:/ymir work/item/a.gr2", "item/a.gr2"},
		{sub, "d:/ymir work/item/a.gr2", "data/Ymir/item/a.gr2"},
		{sub, "data/Ymir/x", "data/Ymir_/x"},
		{archive.Root{}, "d:/ymir work/x", "d:/ymir work/x"},
		{archive.Root{}, "d_ymir_work/x", "d_ymir_work/x"},
	} {
		if got := c.root.Path(c.stored); got != c.path {
			t.Errorf("Path(%q) = %q, want %q", c.stored, got, c.path)
		}
		if got := c.root.Stored(c.path); got != c.stored {
			t.Errorf("Stored(%q) = %q, want %q", c.path, got, c.stored)
		}
		if got := c.root.Stored(c.stored); strings.HasPrefix(c.stored, "d:/ymir work/") && got != c.stored {
			t.Errorf("Stored(%q) = %q", c.stored, got)
		}
	}
	for typed, want := range map[string]string{"d:/ymir work/x": "d_ymir_work/x", "d_ymir_work/x": "d_ymir_work/x", "a": "a"} {
		if got := drive.Typed(typed); got != want {
			t.Errorf("Typed(%q) = %q, want %q", typed, got, want)
		}
	}
}

// rooted is a format with a root.
type rooted struct{ ziparchive.Format }

func (rooted) Root() archive.Root { return drive }

func TestNames(t *testing.T) {
	given := archive.CreateOptions{Params: map[string]string{"drive": "w/"}}
	for _, c := range []struct {
		opts  archive.CreateOptions
		to    archive.Format
		from  *archive.Root // nil: a folder
		name  string
		want  string
		notes string
	}{
		{to: rooted{}, from: &drive, name: "d:/ymir work/x", want: "d:/ymir work/x"},
		{to: rooted{}, from: &drive, name: "d_ymir_work/x", want: "d_ymir_work/x"},
		{to: rooted{}, from: &archive.Root{}, name: "d_ymir_work/%63on", want: "d_ymir_work/%63on",
			notes: "d_ymir_work/ is stored as it is: if it stands for d:/ymir work/, say --drive 'd_ymir_work'"},
		{to: ziparchive.Format{}, from: &drive, name: "d:/ymir work/x", want: "d:/ymir work/x"},
		{to: rooted{}, name: "d_ymir_work/x", want: "d:/ymir work/x", notes: "d_ymir_work/ is stored as d:/ymir work/ (1)"},
		{to: rooted{}, name: "d_ymir_work_/x", want: "d_ymir_work/x", notes: "d_ymir_work_/ is stored as d_ymir_work/ (1)"},
		{to: rooted{}, name: "ymir/x", want: "ymir/x", notes: "ymir/ is stored as it is: if it stands for d:/ymir work/, say --drive 'ymir'"},
		{to: rooted{}, name: "w/x", want: "w/x"},
		{to: rooted{}, name: "w/%63on", want: "w/con", notes: `names that extraction had changed are changed back (1), for example "%63on" is "con"`},
		{to: folder.Format{}, from: &drive, name: "d:/ymir work/x", want: "d_ymir_work/x", notes: "d:/ymir work/ is extracted as d_ymir_work/ (1)"},
		{to: folder.Format{}, from: &drive, name: "d_ymir_work/x", want: "d_ymir_work_/x", notes: "d_ymir_work/ is extracted as d_ymir_work_/ (1)"},
		{to: folder.Format{}, name: "d_ymir_work/%63on", want: "d_ymir_work/%63on"},
		{given, rooted{}, nil, "w/x", "d:/ymir work/x", "w/ is stored as d:/ymir work/ (1)"},
		{given, rooted{}, &drive, "w/x", "d:/ymir work/x", ""},
		{given, rooted{}, &drive, "d:/ymir work/x", "d:/ymir work/x", ""},
		{given, folder.Format{}, &drive, "w/x", "w/x", ""},
	} {
		names := c.opts.Names(c.to)
		got := ""
		if c.from == nil {
			got = names.OfFile(c.name)
		} else {
			got = names.OfEntry(*c.from, c.name)
		}
		if notes := strings.Join(names.Notes(), "\n"); got != c.want || notes != c.notes {
			t.Errorf("%+v: %q, %s", c, got, notes)
		}
	}
}

func TestExtractStaysInside(t *testing.T) {
	outside := t.TempDir()
	dir := filepath.Join(outside, "target")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	a := newMemory(false, "good/a", "A", "../evil1", "x", "/evil2", "x", "link/evil3", "x", "c:/../../evil4", "x", "z", "Z")
	err := archive.Extract(context.Background(), a, dir, archive.ExtractOptions{})
	if !errors.Is(err, fault.Unsafe) {
		t.Errorf("error = %v", err)
	}
	names, _ := os.ReadDir(outside)
	if len(names) != 1 {
		t.Errorf("extraction left the folder: %v", names)
	}
	for name, want := range map[string]string{"good/a": "A", "z": "Z"} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v: a bad neighbour must not stop it", name, got, err)
		}
	}
}

func TestExtractKeepsWhatExists(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	os.WriteFile(path, []byte("old"), 0o666)
	a := newMemory(false, "a", "new")
	ctx := context.Background()
	if err := archive.Extract(ctx, a, dir, archive.ExtractOptions{}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("error = %v", err)
	}
	if got, _ := os.ReadFile(path); string(got) != "old" {
		t.Errorf("overwritten without being asked: %q", got)
	}
	if err := archive.Extract(ctx, a, dir, archive.ExtractOptions{Overwrite: true}); err != nil {
		t.Error(err)
	}
	if got, _ := os.ReadFile(path); string(got) != "new" {
		t.Errorf("not overwritten: %q", got)
	}
	if names, _ := os.ReadDir(dir); len(names) != 1 {
		t.Errorf("left behind: %v", names)
	}
}

// Where entries need one place, the same one has it each time, whatever may be
// overwritten, and the other is not lost without a word.
func TestExtractClashes(t *testing.T) {
	a := newMemory(false, "a", "file", "a/b", "in the folder", "d:/ymir work/x", "first", "d_ymir_work/x", "second")
	for range 20 {
		dir := t.TempDir()
		err := archive.Extract(context.Background(), a, dir, archive.ExtractOptions{Overwrite: true})
		if !errors.Is(err, fault.DuplicateName) || strings.Count(err.Error(), "\n") != 0 {
			t.Fatalf("want one failure, got %v", err)
		}
		for name, want := range map[string]string{"a/b": "in the folder", "d_ymir_work/x": "first", "d_ymir_work_/x": "second"} {
			if got := read(t, filepath.Join(dir, name)); got != want {
				t.Fatalf("%s holds %q, want %q", name, got, want)
			}
		}
	}
}

func TestExtractSelectsAndStrips(t *testing.T) {
	dir := t.TempDir()
	a := newMemory(false, "a/b/1", "one", "a/2", "two", "3", "three", "d:/ymir work/4", "four")
	var seen []string
	err := archive.Extract(context.Background(), a, dir, archive.ExtractOptions{
		Strip:     "a",
		Select:    func(name string) bool { return name != "a/2" },
		Extracted: func(e archive.Entry, name string) { seen = append(seen, e.Name+" "+name) },
	})
	if err != nil || !slices.Equal(seen, []string{"a/b/1 b/1"}) {
		t.Errorf("%v, %v", seen, err)
	}
	err = archive.Extract(context.Background(), a, dir, archive.ExtractOptions{})
	if got, _ := os.ReadFile(filepath.Join(dir, "d_ymir_work", "4")); err != nil || string(got) != "four" {
		t.Errorf("drive name: %q, %v", got, err)
	}
	err = archive.Extract(context.Background(), a, t.TempDir(), archive.ExtractOptions{RootFolder: "top/", Extracted: func(_ archive.Entry, name string) { seen = append(seen, name) }})
	if err != nil || seen[len(seen)-1] != "top/4" {
		t.Errorf("%v, %v", seen, err)
	}
}

// failing delivers some bytes and then an error.
type failing struct{ n int }

func (f *failing) Read(p []byte) (int, error) {
	if f.n == 0 {
		return 0, fault.New(fault.HashMismatch, "broken")
	}
	n := min(len(p), f.n)
	f.n -= n
	return n, nil
}
func (*failing) Close() error { return nil }

func TestExtractRemovesWhatFailed(t *testing.T) {
	dir := t.TempDir()
	a := memory{archive.NewTree([]archive.Entry{{Name: "x", Size: 1 << 20}}, false,
		func(int) (io.ReadCloser, error) { return &failing{1000}, nil })}
	err := archive.Extract(context.Background(), a, dir, archive.ExtractOptions{})
	var e *fault.Error
	if !errors.As(err, &e) || e.Kind != fault.HashMismatch || e.Entry != "x" {
		t.Errorf("error = %v", err)
	}
	if names, _ := os.ReadDir(dir); len(names) != 0 {
		t.Errorf("left behind: %v", names)
	}
}

// What a format gives out as the certain beginning of an entry is kept, under a
// name that says so and that replaces nothing.
func TestExtractKeepsTheCertainBeginning(t *testing.T) {
	unknown := fault.New(fault.UnknownClass, "unknown from here on")
	a := memory{archive.NewTree([]archive.Entry{{Name: "sub/x", Size: 100}, {Name: "y", Size: 100}}, false,
		func(i int) (io.ReadCloser, error) {
			return io.NopCloser(io.MultiReader(strings.NewReader([]string{"certain", ""}[i]), iotest.ErrReader(unknown))), nil
		})}
	dir := t.TempDir()
	for range 2 {
		if err := archive.Extract(context.Background(), a, dir, archive.ExtractOptions{}); !errors.Is(err, fault.UnknownClass) {
			t.Errorf("error = %v", err)
		}
		part := filepath.Join(dir, "sub", "x.part")
		if data, err := os.ReadFile(part); err != nil || string(data) != "certain" && string(data) != "mine" {
			t.Errorf("%q, %v", data, err)
		}
		if names, _ := filepath.Glob(filepath.Join(dir, "*")); len(names) != 1 {
			t.Errorf("left behind: %v", names)
		}
		if err := os.WriteFile(part, []byte("mine"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// writeArchive makes an archive file of name, content pairs.
func writeArchive(t *testing.T, path string, format archive.Creator, pairs ...string) {
	t.Helper()
	stage, err := archive.NewStage(path, false)
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Abort()
	if err := format.Create(context.Background(), stage, archive.Items(newMemory(false, pairs...)), archive.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := stage.Commit(); err != nil {
		t.Fatal(err)
	}
}

func TestPathsLeadThroughArchives(t *testing.T) {
	dir := t.TempDir()
	inner := filepath.Join(dir, "inner.zip")
	writeArchive(t, inner, ziparchive.Format{}, "deep/file.txt", "found", "other", "o")
	data, err := os.ReadFile(inner)
	if err != nil {
		t.Fatal(err)
	}
	outer := filepath.Join(dir, "outer.zip")
	writeArchive(t, outer, ziparchive.Format{}, "sub/inner.zip", string(data), "plain.txt", "plain")
	ctx := context.Background()

	for _, test := range []struct{ path, inner, format string }{
		{outer, ".", "zip"},
		{outer + "/sub", "sub", "zip"},
		{outer + "/sub/inner.zip", "sub/inner.zip", "zip"},
		{outer + "/sub/inner.zip/deep/file.txt", "deep/file.txt", "zip"},
		{dir, ".", "folder"},
	} {
		p, err := registry.Locate(ctx, test.path, archive.Options{})
		if err != nil {
			t.Errorf("%s: %v", test.path, err)
			continue
		}
		if p.Inner != test.inner || p.Format() != test.format {
			t.Errorf("%s: %s in a %s", test.path, p.Inner, p.Format())
		}
		p.Close()
	}

	p, err := registry.Enter(ctx, outer+"/sub/inner.zip", archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if got, err := fs.ReadFile(p, "deep/file.txt"); err != nil || string(got) != "found" {
		t.Errorf("%q, %v", got, err)
	}
	if p.Outer == nil || p.Outer.Inner != "sub/inner.zip" || p.File != outer {
		t.Errorf("outer = %+v", p.Outer)
	}

	for _, missing := range []string{
		filepath.Join(dir, "none"),
		filepath.Join(dir, "none/x"),
		outer + "/nope",
		outer + "/sub/inner.zip/nope",
	} {
		_, err := registry.Enter(ctx, missing, archive.Options{})
		if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), missing) {
			t.Errorf("%s: %v", missing, err)
		}
	}
	_, err = registry.Enter(ctx, outer+"/plain.txt", archive.Options{})
	if !errors.Is(err, fault.NotFormat) || !strings.Contains(err.Error(), outer+"/plain.txt") {
		t.Errorf("a text file as an archive: %v", err)
	}
}

func TestDetectSaysWhatAFileLooksLike(t *testing.T) {
	for content, want := range map[string]string{
		"":                         "empty",
		"\x34\x12\xaa\x55\x01\x00": "Valve",
		"hello":                    "no known format begins with 68 65 6c 6c",
	} {
		in := archive.Input{ReaderAt: strings.NewReader(content), Size: int64(len(content)), Name: "x"}
		_, err := registry.Detect(in)
		if !errors.Is(err, fault.NotFormat) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", content, err)
		}
	}
}

func TestCompare(t *testing.T) {
	a := newMemory(false, "same", "1", "size", "22", "content", "33", "gone", "4", "d:/ymir work/x", "5")
	b := newMemory(false, "content", "34", "same", "1", "size", "222", "new", "6", "d_ymir_work/x", "5")
	changes, err := archive.Compare(context.Background(), a, b, archive.Options{})
	var got []string
	for _, c := range changes {
		got = append(got, string(c.Kind)+" "+c.Name)
	}
	// A client would not find one by the name of the other.
	want := []string{"changed content", "removed d_ymir_work/x", "added d_ymir_work_/x", "removed gone", "added new", "changed size"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v", got, err)
	}
}

// In edits the folder that stands for the root means it, unless the archive has
// a folder of that name.
func TestPlanTakesPaths(t *testing.T) {
	for _, c := range []struct{ stored, want string }{
		{"d:/ymir work/a", "d:/ymir work/a d:/ymir work/new"},
		{"d_ymir_work/a", "d_ymir_work/a d_ymir_work/new"},
	} {
		a := newMemory(false, c.stored, "")
		list, err := archive.Plan(a.Tree, []archive.Edit{{Put: &archive.Item{Name: "d_ymir_work/a"}}, {Put: &archive.Item{Name: "d_ymir_work/new"}}}, false)
		var got []string
		for _, e := range list {
			got = append(got, e.Name)
		}
		if s := strings.Join(got, " "); err != nil || s != c.want {
			t.Errorf("%s: %q, %v", c.stored, s, err)
		}
		list, err = archive.Plan(a.Tree, []archive.Edit{{Rename: &archive.Rename{From: "d_ymir_work", To: "d:/ymir work/b"}}}, false)
		if err != nil || list[0].Name != "d:/ymir work/b/a" {
			t.Errorf("%s: renamed to %v, %v", c.stored, list, err)
		}
	}
}

func TestPlan(t *testing.T) {
	item := func(name string) *archive.Item { return &archive.Item{Name: name} }
	renames := func(names ...string) (edits []archive.Edit) {
		for i := 0; i < len(names); i += 2 {
			edits = append(edits, archive.Edit{Rename: &archive.Rename{From: names[i], To: names[i+1]}})
		}
		return edits
	}
	a := newMemory(false, "A", "", "dir/b", "", "dir/c", "", "e", "")
	for _, test := range []struct {
		name  string
		edits []archive.Edit
		fold  bool
		want  string
		err   error
	}{
		{"nothing", nil, false, "A=0 dir/b=1 dir/c=2 e=3", nil},
		{"add", []archive.Edit{{Put: item("new")}}, false, "A=0 dir/b=1 dir/c=2 e=3 new", nil},
		{"replace", []archive.Edit{{Put: item("dir/b")}}, false, "A=0 dir/b dir/c=2 e=3", nil},
		{"replace keeps the spelling", []archive.Edit{{Put: item("a")}}, true, "A dir/b=1 dir/c=2 e=3", nil},
		{"case matters", []archive.Edit{{Put: item("a")}}, false, "A=0 dir/b=1 dir/c=2 e=3 a", nil},
		{"remove", []archive.Edit{{Remove: "A"}}, false, "dir/b=1 dir/c=2 e=3", nil},
		{"remove a folder", []archive.Edit{{Remove: "dir"}}, false, "A=0 e=3", nil},
		{"rename", []archive.Edit{{Rename: &archive.Rename{From: "e", To: "x/y"}}}, false, "A=0 dir/b=1 dir/c=2 x/y=3", nil},
		{"rename a folder", []archive.Edit{{Rename: &archive.Rename{From: "dir", To: "d"}}}, false, "A=0 d/b=1 d/c=2 e=3", nil},
		{"rename in case only", []archive.Edit{{Rename: &archive.Rename{From: "A", To: "a"}}}, true, "a=0 dir/b=1 dir/c=2 e=3", nil},
		{"rename onto another", []archive.Edit{{Rename: &archive.Rename{From: "A", To: "e"}}}, false, "", fs.ErrExist},
		{"rename nothing", []archive.Edit{{Rename: &archive.Rename{From: "z", To: "e2"}}}, false, "", fs.ErrNotExist},
		{"rename several", renames("A", "dir/A", "dir/b", "x/b", "e", "f"), false, "dir/A=0 x/b=1 dir/c=2 f=3", nil},
		{"rename in turn", renames("A", "t", "e", "A", "t", "e"), false, "e=0 dir/b=1 dir/c=2 A=3", nil},
		{"rename a folder after what is in it", renames("dir/b", "b", "dir", "d"), false, "A=0 b=1 d/c=2 e=3", nil},
		{"rename into a folder, then that", renames("A", "dir/A", "dir", "d"), false, "d/A=0 d/b=1 d/c=2 e=3", nil},
		{"rename what a rename has moved", renames("dir", "d", "d/b", "z"), false, "A=0 z=1 d/c=2 e=3", nil},
		{"rename into what a rename leaves", renames("dir", "d", "A", "dir/A"), false, "dir/A=0 d/b=1 d/c=2 e=3", nil},
		{"rename two to one", renames("dir/b", "x", "dir/c", "X"), true, "", fs.ErrExist},
		{"rename several, one onto another", renames("A", "f", "dir/b", "e"), false, "", fs.ErrExist},
		{"rename several, one of them nothing", renames("A", "f", "z", "g"), false, "", fs.ErrNotExist},
		{"rename twice", renames("A", "f", "A", "g"), false, "", fs.ErrNotExist},
		{"remove nothing", []archive.Edit{{Remove: "z"}}, false, "", fs.ErrNotExist},
		{"unsafe", []archive.Edit{{Put: item("../z")}}, false, "", fault.Unsafe},
		{"put twice", []archive.Edit{{Put: item("new")}, {Put: item("A")}, {Put: item("NEW")}}, true, "A dir/b=1 dir/c=2 e=3 new", nil},
		{"remove several", []archive.Edit{{Remove: "e"}, {Remove: "DIR"}}, true, "A=0", nil},
		{"remove from a folder, then the rest", []archive.Edit{{Remove: "dir/b"}, {Remove: "dir"}}, false, "A=0 e=3", nil},
		{"remove what is gone", []archive.Edit{{Remove: "dir"}, {Remove: "dir/b"}}, false, "", fs.ErrNotExist},
		{"remove twice", []archive.Edit{{Remove: "e"}, {Remove: "e"}}, false, "", fs.ErrNotExist},
		{"in order", []archive.Edit{{Put: item("e")}, {Remove: "e"}, {Put: item("e")}, {Rename: &archive.Rename{From: "e", To: "f"}}}, false, "A=0 dir/b=1 dir/c=2 f", nil},
		{"portable names", []archive.Edit{{Put: item("d_ymir_work/x")}, {Put: item("d:/Ymir Work/x")}, {Rename: &archive.Rename{From: "d:/ymir work", To: "w"}}, {Remove: "dir"}}, true, "A=0 e=3 w/x", nil},
	} {
		list, err := archive.Plan(a.Tree, test.edits, test.fold)
		if !errors.Is(err, test.err) || (err == nil) != (test.err == nil) {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		var got []string
		for _, e := range list {
			s := e.Name
			if e.From != nil {
				s += "=" + string(rune('0'+*e.From))
			}
			got = append(got, s)
		}
		if s := strings.Join(got, " "); s != test.want {
			t.Errorf("%s: got %q, want %q", test.name, s, test.want)
		}
	}
}

// No edit hides a file behind a folder; an archive in which one is hidden can
// be edited elsewhere.
func TestPlanKeepsFoldersAndFilesApart(t *testing.T) {
	a := newMemory(false, "A", "", "dir/b", "", "odd", "", "odd/c", "")
	for _, edit := range []archive.Edit{
		{Put: &archive.Item{Name: "dir"}}, {Put: &archive.Item{Name: "A/below/it"}},
		{Rename: &archive.Rename{From: "A", To: "dir"}}, {Rename: &archive.Rename{From: "dir", To: "A/dir"}},
	} {
		if list, err := archive.Plan(a.Tree, []archive.Edit{edit}, false); err == nil {
			t.Errorf("%+v gives %v", edit, list)
		}
	}
	if _, err := archive.Plan(a.Tree, []archive.Edit{{Put: &archive.Item{Name: "new"}}, {Remove: "dir/b"}}, false); err != nil {
		t.Error(err)
	}
}

// Thousands of renames take one pass, not thousands: x-flat is how much longer
// each takes when there are ten times as many.
func BenchmarkPlanRenames(b *testing.B) {
	plan := func(n int) float64 {
		var names []string
		var edits []archive.Edit
		for i := range n {
			name := fmt.Sprintf("f%05d", i)
			names = append(names, name, "")
			edits = append(edits, archive.Edit{Rename: &archive.Rename{From: name, To: "in/" + name}})
		}
		a := newMemory(false, names...)
		start := time.Now()
		if list, err := archive.Plan(a.Tree, edits, false); err != nil || len(list) != n || list[n-1].Name != "in/"+names[2*n-2] {
			b.Fatal(len(list), err)
		}
		return float64(time.Since(start)) / float64(n)
	}
	few, many := math.Inf(1), math.Inf(1)
	for b.Loop() {
		few, many = min(few, plan(3_000)), min(many, plan(30_000))
	}
	b.ReportMetric(many/few, "x-flat")
}

// A line of a keys file that cannot be understood is refused.
func TestKeyLine(t *testing.T) {
	for _, line := range []string{`"open 00ff`, `"no value"`, `"" 00ff`, "name # 00ff"} {
		if keys, err := archive.Registry(nil).ReadKeys([]byte(line)); err == nil {
			t.Errorf("%s is read as %v", line, keys)
		}
	}
}

func TestReadKeys(t *testing.T) {
	keys, err := archive.Registry(nil).ReadKeys([]byte("# comment\nStadium 00ff # tail\n\neterpack-index 1, 2,3,4\n"))
	if err != nil {
		t.Fatal(err)
	}
	if v, ok := keys.Key("STADIUM"); !ok || v != "00ff" {
		t.Errorf("Stadium = %q, %v", v, ok)
	}
	if v, _ := keys.Key("eterpack-index"); v != "1, 2,3,4" {
		t.Errorf("eterpack-index = %q", v)
	}
	if _, ok := keys.Key("other"); ok {
		t.Error("found a key that is not there")
	}
	_, err = archive.Registry(nil).ReadKeys([]byte("fine 1\nSECRETSECRET\n"))
	if !errors.Is(err, fault.Key) || strings.Contains(err.Error(), "SECRET") || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("error = %v", err)
	}
}

// A folder goes with the last file that was in it; one that was empty before
// stays, and those that it is in.
func TestPlanEmptiedFolders(t *testing.T) {
	entries := []archive.Entry{{Name: "full/"}, {Name: "full/a"}, {Name: "full/sub/"}, {Name: "full/sub/b"}, {Name: "empty/"}, {Name: "x/"}, {Name: "x/e/"}, {Name: "x/f"}, {Name: "top"}}
	for _, c := range []struct{ removes, want string }{
		{"", "full/ full/a full/sub/ full/sub/b empty/ x/ x/e/ x/f top"},
		{"full/sub/b", "full/ full/a empty/ x/ x/e/ x/f top"},
		{"full/a full/sub/b", "empty/ x/ x/e/ x/f top"},
		{"full/a", "full/ full/sub/ full/sub/b empty/ x/ x/e/ x/f top"},
		{"x/f top", "full/ full/a full/sub/ full/sub/b empty/ x/ x/e/"},
	} {
		var edits []archive.Edit
		for _, name := range strings.Fields(c.removes) {
			edits = append(edits, archive.Edit{Remove: name})
		}
		list, err := archive.Plan(archive.NewTree(entries, false, nil), edits, false)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range list {
			got = append(got, e.Name)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("without %q: %q, want %q", c.removes, s, c.want)
		}
	}
}
