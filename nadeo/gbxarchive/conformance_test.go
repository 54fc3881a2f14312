package gbxarchive

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/archive/archivetest"
	"pakbox/internal/testkit/corpus"
)

// A GBX file is made from values, not from any files, so the suite is given
// some: maps with items, a thumbnail and a lightmap; most of it has no checksum.
func TestConformance(t *testing.T) {
	most := 0
	var file string
	for path, data := range corpus.GBX(t) {
		if strings.HasSuffix(path, ".Map.Gbx") && len(data) < 1<<20 {
			if n := len(open(t, data, filepath.Base(path)).Entries()); n > most {
				most, file = n, path
			}
		}
	}
	archivetest.Run(t, archivetest.Suite{Format: Format{}, Blind: true, File: func(t *testing.T) string {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), filepath.Base(file))
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}})
}
