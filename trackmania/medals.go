package trackmania

import (
	"strconv"

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

// isTime reports whether medals of a mode are times, not points or respawns.
func isTime(mode game.CGameCtnChallengePlayMode) bool {
	return mode != game.CGameCtnChallengePlayModeStunts && mode != game.CGameCtnChallengePlayModePlatform
}

// MedalText gives what a medal takes as players write it.
func MedalText(t gbx.Time, mode game.CGameCtnChallengePlayMode) string {
	if isTime(mode) || t == gbx.NoTime {
		return TimeText(t)
	}
	return strconv.Itoa(int(t))
}

// ParseMedal reads what a medal takes as players write it.
func ParseMedal(s string, mode game.CGameCtnChallengePlayMode) (gbx.Time, bool) {
	if n, err := strconv.ParseInt(s, 10, 32); err == nil && !isTime(mode) {
		return gbx.Time(n), n >= 0
	}
	return ParseTime(s)
}
