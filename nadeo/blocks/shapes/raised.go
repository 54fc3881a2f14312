package shapes

import (
	"strings"

	"pakbox/nadeo/blocks"
)

// airborne is how much higher in metres Canyon's roads lie in the air than on the ground,
// into which they are sunk. It was measured on cars on seven roads in the air of three maps.
const airborne = 2.25

// AirHeight returns how much higher in metres a road lies in the air than on the ground, at t
// of its length, from 0 in the south to 1 in the north. The upper end of a slope lies in
// the air in both cases.
func AirHeight(kind *blocks.Block, t float64) float64 {
	all := airborneOf(kind)
	c, climbs := blocks.ClimbOf(kind.Environment, kind.Name)
	if !climbs || c.From == c.To {
		return all
	}
	low, high := float64(min(c.From, c.To)), float64(max(c.From, c.To))
	return all * (high - c.At(t)) / (high - low)
}

// airborneOf returns airborne for the roads that lie higher in the air, 0 for all else.
func airborneOf(kind *blocks.Block) float64 {
	if kind.Environment != "Canyon" || !strings.HasPrefix(kind.Name, "Road") || strings.Contains(kind.Name, "Arena") {
		return 0
	}
	return airborne
}

// raised lifts a profile of a road on the ground into the air.
func (s *shape) raised(p *profile) *profile {
	if s.Ground || airborneOf(s.Kind) == 0 {
		return p
	}
	out := *p
	out.spots = make([]spot, len(p.spots))
	for i, q := range p.spots {
		q.height += AirHeight(s.Kind, q.z/s.long)
		out.spots[i] = q
	}
	return &out
}
