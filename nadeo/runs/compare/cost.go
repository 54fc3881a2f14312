package compare

import (
	"fmt"
	"slices"
)

// Cost is a part of the track on which the other run lost time.
type Cost struct {
	From, To float64 // along the first line, in metres
	Loss     float64 // milliseconds
	Why      string  // for example "braked 12 m earlier, line 3.1 m longer, 8 km/h slower at the end"
}

// Limits for costs.
const (
	costs       = 5    // largest number of places
	costLeast   = 10.0 // smallest loss in milliseconds
	costPart    = 40   // a place is this part of the track's length: one fortieth,
	costShort   = 40.0 // but at least this many metres
	brakeLook   = 30.0 // metres before a place in which its braking may begin
	brakeLeast  = 3.0  // smallest difference worth telling, in metres
	longerLeast = 0.5  // smallest difference worth telling, in metres
)

// Costs returns the places where the other run lost most time, the worst first.
func (a *Against) Costs() (list []Cost) {
	p := a.Points
	if len(p) < 2 {
		return nil
	}
	step := p[1].Distance - p[0].Distance
	n := max(1, int(max(costShort, p[len(p)-1].Distance/costPart)/step))
	taken := make([]bool, len(p))
	for len(list) < costs {
		best, lost := -1, costLeast
		for i := 0; i+n < len(p); i++ {
			if d := p[i+n].Delta - p[i].Delta; d > lost && !taken[i] && !taken[i+n] {
				best, lost = i, d
			}
		}
		if best < 0 {
			break
		}
		for i := range p[best : best+n+1] {
			taken[best+i] = true
		}
		list = append(list, Cost{p[best].Distance, p[best+n].Distance, lost, a.why(best, best+n, int(brakeLook/step))})
	}
	return list
}

// why describes what the other run did differently between two points.
func (a *Against) why(from, to, look int) string {
	part := a.Points[max(0, from-look) : to+1]
	first := slices.IndexFunc(part, func(p Point) bool { return p.FirstSample.Brake > 0.5 })
	other := slices.IndexFunc(part, func(p Point) bool { return p.OtherSample.Brake > 0.5 })
	if other > 0 && first < 0 {
		return fmt.Sprintf("braked at %.0f m, where the first did not", part[other].Distance)
	}
	if other > 0 && part[first].Distance-part[other].Distance >= brakeLeast {
		return fmt.Sprintf("braked %.0f m earlier", part[first].Distance-part[other].Distance)
	}
	ways := [2]float64{}
	for i := from + 1; i <= to; i++ {
		x, y := &a.Points[i-1], &a.Points[i]
		ways[0] += distance(x.FirstSample.Position, y.FirstSample.Position)
		ways[1] += distance(x.OtherSample.Position, y.OtherSample.Position)
	}
	if longer := ways[1] - ways[0]; longer >= longerLeast && longer > 0.01*ways[0] {
		return fmt.Sprintf("line %.1f m longer", longer)
	}
	slower := func(i int) float64 { return 3.6 * (a.Points[i].FirstSample.Speed - a.Points[i].OtherSample.Speed) }
	if slower(from) > slower(to) {
		return fmt.Sprintf("%.0f km/h slower on entry", slower(from))
	}
	return fmt.Sprintf("%.0f km/h slower at the end", slower(to))
}
