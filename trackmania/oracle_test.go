package trackmania

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"pakbox/gbx"
)

// same compares a value with the other implementation's, where that has one.
func same(t *testing.T, path, what string, got, want any, compared *int) {
	t.Helper()
	if want == nil {
		return
	}
	*compared++
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: %s is %v, want %v", path, what, got, want)
	}
}

// number gives a time as the oracle has it.
func number(t gbx.Time) any {
	if t == gbx.NoTime {
		return nil
	}
	return float64(t)
}

func TestMapsAgainstOracle(t *testing.T) {
	t.Parallel()
	maps, compared := 0, 0
	eachFile(t, mapFolders, func(c corpusFile) {
		o, _ := c.oracle["map"].(map[string]any)
		if o == nil || c.oracle["ok"] != true {
			return
		}
		m, err := MapOf(c.file)
		if err != nil {
			t.Errorf("%s: %v", c.path, err)
			return
		}
		maps++
		check := func(what string, got, want any) { same(t, c.path, what, got, want, &compared) }
		check("name", m.Name(), o["name"])
		check("uid", m.UID(), o["uid"])
		check("login", m.Author().Login, o["author_login"])
		check("nick", m.Author().Nick, o["author_nick"])
		check("title", m.Title(), o["title_id"])
		check("map type", m.Type(), o["map_type"])
		check("comments", m.Comments(), o["comments"])
		medals := m.Medals()
		check("author medal", number(medals.Author), o["author"])
		check("gold", number(medals.Gold), o["gold"])
		check("silver", number(medals.Silver), o["silver"])
		check("bronze", number(medals.Bronze), o["bronze"])
		laps, isLapRace := m.Laps()
		check("laps", laps, o["laps"])
		check("lap race", isLapRace, o["is_lap_race"])
		if n := m.Checkpoints(); n >= 0 {
			check("checkpoints", n, o["nb_checkpoints"])
		}
		checkBlocks(check, "blocks", m.Blocks(), o["blocks"])
		checkBlocks(check, "baked", m.BakedBlocks(), o["baked"])
		checkItems(check, m.Items(), o["items"])
		checkEmbedded(t, check, m, o["embedded"])
		p := m.Password()
		if p.HasCRC && p.CRC != p.WantCRC {
			t.Errorf("%s: CRC %08X, want %08X", c.path, p.CRC, p.WantCRC)
		}
		if g := ValidationGhost(m); (g != nil) != (o["validation_ghost"] != nil) {
			t.Errorf("%s: validation ghost %v, want %v", c.path, g != nil, o["validation_ghost"] != nil)
		}
		if meta, ok := o["metadata"].(map[string]any); ok {
			check("metadata", len(m.Meta()), meta["count"])
		}
	})
	if maps < 200 {
		t.Errorf("only %d maps were compared", maps)
	}
	t.Logf("%d values of %d maps", compared, maps)
}

