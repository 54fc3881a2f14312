package compare

import (
	"math"
	"sort"

	"pakbox/gbx"
	"pakbox/trackmania/runs"
)

// alignment tells when one run came to each place on the line of another:
// knots, with straight lines between them.
type alignment struct{ knots []knot }

// knot is a moment of the other run, and how far along the first line it was.
// Both only grow.
type knot struct{ time, way float64 }

// time is when the other run came to a place; false beyond where it got.
func (l *alignment) time(way float64) (float64, bool) {
	k := l.knots
	i := sort.Search(len(k), func(i int) bool { return k[i].way >= way })
	switch {
	case i == len(k):
		return 0, false
	case i == 0:
		return k[0].time, true
	}
	a, b := k[i-1], k[i]
	return a.time + (b.time-a.time)*(way-a.way)/(b.way-a.way), true
}

func (l *alignment) add(time, way float64) {
	if n := len(l.knots); n > 0 && (way <= l.knots[n-1].way || time < l.knots[n-1].time) {
		return
	}
	l.knots = append(l.knots, knot{time, way})
}

// align finds the line of q on that of p. Checkpoints that both passed hold
// the two together: there the times are known to the millisecond. Between two
// of them each sample of q is where the line of p comes nearest.
func (p *path) align(q *path, splits []Split) *alignment {
	l := &alignment{knots: []knot{{0, 0}}}
	if len(p.samples) < 2 || len(q.samples) < 2 {
		return &alignment{}
	}
	i := 0
	from := 0.0
	for _, s := range splits {
		if s.Distance <= from || float64(s.Other) <= l.knots[len(l.knots)-1].time {
			continue
		}
		i = p.section(l, q, i, float64(s.Other), from, s.Distance)
		l.add(float64(s.Other), s.Distance)
		from = s.Distance
	}
	if len(splits) == 0 || !splits[len(splits)-1].Finish {
		p.section(l, q, i, math.Inf(1), from, p.length())
	}
	return l
}

// section places the samples of q, from the i-th on and before a time, on the
// part of p between two distances. It returns the first sample that is left.
func (p *path) section(l *alignment, q *path, i int, until, from, to float64) int {
	s := search{path: p, first: p.segment(from), last: p.segment(to)}
	s.at = s.first
	for ; i < len(q.samples) && float64(q.samples[i].Time) < until; i++ {
		moved := math.Inf(1)
		if i > 0 && !runs.Jumped(&q.samples[i-1], &q.samples[i]) {
			moved = distance(q.samples[i-1].Position, q.samples[i].Position)
		}
		if way := s.next(q.samples[i].Position, moved); way > from && way < to {
			l.add(float64(q.samples[i].Time), way)
		}
	}
	return i
}

// segment is the number of the piece of the line that holds a distance: piece
// n ends at sample n.
func (p *path) segment(way float64) int {
	i := sort.Search(len(p.way), func(i int) bool { return p.way[i] >= way })
	return min(max(i, 1), len(p.way)-1)
}

// search follows a car along a part of a line.
type search struct {
	*path
	first, last int // pieces of the line
	at          int // where the car was last
}

// How far a car is looked for.
const (
	behind = 4    // pieces back
	ahead  = 40.0 // metres, and twice what the car moved
	lost   = 30.0 // metres beside the line, at which it is looked for anywhere
)

// next is the place on the line that is nearest to a car that moved so far.
func (s *search) next(at gbx.Vec3, moved float64) float64 {
	best, piece, way := math.Inf(1), s.at, 0.0
	if !math.IsInf(moved, 1) {
		reach := s.way[s.at] + ahead + 2*moved
		for n := max(s.first, s.at-behind); n <= s.last && s.way[n-1] <= reach; n++ {
			s.nearer(n, at, &best, &piece, &way)
		}
	}
	if best > lost*lost {
		for n := s.first; n <= s.last; n++ {
			s.nearer(n, at, &best, &piece, &way)
		}
	}
	s.at = piece
	return way
}

// nearer keeps the nearest place of a piece of the line if it is nearer than
// what is known. Distances are squared.
func (s *search) nearer(n int, at gbx.Vec3, best *float64, piece *int, way *float64) {
	a, b := s.samples[n-1].Position, s.samples[n].Position
	dx, dy, dz := float64(b.X-a.X), float64(b.Y-a.Y), float64(b.Z-a.Z)
	ex, ey, ez := float64(at.X-a.X), float64(at.Y-a.Y), float64(at.Z-a.Z)
	long := s.way[n] - s.way[n-1]
	f := 0.0
	if long > 0 {
		f = min(max((dx*ex+dy*ey+dz*ez)/(dx*dx+dy*dy+dz*dz), 0), 1)
	}
	x, y, z := ex-f*dx, ey-f*dy, ez-f*dz
	if d := x*x + y*y + z*z; d < *best {
		*best, *piece, *way = d, n, s.way[n-1]+f*long
	}
}
