package shapes

import (
	"cmp"
	_ "embed"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"pakbox/nadeo/blocks"
)

// profiles are heights of surfaces that cars of recorded runs drove on, for blocks
// whose ends are not in the catalogue. "make profiles" writes the file with
// cmd/tools/drive; nothing in it is written by hand. Each line is an environment,
// a block with "/" and its variant where it shapes itself, the number of samples, and
// places as x,z,height,count: metres in the block's own frame, in squares of 8 m.
//
//go:embed profiles.txt
var profiles string

// profile is the learned surface of a block.
type profile struct {
	name    string // environment and block
	samples int
	spots   []spot
}

// spot is a measured place on the surface. Its weight is the number of samples.
type spot struct{ x, z, height, weight float64 }

// lessons are what was learned about the blocks of one environment. Each part is made when
// it is needed, because a map has blocks of one environment.
type lessons struct {
	lines    []string // of profiles
	profiles struct { // by the names of keys
		sync.Once
		all map[string]*profile
	}
	related struct { // profiles of blocks that many cars drove on, by what they share
		sync.Once
		all map[string]*profile
	}
	flat struct { // the heights of flat blocks, by the first words of their names
		sync.Once
		all map[string]float64
	}
}

var environments = sync.OnceValue(func() map[string]*lessons {
	all := map[string]*lessons{}
	for line := range strings.Lines(profiles) {
		name, _, _ := strings.Cut(line, " ")
		if name == "#" {
			continue
		}
		if all[name] == nil {
			all[name] = &lessons{}
		}
		all[name].lines = append(all[name].lines, line)
	}
	return all
})

// lessonsOf returns what was learned about an environment, which may be nothing.
func lessonsOf(environment string) *lessons {
	if l := environments()[environment]; l != nil {
		return l
	}
	return &lessons{}
}

func (l *lessons) learned() map[string]*profile {
	l.profiles.Do(func() { l.profiles.all = l.read() })
	return l.profiles.all
}

func (l *lessons) kins() map[string]*profile {
	l.related.Do(func() { l.related.all = l.findKins() })
	return l.related.all
}

func (l *lessons) bases() map[string]float64 {
	l.flat.Do(func() { l.flat.all = l.findBases() })
	return l.flat.all
}

func (l *lessons) read() map[string]*profile {
	all := make(map[string]*profile, len(l.lines))
	for _, line := range l.lines {
		f := strings.Fields(line)
		p := &profile{name: f[0] + " " + f[1]}
		p.samples, _ = strconv.Atoi(f[2])
		for _, word := range f[3:] {
			var v [4]float64
			for i, number := range strings.Split(word, ",") {
				v[i], _ = strconv.ParseFloat(number, 64)
			}
			p.spots = append(p.spots, spot{v[0], v[1], v[2], v[3]})
		}
		all[p.name] = p.without()
	}
	return all
}

// with adds the mirrored spots of the block's mirror image, whose width and length are in
// metres.
func (p *profile) with(image *profile, turn int, wide, long float64) *profile {
	out := &profile{}
	if p != nil {
		out.samples, out.spots = p.samples, slices.Clone(p.spots)
	}
	if p == nil || p.name != image.name {
		out.samples += image.samples
	}
	for _, q := range image.spots {
		q.x, q.z = blocks.Reflect(q.x, q.z, turn, wide, long)
		out.spots = append(out.spots, q)
	}
	return out
}

// settled removes noise of single cars: if nine tenths of the samples lie near one
// height, the whole profile gets that height.
func (p *profile) settled() *profile {
	middle, all := middle(p.spots), 0.0
	near := 0.0
	for _, q := range p.spots {
		all += q.weight
		if math.Abs(q.height-middle) < 0.7 {
			near += q.weight
		}
	}
	out := &profile{samples: p.samples}
	for _, q := range p.spots {
		if near > 0.9*all {
			q.height = middle
		}
		out.spots = append(out.spots, q)
	}
	return out
}

// without leaves out single spots far from those around them, which agree: there, cars
// drove on another block below.
func (p *profile) without() *profile {
	out := &profile{name: p.name, samples: p.samples}
	for _, q := range p.spots {
		low, high, around := math.Inf(1), math.Inf(-1), 0
		for _, o := range p.spots {
			if d := math.Hypot(o.x-q.x, o.z-q.z); d > 0 && d < 1.5*square {
				low, high, around = min(low, o.height), max(high, o.height), around+1
			}
		}
		if around < 3 || high-low > 1.5 || q.height > low-3 && q.height < high+3 {
			out.spots = append(out.spots, q)
		}
	}
	return out
}

// middle is the height in the middle of all samples.
func middle(spots []spot) float64 {
	sorted := slices.SortedFunc(slices.Values(spots), func(a, b spot) int { return cmp.Compare(a.height, b.height) })
	all := 0.0
	for _, q := range sorted {
		all += q.weight
	}
	below := 0.0
	for _, q := range sorted {
		if below += q.weight; below >= all/2 {
			return q.height
		}
	}
	return 0
}

// at is the height at a place of the block: of the spots around it, the nearer
// the more, along the slope that they have.
func (p *profile) at(x, z float64) float64 {
	const reach = 7.0 // metres
	var w, wx, wz, wh, xx, xz, zz, xh, zh float64
	for _, s := range p.spots {
		dx, dz := s.x-x, s.z-z
		d := (dx*dx + dz*dz) / (reach * reach)
		k := min(s.weight, 20) / (1 + d*d*d)
		w, wx, wz, wh = w+k, wx+k*dx, wz+k*dz, wh+k*s.height
		xx, xz, zz, xh, zh = xx+k*dx*dx, xz+k*dx*dz, zz+k*dz*dz, xh+k*dx*s.height, zh+k*dz*s.height
	}
	mean := wh / w
	// Weighted least squares of a plane. The ridge term keeps the plane flat where the
	// spots do not determine its slope.
	mx, mz := wx/w, wz/w
	ridge := w * reach * reach / 4
	xx, xz, zz = xx-w*mx*mx+ridge*0.2, xz-w*mx*mz, zz-w*mz*mz+ridge*0.2
	xh, zh = xh-w*mx*mean, zh-w*mz*mean
	det := xx*zz - xz*xz
	if det < 1e-9 {
		return mean
	}
	a, b := (xh*zz-zh*xz)/det, (zh*xx-xh*xz)/det
	return mean - a*mx - b*mz
}
