package archive_test

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/lib/pathname"
)

// Names of many parts must not cost the square of their length, and must be refused where
// they become paths.
func TestLongNames(t *testing.T) {
	long := strings.Repeat("A/", 64<<10) + "x"
	if err := pathname.Check(long); !errors.Is(err, fault.NameTooLong) {
		t.Errorf("Check of %d parts = %v", 64<<10, err)
	}
	if err := pathname.Check(strings.Repeat("A/", 254) + "x"); err != nil {
		t.Errorf("Check of 255 parts = %v", err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, fold := range []bool{false, true} {
		tree := archive.NewTree([]archive.Entry{{Name: long}, {Name: "B/" + strings.Repeat("A/", 200) + "y"}, {Name: "short"}}, fold, nil)
		if _, err := tree.Stat("A"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Stat of a part of a long name = %v", err)
		}
		if _, err := tree.Stat("B/A/A"); err != nil {
			t.Error(err)
		}
		if _, err := tree.Stat("b/a/A/a"); fold != (err == nil) {
			t.Errorf("Stat in another case = %v", err)
		}
		if _, err := archive.Plan(tree, []archive.Edit{{Remove: "short"}}, fold); err != nil {
			t.Error(err)
		}
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 16<<20 {
		t.Errorf("%d bytes were allocated for names of 128 KB", used)
	}
}

// Many different names of many parts must not take much more memory and time than the names
// themselves, whatever is asked about them: each part could be a folder of its own.
func TestManyLongNames(t *testing.T) {
	const count = 4000
	var size uint64
	entries := make([]archive.Entry, count)
	for i := range entries {
		entries[i].Name = fmt.Sprintf("%d/", i) + strings.Repeat("A/", 253) + "x"
		size += uint64(len(entries[i].Name))
	}
	for _, fold := range []bool{false, true} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		tree := archive.NewTree(entries, fold, nil)
		for i := range 100 {
			if _, err := tree.Stat(entries[i].Name); err != nil {
				t.Fatal(err)
			}
			if _, err := tree.Stat(strings.TrimSuffix(entries[i].Name, "/x")); err != nil {
				t.Fatal(err)
			}
			if _, err := tree.Stat(strings.ToLower(strings.TrimSuffix(entries[i].Name, "/x"))); fold != (err == nil) {
				t.Fatalf("Stat in another case = %v, ignoring case is %v", err, fold)
			}
		}
		if list, err := tree.ReadDir("."); len(list) != count || err != nil {
			t.Errorf("ReadDir = %d names, %v, want %d", len(list), err, count)
		}
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 4*size {
			t.Errorf("ignoring case is %v: %d bytes were allocated for names of %d bytes", fold, used, size)
		}
	}
}

// One name may be a file and a folder, and folders of a name that differs in case.
func TestFolderWins(t *testing.T) {
	entries := []archive.Entry{{Name: "x"}, {Name: "x!"}, {Name: "x/a"}, {Name: "X/b"}, {Name: "x0"}}
	tree := archive.NewTree(entries, true, nil)
	var names []string
	list, err := tree.ReadDir(".")
	for _, e := range list {
		names = append(names, fmt.Sprintf("%s %v", e.Name(), e.IsDir()))
	}
	if got, want := strings.Join(names, ", "), "X true, x true, x! false, x0 false"; got != want || err != nil {
		t.Errorf("ReadDir = %s, %v, want %s", got, err, want)
	}
	for _, name := range []string{"x", "X"} {
		if info, err := tree.Stat(name); err != nil || !info.IsDir() {
			t.Errorf("Stat(%s) = %v, %v, want a folder", name, info, err)
		}
	}
	if _, err := tree.Stat("x/b"); err != nil {
		t.Errorf("a file in a folder of another case: %v", err)
	}
}
