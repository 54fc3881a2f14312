package pck

import (
	"testing"

	"pakbox/archive/archivetest"
)

var variants = []map[string]string{nil, {"level": "1", "pck-encrypt": "all"}, {"level": "3", "pck-encrypt": "none"}}

func TestConformance(t *testing.T) {
	archivetest.Run(t, archivetest.Suite{Format: Format{}, Blind: true, Fold: true, Variants: variants})
}
