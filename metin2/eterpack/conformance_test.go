package eterpack

import (
	"testing"

	"pakbox/archive/archivetest"
)

func TestConformance(t *testing.T) {
	archivetest.Run(t, archivetest.Suite{Format: Format{}, Fold: true, Variants: []map[string]string{nil, {"eterpack-type": "2", "eterpack-codec": "lz4"}, {"eterpack-type": "0", "eterpack-index": "plain"}}})
}
