package archive_test

import (
	"errors"
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
