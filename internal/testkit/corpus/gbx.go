package corpus

import (
	"encoding/json"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// GBX goes over the paths and contents of the GBX files in some folders of
// that corpus, which are named after classes as files have them, or in all
// folders. Each must have some.
func GBX(tb testing.TB, folders ...string) iter.Seq2[string, []byte] {
	tb.Helper()
	root := Dir(tb, "gbx")
	if len(folders) == 0 {
		folders = []string{"."}
	}
	return func(yield func(string, []byte) bool) {
		tb.Helper()
		for _, folder := range folders {
			more, n := true, 0
			err := filepath.WalkDir(filepath.Join(root, folder), func(path string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() || !strings.EqualFold(filepath.Ext(path), ".gbx") {
					return err
				}
				data, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				if n++; !yield(path, data) {
					more = false
					return fs.SkipAll
				}
				return nil
			})
			if err != nil || n == 0 {
				tb.Fatalf("%d GBX files in %s (%v)", n, folder, err)
			}
			if !more {
				return
			}
		}
	}
}

// Oracle returns what another implementation read of each GBX file of the
// corpus, as a T of the test's choice takes it from JSON, by Name.
func Oracle[T any](tb testing.TB) map[string]T {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join(Dir(tb, "gbx"), "oracle.jsonl"))
	if err != nil {
		tb.Fatal(err)
	}
	known := map[string]T{}
	for line := range strings.Lines(string(text)) {
		var of struct {
			SHA256 string `json:"sha256"`
		}
		var values T
		if err := json.Unmarshal([]byte(line), &of); err != nil {
			tb.Fatal(err)
		}
		if err := json.Unmarshal([]byte(line), &values); err != nil {
			tb.Fatal(err)
		}
		known[of.SHA256[:nameLength]] = values
	}
	return known
}

const nameLength = 12

// Name is what a GBX file of the corpus is called for short: the beginning of
// its hash, with which its name begins.
func Name(path string) string { return filepath.Base(path)[:nameLength] }
