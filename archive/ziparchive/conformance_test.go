package ziparchive

import (
	"testing"

	"pakbox/archive/archivetest"
)

func TestConformance(t *testing.T) {
	archivetest.Run(t, archivetest.Suite{Format: Format{}, Variants: []map[string]string{nil, {"level": "0"}, {"level": "9", "comment": "no comment"}}})
}
