// Package roomtest has helpers for the tests of the packages below trackmania.
package roomtest

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo"
)

// File is a real file, and the values that another program read from it.
type File struct {
	Path   string
	File   *gbx.File
	Oracle map[string]any // nil if the other program has no values for this file
}

// Folders of the corpus. They are named after the class IDs in the files.
var (
	MapFolders    = []string{"03043000", "24003000"}
	ReplayFolders = []string{"03093000", "2407e000", "2403f000"}
	GhostFolders  = []string{"03092000"}
)

// Oracle returns the values that another program read from the corpus, by file. They are
// read once for all tests, because reading takes long.
func Oracle(t testing.TB) map[string]map[string]any {
	t.Helper()
	readOracle.Do(func() { oracleFiles = corpus.Oracle[map[string]any](t) })
	return oracleFiles
}

var (
	readOracle  sync.Once
	oracleFiles map[string]map[string]any
)

// Each calls test for every file in these folders.
func Each(t testing.TB, folders []string, test func(File)) {
	t.Helper()
	known := Oracle(t)
	for path, data := range corpus.GBX(t, folders...) {
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		test(File{path, f, known[corpus.Name(path)]})
	}
}

// MapInReplay returns the map inside a replay as a file.
func MapInReplay(f *gbx.File) []byte {
	if c, ok := gbx.Find[*game.Chunk03093002](f.Body); ok {
		return c.Map
	}
	return nil
}

// Hard returns one of the files that were once read wrongly.
func Hard(t testing.TB, name string) *gbx.File {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(corpus.Dir(t, "gbx-hard"), name))
	if err != nil {
		t.Fatal(err)
	}
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Parse reads a file and fails the test on an error.
func Parse(t testing.TB, data []byte) *gbx.File {
	t.Helper()
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Item returns the bytes of a real item.
func Item(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile(corpus.Files(t, corpus.Dir(t, "gbx"), "2e002000", "*.Item.Gbx")[0])
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// CheckIdent compares the name, environment and author of an item or macroblock with the
// oracle.
func CheckIdent(check func(what string, got, want any), got gbx.Ident, collector map[string]any) {
	want, _ := collector["ident"].([]any)
	if len(want) != 3 {
		return
	}
	check("ident", got.ID.String(), want[0])
	if n, ok := got.Collection.Number(); ok {
		check("collection", n, want[1])
	} else {
		check("collection", nadeo.CollectionName(got.Collection), want[1])
	}
	check("author", got.Author.String(), want[2])
}

// Node makes a node from chunks.
func Node(class classid.ID, bodies ...gbx.Body) *gbx.Node {
	n := &gbx.Node{Class: class}
	for _, b := range bodies {
		n.Chunks = append(n.Chunks, gbx.Chunk{Body: b})
	}
	return n
}

// NodeFile makes a file whose main node has these chunks.
func NodeFile(class classid.ID, bodies ...gbx.Body) *gbx.File {
	return &gbx.File{Header: gbx.Header{Class: class}, Body: Node(class, bodies...)}
}

// Same compares a value with the oracle's value, if the oracle has one.
func Same(t *testing.T, path, what string, got, want any, compared *int) {
	t.Helper()
	if want == nil {
		return
	}
	*compared++
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: %s is %v, want %v", path, what, got, want)
	}
}

// Number returns a time in the form of the oracle.
func Number(t gbx.Time) any {
	if t == gbx.NoTime {
		return nil
	}
	return float64(t)
}

// Either returns the first value unless it is an empty text.
func Either(a, b any) any {
	if a == "" && b != nil {
		return b
	}
	return a
}
