package main

import (
	"fmt"
	"math"
	"slices"
)

// score has the figures of one map. The controls are what chance gives.
type score struct {
	colour, edges               float64
	table                       float64
	colourControl, edgesControl float64
}

func (s score) String() string {
	return fmt.Sprintf("colour %.3f, edges %.3f, table %.3f (controls %.3f and %.3f)", s.colour, s.edges, s.table, s.colourControl, s.edgesControl)
}

// mean is the average of scores.
func mean(list []score) score {
	var sum score
	n := math.Max(1, float64(len(list)))
	for _, s := range list {
		sum.colour += s.colour / n
		sum.edges += s.edges / n
		sum.table += s.table / n
		sum.colourControl += s.colourControl / n
		sum.edgesControl += s.edgesControl / n
	}
	return sum
}

// controls keep all of a drawing but its meaning: they say which pixel of the drawing
// comes to a column.
var controls = []func(x int) int{
	func(x int) int { return side - 1 - x },
	func(x int) int { return (x + side*3/4) % side },
	func(x int) int { return (x + side/2) % side },
	func(x int) int { return (x + side/4) % side },
}

func same(x int) int { return x }

// compare measures a drawing on a photograph.
func compare(v *view, p *photograph) score {
	regions, count := v.regions()
	drawn, around := v.edges(), grown(p.edges())
	total := 0
	for _, e := range drawn {
		if e {
			total++
		}
	}
	var s score
	for _, control := range controls {
		s.colourControl += explained(regions, count, p, control) / float64(len(controls))
		s.edgesControl += met(drawn, around, total, control) / float64(len(controls))
	}
	s.colour = (explained(regions, count, p, same) - s.colourControl) / (1 - s.colourControl)
	s.edges = (met(drawn, around, total, same) - s.edgesControl) / math.Max(1-s.edgesControl, 1e-6)
	return s
}

// regions numbers the materials and directions of the pixels.
func (v *view) regions() (regions [side * side]int, count int) {
	type region struct {
		material int
		normal   [3]int
	}
	numbers := map[region]int{}
	for i, material := range v.material {
		key := region{material: material}
		for k, f := range v.normal[i] {
			key.normal[k] = int(math.RoundToEven(f * 1.5))
		}
		n, known := numbers[key]
		if !known {
			n = len(numbers)
			numbers[key] = n
		}
		regions[i] = n
	}
	return regions, len(numbers)
}

// explained is the share of the variance of colours that the regions explain.
func explained(regions [side * side]int, count int, p *photograph, from func(x int) int) float64 {
	sums, sizes := make([]vector, count+1), make([]float64, count+1)
	squares := 0.0
	for i, colour := range p.colours {
		for _, n := range []int{regions[i/side*side+from(i%side)], count} {
			sizes[n]++
			for k := range colour {
				sums[n][k] += colour[k]
			}
		}
		squares += colour.dot(colour)
	}
	within := squares
	for n := range count {
		if sizes[n] > 0 {
			within -= sums[n].dot(sums[n]) / sizes[n]
		}
	}
	return 1 - within/math.Max(squares-sums[count].dot(sums[count])/sizes[count], 1e-9)
}

// met is the share of drawn edges near an edge of the photograph. Few edges say nothing.
func met(drawn, around []bool, total int, from func(x int) int) float64 {
	const least = 50
	if total <= least {
		return 0
	}
	n := 0
	for i := range around {
		if around[i] && drawn[i/side*side+from(i%side)] {
			n++
		}
	}
	return float64(n) / float64(total)
}

// frame is the width of the border in which no edges count.
const frame = 2

func inside(x, y int) bool {
	return x >= frame && y >= frame && x < side-frame && y < side-frame
}

// edges are the pixels at which the drawing changes: its depth, material or direction.
func (v *view) edges() []bool {
	const jump, bend = 0.08, 0.94
	out := make([]bool, side*side)
	inverse := func(i int) float64 {
		if v.depth[i] == 0 {
			return 0
		}
		return 1 / max(v.depth[i], 1e-3)
	}
	for y := frame; y < side-frame; y++ {
		for x := frame; x < side-frame; x++ {
			i := y*side + x
			for _, k := range []int{i + 1, i + side} {
				a, b := inverse(i), inverse(k)
				out[i] = out[i] || math.Abs(a-b) > jump*max(a, b, 1e-6) || v.material[i] != v.material[k] ||
					v.depth[i] > 0 && v.normal[i].dot(v.normal[k]) < bend
			}
		}
	}
	return out
}

// edges are the eighth of the pixels at which the brightness changes most.
func (p *photograph) edges() []bool {
	const share = 0.88
	grey := func(x, y int) float64 {
		c := p.colours[(y+side)%side*side+(x+side)%side]
		return (c[0] + c[1] + c[2]) / 3
	}
	soft := make([]float64, side*side)
	for i := range soft {
		x, y := i%side, i/side
		soft[i] = (grey(x, y) + grey(x-1, y) + grey(x+1, y) + grey(x, y-1) + grey(x, y+1)) / 5
	}
	change := make([]float64, side*side)
	for i := range change {
		if x, y := i%side, i/side; inside(x, y) {
			change[i] = math.Hypot(soft[i+1]-soft[i-1], soft[i+side]-soft[i-side])
		}
	}
	sorted := slices.Sorted(slices.Values(change))
	least := sorted[int(share*float64(len(sorted)-1))]
	out := make([]bool, side*side)
	for i, c := range change {
		out[i] = c > least
	}
	return out
}

// grown adds all pixels within two of those given.
func grown(list []bool) []bool {
	const reach = 2
	out := make([]bool, len(list))
	for i, set := range list {
		if !set {
			continue
		}
		for dy := -reach; dy <= reach; dy++ {
			for dx := -reach; dx <= reach; dx++ {
				out[(i/side+dy+side)%side*side+(i%side+dx+side)%side] = true
			}
		}
	}
	return out
}
