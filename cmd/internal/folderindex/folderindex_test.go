package folderindex

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"pakbox"
	"pakbox/index"
	"pakbox/index/scan"
)

// past is a time so long ago that a file of that time counts as unchanged.
var past = time.Now().Add(-time.Hour)

// An index in the cache has the files of the folder with the paths that were typed, belongs
// to the user alone, and does not contain itself.
func TestUpdate(t *testing.T) {
	home := t.TempDir()
	t.Chdir(home)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(home, "maps", "cache"))
	t.Setenv("LocalAppData", filepath.Join(home, "maps", "cache"))
	if err := os.MkdirAll(filepath.Join(home, "maps"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "maps", "a.txt"), []byte("text"), 0o666); err != nil {
		t.Fatal(err)
	}
	file, err := File([]string{"maps"})
	if err != nil {
		t.Fatal(err)
	}
	options := scan.Options{Indexer: index.Indexer{Formats: pakbox.Formats()}}
	for round, want := range []scan.Result{{Files: 1, Read: 1}, {Files: 1, Unchanged: 1}} {
		if round == 1 {
			old := filepath.Join(home, "maps", "a.txt")
			if err := os.Chtimes(old, past, past); err != nil {
				t.Fatal(err)
			}
			if _, err := Update(t.Context(), file, []string{"maps"}, options); err != nil {
				t.Fatal(err)
			}
		}
		got, err := Update(t.Context(), file, []string{"maps"}, options)
		if err != nil || got.Files != want.Files || got.Read != want.Read || got.Unchanged != want.Unchanged {
			t.Fatalf("round %d: %d files, %d read, %d unchanged, error %v; want %d, %d, %d", round, got.Files, got.Read, got.Unchanged, err, want.Files, want.Read, want.Unchanged)
		}
	}
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the index has mode %v, want 0600", info.Mode())
	}
}

// Another folder, and the same word typed in another folder, have indexes of their own.
func TestFile(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	files := map[string]bool{}
	for _, dir := range []string{t.TempDir(), t.TempDir()} {
		t.Chdir(dir)
		for _, root := range []string{"maps", "runs"} {
			file, err := File([]string{root})
			if err != nil {
				t.Fatal(err)
			}
			files[file] = true
		}
	}
	if len(files) != 4 {
		t.Errorf("4 folders have %d indexes, want 4", len(files))
	}
}
