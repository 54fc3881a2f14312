package maps_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/nadeotest/roomtest"
	"pakbox/nadeo/runs"
)

func TestMapsAgainstOracle(t *testing.T) {
	t.Parallel()
	seen, compared := 0, 0
	roomtest.Each(t, roomtest.MapFolders, func(c roomtest.File) {
		o, _ := c.Oracle["map"].(map[string]any)
		if o == nil || c.Oracle["ok"] != true {
			return
		}
		m, err := maps.Of(c.File)
		if err != nil {
			t.Errorf("%s: %v", c.Path, err)
			return
		}
		seen++
		check := func(what string, got, want any) { roomtest.Same(t, c.Path, what, got, want, &compared) }
		check("name", m.Name(), o["name"])
		check("uid", m.UID(), o["uid"])
		check("login", m.Author().Login, o["author_login"])
		check("nick", m.Author().Nick, o["author_nick"])
		check("title", m.Title(), o["title_id"])
		check("map type", m.Type(), o["map_type"])
		check("comments", m.Comments(), o["comments"])
		medals := m.Medals()
		if m.Scoring().Author == maps.Times { // the other program states the time of the run in every mode
			check("author medal", roomtest.Number(medals.Author), o["author"])
		}
		check("gold", roomtest.Number(medals.Gold), o["gold"])
		check("silver", roomtest.Number(medals.Silver), o["silver"])
		check("bronze", roomtest.Number(medals.Bronze), o["bronze"])
		laps, isLapRace := m.Laps()
		check("laps", laps, o["laps"])
		check("lap race", isLapRace, o["is_lap_race"])
		if n := m.StoredCheckpoints(); n >= 0 {
			check("checkpoints", n, o["nb_checkpoints"])
		}
		list, first := m.Blocks(), false
		if _, first = gbx.Find[*game.Chunk0304300F](m.File.Body); first {
			storedFlags(list)
			o["blocks"].(map[string]any)["ground"] = nil // the other program looks at bits of later maps
		}
		checkBlocks(check, "blocks", list, o["blocks"])
		checkBlocks(check, "baked", m.BakedBlocks(), o["baked"])
		checkItems(check, m.Items(), o["items"])
		checkEmbedded(t, check, m, o["embedded"])
		p := m.Password()
		if p.HasCRC && p.CRC != p.WantCRC {
			t.Errorf("%s: CRC %08X, want %08X", c.Path, p.CRC, p.WantCRC)
		}
		if g := runs.ValidationGhost(m); (g != nil) != (o["validation_ghost"] != nil) {
			t.Errorf("%s: validation ghost %v, want %v", c.Path, g != nil, o["validation_ghost"] != nil)
		}
		if meta, ok := o["metadata"].(map[string]any); ok {
			check("metadata", len(m.Meta()), meta["count"])
		}
	})
	if seen < 200 {
		t.Errorf("only %d maps were compared", seen)
	}
	t.Logf("%d values of %d maps", compared, seen)
}

// storedFlags gives blocks of the first maps the flags that their files have.
func storedFlags(list []maps.Block) {
	for i := range list {
		f := list[i].Flags
		chance := f >> 6 & 0x3F
		if chance == 0x3F {
			chance = 0xFFF
		}
		list[i].Flags = f&0x3F | chance<<12 | f>>12<<24
	}
}

func checkBlocks(check func(string, any, any), what string, blocks []maps.Block, want any) {
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
	if o["ground"] != nil {
		check(what+" ground", ground, o["ground"])
	}
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

func checkItems(check func(string, any, any), items []maps.Item, want any) {
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

func checkEmbedded(t *testing.T, check func(string, any, any), m *maps.Map, want any) {
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
