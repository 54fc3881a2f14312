package blocks

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pakbox/gbx"
)

// A way begins and ends at its heights, is flat where its entry is flat, and elsewhere meets
// slopes: of one cell for each cell of its length on roads, of two on arenas.
func TestClimbs(t *testing.T) {
	const step = 1e-6
	seen := map[form]int{}
	for _, environment := range []string{"Canyon", "Valley"} {
		names := []string{"RoadMainSlopeUTop", "RoadMainSlopeUBottom"} // of maps; the catalogue has none of their form
		for b := range All(environment) {
			names = append(names, b.Name)
		}
		for _, name := range names {
			c, ok := ClimbOf(environment, name)
			if !ok {
				continue
			}
			seen[c.form]++
			rises := func(from, to float64) float64 { return (c.At(to) - c.At(from)) / (to - from) / float64(c.Long) }
			south, north := rises(0, step), rises(1-step, 1)
			if math.Abs(c.At(0)-float64(c.From)) > 1e-9 || math.Abs(c.At(1)-float64(c.To)) > 1e-9 {
				t.Errorf("%s: from %g to %g, want %d and %d", name, c.At(0), c.At(1), c.From, c.To)
			}
			steep := 1.0
			if strings.HasPrefix(name, "Arena") && !strings.Contains(name, "BiSlope") {
				steep = 2
			}
			near := func(what string, got, want float64) {
				if math.Abs(got-want) > 1e-4 {
					t.Errorf("%s: the slope %s is %g, want %g", name, what, got, want)
				}
			}
			way := steep * float64(c.To-c.From) / math.Abs(float64(c.To-c.From))
			switch {
			case c.form == starts:
				near("in the south", south, 0)
				near("in the north", north, way)
			case c.form == ends && c.To > c.From:
				near("in the south", south, way)
				near("in the north", north, 0)
			case c.form == ends:
				near("in the north", north, 0)
			case c.form == eased:
				near("in the south", south, 0)
				near("in the north", north, 0)
				near("of the halves", c.At(0.25)-c.At(0), c.At(1)-c.At(0.75))
			case c.form == arched: // a crest over level ground, or a dip
				sign := 1.0
				if strings.Contains(name, "Bottom") {
					sign = -1
				}
				near("in the south", south, sign)
				near("in the north", north, -sign)
			case c.From != c.To:
				near("everywhere", c.At(0.3), float64(c.From)+0.3*float64(c.To-c.From))
			}
		}
	}
	for _, f := range []form{steady, starts, ends, eased, arched} {
		if seen[f] == 0 {
			t.Errorf("no block has the form %d", f)
		}
	}
}

func TestClimbOf(t *testing.T) {
	for _, test := range []struct {
		environment, name string
		want              Climb
	}{
		{"Canyon", "RoadMainSlopeBase", Climb{2, 0, 1, eased}}, {"Valley", "RoadMainSlopeBase", Climb{1, 0, 1, eased}},
		{"Stadium", "RoadMainSlopeBase", Climb{}}, {"Canyon", "RoadMainSlopeBaseCurve", Climb{}}, {"Canyon", "NoSuchBlock", Climb{}}, {"", "", Climb{}},
		{"Valley", "RoadMainSlopeUBottom", Climb{1, 1, 1, arched}}, {"Canyon", "RoadMainSlopeUBottom", Climb{1, 0, 1, steady}},
	} {
		if got, ok := ClimbOf(test.environment, test.name); got != test.want || ok != (test.want.Long > 0) {
			t.Errorf("test.environment = %s test.name = %s: got = %+v, ok = %v; want got = %+v, ok = test.want.Long > 0", test.environment, test.name, got, ok, test.want)
		}
	}
}

// A place reflected on a block and again on its image is the place, and the box stays the
// box: its corners are corners of the image.
func TestReflect(t *testing.T) {
	const wide, long = 64, 96
	for turn := range 4 {
		w, l := float64(wide), float64(long)
		if turn%2 == 1 {
			w, l = l, w
		}
		for _, at := range [][2]float64{{0, 0}, {wide, 0}, {0, long}, {wide, long}, {10, 20}} {
			x, z := Reflect(at[0], at[1], turn, wide, long)
			if x < 0 || x > w || z < 0 || z > l {
				t.Errorf("turn %d: %v becomes %g, %g, outside of %g by %g", turn, at, x, z, w, l)
			}
			if bx, bz := Reflect(x, z, turn, w, l); bx != at[0] || bz != at[1] {
				t.Errorf("turn %d: %v becomes %g, %g and then %g, %g", turn, at, x, z, bx, bz)
			}
		}
	}
	// Without a turn west and east change places.
	if x, z := Reflect(10, 20, 0, wide, long); x != 54 || z != 20 {
		t.Errorf("x = %g, z = %g; want x = 54, z = 20", x, z)
	}
}

