package maps

import (
	"math"
	"strconv"
	"strings"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/nadeo"
	"pakbox/nadeo/internal/places"
)

// Medals are the results required for the medals: times, or the units of [Map.Scoring].
// gbx.NoTime means none.
type Medals struct {
	Author, Gold, Silver, Bronze gbx.Time
}

// MedalNames are the names of the medals, best first.
var MedalNames = [4]string{"author", "gold", "silver", "bronze"}

// List returns the medals in the order of [MedalNames].
func (m *Medals) List() [4]*gbx.Time {
	return [4]*gbx.Time{&m.Author, &m.Gold, &m.Silver, &m.Bronze}
}

// Unit is the unit of a medal.
type Unit uint8

// For points, more is better; for times and respawns, less is better.
const (
	Times Unit = iota
	Points
	Respawns
)

// Scoring has the unit of the author's medal, and of the other medals.
type Scoring struct{ Author, Others Unit }

// Scoring returns the units of the map's medals: respawns on a Platform map, points on a
// Stunts map. In Trackmania (2020) the map's type decides.
func (m *Map) Scoring() Scoring {
	if unit, ok := unitOf(m.site()); ok {
		return Scoring{unit, unit}
	}
	switch kind := m.Type(); kind[strings.LastIndexByte(kind, '\\')+1:] {
	case "TM_Stunt":
		return Scoring{Points, Points}
	case "TM_Platform":
		return Scoring{Respawns, Respawns}
	}
	return Scoring{Times, Times}
}

// unitOf returns the unit of the medals of a mode without a race. The author's medal is
// then the author's score. Beside it the map states how long the author's run took.
func unitOf(s places.Site) (Unit, bool) {
	switch mapMode.Read(s) {
	case game.CGameCtnChallengePlayModeStunts:
		return Points, true
	case game.CGameCtnChallengePlayModePlatform:
		return Respawns, true
	}
	return Times, false
}

// authorMedal compares the places of a map that state the author's medal.
type authorMedal struct{}

func (authorMedal) Contradiction(s places.Site) string {
	if _, ok := unitOf(s); ok {
		return mapScore.Contradiction(s)
	}
	return mapAuthorTime.Contradiction(s)
}

// Medals returns the map's medals.
func (m *Map) Medals() Medals {
	s := m.site()
	author := mapAuthorTime.Read(s)
	if _, ok := unitOf(s); ok {
		author = authorScore(s)
	}
	return Medals{author, mapGold.Read(s), mapSilver.Read(s), mapBronze.Read(s)}
}

// authorScore returns the author's score; NoTime if nobody has driven the map.
func authorScore(s places.Site) gbx.Time {
	score, ok := mapScore.Find(s)
	if !ok || score == noScore(nadeo.Forever) || score == 0 && mapAuthorTime.Read(s) == gbx.NoTime {
		return gbx.NoTime
	}
	return gbx.Time(min(score, math.MaxInt32))
}

// Best returns the best medal for a time: author, gold, silver or bronze; "" for none.
func (s Medals) Best(t gbx.Time) string {
	for i, medal := range []gbx.Time{s.Author, s.Gold, s.Silver, s.Bronze} {
		if medal != gbx.NoTime && t <= medal {
			return []string{"author", "gold", "silver", "bronze"}[i]
		}
	}
	return ""
}

// InOrder reports whether better medals are harder to get.
func (s Medals) InOrder(by Scoring) bool {
	order := []gbx.Time{s.Author, s.Gold, s.Silver, s.Bronze}
	if by.Author != by.Others {
		order = order[1:]
	}
	var before gbx.Time
	first := true
	for _, t := range order {
		if t == gbx.NoTime {
			continue
		}
		if by.Others == Points {
			t = -t
		}
		if !first && t < before {
			return false
		}
		before, first = t, false
	}
	return true
}

// Texts formats the medals as players write them, the author's first.
func (s Medals) Texts(by Scoring) [4]string {
	return [4]string{by.Author.text(s.Author), by.Others.text(s.Gold), by.Others.text(s.Silver), by.Others.text(s.Bronze)}
}

func (u Unit) text(t gbx.Time) string {
	if u == Times || t == gbx.NoTime {
		return nadeo.TimeText(t)
	}
	return strconv.Itoa(int(t))
}

// ParseMedal reads the result for a medal as players write it.
func ParseMedal(s string, by Unit) (gbx.Time, bool) {
	t, isTime := gbx.ParseTime(s)
	if by == Times || t == gbx.NoTime {
		return t, isTime
	}
	n, err := strconv.ParseUint(s, 10, 31)
	return gbx.Time(n), err == nil
}

// SetMedals changes the results required for the medals, in every part of the file that
// states them. A medal that stays as it is is not written: the parts may state different
// things about it, and nobody asked to change them. It takes the values as they are:
// [Medals.InOrder] reports whether gold is harder than bronze.
func (m *Map) SetMedals(s Medals) {
	old := m.Medals()
	if s.Author != old.Author {
		switch _, ok := unitOf(m.site()); {
		case !ok:
			mapAuthorTime.Set(m.site(), s.Author)
		case s.Author == gbx.NoTime:
			mapScore.Set(m.site(), noScore(nadeo.Forever))
		default:
			mapScore.Set(m.site(), uint32(s.Author))
		}
	}
	if s.Gold != old.Gold {
		mapGold.Set(m.site(), s.Gold)
	}
	if s.Silver != old.Silver {
		mapSilver.Set(m.site(), s.Silver)
	}
	if s.Bronze != old.Bronze {
		mapBronze.Set(m.site(), s.Bronze)
	}
}
