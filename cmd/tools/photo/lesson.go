package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// subject is what has one average colour: a material on upper sides or on others, in an
// environment at a time of day.
type subject struct{ environment, mood, material, facing string }

// lesson is the sum of the average colours in photographs.
type lesson struct {
	sum         vector
	photographs float64
}

type table map[subject]lesson

// subjectOf returns the subject at a pixel.
func (p *page) subjectOf(i int) subject {
	s := subject{p.photograph.environment, p.photograph.mood, "sky", "up"}
	if n := p.view.material[i]; n > 0 {
		s.material = p.view.materials[n-1].Name
		if p.view.normal[i][1] < 0.7 {
			s.facing = "aside"
		}
	}
	return s
}

// fair reports whether a photograph shows what is drawn, so that it can teach colours.
func (p *page) fair() bool {
	const colour, edges = 0.05, 0.1
	return p.view != nil && p.score.colour > colour && p.score.edges > edges
}

// lessons averages the colours of all photographs but those of a part; -1 leaves out none.
// A material counts in a photograph with at least a hundred pixels.
func (a *album) lessons(except int) table {
	const enough = 100
	t := table{}
	for i := range a.pages {
		p := &a.pages[i]
		if p.part == except || !p.fair() {
			continue
		}
		sums, sizes := map[subject]vector{}, map[subject]float64{}
		for n, colour := range p.photograph.colours {
			s := p.subjectOf(n)
			v := sums[s]
			sums[s] = vector{v[0] + colour[0], v[1] + colour[1], v[2] + colour[2]}
			sizes[s]++
		}
		for s, v := range sums {
			if sizes[s] < enough {
				continue
			}
			l := t[s]
			for k := range v {
				l.sum[k] += v[k] / sizes[s]
			}
			l.photographs++
			t[s] = l
		}
	}
	return t
}

// mean is the average colour.
func (l lesson) mean() vector {
	return vector{l.sum[0] / l.photographs, l.sum[1] / l.photographs, l.sum[2] / l.photographs}
}

// explains is the share of the variance of a photograph's colours that the table explains.
// What is not in the table counts with the average of the photograph.
func (t table) explains(p *page) float64 {
	var average vector
	for _, colour := range p.photograph.colours {
		for k := range colour {
			average[k] += colour[k] / side / side
		}
	}
	off, all := 0.0, 0.0
	for i, colour := range p.photograph.colours {
		guess := average
		if l, ok := t[p.subjectOf(i)]; ok {
			guess = l.mean()
		}
		d, e := colour.minus(guess), colour.minus(average)
		off, all = off+d.dot(d), all+e.dot(e)
	}
	return 1 - off/math.Max(all, 1e-9)
}

// text lists the table, sorted.
func (t table) text() string {
	var b strings.Builder
	b.WriteString("# Written by cmd/tools/run photo -learn; do not edit.\n# environment, mood, material, side, red, green, blue, number of photographs\n")
	order := func(a, b subject) int {
		return cmp.Or(cmp.Compare(a.environment, b.environment), cmp.Compare(a.mood, b.mood), cmp.Compare(a.material, b.material), cmp.Compare(a.facing, b.facing))
	}
	for _, s := range slices.SortedFunc(maps.Keys(t), order) {
		c := t[s].mean()
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s\t%.0f\t%.0f\t%.0f\t%.0f\n", s.environment, s.mood, s.material, s.facing, c[0], c[1], c[2], t[s].photographs)
	}
	return b.String()
}
