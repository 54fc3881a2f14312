package trackmania

import (
	"bufio"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/corpus"
)

// corpusFile is a real file, and what another implementation read from it.
type corpusFile struct {
	path   string
	file   *gbx.File
	oracle map[string]any // nil where there is none
}

var oracle = sync.OnceValue(func() map[string]map[string]any { return map[string]map[string]any{} })

// loadOracle reads the other implementation's values, by the beginning of the
// file's hash, which is the file's name too.
func loadOracle(t testing.TB) map[string]map[string]any {
	known := oracle()
	if len(known) > 0 {
		return known
	}
	in, err := os.Open(filepath.Join(corpus.Dir(t, "gbx"), "oracle.jsonl"))
	if err != nil {
		t.Skip("no oracle beside the corpus")
	}
	defer in.Close()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var o map[string]any
		if err := json.Unmarshal(lines.Bytes(), &o); err != nil {
			t.Fatal(err)
		}
		known[o["sha256"].(string)[:12]] = o
	}
	return known
}

// Folders of the corpus, which are named after class IDs as files have them.
var (
	mapFolders    = []string{"03043000", "24003000"}
	replayFolders = []string{"03093000", "2407e000", "2403f000"}
	ghostFolders  = []string{"03092000"}
)

// eachFile calls test with every file in some folders.
func eachFile(t testing.TB, folders []string, test func(corpusFile)) {
	t.Helper()
	for _, folder := range folders {
		eachFileIn(t, folder, test)
	}
}

func eachFileIn(t testing.TB, class string, test func(corpusFile)) {
	t.Helper()
	known := loadOracle(t)
	n := 0
	err := filepath.WalkDir(filepath.Join(corpus.Dir(t, "gbx"), class), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.EqualFold(filepath.Ext(path), ".gbx") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Errorf("%s: %v", path, err)
			return nil
		}
		name, _, _ := strings.Cut(filepath.Base(path), ".")
		test(corpusFile{path, f, known[name]})
		n++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n == 0 {
		t.Errorf("no file of class %s", class)
	}
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
