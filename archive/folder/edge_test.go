package folder_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/archive/folder"
	"pakbox/fault"
)

func openDir(t *testing.T, dir string) archive.Archive {
	t.Helper()
	a, err := folder.Format{}.OpenDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Files are listed in the order of their paths, links and folders not at all.
func TestListing(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"a/b": "1", "a.txt": "22", "a-b": "333", "z": ""})
	if err := os.Symlink("a.txt", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range openDir(t, dir).Entries() {
		names = append(names, e.Name)
		if e.Size != e.StoredSize || e.Offset != fault.NoOffset || e.ModTime.IsZero() || e.Method != "file" {
			t.Errorf(`e = %+v; want e.Size = %v, e.Offset = fault.NoOffset, e.ModTime.IsZero() = false, e.Method = "file"`, e, e.StoredSize)
		}
	}
	if want := []string{"a-b", "a.txt", "a/b", "z"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
	a := openDir(t, dir)
	if _, err := a.Stat("A.TXT"); err == nil {
		t.Error("the case of letters does not matter")
	}
	if _, err := (folder.Format{}).OpenDir(filepath.Join(dir, "none")); fault.KindOf(fault.System(err)) != fault.NotFound {
		t.Errorf("a folder that is not there: %v", err)
	}
}

// A file that is gone is damage, and does not stop the others.
func TestVerifyTellsWhatIsGone(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"a": "1", "b": "22", "c": "333"})
	a := openDir(t, dir)
	if err := os.Remove(filepath.Join(dir, "b")); err != nil {
		t.Fatal(err)
	}
	report, err := a.Verify(t.Context(), archive.Options{})
	if err != nil || report.Entries != 3 || report.Bytes != 4 || len(report.Findings) != 1 || report.Findings[0].Entry != "b" || report.OK() {
		t.Errorf(`report = %+v, err = %v; want no error, report.Entries = 3, report.Bytes = 4, report.Findings of length 1, report.Findings[0].Entry = "b", report.OK() = false`, report, err)
	}
}

// Two names that differ in case only are two files.
func TestCreateKeepsCase(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	stage, err := archive.NewStage(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Abort()
	source := t.TempDir()
	write(t, source, map[string]string{"x": "small", "X": "large", "sub/x": "deep"})
	if err := (folder.Format{}).Create(t.Context(), stage, archive.Items(openDir(t, source)), archive.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := stage.Commit(); err != nil {
		t.Fatal(err)
	}
	if got := contents(t, dir); !equal(got, map[string]string{"x": "small", "X": "large", "sub/x": "deep"}) {
		t.Errorf(`got = %v; want equal(got, map[string]string{"x": "small", "X": "large", "sub/x": "deep"}) = true`, got)
	}
}

// Unchanged files are linked, so that they take no room and keep their permissions; a
// new folder has those that the system gives, an old one its own.
func TestEditLinks(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "f")
	write(t, dir, map[string]string{"stays": "1", "closed/x": "2", "fifo-folder/y": "3"})
	if err := os.Chmod(filepath.Join(dir, "stays"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dir, "closed"), 0o700); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(filepath.Join(dir, "stays"))
	if err != nil {
		t.Fatal(err)
	}
	stage, err := archive.NewStage(dir, true)
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Abort()
	item := archive.Items(openDir(t, dir))[0]
	item.Name = "new/put"
	edits := []archive.Edit{{Put: &item}, {Rename: &archive.Rename{From: "closed/x", To: "made/x"}}}
	if err := openDir(t, dir).(archive.Editor).Edit(t.Context(), stage, edits, archive.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := stage.Commit(); err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(filepath.Join(dir, "stays"))
	if err != nil || !os.SameFile(before, after) || after.Mode() != before.Mode() {
		t.Errorf("after = %v, err = %v; want no error, os.SameFile(before, after) = true, after.Mode() = before.Mode()", after, err)
	}
	fresh := filepath.Join(t.TempDir(), "fresh")
	if err := os.Mkdir(fresh, 0o777); err != nil {
		t.Fatal(err)
	}
	want, err := os.Stat(fresh)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"made", "new"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode() != want.Mode() {
			t.Errorf("%s: info.Mode() = %v, err = %v; want no error, info.Mode() = want.Mode()", name, info.Mode(), err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "closed")); !os.IsNotExist(err) {
		t.Errorf("a folder that an edit emptied is still there: %v", err)
	}
}

// A folder is not opened as a file, nor a folder that is gone edited.
func TestFolderMistakes(t *testing.T) {
	if _, err := (folder.Format{}).Open(t.Context(), archive.Input{Name: "x.txt"}, archive.Options{}); fault.KindOf(err) != fault.NotFormat || !strings.Contains(err.Error(), "x.txt") {
		t.Errorf(`err = %v; want err of kind fault.NotFormat, err with "x.txt"`, err)
	}
	if (folder.Format{}).Match(archive.Input{ReaderAt: strings.NewReader("x"), Size: 1}) {
		t.Error("a file matches")
	}
	dir := filepath.Join(t.TempDir(), "f")
	write(t, dir, map[string]string{"a": "1"})
	a := openDir(t, dir)
	file, err := archive.NewStage(filepath.Join(dir, "a"), true)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Abort()
	if err := (folder.Format{}).Create(t.Context(), file, nil, archive.CreateOptions{}); err == nil {
		t.Error("a folder was made in the place of a file")
	}
	if err := a.(archive.Editor).Edit(t.Context(), file, nil, archive.CreateOptions{}); err == nil {
		t.Error("an edited folder was put in the place of a file")
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	stage, err := archive.NewStage(dir, true)
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Abort()
	if err := a.(archive.Editor).Edit(t.Context(), stage, nil, archive.CreateOptions{}); fault.KindOf(fault.System(err)) != fault.NotFound {
		t.Errorf("err = %v; want fault.System(err) of kind fault.NotFound", err)
	}
}
