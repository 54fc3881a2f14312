package shapes

import (
	"math"
	"strings"
)

// bends lists the corner of its box about which a road without known ends bends: the one in
// the north and east, or the one in the south and west. The cells do not show it, because many
// curves take their whole box. Neighbours show it: of 961 such curves on all maps at hand,
// 85 % of the ends have a block whose name begins alike where they are drawn, and 18 %
// where they would be if the curves bent about the other corner. (BayRoad goes on in
// blocks with other names, which older counts had included.) A road is not in the list
// if no map showed its corner.
var bends = map[string]map[string]corner{
	"Stadium":     {"StadiumRoad": northEast, "StadiumTube": northEast, "StadiumTrench": northEast},
	"Stadium2020": {"Road": northEast, "TrackWall": northEast},
	"Canyon":      {"RoadMain": northEast},
	"Bay":         {"BayRoad": northEast, "BayBridge": southWest, "BayTunnel": southWest},
	"Coast":       {"CoastRoad": southWest, "CoastTunnel": northEast},
	"Island":      {"Island": southWest},
	"Snow":        {"Alpine": southWest},
	"Rally":       {"RallyTunnel": southWest},
	"Desert":      {"Speed": southWest},
}

type corner bool

const (
	northEast corner = false
	southWest corner = true
)

// isCurve reports whether a name is that of a curve and nothing else: no wall, border or
// end of a slope.
func isCurve(name string) bool {
	return strings.HasSuffix(strings.TrimRight(name, "2345"), "Curve")
}

// bend finds the openings of a curve over a square of cells.
func (s *shape) bend() (from, to opening, ok bool) {
	n := s.cells.Size.X
	if n < 2 || s.cells.Size.Z != n || s.Kind.Radius != 0 && s.Kind.Radius != int(n) {
		return from, to, false
	}
	about, known := northEast, false
	for beginning, c := range bends[s.Kind.Environment] {
		if s.diagonal && strings.HasPrefix(s.Kind.Name, beginning) && isCurve(s.Kind.Name) {
			about, known = c, true
		}
	}
	if driven := s.profile.samples > 0; driven {
		known = s.Kind.Has("curve") && (known || strings.Contains(s.Kind.Name, "Road") && s.profile.fits(s))
	}
	if !known {
		return from, to, false
	}
	middle, half := float64(s.cell.X)/2, s.half()
	if about == southWest {
		return opening{x: middle, dz: 1, half: half}, opening{x: s.wide, z: s.long - middle, dx: -1, half: half}, true
	}
	return opening{z: middle, dx: 1, half: half}, opening{x: s.wide - middle, z: s.long, dz: -1, half: half}, true
}

// half is half the width of a road without known ends. Those that are not called roads,
// such as tunnels, are as wide as their cells.
func (s *shape) half() float64 {
	if strings.Contains(s.Kind.Name, "Road") {
		return roadWidth / 2 * float64(s.cell.X) / 32
	}
	return float64(s.cell.X) / 2
}

// fits reports whether the learned places lie on a curve from east to north.
func (p *profile) fits(s *shape) bool {
	on, all := 0.0, 0.0
	r := s.long - float64(s.cell.X)/2
	for _, q := range p.spots {
		all += q.weight
		if math.Abs(math.Hypot(q.x, s.long-q.z)-r) < float64(s.cell.X)/2+4 {
			on += q.weight
		}
	}
	return on > 0.9*all
}
