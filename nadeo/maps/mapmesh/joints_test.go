package mapmesh

import (
	stdmaps "maps"
	"math"
	"slices"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo/blocks"
	"pakbox/nadeo/blocks/shapes"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/maps/scene"
)

// joint is where two blocks can meet: the middle of the side of a cell, in metres.
type joint struct{ x, y, z float32 }

// border is the edge of a block's deck at a joint: its ends in the catalogue at the two
// corners of the side, and the outermost points of the drawn deck between them.
type border struct {
	corners [2]gbx.Vec3
	width   float64
	deck    [2]gbx.Vec3
	drawn   bool
	name    string
}

// Blocks whose ends fit by the catalogue meet to a centimetre.
func TestJoints(t *testing.T) {
	fit, met := 0, 0
	missed := map[string]int{}
	for _, data := range corpus.GBX(t, "03043000") {
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Fatal(err)
		}
		m, err := maps.Of(f)
		if err != nil {
			t.Fatal(err)
		}
		layout := scene.Of(m)
		open := map[joint][]border{}
		for _, b := range m.Blocks() {
			kind := m.Kind(&b)
			if kind == nil || b.Free || len(kind.Ends) == 0 {
				continue
			}
			key, place, ok := layout.Shape(m, &b, scene.Track)
			if !ok || key.Kind == nil {
				continue
			}
			for i := range kind.Ends {
				e, at := borderOf(key, &kind.Ends[i], layout.Cell, &place)
				for _, other := range open[at] {
					if fits(&e, &other) {
						fit++
						if e.drawn && other.drawn && meets(e.deck, other.deck) {
							met++
						} else {
							missed[e.name+" and "+other.name]++
						}
					}
				}
				open[at] = append(open[at], e)
			}
		}
	}
	t.Logf("%d of %d joints meet to a centimetre: %.4f", met, fit, float64(met)/float64(max(fit, 1)))
	worst := slices.SortedFunc(stdmaps.Keys(missed), func(a, b string) int { return missed[b] - missed[a] })
	for _, names := range worst[:min(len(worst), 12)] {
		t.Logf("%5d %s", missed[names], names)
	}
	if fit < 100 || float64(met) < 0.99*float64(fit) {
		t.Errorf("%d of %d joints meet; want 99 of 100, of at least 100", met, fit)
	}
}

// borderOf finds the border of a block at an end, and the joint.
func borderOf(k shapes.Key, e *blocks.End, cell gbx.Vec3, place *scene.Instance) (border, joint) {
	size := shapes.CellsOf(k.Kind, k.Ground).Size
	wide, long := float32(size.X)*cell.X, float32(size.Z)*cell.Z
	from, to := float32(e.Cell), float32(e.Cell+1)
	var a, b gbx.Vec3
	switch e.Side {
	case blocks.North:
		a, b = gbx.Vec3{X: from * cell.X, Z: long}, gbx.Vec3{X: to * cell.X, Z: long}
	case blocks.South:
		a, b = gbx.Vec3{X: from * cell.X}, gbx.Vec3{X: to * cell.X}
	case blocks.East:
		a, b = gbx.Vec3{Z: from * cell.Z}, gbx.Vec3{Z: to * cell.Z}
	default:
		a, b = gbx.Vec3{X: wide, Z: from * cell.Z}, gbx.Vec3{X: wide, Z: to * cell.Z}
	}
	along := minus(b, a)
	out := border{width: e.Width, name: k.Kind.Name}
	low, high := float32(math.Inf(1)), float32(math.Inf(-1))
	for _, f := range shapes.Mesh(k, cell) {
		for _, p := range f.Corners {
			d := minus(p, a)
			t := (d.X*along.X + d.Z*along.Z) / (along.X*along.X + along.Z*along.Z)
			off := math.Hypot(float64(d.X-t*along.X), float64(d.Z-t*along.Z))
			if f.Part != shapes.Deck || off > 0.01 || t < -0.001 || t > 1.001 {
				continue
			}
			if t < low {
				low, out.deck[0] = t, p
			}
			if t > high {
				high, out.deck[1] = t, p
			}
			out.drawn = true
		}
	}
	a.Y, b.Y = float32(e.From), float32(e.To)
	out.corners = [2]gbx.Vec3{a, b}
	for i := range 2 {
		out.corners[i], out.deck[i] = moved(out.corners[i], place), moved(out.deck[i], place)
	}
	round := func(f float32) float32 { return float32(math.Round(float64(f))) }
	c, d := out.corners[0], out.corners[1]
	return out, joint{round((c.X + d.X) / 2), round((c.Y + d.Y) / 2), round((c.Z + d.Z) / 2)}
}

func moved(p gbx.Vec3, place *scene.Instance) gbx.Vec3 {
	p = place.Turn.Apply(p)
	return gbx.Vec3{X: p.X + place.Position.X, Y: p.Y + place.Position.Y, Z: p.Z + place.Position.Z}
}

// fits reports whether two ends have the same heights and width.
func fits(a, b *border) bool { return a.width == b.width && meets(a.corners, b.corners) }

// meets reports whether two edges have the same end points, in either order.
func meets(a, b [2]gbx.Vec3) bool {
	const centimetre = 0.01
	near := func(p, q gbx.Vec3) bool {
		d := minus(p, q)
		return math.Sqrt(float64(d.X*d.X+d.Y*d.Y+d.Z*d.Z)) <= centimetre
	}
	return near(a[0], b[0]) && near(a[1], b[1]) || near(a[0], b[1]) && near(a[1], b[0])
}
