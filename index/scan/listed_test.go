package scan_test

import (
	"path/filepath"
	"testing"

	"pakbox/index/scan"
)

// The cluster's pipeline takes its files from List, and must get those of a scan: files of
// folders and below, each with its size, and a failure for what is not there.
func TestList(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.txt"), []byte("four"))
	write(t, filepath.Join(dir, "below/b.txt"), []byte("seven77"))
	sizes := map[string]int64{}
	list := func(root string) (failures []string) {
		scan.List(t.Context(), nil, root,
			func(one scan.ListEntry) { sizes[one.Path] = one.Size },
			func(path string, err error) { failures = append(failures, path) })
		return failures
	}
	if failures := list(dir); len(failures) != 0 {
		t.Errorf("failures of a folder that can be read: %q", failures)
	}
	a, b := filepath.ToSlash(dir)+"/a.txt", filepath.ToSlash(dir)+"/below/b.txt"
	if len(sizes) != 2 || sizes[a] != 4 || sizes[b] != 7 {
		t.Errorf("listed %v", sizes)
	}
	gone := filepath.ToSlash(dir) + "/gone"
	if failures := list(gone); len(failures) != 1 || failures[0] != gone {
		t.Errorf("failures of a folder that is not there: %q", failures)
	}
}
