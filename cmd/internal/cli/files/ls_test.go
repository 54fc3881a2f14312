package files

import (
	"context"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/cmd/internal/cli/kit"
)

// One long name does not become lines that grow without end.
func TestTreeHasAnEdge(t *testing.T) {
	var b strings.Builder
	a := kit.New(context.Background(), kit.Env{Stdout: &b})
	name := strings.Repeat("a/", 3*deepest) + "b"
	listTree(a, []archive.Entry{{Name: name}})
	a.Out.Flush()
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	if len(lines) != 3*deepest+1 {
		t.Errorf("%d lines", len(lines))
	}
	const indent = len("    ")
	for i, line := range lines {
		if most := min(i, deepest)*indent + len("└── a/"); len(line) > most {
			t.Fatalf("line %d has %d bytes, more than %d", i, len(line), most)
		}
	}
}
