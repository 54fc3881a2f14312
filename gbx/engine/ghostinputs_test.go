package engine_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
)

// Inputs change when the other implementation sees them change.
func TestPlayerInputs(t *testing.T) {
	compared := 0
	ghosts(t, func(name string, n *gbx.Node, want oracleGhost) {
		c, ok := gbx.Find[*game.Chunk0309201D](n)
		if !ok || len(want.PlayerInputs) == 0 {
			return
		}
		for i := range c.PlayerInputs {
			p := &c.PlayerInputs[i]
			ticks, err := p.Decode()
			if err != nil {
				t.Logf("%s: %v", name, err)
				continue
			}
			lines := inputLines(ticks, p)
			sum := sha256.Sum256([]byte(lines))
			if got := hex.EncodeToString(sum[:]); got != want.PlayerInputs[i].Inputs.SHA256 {
				t.Errorf("%s: other inputs: %v, want %v", name, countTypes(lines), want.PlayerInputs[i].Inputs.ByType)
			}
			compared++
		}
	})
	if compared < 30 {
		t.Errorf("only %d inputs were compared", compared)
	}
}

func countTypes(lines string) map[string]int {
	m := map[string]int{}
	for line := range strings.Lines(lines) {
		m[strings.Fields(line)[1]]++
	}
	return m
}

// inputLines writes inputs the way the other implementation does: what
// changed at each tick.
func inputLines(ticks []game.InputTick, p *game.CGameCtnGhostPlayerInputs) string {
	offset := int(p.StartOffset)
	if p.InputVersion.ShootMania() {
		return shootManiaLines(ticks, offset)
	}
	var out strings.Builder
	var before game.InputTick
	horn := false
	for i := range ticks {
		t := &ticks[i]
		at := t.Tick*game.TickDuration + offset
		button := func(b int, text string) {
			if t.Pressed(b) != before.Pressed(b) {
				fmt.Fprintf(&out, "%d %s %d\n", at, text, one(t.Pressed(b)))
			}
		}
		if t.HasState && t.Short {
			if down := t.State&2 != 0; down != horn {
				horn = down
				fmt.Fprintf(&out, "%d Horn %d\n", at, one(down))
			}
		}
		if t.HasState && !t.Short {
			if down := t.Pressed(game.ButtonHorn); down != horn {
				horn = down
				fmt.Fprintf(&out, "%d Horn %d\n", at, one(down))
			}
			button(game.ButtonJump, "Jump")
			button(game.ButtonFreeLook, "FreeLook")
			for slot := 1; slot <= 9; slot++ {
				button(game.ButtonSlot1+slot-1, fmt.Sprintf("ActionSlot %d", slot))
			}
			button(game.ButtonSlot1+9, "ActionSlot 0")
			if t.Pressed(game.ButtonRespawn) {
				fmt.Fprintf(&out, "%d RespawnTM2020\n", at)
			}
			if t.Pressed(game.ButtonSecondaryRespawn) {
				fmt.Fprintf(&out, "%d SecondaryRespawn\n", at)
			}
			before.State, before.HasState = t.State, true
		}
		if t.HasMouse {
			fmt.Fprintf(&out, "%d MouseAccu %d %d\n", at, t.MouseX, t.MouseY)
		}
		if t.HasMove && t.Car {
			if t.Steer != before.Steer {
				fmt.Fprintf(&out, "%d SteerTM2020 %d\n", at, t.Steer)
			}
			if t.Gas != before.Gas {
				fmt.Fprintf(&out, "%d Accelerate %d\n", at, one(t.Gas))
			}
			if t.Brake != before.Brake {
				fmt.Fprintf(&out, "%d Brake %d\n", at, one(t.Brake))
			}
			before.Steer, before.Gas, before.Brake = t.Steer, t.Gas, t.Brake
		}
	}
	return out.String()
}

// shootManiaLines is inputLines for ShootMania.
func shootManiaLines(ticks []game.InputTick, offset int) string {
	var out strings.Builder
	var before game.InputTick
	for i := range ticks {
		t := &ticks[i]
		at := t.Tick*game.TickDuration + offset
		if t.HasMouse {
			fmt.Fprintf(&out, "%d MouseAccu %d %d\n", at, t.MouseX, t.MouseY)
		}
		if t.HasMove && t.Strafe != before.Strafe {
			fmt.Fprintf(&out, "%d Strafe %d\n", at, t.Strafe)
			before.Strafe = t.Strafe
		}
		if t.HasMove && t.Walk != before.Walk {
			fmt.Fprintf(&out, "%d Walk %d\n", at, t.Walk)
			before.Walk = t.Walk
		}
		if !t.HasState {
			continue
		}
		state := t.State
		if t.Short {
			state |= before.State &^ 3
		}
		for _, b := range []struct {
			bit  int
			name string
		}{
			{game.ShootTrigger, "GunTrigger"}, {game.ShootJump, "Jump"}, {game.ShootMenu, "Menu"},
			{game.ShootHorn, "Horn"}, {game.ShootRespawn, "Respawn"},
		} {
			if (state^before.State)>>b.bit&1 != 0 {
				fmt.Fprintf(&out, "%d %s %d\n", at, b.name, state>>b.bit&1)
			}
		}
		before.State = state
	}
	return out.String()
}
