package trackmania

import (
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
)

// Medals are what the medals of a map take: times, or respawns on a Platform
// map, or points on a Stunts map. gbx.NoTime is none.
type Medals struct {
	Author, Gold, Silver, Bronze gbx.Time
}

// Medals returns the map's medals.
func (m *Map) Medals() Medals {
	if p, ok := gbx.Find[*game.Chunk0305B00A](m.parameters()); ok {
		return Medals{p.AuthorTime, p.GoldTime, p.SilverTime, p.BronzeTime}
	}
	if p, ok := gbx.Find[*game.Chunk0305B004](m.parameters()); ok {
		return Medals{p.AuthorTime, p.GoldTime, p.SilverTime, p.BronzeTime}
	}
	if h, ok := head[*game.Header03043002](m); ok && h.Version >= 1 {
		return Medals{h.AuthorTime, h.GoldTime, h.SilverTime, h.BronzeTime}
	}
	return Medals{gbx.NoTime, gbx.NoTime, gbx.NoTime, gbx.NoTime}
}

// InOrder reports whether better medals are harder to get.
func (s Medals) InOrder(mode game.CGameCtnChallengePlayMode) bool {
	var before gbx.Time
	first := true
	for _, t := range []gbx.Time{s.Author, s.Gold, s.Silver, s.Bronze} {
		if t == gbx.NoTime {
			continue
		}
		if mode == game.CGameCtnChallengePlayModeStunts {
			t = -t // more points are better
		}
		if !first && t < before {
			return false
		}
		before, first = t, false
	}
	return true
}
