package recipe

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/finding"
	"pakbox/gbx"
	trackmania "pakbox/nadeo"
	"pakbox/nadeo/gbxarchive"
	"pakbox/nadeo/lint"
	"pakbox/nadeo/maps"
)

// A track of 200 blocks and 50 items on the empty map of each generation: saved
// and read back it is the recipe block by block, every check is passed, and the
// second save is the same file. Maps of TrackMania Forever hold no items.
func TestTrackOnEachGeneration(t *testing.T) {
	for _, c := range []struct {
		game  trackmania.Generation
		items int
	}{{trackmania.Forever, 0}, {trackmania.ManiaPlanet4, 50}, {trackmania.Trackmania2020, 50}} {
		t.Run(string(c.game), func(t *testing.T) {
			m, err := maps.New(maps.Options{Game: c.game})
			if err != nil {
				t.Fatal(err)
			}
			text, blocks, items := longTrack(c.game, 200, c.items)
			effects, err := parse(t, text).Apply(m, nil)
			if err != nil || len(effects) != 200+c.items {
				t.Fatalf("len(effects) = %v, err = %v; want no error, effects of length 200 + c.items", len(effects), err)
			}
			after := saved(t, m)
			same(t, after, blocks, items)
			data, err := m.File.Encode()
			if err != nil {
				t.Fatal(err)
			}
			verify(t, data)
			for _, found := range append(after.LintStrict(), lint.Map(after, int64(len(data)))...) {
				if found.Severity != finding.Error {
					continue // names that no game has
				}
				t.Errorf("found = %+v", found)
			}
		})
	}
}

// longTrack is a recipe, and what stands on the map then.
func longTrack(game trackmania.Generation, blocks, items int) (text string, wantBlocks []maps.Block, wantItems []maps.Item) {
	var b strings.Builder
	recent := game == trackmania.Trackmania2020
	for i := range blocks {
		at := gbx.Int3{X: int32(4 + i%20), Y: int32(9 + i/100), Z: int32(4 + i/20)}
		want := maps.Block{Name: fmt.Sprintf("StadiumRoad%d", i%7), Coord: at, Direction: i % 4, Color: -1}
		line := fmt.Sprintf("place block=%s at=%d,%d,%d facing=%s", want.Name, at.X, at.Y, at.Z, ways[i%4])
		if i%5 == 0 {
			line += " ground=yes"
			want.Flags |= 1 << 12
		}
		if i%11 == 0 {
			want.Skin, want.Author = fmt.Sprintf(`Skins\Any\Advert%d.dds`, i%3), "Nadeo"
			want.Flags |= 1 << 15
			line += " skin=" + want.Skin
		}
		if game != trackmania.Forever && i%50 == 7 {
			want.Waypoint, want.Order = "LinkedCheckpoint", i/50
			want.Flags |= 1 << 20
			line += fmt.Sprintf(" waypoint=LinkedCheckpoint order=%d", want.Order)
		}
		if recent {
			want.Color = i % 6
			line += fmt.Sprintf(" color=%d", want.Color)
			if i%10 == 3 {
				want.Coord, want.Direction, want.Free = gbx.Int3{X: -1, Z: -1}, 0, true
				want.Flags |= 1 << 29
				want.Position, want.YawPitchRoll = gbx.Vec3{X: float32(i) * 7.25, Y: 30.5, Z: 400}, gbx.Vec3{X: 0.5, Y: -0.25, Z: 1}
				line = strings.Replace(line, fmt.Sprintf("at=%d,%d,%d facing=%s", at.X, at.Y, at.Z, ways[i%4]), fmt.Sprintf("free=%g,30.5,400 turned=0.5,-0.25,1", want.Position.X), 1)
			}
		}
		fmt.Fprintln(&b, line)
		wantBlocks = append(wantBlocks, want)
	}
	for i := range items {
		want := maps.Item{Position: gbx.Vec3{X: float32(i) * 20, Y: 16, Z: 333.5}, YawPitchRoll: gbx.Vec3{X: float32(i) / 16}, Scale: 1 + float32(i%3)/2, Color: -1}
		line := fmt.Sprintf("place item=Flag%d at=%g,16,333.5 turned=%g,0,0 scale=%g", i%4, want.Position.X, want.YawPitchRoll.X, want.Scale)
		if recent {
			want.Color = i % 6
			line += fmt.Sprintf(" color=%d", want.Color)
		}
		if i%25 == 0 {
			want.Waypoint = "Checkpoint"
			line += " waypoint=Checkpoint"
		}
		fmt.Fprintln(&b, line)
		want.Model.ID = gbx.NewID(fmt.Sprintf("Flag%d", i%4))
		wantItems = append(wantItems, want)
	}
	return b.String(), wantBlocks, wantItems
}

func same(t *testing.T, m *maps.Map, blocks []maps.Block, items []maps.Item) {
	t.Helper()
	got, gotItems := m.Blocks(), m.Items()
	if len(got) != len(blocks) || len(gotItems) != len(items) {
		t.Fatalf("%d blocks and %d items, want %d and %d", len(got), len(gotItems), len(blocks), len(items))
	}
	for i := range got {
		if got[i] != blocks[i] {
			t.Errorf("block %d is %+v, want %+v", i, got[i], blocks[i])
		}
	}
	for i := range gotItems {
		if !gotItems[i].Model.ID.Equal(items[i].Model.ID) || gotItems[i].Model.Author.String() != nadeo || !sameItem(gotItems[i], items[i]) {
			t.Errorf("item %d is %+v, want %+v", i, gotItems[i], items[i])
		}
	}
}

const nadeo = "Nadeo"

// verify does what the command of that name does.
func verify(t *testing.T, data []byte) {
	t.Helper()
	in := archive.Input{ReaderAt: bytes.NewReader(data), Size: int64(len(data)), Name: "a.Map.Gbx"}
	a, err := gbxarchive.Format{}.Open(context.Background(), in, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	report, err := a.Verify(context.Background(), archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Findings {
		t.Errorf("verify: %s", f.Message)
	}
	for _, f := range report.Facts {
		if f.Value == false {
			t.Errorf("verify: not %s", f.Name)
		}
	}
}
