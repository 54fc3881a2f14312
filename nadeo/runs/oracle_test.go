package runs

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pakbox/nadeo/nadeotest/roomtest"
)

func TestGhostsAgainstOracle(t *testing.T) {
	t.Parallel()
	seen, compared := 0, 0
	for _, folders := range [][]string{roomtest.GhostFolders, roomtest.ReplayFolders} {
		roomtest.Each(t, folders, func(c roomtest.File) {
			var want []any
			if g, ok := c.Oracle["ghost"].(map[string]any); ok {
				want = []any{g}
			} else if r, ok := c.Oracle["replay"].(map[string]any); ok {
				want, _ = r["ghosts"].([]any)
				checkReplay(t, c, r, &compared)
			}
			if c.Oracle["ok"] != true {
				return
			}
			got := GhostsOf(c.File)
			if len(got) != len(want) {
				t.Errorf("%s: %d ghosts, want %d", c.Path, len(got), len(want))
				return
			}
			for i, g := range got {
				checkGhost(t, fmt.Sprintf("%s, ghost %d", c.Path, i), g, want[i].(map[string]any), &compared)
				seen++
			}
		})
	}
	if seen < 150 {
		t.Errorf("only %d ghosts were compared", seen)
	}
	t.Logf("%d values of %d ghosts", compared, seen)
}

func checkReplay(t *testing.T, c roomtest.File, o map[string]any, compared *int) {
	t.Helper()
	r, err := ReplayOf(c.File)
	if err != nil {
		t.Errorf("%s: %v", c.Path, err)
		return
	}
	roomtest.Same(t, c.Path, "time", roomtest.Number(r.Time()), o["time"], compared)
	// If the header's description of the race is empty, the login of the
	// author of the file counts.
	roomtest.Same(t, c.Path, "login", r.Player().Login, roomtest.Either(o["player_login"], o["author_login"]), compared)
	roomtest.Same(t, c.Path, "nick", r.Player().Nick, roomtest.Either(o["player_nick"], o["author_nick"]), compared)
	roomtest.Same(t, c.Path, "map", r.MapIdent().ID.String(), o["map_uid"], compared)
	if m, ok := o["embedded_map"].(map[string]any); ok {
		sum := sha256.Sum256(r.MapFile())
		roomtest.Same(t, c.Path, "map inside", hex.EncodeToString(sum[:]), m["sha256"], compared)
	}
}

func checkGhost(t *testing.T, where string, g *Ghost, o map[string]any, compared *int) {
	t.Helper()
	check := func(what string, got, want any) { t.Helper(); roomtest.Same(t, where, what, got, want, compared) }
	check("time", roomtest.Number(g.Time()), o["race_time"])
	check("respawns", g.Respawns(), o["respawns"])
	check("login", g.Player().Login, o["login"])
	check("nick", g.Player().Nick, o["nickname"])
	check("program", g.Program(), o["exe_version"])
	if list, ok := o["checkpoints"].([]any); ok {
		times := g.Checkpoints()
		check("checkpoint count", len(times), len(list))
		for i := range min(len(times), len(list)) {
			check("checkpoint", roomtest.Number(times[i]), list[i].([]any)[0])
		}
	}
	inputs, err := g.Inputs()
	if in, ok := o["inputs"].(map[string]any); ok && err == nil && o["player_inputs"] == nil {
		check("input count", len(inputs), in["count"])
		if first, ok := in["first"].([]any); ok {
			start := 0 // the other implementation leaves the times as they are stored
			for _, f := range first {
				if at, what, _ := strings.Cut(f.(string), " "); strings.HasPrefix(what, "FakeIsRaceRunning") {
					start, _ = strconv.Atoi(at)
				}
			}
			for i := range first {
				check("input", int(inputs[i].Time)+start, strings.Fields(first[i].(string))[0])
			}
		}
		for i := range inputs {
			if inputs[i].Name == "Steer" && (inputs[i].Value < -MaxAnalog || inputs[i].Value > MaxAnalog) {
				t.Errorf("%s: steering at %d", where, inputs[i].Value)
			}
		}
	}
}
