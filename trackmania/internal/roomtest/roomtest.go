// Package roomtest has what the tests of trackmania's rooms share.
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
	"pakbox/trackmania"
)

// File is a real file, and what another implementation read from it.
type File struct {
	Path   string
	File   *gbx.File
	Oracle map[string]any // nil where there is none
}

// Folders of the corpus, which are named after class IDs as files have them.
var (
	MapFolders    = []string{"03043000", "24003000"}
	ReplayFolders = []string{"03093000", "2407e000", "2403f000"}
	GhostFolders  = []string{"03092000"}
)

// Oracle is what another implementation read of the corpus. All tests look it up
// in one list, which takes long to read.
func Oracle(t testing.TB) map[string]map[string]any {
	t.Helper()
	readOracle.Do(func() { oracleFiles = corpus.Oracle[map[string]any](t) })
	return oracleFiles
}

var (
	readOracle  sync.Once
	oracleFiles map[string]map[string]any
)

// Each calls test with every file in some folders.
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

// MapInReplay is the map inside a replay, as a file of its own.
func MapInReplay(f *gbx.File) []byte {
	if c, ok := gbx.Find[*game.Chunk03093002](f.Body); ok {
		return c.Map
	}
	return nil
}

// Hard is one of the files that were once read wrongly.
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

// Parse reads a file that must be readable.
func Parse(t testing.TB, data []byte) *gbx.File {
	t.Helper()
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Item is a real item.
func Item(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile(corpus.Files(t, corpus.Dir(t, "gbx"), "2e002000", "*.Item.Gbx")[0])
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// CheckIdent compares what an item or a macroblock is known by.
func CheckIdent(check func(what string, got, want any), got gbx.Ident, collector map[string]any) {
	want, _ := collector["ident"].([]any)
	if len(want) != 3 {
		return
	}
	check("ident", got.ID.String(), want[0])
	if n, ok := got.Collection.Number(); ok {
		check("collection", n, want[1])
	} else {
		check("collection", trackmania.CollectionName(got.Collection), want[1])
	}
	check("author", got.Author.String(), want[2])
}

// Node is a node of some chunks.
func Node(class classid.ID, bodies ...gbx.Body) *gbx.Node {
	n := &gbx.Node{Class: class}
	for _, b := range bodies {
		n.Chunks = append(n.Chunks, gbx.Chunk{Body: b})
	}
	return n
}

// NodeFile is a file whose main node has some chunks.
func NodeFile(class classid.ID, bodies ...gbx.Body) *gbx.File {
	return &gbx.File{Header: gbx.Header{Class: class}, Body: Node(class, bodies...)}
}

// Same compares a value with the other implementation's, where that has one.
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

// Number gives a time as the oracle has it.
func Number(t gbx.Time) any {
	if t == gbx.NoTime {
		return nil
	}
	return float64(t)
}

// Either is the first text unless it is empty.
func Either(a, b any) any {
	if a == "" && b != nil {
		return b
	}
	return a
}
