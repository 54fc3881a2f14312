package trackmania

import (
	"strconv"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
)

// Medals are what the medals of a map take: times, or respawns on a Platform
// map, or points on a Stunts map, where only the author's is a time. gbx.NoTime
// is none.
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
	order := []gbx.Time{s.Author, s.Gold, s.Silver, s.Bronze}
	if !isTime(mode, false) {
		order = order[1:] // the author's is a time all the same
	}
	var before gbx.Time
	first := true
	for _, t := range order {
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

// Texts gives what the medals take as players write it, author's first.
func (s Medals) Texts(mode game.CGameCtnChallengePlayMode) [4]string {
	out := [4]string{TimeText(s.Author), TimeText(s.Gold), TimeText(s.Silver), TimeText(s.Bronze)}
	for i, t := range []gbx.Time{s.Author, s.Gold, s.Silver, s.Bronze} {
		if t != gbx.NoTime && !isTime(mode, i == 0) {
			out[i] = strconv.Itoa(int(t))
		}
	}
	return out
}

// isTime reports whether a medal of a mode is a time, not points or respawns.
// The author's always is.
func isTime(mode game.CGameCtnChallengePlayMode, author bool) bool {
	return author || mode != game.CGameCtnChallengePlayModeStunts && mode != game.CGameCtnChallengePlayModePlatform
}

// ParseMedal reads what a medal takes as players write it.
func ParseMedal(s string, mode game.CGameCtnChallengePlayMode, author bool) (gbx.Time, bool) {
	if n, err := strconv.ParseInt(s, 10, 32); err == nil && !isTime(mode, author) {
		return gbx.Time(n), n >= 0
	}
	return gbx.ParseTime(s)
}
