package recipe_test

import (
	"bytes"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/testkit/corpus"
	"pakbox/internal/testkit/tier"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/maps/scene"
	"pakbox/nadeo/picture"
	"pakbox/nadeo/recipe"
	"pakbox/nadeo/runs"
)

// playedMaps goes through one in nine maps of the corpus, files and inside runs, and in the
// long tier through all.
func playedMaps(t *testing.T, visit func(path string, fresh func() *maps.Map)) {
	t.Helper()
	n := 0
	for _, folder := range []string{"gbx/03043000", "gbx/24003000", "gbx/03093000", "gbx/2403f000", "gbx/2407e000", "gbx-runs", "gbx-hard"} {
		top, below, _ := strings.Cut(folder, "/")
		for _, path := range corpus.Files(t, corpus.Dir(t, top), below, "*.[gG]bx") {
			if n++; !tier.IsLong() && n%9 != 0 {
				continue
			}
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f, err := gbx.Parse(data, engine.Registry())
			if err != nil {
				continue
			}
			if r, err := runs.ReplayOf(f); err == nil && len(r.MapFile()) > 0 {
				data = r.MapFile()
			}
			fresh := func() *maps.Map {
				f, err := gbx.Parse(data, engine.Registry())
				if err != nil {
					return nil
				}
				m, _ := maps.Of(f)
				return m
			}
			if m := fresh(); m != nil && m.BlockCount() > 0 {
				visit(path, fresh)
			}
		}
	}
}

// face is a slab of a scene: the middle and the three edges of the box, and what it
// is on the way.
type face struct {
	at    gbx.Vec3
	edges [3]gbx.Vec3
	way   scene.Way
	taken bool
}

// faces are the slabs of a scene by the metre that their middle lies in. Flip
// mirrors them in the plane x = width/2.
func faces(s *scene.Scene, flip bool) map[[3]int][]*face {
	width := float32(s.Size.X) * s.Cell.X
	all := map[[3]int][]*face{}
	for i := range s.Blocks {
		t := &s.Blocks[i]
		f := &face{at: t.Center, edges: [3]gbx.Vec3{{X: t.Extent.X}, {Y: t.Extent.Y}, {Z: t.Extent.Z}}, way: t.Way}
		for k := range f.edges {
			if f.edges[k] = t.Turn.Apply(f.edges[k]); flip {
				f.edges[k].X *= -1
			}
		}
		if flip {
			f.at.X = width - f.at.X
		}
		all[metre(f.at, 0)] = append(all[metre(f.at, 0)], f)
	}
	return all
}

// tenth is how far slabs may lie apart that are the same, in metres.
const tenth = 0.1

// metre is the metre that a place lies in, after it was moved by a tenth of a
// metre along the axes that the bits of corner name.
func metre(p gbx.Vec3, corner int) (m [3]int) {
	for i, v := range []float32{p.X, p.Y, p.Z} {
		m[i] = int(math.Floor(float64(v) + tenth*float64((corner>>i&1)-(corner>>(i+3)&1))))
	}
	return m
}

// same reports whether two slabs are the same, whichever way their edges point.
func (f *face) same(g *face) bool {
	near := func(a, b gbx.Vec3, sign float32) bool {
		return max(math.Abs(float64(a.X-sign*b.X)), math.Abs(float64(a.Y-sign*b.Y)), math.Abs(float64(a.Z-sign*b.Z))) < tenth
	}
	for _, e := range f.edges {
		if !slices.ContainsFunc(g.edges[:], func(o gbx.Vec3) bool { return near(e, o, 1) || near(e, o, -1) }) {
			return false
		}
	}
	return f.way == g.way && near(f.at, g.at, 1)
}

// missing counts the slabs that are not among others.
func missing(slabs, among map[[3]int][]*face) (n int) {
	for _, list := range slabs {
		for _, f := range list {
			if !take(f, among) {
				n++
			}
		}
	}
	return n
}

// take takes the slab that is the same as another one; false if none exists.
func take(f *face, among map[[3]int][]*face) bool {
	for corner := range 64 { // near the border of a metre it may lie in the next one
		for _, g := range among[metre(f.at, corner)] {
			if !g.taken && f.same(g) {
				g.taken = true
				return true
			}
		}
	}
	return false
}

