package pack

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/archive/folder"
)

// The parts of archives of several files belong together, whatever the case of their names.
func TestSameArchive(t *testing.T) {
	exts := []string{".eix", ".epk"}
	for names, want := range map[[2]string]bool{
		{"a.eix", "a.epk"}: true, {"A.EIX", "a.epk"}: true, {"a.eix", "a.eix"}: true, {"a.txt", "a.txt"}: true, {"a.eix", "A.EIX"}: false, {"a.eix", "b.epk"}: false, {"a.eix", "a.txt"}: false, {"a.txt", "a.epk"}: false, {"a", "a.epk"}: false,
	} {
		if SameArchive(names[0], names[1], exts) != want {
			t.Errorf("%q: !want = %v; want SameArchive(names[0], names[1], exts) = %v", names, !want, want)
		}
	}
}

func TestHoldsWorkingDir(t *testing.T) {
	t.Chdir(t.TempDir())
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{".": true, "..": true, here: true, filepath.Dir(here): true, "in": false, "../elsewhere": false, here + "x": false} {
		if HoldsWorkingDir(path) != want {
			t.Errorf("HoldsWorkingDir(%s) = %v, want %v", path, !want, want)
		}
	}
}

// A folder is listed by paths, also through a link to it.
func TestFilesBelow(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"in/a", "in/b/c"} {
		os.MkdirAll(filepath.Dir(name), 0o777)
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("in", "link"); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"in", "link", "in/"} {
		if names, err := filesBelow(dir); err != nil || !slices.Equal(names, []string{"a", "b/c"}) {
			t.Errorf("filesBelow(%s) = %q, %v, want a and b/c", dir, names, err)
		}
	}
}

func TestStoredName(t *testing.T) {
	for input, want := range map[string]string{
		"a.txt": "a.txt", "./a.txt": "a.txt", "d/a.txt": "d/a.txt", "d": "d", "d/": "", ".": "", "..": "",
		"../a.txt": "a.txt", "../d/e": "e", "/tmp/a.txt": "a.txt", "d/../a.txt": "a.txt",
	} {
		if got := storedName(input); got != want {
			t.Errorf("storedName(%q) = %q, want %q", input, got, want)
		}
	}
}

// Temporary files of pakbox in a folder, which a killed process has left or another one is
// using, must be left out and named, and must not stop the work.
func TestTemporaryFilesInFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"in/a.txt", "in/.a.zip.pakbox-3c6dcfc1", "in/.b.pakbox-0123abcd/x", "in/b.eix.pakbox-append"} {
		os.MkdirAll(filepath.Dir(name), 0o777)
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	in := Collect(archive.Registry{folder.Format{}}, "out.zip", folder.Format{}, archive.CreateOptions{})
	defer in.Close()
	if err := in.Add(t.Context(), "in/", ""); err != nil {
		t.Fatal(err)
	}
	if len(in.Items) != 1 || in.Items[0].Name != "a.txt" || in.Check(archive.Root{}) != nil {
		t.Errorf("items are %v, %v, want a.txt", in.Items, in.Check(archive.Root{}))
	}
	if notes := in.Notes(); len(notes) != 1 || !strings.Contains(notes[0], "(3)") {
		t.Errorf("notes are %q, want one about 3 files", notes)
	}
}
