package pak

import (
	"bytes"
	"slices"
	"strings"
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

// Entries with nodes have metadata, too.
func TestConformanceGBX(t *testing.T) {
	var items []archive.Item
	for name, content := range toys() {
		items = append(items, item(name, content))
	}
	slices.SortFunc(items, func(a, b archive.Item) int { return strings.Compare(a.Name, b.Name) })
	items = append(items[:4], item("text.txt", bytes.Repeat([]byte("text "), 500)))
	archivetest.Run(t, archivetest.Suite{
		Format: Format{Nodes: walkToy}, Options: archive.Options{Keys: testKeys}, Items: items, Blind: true,
		Variants: []map[string]string{{"encrypt": "true"}, {"version": "3"}},
	})
}