func parsed(t *testing.T, text string) *recipe.Recipe {
	t.Helper()
	r, err := recipe.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The surface of a mirrored map is the mirror image of the map's surface, or the
// edit was refused, which at most one map in ten may be. Few blocks are not quite alike on both sides: a map may differ
// in one slab of fifty.
func TestMirrorIsAMirror(t *testing.T) {
	mirror := parsed(t, "mirror in=all along=x\n")
	seen, refused, kept, plans, few := 0, 0, 0, 0, 0
	playedMaps(t, func(path string, fresh func() *maps.Map) {
		m := fresh()
		want := faces(scene.Of(m), true)
		if _, err := mirror.Apply(m, nil); err != nil {
			if strings.Contains(err.Error(), "is not known") {
				seen, refused = seen+1, refused+1
			} else {
				kept++ // blocks of TMUnlimiter
			}
			return
		}
		seen++
		after := scene.Of(m)
		if n := missing(want, faces(after, false)); n*50 > len(after.Blocks) {
			t.Errorf("%s: %d of %d slabs have no mirror image", path, n, len(after.Blocks))
		} else if n > 0 {
			few++
		}
		if every := tier.IsLong(); every || seen%8 == 1 { // pictures take long
			if other := planDifference(fresh(), m); other > 0.02 {
				t.Errorf("%s: %.1f %% of the plan is not that of the mirrored map", path, 100*other)
			}
			plans++
		}
	})
	if plans < 4 {
		t.Errorf("only %d plans were compared", plans)
	}
	t.Logf("%d maps mirrored, %d refused with the names of their blocks, %d that cannot be edited; %d have a few slabs without image; %d plans compared", seen-refused, refused, kept, few, plans)
	share := 10
	if !tier.IsLong() {
		share = 5 // of a sample, one in five
	}
	if seen < 30 || (refused+kept)*share > seen+kept {
		t.Errorf("%d of %d maps were refused, and %d cannot be edited", refused, seen, kept)
	}
}

// planDifference is the share of pixels in which the plan of a map differs from the
// flipped plan of another one.
func planDifference(a, b *maps.Map) float64 {
	one, other := picture.Map(a).Image(), picture.Map(b).Image()
	if one.Bounds() != other.Bounds() {
		return 1
	}
	const top, foot, edge, north, near = 93, 57, 33, 50, 40 // pixels around the plan; steps of a colour
	w, h := one.Bounds().Dx(), one.Bounds().Dy()
	different, all := 0, 0
	for y := top; y < h-foot; y++ {
		for x := edge; x < w-edge; x++ {
			if y < top+north && (x < edge+north || x > w-edge-north) {
				continue // the arrow to the north
			}
			all++
			r, g, b, _ := one.At(x, y).RGBA()
			r2, g2, b2, _ := other.At(w-1-x, y).RGBA()
			for _, d := range []int{int(r>>8) - int(r2>>8), int(g>>8) - int(g2>>8), int(b>>8) - int(b2>>8)} {
				if d > near || d < -near {
					different++
					break
				}
			}
		}
	}
	return float64(different) / float64(all)
}

// free reports whether something on a map stands at a place in metres.
func free(m *maps.Map) bool {
	return m.ItemCount() > 0 || slices.ContainsFunc(m.Blocks(), func(b maps.Block) bool { return b.Free })
}

// sameButDigits compares blocks and items: those on the grid are the same, others
// stand at the same place to a millimetre, turned alike.
func sameButDigits(t *testing.T, path string, a, b *maps.Map) {
	t.Helper()
	far := func(x, y gbx.Vec3, most float64) bool {
		return math.Max(math.Abs(float64(x.X-y.X)), math.Max(math.Abs(float64(x.Y-y.Y)), math.Abs(float64(x.Z-y.Z)))) > most
	}
	turned := func(x, y gbx.Vec3) bool { // of two ways to write a rotation both are right
		p, _ := scene.PlaceItem(0, &maps.Item{YawPitchRoll: x})
		q, _ := scene.PlaceItem(0, &maps.Item{YawPitchRoll: y})
		return math.Abs(float64(p.Turn[0]*q.Turn[0]+p.Turn[1]*q.Turn[1]+p.Turn[2]*q.Turn[2]+p.Turn[3]*q.Turn[3])) < 1-1e-5
	}
	was, is := a.Blocks(), b.Blocks()
	for i := range was {
		x, y := was[i], is[i]
		if x.Free && (far(x.Position, y.Position, 1e-3) || turned(x.YawPitchRoll, y.YawPitchRoll)) {
			t.Errorf("%s: block %d %s: %v %v, and was %v %v", path, i, x.Name, y.Position, y.YawPitchRoll, x.Position, x.YawPitchRoll)
			return
		}
		if y.Position, y.YawPitchRoll = x.Position, x.YawPitchRoll; x != y {
			t.Errorf("%s: block %d is %+v, and was %+v", path, i, y, x)
			return
		}
	}
	old, now := a.Items(), b.Items()
	for i := range old {
		if x, y := &old[i], &now[i]; far(x.Position, y.Position, 1e-3) || turned(x.YawPitchRoll, y.YawPitchRoll) {
			t.Errorf("%s: item %d %s: %v %v, and was %v %v", path, i, x.Model.ID, y.Position, y.YawPitchRoll, x.Position, x.YawPitchRoll)
			return
		}
	}
}

// Two mirrors, and four quarters of a turn, give the same file, byte for byte.
func TestMirrorsAndTurnsComeBack(t *testing.T) {
	for _, text := range []string{
		"mirror in=all along=x\nmirror in=all along=x\n", "mirror in=all along=z\nmirror in=all along=z\n",
		"turn in=all by=1\nturn in=all by=1\nturn in=all by=1\nturn in=all by=1\n",
	} {
		r := parsed(t, text)
		r.AllowUnknown = true
		n := 0
		playedMaps(t, func(path string, fresh func() *maps.Map) {
			m := fresh()
			if m.Size().X != m.Size().Z && strings.HasPrefix(text, "turn") {
				return
			}
			before, err := m.File.Encode()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := r.Apply(m, nil); err != nil {
				return
			}
			after, err := m.File.Encode()
			if err != nil {
				t.Fatal(err)
			}
			n++
			if free(m) { // numbers of 32 bits lose their last digits on the way
				sameButDigits(t, path, fresh(), m)
			} else if !bytes.Equal(before, after) {
				t.Errorf("%s: %q gives another file", path, strings.SplitN(text, "\n", 2)[0])
			}
		})
		if n < 30 {
			t.Errorf("%q: only %d maps", text, n)
		}
	}
}
