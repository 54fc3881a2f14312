package trackmania

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/internal/testkit/corpus"
)

// corpusFile is a real file, and what another implementation read from it.
type corpusFile struct {
	path   string
	file   *gbx.File
	oracle map[string]any // nil where there is none
}

// Folders of the corpus, which are named after class IDs as files have them.
var (
	mapFolders    = []string{"03043000", "24003000"}
	replayFolders = []string{"03093000", "2407e000", "2403f000"}
	ghostFolders  = []string{"03092000"}
)

// oracle is what another implementation read of the corpus. All tests look it up
// in one list, which takes long to read.
func oracle(t testing.TB) map[string]map[string]any {
	t.Helper()
	readOracle.Do(func() { oracleFiles = corpus.Oracle[map[string]any](t) })
	return oracleFiles
}

var (
	readOracle  sync.Once
	oracleFiles map[string]map[string]any
)

// eachFile calls test with every file in some folders.
func eachFile(t testing.TB, folders []string, test func(corpusFile)) {
	t.Helper()
	known := oracle(t)
	for path, data := range corpus.GBX(t, folders...) {
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		test(corpusFile{path, f, known[corpus.Name(path)]})
	}
}

// mapInReplay is the map inside a replay, as a file of its own.
func mapInReplay(f *gbx.File) []byte {
	if c, ok := gbx.Find[*game.Chunk03093002](f.Body); ok {
		return c.Map
	}
	return nil
}

// hardFile is a file of those that were once read wrongly.
func hardFile(t testing.TB, name string) *gbx.File {
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

// hardGhost is the first run in such a file.
func hardGhost(t testing.TB, name string) *Ghost {
	t.Helper()
	list := GhostsOf(hardFile(t, name))
	if len(list) == 0 {
		t.Fatalf("%s: no runs", name)
	}
	return list[0]
}

// ghosts calls test with every ghost of the corpus: of ghost files, replays
// and maps.
func ghosts(t testing.TB, test func(path string, i int, g *Ghost)) {
	for _, class := range [][]string{ghostFolders, replayFolders, mapFolders} {
		eachFile(t, class, func(c corpusFile) {
			for i, g := range GhostsOf(c.file) {
				test(c.path, i, g)
			}
		})
	}
}
