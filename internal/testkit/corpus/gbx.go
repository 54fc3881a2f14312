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

// gbxFolders are the corpora of GBX files: one sorted by class, and one with files that
// were once read wrongly or incompletely.
var gbxFolders = []string{"gbx", hardFolder}

const hardFolder = "gbx-hard"

// GBX iterates over the paths and contents of the GBX files in some folders of the corpus
// that is sorted by class. The folders are named after the class IDs in files. Without
// folders it iterates over all GBX files. It fails if a folder is empty.
func GBX(tb testing.TB, folders ...string) iter.Seq2[string, []byte] {
	tb.Helper()
	var roots []string
	for _, folder := range folders {
		roots = append(roots, filepath.Join(Dir(tb, "gbx"), folder))
	}
	if len(folders) == 0 {
		for _, folder := range gbxFolders {
			roots = append(roots, Dir(tb, folder))
		}
	}
	return func(yield func(string, []byte) bool) {
		tb.Helper()
		for _, root := range roots {
			more, n := true, 0
			err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
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
				tb.Fatalf("%d GBX files in %s (%v)", n, root, err)
			}
			if !more {
				return
			}
		}
	}
}

// Oracle returns the values that another program read from the GBX files of the corpus,
// decoded from JSON as T, by Name. It has all files except some of those that were once
// read wrongly.
func Oracle[T any](tb testing.TB) map[string]T {
	tb.Helper()
	known := map[string]T{}
	for _, folder := range gbxFolders {
		lines(tb, folder, "oracle.jsonl", func(sha256 string, values T) {
			known[sha256[:nameLength]] = values
		})
	}
	return known
}

// StaysOpaque returns, by Name, the files with parts that no layout of the games
// describes: a tool's own chunks, damage.
func StaysOpaque(tb testing.TB) map[string]bool {
	tb.Helper()
	stay := map[string]bool{}
	type remark struct {
		Note string `json:"note"`
	}
	lines(tb, hardFolder, "manifest.jsonl", func(sha256 string, r remark) {
		if strings.Contains(r.Note, "must stay opaque") {
			stay[sha256[:nameLength]] = true
		}
	})
	return stay
}

// lines reads a file with a line of JSON for each GBX file of a corpus.
func lines[T any](tb testing.TB, folder, file string, take func(sha256 string, values T)) {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join(Dir(tb, folder), file))
	if err != nil {
		tb.Fatal(err)
	}
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
		take(of.SHA256, values)
	}
}

const nameLength = 12

// Name returns the short name of a GBX file in the corpus: the first digits of its hash,
// with which the file name begins.
func Name(path string) string { return filepath.Base(path)[:nameLength] }
