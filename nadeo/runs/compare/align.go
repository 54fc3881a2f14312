package compare

import (
	"math"
	"sort"

	"pakbox/gbx"
	"pakbox/nadeo/runs"
)

// alignment states when one run reached each place on the line of another run. Between the
// knots it interpolates.
type alignment struct{ knots []knot }

// knot is a moment of the other run, and its distance along the first run's line at that
// moment. Both values only grow from knot to knot.
type knot struct{ time, way float64 }

// time returns the moment at which the other run reached a distance; false if it never
// got there.
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

// align projects the line of q onto the line of p. At checkpoints that both passed, the
// times are known to the millisecond, so these are knots. Between two checkpoints each
// sample of q belongs to the nearest place on the line of p.
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

// section adds knots for the samples of q that lie between two checkpoints: from sample i
// up to a time, on the part of p between two distances. It returns the number of the
// first remaining sample.
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

// segment returns the number of the piece of the line that contains a distance. Piece n
// ends at sample n.
func (p *path) segment(way float64) int {
	i := sort.Search(len(p.way), func(i int) bool { return p.way[i] >= way })
	return min(max(i, 1), len(p.way)-1)
}

// search follows a car along a part of another car's line.
type search struct {
	*path
	first, last int // range of pieces of the line to look at
	at          int // piece on which the car was last found
}

// Limits of the search around the last piece.
const (
	behind = 4    // pieces back
	ahead  = 40.0 // metres, plus twice the distance that the car moved
	lost   = 30.0 // metres beside the line; if the car is farther away, the whole part is searched
)

// next returns the distance along the line of the place nearest to a car. moved is how
// far the car came since the last call.
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

// nearer measures the distance from a car to piece n, and keeps it if it is the best so
// far. Distances are squared.
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
