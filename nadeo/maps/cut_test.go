package maps

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo"
	"pakbox/nadeo/internal/chunks"
	"pakbox/nadeo/nadeotest/roomtest"
)

// formOf is what a file is made of: chunks in their order, with their versions.
func formOf(f *gbx.File) string {
	var b strings.Builder
	for _, c := range f.Chunks {
		fmt.Fprintf(&b, "%v %v\n", c.ID, c.Heavy)
	}
	for _, c := range f.Body.Chunks {
		version, _ := chunks.ChunkVersion(c.Body)
		fmt.Fprintf(&b, "%v %v %d\n", c.ID, c.Skip, version)
	}
	return b.String()
}

// cutAgain cuts all of a map and reads what was written.
func cutAgain(t *testing.T, m *Map, box Box) (*Macroblock, gbx.Int3) {
	t.Helper()
	macro, corner, err := m.Cut(box, CutOptions{Name: "cut"})
	if err != nil {
		t.Fatal(err)
	}
	data, err := macro.File.Encode()
	if err != nil {
		t.Fatal(err)
	}
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	if macro, err = MacroblockOf(f); err != nil {
		t.Fatal(err)
	}
	return macro, corner
}

// A real macroblock that is pasted on an empty map and cut out of it has the form of
// the real one, and the same blocks and items, flag by flag.
func TestCutHasTheFormOfRealOnes(t *testing.T) {
	t.Parallel()
	n := 0
	for path, data := range corpus.GBX(t, "0310d000") {
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Fatal(err)
		}
		real, _ := MacroblockOf(f)
		c, _ := gbx.Find[*game.Chunk0310D000](f.Body)
		o := Options{Game: nadeo.Trackmania2020, Environment: "Stadium"}
		if real.Ident().Collection.String() == "11" {
			o = Options{Game: nadeo.ManiaPlanet4, Environment: "Valley"}
		}
		m, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		newer := strings.Contains(path, "96fe51ccf73b")
		if !newer { // games of that time had no colours
			m.File.Body.Chunks = slices.DeleteFunc(m.File.Body.Chunks, func(c gbx.Chunk) bool { return c.ID == 0x03043062 })
		}
		grounded := slices.ContainsFunc(real.Blocks(), func(b Block) bool { return b.Ground() })
		at := gbx.Int3{X: 5, Y: 20, Z: 6}
		if grounded {
			at.Y, _ = m.GroundLevel()
		}
		if err := m.PasteMacroblock(real, at, 0); err != nil {
			t.Fatal(err)
		}
		got, corner := cutAgain(t, m, m.Grid())
		if corner != at {
			t.Errorf("%s: cut at %v, pasted at %v", path, corner, at)
		}
		if g, w := formOf(got.File), formOf(f); g != w {
			t.Errorf("%s: made of\n%swant\n%s", path, g, w)
		}
		spawns, _ := gbx.Find[*game.Chunk0310D000](got.File.Body)
		for i := range c.BlockSpawns {
			g, w := spawns.BlockSpawns[i], c.BlockSpawns[i]
			if g.Version != w.Version || g.Coord != w.Coord || g.Direction != w.Direction || g.Flags != w.Flags || g.Color != w.Color ||
				!sameIdent(g.BlockModel, w.BlockModel) || g.Waypoint.IsNil() != w.Waypoint.IsNil() {
				t.Errorf("%s: block %d is\n%+v, want\n%+v", path, i, g, w)
			}
		}
		n++
	}
	if n < 30 {
		t.Errorf("%d macroblocks", n)
	}
}

// A whole map that is cut and pasted at its corner on the emptied map has every block
// and item where it stood.
func TestCutAndPaste(t *testing.T) {
	t.Parallel()
	cut, things := map[nadeo.Generation]int{}, 0
	roomtest.Each(t, []string{"03043000"}, func(c roomtest.File) {
		m, err := Of(c.File)
		if err != nil {
			return
		}
		all := Box{Min: gbx.Int3{X: -1 << 29, Y: -1 << 29, Z: -1 << 29}, Max: gbx.Int3{X: 1 << 29, Y: 1 << 29, Z: 1 << 29}}
		if g := m.Generation(); g != nadeo.ManiaPlanet4 && g != nadeo.Trackmania2020 {
			if _, _, err := m.Cut(all, CutOptions{}); fault.KindOf(err) != fault.Unsupported {
				t.Errorf("%s: err = %v; want err of kind fault.Unsupported", c.Path, err)
			}
			return
		}
		blocks, items := m.Blocks(), m.Items()
		if len(blocks)+len(items) == 0 || len(blocks) > 5000 {
			return
		}
		macro, corner := cutAgain(t, m, all)
		if _, err := m.RemoveBlocks(func(*Block) bool { return true }); err != nil {
			return // of a TMUnlimiter map
		}
		if _, err := m.RemoveItems(func(*Item) bool { return true }); err != nil {
			t.Fatal(err)
		}
		if err := m.PasteMacroblock(macro, corner, 0); err != nil {
			t.Errorf("%s: %v", c.Path, err)
			return
		}
		cut[m.Generation()]++
		things += len(blocks) + len(items)
		for i, got := range m.Blocks() {
			want := blocks[i]
			if want.Free {
				near(t, c.Path, got.Position, want.Position)
			}
			for _, b := range []*Block{&got, &want} { // what a macroblock does not hold
				b.Flags &= 1<<28 | 0x3F | 0x3F<<6 | 0x7F<<21
				b.Position, b.Color = gbx.Vec3{}, max(b.Color, 0)
				if b.Author == nadeoAuthor {
					b.Author = ""
				}
			}
			if want.Free {
				want.Coord, want.Direction = got.Coord, got.Direction
			}
			if got != want {
				t.Fatalf("%s: block %d is\n%+v, want\n%+v", c.Path, i, got, want)
			}
		}
		for i, got := range m.Items() {
			want := items[i]
			near(t, c.Path, got.Position, want.Position)
			if !sameIdent(got.Model, want.Model) || got.YawPitchRoll != want.YawPitchRoll || got.Pivot != want.Pivot || got.Scale != want.Scale ||
				got.Waypoint != want.Waypoint || max(got.Color, 0) != max(want.Color, 0) {
				t.Fatalf("%s: item %d is\n%+v, want\n%+v", c.Path, i, got, want)
			}
		}
	})
	if cut[nadeo.ManiaPlanet4] < 10 || cut[nadeo.Trackmania2020] < 5 || things < 5000 {
		t.Errorf("%v maps with %d blocks and items", cut, things)
	}
}

// near compares places that were moved there and back, in single precision.
func near(t *testing.T, path string, got, want gbx.Vec3) {
	t.Helper()
	const millimetre = 0.001
	for _, d := range []float32{got.X - want.X, got.Y - want.Y, got.Z - want.Z} {
		if d > millimetre || d < -millimetre {
			t.Errorf("%s: at %v, want %v", path, got, want)
			return
		}
	}
}

func TestParseBox(t *testing.T) {
	box, err := ParseBox("3,4,5:1,9,2")
	if want := (Box{gbx.Int3{X: 1, Y: 4, Z: 2}, gbx.Int3{X: 3, Y: 9, Z: 5}}); err != nil || box != want {
		t.Errorf("box = %v, err = %v; want no error, box = %v", box, err, want)
	}
	for _, text := range []string{"", "1,2,3", "1,2:3,4,5", "1,2,3:4,5,6:7", "1,2,3:4,5,99999", "a,b,c:1,2,3"} {
		if _, err := ParseBox(text); err == nil {
			t.Errorf("%q is a box", text)
		}
	}
}
