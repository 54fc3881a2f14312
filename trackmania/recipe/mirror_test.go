package recipe_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/testkit/corpus"
	"pakbox/trackmania/maps"
	"pakbox/trackmania/picture"
	"pakbox/trackmania/recipe"
	"pakbox/trackmania/runs"
	"pakbox/trackmania/scene"
)

// allMaps is the variable of the environment under which the tests take every
// map of the corpus. Otherwise they take one in nine.
const allMaps = "PAKBOX_ALL_MAPS"

// playedMaps goes through the maps of the corpus, files and inside runs.
func playedMaps(t *testing.T, visit func(path string, fresh func() *maps.Map)) {
	t.Helper()
	n := 0
	for _, folder := range []string{"gbx/03043000", "gbx/24003000", "gbx/03093000", "gbx/2403f000", "gbx/2407e000", "gbx-runs", "gbx-hard"} {
		top, below, _ := strings.Cut(folder, "/")
		for _, path := range corpus.Files(t, corpus.Dir(t, top), below, "*.[gG]bx") {
			if n++; os.Getenv(allMaps) == "" && n%9 != 0 {
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

// faces are the slabs of a scene as texts, each with how often it is there: the
// middle and the three edges of the box, to a tenth of a metre, whichever way an
// edge points. Flip mirrors them in the plane x = width/2.
func faces(s *scene.Scene, flip bool) map[string]int {
	width := float32(s.Size.X) * s.Cell.X
	near := func(v float32) int {
		return int(math.Round(float64(v) * 10))
	}
	all := map[string]int{}
	for i := range s.Blocks {
		t := &s.Blocks[i]
		at, edges := t.At, [3]gbx.Vec3{{X: t.Extent.X}, {Y: t.Extent.Y}, {Z: t.Extent.Z}}
		if flip {
			at.X = width - at.X
		}
		texts := make([]string, 3)
		for k := range edges {
			e := t.Turn.Apply(edges[k])
			if flip {
				e.X = -e.X
			}
			v := [3]int{near(e.X), near(e.Y), near(e.Z)}
			if v[0] < 0 || v[0] == 0 && (v[1] < 0 || v[1] == 0 && v[2] < 0) {
				v = [3]int{-v[0], -v[1], -v[2]}
			}
			texts[k] = fmt.Sprint(v)
		}
		slices.Sort(texts)
		all[fmt.Sprint(near(at.X), near(at.Y), near(at.Z), texts, t.Way)]++
	}
	return all
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
// edit was refused, which at most one map in ten may be whose blocks can be
// edited at all. Few blocks are not quite alike on both sides: a map may differ
// in one slab of fifty.
func TestMirrorIsAMirror(t *testing.T) {
	mirror := parsed(t, "mirror in=all along=x\n")
	seen, refused, kept, plans := 0, 0, 0, 0
	playedMaps(t, func(path string, fresh func() *maps.Map) {
		m := fresh()
		want := faces(scene.Of(m), true)
		if _, err := mirror.Apply(m, nil); err != nil {
			if strings.Contains(err.Error(), "is not known") {
				seen, refused = seen+1, refused+1
			} else {
				kept++ // blocks of the first games, and those of TMUnlimiter
			}
			return
		}
		seen++
		got, missing, all := faces(scene.Of(m), false), 0, 0
		for k, n := range want {
			all += n
			missing += max(0, n-got[k])
		}
		if missing*50 > all {
			t.Errorf("%s: %d of %d slabs have no mirror image", path, missing, all)
		}
		if seen%8 == 1 { // pictures take long
			if other := planDifference(fresh(), m); other > 0.02 {
				t.Errorf("%s: %.1f %% of the plan is not that of the mirrored map", path, 100*other)
			}
			plans++
		}
	})
	if plans < 4 {
		t.Errorf("only %d plans were compared", plans)
	}
	t.Logf("%d maps mirrored, %d refused with the names of their blocks, %d that cannot be edited", seen-refused, refused, kept)
	share := 10
	if os.Getenv(allMaps) == "" {
		share = 5 // of a sample, one in five
	}
	if seen < 30 || refused*share > seen {
		t.Errorf("%d of %d maps were refused", refused, seen)
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