func checkBlocks(check func(string, any, any), what string, blocks []Block, want any) {
	o, _ := want.(map[string]any)
	if o == nil {
		return
	}
	h := sha256.New()
	free, ground, ghost := 0, 0, 0
	var pos [3]float64
	for i := range blocks {
		b := &blocks[i]
		fmt.Fprintf(h, "%s\t%d\t%d\t%d\t%d\t%08X\n", b.Name, b.Coord.X, b.Coord.Y, b.Coord.Z, b.Direction, b.Flags)
		free, ground, ghost = free+count(b.Free), ground+count(b.Ground()), ghost+count(b.Ghost())
		if b.Free {
			pos[0], pos[1], pos[2] = pos[0]+float64(b.Position.X), pos[1]+float64(b.Position.Y), pos[2]+float64(b.Position.Z)
		}
	}
	check(what+" count", len(blocks), o["count"])
	check(what, hex.EncodeToString(h.Sum(nil)), o["sha256"])
	check(what+" free", free, o["free"])
	check(what+" ground", ground, o["ground"])
	check(what+" ghost", ghost, o["ghost"])
	if sum, ok := o["free_pos_sum"].([]any); ok {
		for i := range sum {
			check(what+" free positions", math.Abs(pos[i]-sum[i].(float64)) < 0.01, true)
		}
	}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

func checkItems(check func(string, any, any), items []Item, want any) {
	o, _ := want.(map[string]any)
	if o == nil {
		return
	}
	h := sha256.New()
	waypoints := 0
	for i := range items {
		p, q := items[i].Position, items[i].YawPitchRoll
		fmt.Fprint(h, items[i].Model.ID.String())
		for _, f := range []float32{p.X, p.Y, p.Z, q.X, q.Y, q.Z} {
			fmt.Fprintf(h, "\t%08X", math.Float32bits(f))
		}
		fmt.Fprintln(h)
		waypoints += count(items[i].Waypoint != "")
	}
	check("item count", len(items), o["count"])
	check("items", hex.EncodeToString(h.Sum(nil)), o["sha256"])
	check("waypoint items", waypoints, o["waypoints"])
}

func checkEmbedded(t *testing.T, check func(string, any, any), m *Map, want any) {
	o, _ := want.(map[string]any)
	if o == nil || o["entries"] == nil {
		return
	}
	e, err := m.EmbeddedFiles()
	if err != nil {
		t.Error(err)
		return
	}
	var names []any
	for _, f := range e.Files {
		names = append(names, f.Name)
	}
	var wanted []any
	for _, n := range o["entries"].([]any) {
		if s := strings.ReplaceAll(n.(string), `\`, "/"); !strings.HasSuffix(s, "/") {
			wanted = append(wanted, s)
		}
	}
	check("embedded", names, wanted)
}

func TestGhostsAgainstOracle(t *testing.T) {
	t.Parallel()
	seen, compared := 0, 0
	for _, folders := range [][]string{ghostFolders, replayFolders} {
		eachFile(t, folders, func(c corpusFile) {
			var want []any
			if g, ok := c.oracle["ghost"].(map[string]any); ok {
				want = []any{g}
			} else if r, ok := c.oracle["replay"].(map[string]any); ok {
				want, _ = r["ghosts"].([]any)
				checkReplay(t, c, r, &compared)
			}
			if c.oracle["ok"] != true {
				return
			}
			got := GhostsOf(c.file)
			if len(got) != len(want) {
				t.Errorf("%s: %d ghosts, want %d", c.path, len(got), len(want))
				return
			}
			for i, g := range got {
				checkGhost(t, fmt.Sprintf("%s, ghost %d", c.path, i), g, want[i].(map[string]any), &compared)
				seen++
			}
		})
	}
	if seen < 150 {
		t.Errorf("only %d ghosts were compared", seen)
	}
	t.Logf("%d values of %d ghosts", compared, seen)
}

func checkReplay(t *testing.T, c corpusFile, o map[string]any, compared *int) {
	t.Helper()
	r, err := ReplayOf(c.file)
	if err != nil {
		t.Errorf("%s: %v", c.path, err)
		return
	}
	same(t, c.path, "time", number(r.Time()), o["time"], compared)
	// Where the header's description of the race is empty, that of who saved
	// the replay tells.
	same(t, c.path, "login", r.Player().Login, either(o["player_login"], o["author_login"]), compared)
	same(t, c.path, "nick", r.Player().Nick, either(o["player_nick"], o["author_nick"]), compared)
	same(t, c.path, "map", r.MapIdent().ID.String(), o["map_uid"], compared)
	if m, ok := o["embedded_map"].(map[string]any); ok {
		sum := sha256.Sum256(r.MapFile())
		same(t, c.path, "map inside", hex.EncodeToString(sum[:]), m["sha256"], compared)
	}
}

// either is the first text unless it is empty.
func either(a, b any) any {
	if a == "" && b != nil {
		return b
	}
	return a
}

func checkGhost(t *testing.T, where string, g *Ghost, o map[string]any, compared *int) {
	t.Helper()
	check := func(what string, got, want any) { t.Helper(); same(t, where, what, got, want, compared) }
	check("time", number(g.Time()), o["race_time"])
	check("respawns", g.Respawns(), o["respawns"])
	check("login", g.Player().Login, o["login"])
	check("nick", g.Player().Nick, o["nickname"])
	check("program", g.Program(), o["exe_version"])
	if list, ok := o["checkpoints"].([]any); ok {
		times := g.Checkpoints()
		check("checkpoint count", len(times), len(list))
		for i := range min(len(times), len(list)) {
			check("checkpoint", number(times[i]), list[i].([]any)[0])
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
			if inputs[i].Name == "Steer" && (inputs[i].Value < -Full || inputs[i].Value > Full) {
				t.Errorf("%s: steering at %d", where, inputs[i].Value)
			}
		}
	}
}
