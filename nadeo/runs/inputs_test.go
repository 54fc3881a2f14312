package runs

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo/nadeotest/roomtest"
)

// The inputs of ShootMania and Trackmania (2020) are those that another
// implementation reads: every one, with its time and value.
func TestTickInputsAgainstOracle(t *testing.T) {
	t.Parallel()
	known := roomtest.Oracle(t)
	seen := 0
	for path, data := range corpus.GBX(t) {
		want, ok := known[corpus.Name(path)]
		if !ok || want["ghost"] == nil && want["replay"] == nil {
			continue
		}
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		list := []any{want["ghost"]}
		if r, ok := want["replay"].(map[string]any); ok {
			list, _ = r["ghosts"].([]any)
		}
		for i, g := range GhostsOf(f) {
			c, ok := gbx.Find[*game.Chunk0309201D](g.Node)
			if !ok || i >= len(list) {
				continue
			}
			stored, _ := list[i].(map[string]any)["player_inputs"].([]any)
			for k := range stored {
				compareInputs(t, path, g, &c.PlayerInputs[k], stored[k].(map[string]any)["inputs"].(map[string]any))
				seen++
			}
		}
	}
	if seen < 40 {
		t.Errorf("%d streams of inputs", seen)
	}
}

func compareInputs(t *testing.T, path string, g *Ghost, p *game.CGameCtnGhostPlayerInputs, want map[string]any) {
	t.Helper()
	var inputs []Input
	err := tickInputs(p, func(of []Input) { inputs = append(inputs, of...) })
	if err != nil {
		t.Logf("%s: %v", path, err) // one ghost was made by a program and ends early
		return
	}
	var b strings.Builder
	for _, in := range inputs {
		b.WriteString(oracleInput(in, p))
	}
	sum := sha256.Sum256([]byte(b.String()))
	if hex.EncodeToString(sum[:]) != want["sha256"] {
		kinds := map[string]int{}
		for _, in := range inputs {
			kinds[in.Name]++
		}
		t.Errorf("%s: %v, want %v", path, kinds, want["by_type"])
	}
	if all, err := g.Inputs(); err != nil || len(all) != g.InputCount() {
		t.Errorf("%s: %d inputs, and %d are counted (%v)", path, len(all), g.InputCount(), err)
	}
}

// oracleInput writes an input the way the other implementation does.
func oracleInput(in Input, p *game.CGameCtnGhostPlayerInputs) string {
	character := p.InputVersion < game.CGameCtnGhostInputVersionTM2020
	switch name := in.Name; {
	case name == "Mouse":
		return fmt.Sprintf("%d MouseAccu %d %d\n", in.Time, in.Value, in.Y)
	case name == "Steer":
		return fmt.Sprintf("%d SteerTM2020 %d\n", in.Time, int(math.Round(float64(in.Value)*steerFull/MaxAnalog)))
	case name == "Respawn" && !character:
		return fmt.Sprintf("%d RespawnTM2020\n", in.Time)
	case name == "SecondaryRespawn":
		return fmt.Sprintf("%d SecondaryRespawn\n", in.Time)
	case (name == "Strafe" || name == "Walk") && in.Value == -1:
		return fmt.Sprintf("%d %s 3\n", in.Time, name)
	case strings.HasPrefix(name, "ActionSlot"):
		return fmt.Sprintf("%d ActionSlot %s %d\n", in.Time, strings.TrimPrefix(name, "ActionSlot"), in.Value)
	}
	return fmt.Sprintf("%d %s %d\n", in.Time, in.Name, in.Value)
}

// A respawn of Trackmania (2020) is stored again each time and is an event.
func TestRespawnsAreEvents(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]int{"053d786745e6657a.Ghost.Gbx": 221, "33d796707f22bda8.Ghost.Gbx": 6} {
		inputs, err := hardGhost(t, name).Inputs()
		n := 0
		for _, in := range inputs {
			if in.Name == "Respawn" {
				n++
				if in.Value != 1 {
					t.Errorf("%s: a respawn of %d", name, in.Value)
				}
			}
		}
		if n != want || err != nil {
			t.Errorf("%s: %d respawns, want %d (%v)", name, n, want, err)
		}
	}
}
