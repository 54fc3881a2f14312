package nadeo

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"pakbox/cmd/internal/cli/kit"
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/nadeo/runs"
)

// A checkpoint that was not passed has no split, and the next one has that
// since the last one that was. The mark of texts beyond ASCII is not shown.
func TestGhostRows(t *testing.T) {
	var b bytes.Buffer
	a := kit.New(context.Background(), kit.Env{Stdout: &b})
	g := &runs.Ghost{Node: &gbx.Node{Chunks: []gbx.Chunk{{Body: &game.Chunk0309200B{
		Checkpoints: []game.CGameCtnGhostCheckpoint{{Time: 1000}, {Time: gbx.NoTime}, {Time: 3500}},
	}}}}}
	rows := kit.Table{}
	g.Node.Chunks = append(g.Node.Chunks, gbx.Chunk{Body: &game.Chunk03092000{GhostZone: "\ufeffWorld|Côte"}})
	ghostRows(a, &rows, g)
	rows.Print(a.Out)
	a.Out.Flush()
	got := strings.Join(strings.Fields(b.String()), " ")
	if !strings.Contains(got, "Zone World|Côte") {
		t.Errorf("the mark before the zone is shown: %s", got)
	}
	if want := "Checkpoints 0:01.000 +0:01.000 -:--.--- 0:03.500 +0:02.500 "; !strings.Contains(got, want) {
		t.Errorf("got = %s; want got with %q", got, want)
	}
}
