package simutrans_test

import (
	"os"
	"path/filepath"
	"testing"

	"pakbox/archive/archivetest"
	"pakbox/simutrans"
)

// Object files are made from sources and objects, not from any files, so the
// suite is given some; they have no checksums.
func TestConformance(t *testing.T) {
	for _, name := range []string{"wrapper__merged.pak", "debian-pak64__vehicle.TB24.pak"} {
		t.Run(name, func(t *testing.T) {
			archivetest.Run(t, archivetest.Suite{Format: simutrans.Format{}, Blind: true, File: func(t *testing.T) string {
				path := filepath.Join(t.TempDir(), name)
				if err := os.WriteFile(path, read(t, name), 0o666); err != nil {
					t.Fatal(err)
				}
				return path
			}})
		})
	}
}
