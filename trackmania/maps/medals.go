package maps

import (
	"strconv"
	"strings"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/trackmania"
)

// Medals are what the medals of a map take: times, or what [Map.Scoring] says.
// gbx.NoTime is none.
type Medals struct {
	Author, Gold, Silver, Bronze gbx.Time
}

// MedalNames are the names of the medals, best first.
var MedalNames = [4]string{"author", "gold", "silver", "bronze"}

// List gives the medals in the order of [MedalNames].
func (m *Medals) List() [4]*gbx.Time {
	return [4]*gbx.Time{&m.Author, &m.Gold, &m.Silver, &m.Bronze}
}

// Unit is what a medal counts.
type Unit uint8

// More points are better; of times and respawns, fewer are.
const (
	Times Unit = iota
	Points
	Respawns
)

// Scoring says what the author's medal counts, and what the other medals count.
type Scoring struct{ Author, Others Unit }

// Scoring returns what the medals of the map count: respawns on a Platform map,
// points on a Stunts map. Until TrackMania Forever the author's is a time there
// all the same; in Trackmania (2020), where the type of the map tells, it is not.
func (m *Map) Scoring() Scoring {
	switch m.Mode() {
	case game.CGameCtnChallengePlayModeStunts:
		return Scoring{Times, Points}
	case game.CGameCtnChallengePlayModePlatform:
		return Scoring{Times, Respawns}
	}
	switch kind := m.Type(); kind[strings.LastIndexByte(kind, '\\')+1:] {
	case "TM_Stunt":
		return Scoring{Points, Points}
	case "TM_Platform":
		return Scoring{Respawns, Respawns}
	}
	return Scoring{Times, Times}
}

// Medals returns the map's medals.
func (m *Map) Medals() Medals {
	s := m.site()
	return Medals{mapAuthorTime.Read(s), mapGold.Read(s), mapSilver.Read(s), mapBronze.Read(s)}
}

// Reached returns the best medal that a time gets: author, gold, silver or bronze; ""
// for none.
func (s Medals) Reached(t gbx.Time) string {
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

// Texts gives what the medals take as players write it, author's first.
func (s Medals) Texts(by Scoring) [4]string {
	return [4]string{by.Author.text(s.Author), by.Others.text(s.Gold), by.Others.text(s.Silver), by.Others.text(s.Bronze)}
}

func (u Unit) text(t gbx.Time) string {
	if u == Times || t == gbx.NoTime {
		return trackmania.TimeText(t)
	}
	return strconv.Itoa(int(t))
}

// ParseMedal reads what a medal takes as players write it.
func ParseMedal(s string, by Unit) (gbx.Time, bool) {
	t, isTime := gbx.ParseTime(s)
	if by == Times || t == gbx.NoTime {
		return t, isTime
	}
	n, err := strconv.ParseUint(s, 10, 31)
	return gbx.Time(n), err == nil
}

// SetMedals changes what the medals take.
func (m *Map) SetMedals(s Medals) {
	mapAuthorTime.Set(m.site(), s.Author)
	mapGold.Set(m.site(), s.Gold)
	mapSilver.Set(m.site(), s.Silver)
	mapBronze.Set(m.site(), s.Bronze)
}