// The cells and the ends of a block are on the cells and the ends of its mirror image. A
// few blocks have a detail on one side only.
func TestMirrorImages(t *testing.T) {
	cells, ends, missing, open := 0, 0, 0, 0
	for _, environment := range Environments() {
		for b := range All(environment) {
			flat, ok := b.ImageOf(0)
			if !ok || b.ByVariant {
				continue
			}
			image := Find(environment, flat.Name)
			size := b.Ground.Size
			wide, long := float64(size.X), float64(size.Z)
			for c := range b.Ground.List() {
				x, z := Reflect(float64(c.X)+0.5, float64(c.Z)+0.5, flat.Turn, wide, long)
				if image.Ground.Known() && !image.Ground.Has(int32(math.Floor(x)), c.Y, int32(math.Floor(z))) {
					missing++
				}
				cells++
			}
			for _, e := range b.Ends {
				x, z := middle(e, wide, long)
				x, z = Reflect(x, z, flat.Turn, wide, long)
				found := slices.ContainsFunc(image.Ends, func(o End) bool {
					ox, oz := middle(o, float64(image.Ground.Size.X), float64(image.Ground.Size.Z))
					const near = 0.5 // metres
					heights := math.Abs(o.From-e.From) < near && math.Abs(o.To-e.To) < near || math.Abs(o.From-e.To) < near && math.Abs(o.To-e.From) < near
					return ox == x && oz == z && heights && o.Width == e.Width
				})
				if !found && len(image.Ends) > 0 {
					open++
				}
				ends++
			}
		}
	}
	if cells < 10_000 || missing > cells/50 || ends < 3000 || open > ends/50 {
		t.Errorf("%d of %d cells and %d of %d ends are not on the image", missing, cells, open, ends)
	}
	t.Logf("%d of %d cells, %d of %d ends", missing, cells, open, ends)
}

// middle returns the middle of an end on the side of its box.
func middle(e End, wide, long float64) (x, z float64) {
	along := float64(e.Cell) + 0.5
	switch e.Side {
	case North:
		return along, long
	case South:
		return along, 0
	case West:
		return wide, along
	}
	return 0, along
}

// The cells of a box that is not full are those of its mask, and no others.
func TestCells(t *testing.T) {
	c := Cells{Size: gbx.Int3{X: 3, Y: 2, Z: 2}, mask: []byte{0b1000_0001, 0b1000}} // cells 0, 7 and 11
	want := []gbx.Int3{{X: 0, Y: 0, Z: 0}, {X: 1, Y: 1, Z: 0}, {X: 2, Y: 1, Z: 1}}
	if got := slices.Collect(c.List()); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	full := Cells{Size: gbx.Int3{X: 3, Y: 2, Z: 2}, Full: true}
	if n := len(slices.Collect(full.List())); n != 12 || !full.Known() || (&Cells{}).Known() {
		t.Errorf("%d cells", n)
	}
	for _, at := range []gbx.Int3{{X: -1}, {Y: -1}, {Z: -1}, {X: 3}, {Y: 2}, {Z: 2}} {
		if full.Has(at.X, at.Y, at.Z) || c.Has(at.X, at.Y, at.Z) {
			t.Errorf("%v is in the box", at)
		}
	}
	for range full.List() {
		break // who has seen enough gets no more
	}
	ground, air := Cells{Size: gbx.Int3{X: 1}}, Cells{Size: gbx.Int3{X: 2}}
	for _, test := range []struct {
		b         Block
		on, above int32
	}{
		{Block{Ground: ground, Air: air}, 1, 2}, {Block{Ground: ground}, 1, 1}, {Block{Air: air}, 2, 2}, {Block{}, 0, 0},
	} {
		if on, above := test.b.Cells(true).Size.X, test.b.Cells(false).Size.X; on != test.on || above != test.above {
			t.Errorf("%d on the ground and %d above it, want %d and %d", on, above, test.on, test.above)
		}
	}
}

// The image of an image is the block: the same form in the same direction.
func TestImagesOfVariants(t *testing.T) {
	for _, b := range []*Block{
		{ByVariant: true, Family: "road", Mirror: "x"}, {ByVariant: true, Family: "border", Mirror: "x"}, {ByVariant: true, Surface: Transition, Mirror: "x"},
	} {
		forms := 0
		for variant := range uint32(64) {
			const other = 1<<12 | 1<<20 // flags that have nothing to do with the form
			image, ok := b.ImageOf(variant | other)
			if !ok {
				continue
			}
			forms++
			// Of ground between heights, forms 0 to 5 are pairs of mirror images; of borders, 6
			// and 7 are.
			paired := b.Surface == Transition && variant < 6 || b.Family == "border" && (variant == 6 || variant == 7)
			if (image.Flags != variant|other) != paired {
				t.Errorf("%s %s, variant %d: the image has the variant %d", b.Family, b.Surface, variant, image.Flags)
			}
			back, ok := b.ImageOf(image.Flags)
			if !ok || back.Flags != variant|other || back.Turn != image.Turn || image.Name != "x" || image.Turn < 0 || image.Turn > 3 {
				t.Errorf("%s %s, variant %d: %+v, and then %+v", b.Family, b.Surface, variant, image, back)
			}
		}
		if want := map[string]int{"road": 6, "border": 14, "": 64}[b.Family]; forms != want {
			t.Errorf("%s %s: %d forms, want %d", b.Family, b.Surface, forms, want)
		}
	}
}
