package archive_test

import (
	"io"
	"io/fs"
	"strings"
	"testing"

	"pakbox/archive"
)

// A game that ignores case finds its files and folders in any case, and an exact name
// before all others.
func TestLookup(t *testing.T) {
	var entries []archive.Entry
	names := []string{"Deep/Er/a.TXT", "deep/x", "UPPER", "upper"}
	for _, name := range names {
		entries = append(entries, archive.Entry{Name: name})
	}
	for _, fold := range []bool{true, false} {
		tree := archive.NewTree(entries, fold, func(i int) (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader(names[i])), nil
		})
		for asked, want := range map[string]string{
			"Deep/Er/a.TXT": "Deep/Er/a.TXT", "deep/er/A.txt": "Deep/Er/a.TXT ?", "deep/x": "deep/x", "DEEP/X": "deep/x ?",
			"UPPER": "UPPER", "upper": "upper", "deep/er/b": "", "x": "",
		} {
			name, folds := strings.CutSuffix(want, " ?")
			if folds && !fold {
				name = ""
			}
			got, err := fs.ReadFile(tree, asked)
			if string(got) != name || (err == nil) != (name != "") {
				t.Errorf("ignoring case: %v: %s is %q, %v; want %q", fold, asked, got, err, name)
			}
		}
		for asked, ok := range map[string]bool{"Deep/Er": true, "deep/ER": fold, "DEEP/er": fold, "deep/none": false} {
			list, err := fs.ReadDir(tree, asked)
			if (err == nil) != ok || ok && (len(list) != 1 || list[0].Name() != "a.TXT") {
				t.Errorf("ignoring case: %v: folder %s: %v, %v", fold, asked, list, err)
			}
		}
	}
}
