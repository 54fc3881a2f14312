package archive_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pakbox/archive"
	"pakbox/archive/folder"
	"pakbox/archive/ziparchive"
	"pakbox/fault"
	"pakbox/internal/lib/pathname"
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
			t.Errorf("%q: err = %v; want err matching fault.Unsafe", bad, err)
		}
	}
	if err := pathname.Check("d:/ymir work/x"); !errors.Is(err, fault.Unsafe) {
		t.Errorf("Check of a path with a drive: %v, want unsafe", err)
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
		{to: rooted{}, from: &archive.Root{}, name: "d_ymir_work/%63on", want: "d:/ymir work/%63on", notes: "d_ymir_work/ is stored as d:/ymir work/ (1 file)"},
		{to: ziparchive.Format{}, from: &drive, name: "d:/ymir work/x", want: "d_ymir_work/x", notes: "d:/ymir work/ is extracted as d_ymir_work/ (1 file)"},
		{to: rooted{}, name: "d_ymir_work/x", want: "d:/ymir work/x", notes: "d_ymir_work/ is stored as d:/ymir work/ (1 file)"},
		{to: rooted{}, name: "d_ymir_work_/x", want: "d_ymir_work/x", notes: "d_ymir_work_/ is stored as d_ymir_work/ (1 file)"},
		{to: rooted{}, name: "ymir/x", want: "ymir/x", notes: "ymir/ is stored as it is: if it stands for d:/ymir work/, say --drive 'ymir'"},
		{to: rooted{}, name: "w/x", want: "w/x"},
		{to: rooted{}, name: "w/%63on", want: "w/con", notes: `names that extraction had changed are changed back (1), for example "%63on" is "con"`},
		{to: folder.Format{}, from: &drive, name: "d:/ymir work/x", want: "d_ymir_work/x", notes: "d:/ymir work/ is extracted as d_ymir_work/ (1 file)"},
		{to: folder.Format{}, from: &drive, name: "d_ymir_work/x", want: "d_ymir_work_/x", notes: "d_ymir_work/ is extracted as d_ymir_work_/ (1 file)"},
		{to: folder.Format{}, name: "d_ymir_work/%63on", want: "d_ymir_work/%63on"},
		{given, rooted{}, nil, "w/x", "d:/ymir work/x", "w/ is stored as d:/ymir work/ (1 file)"},
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
			t.Errorf("%+v: got = %q, notes = %s; want got = %q, notes = %s", c, got, notes, c.want, c.notes)
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
		t.Errorf(`got = %q, err = %v; want no error, got = "found"`, got, err)
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
			t.Errorf("%s: err = %v; want err matching fs.ErrNotExist, err with %q", missing, err, missing)
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
			t.Errorf("%q: err = %v; want err matching fault.NotFormat, err with %q", content, err, want)
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
