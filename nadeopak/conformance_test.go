package nadeopak

import (
	"testing"

	"pakbox/archive"
	"pakbox/archive/archivetest"
)

func TestConformance(t *testing.T) {
	archivetest.Run(t, archivetest.Suite{
		Format: Format{}, Options: archive.Options{Keys: testKeys},
		Variants: []map[string]string{nil, {"encrypt": "true"}},
	})
}

// Version 3 has no checksums.
func TestConformanceOld(t *testing.T) {
	archivetest.Run(t, archivetest.Suite{
		Format: Format{}, Options: archive.Options{Keys: testKeys}, Blind: true, Variants: []map[string]string{{"version": "3"}},
	})
}
