package runs

import (
	"cmp"
	"math"
	"slices"
	"time"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/nadeo"
	"pakbox/nadeo/maps"
)

// Board is a leaderboard for each map: the best time of each driver.
type Board struct {
	best map[boardKey]BoardRow
	maps map[string]boardMap // by UID
}

type boardKey struct{ uid, driver string }

// boardMap has the name and the medals of a map.
type boardMap struct {
	name   string
	medals maps.Medals
	scored bool // false if the medals count points, not times
}

// BoardRow is the row of one driver on the leaderboard of a map.
type BoardRow struct {
	MapUID, MapName string // the name is "" if no added file contains the map
	Rank            int    // from 1; equal times have one rank
	Driver          nadeo.Player
	Time, Gap       gbx.Time  // Gap is the time behind the first driver
	Medal           string    // author, gold, silver, bronze; "" for none, or if no added file contains the map
	Date            time.Time // of the run; zero if the ghost does not say
	File            string
	Ghost           int // number of the run in the file
}

// Add adds the runs of a file, and its map if it is or contains one. Runs without a time
// or a map do not count. Add reports whether any run of the file counted.
func (b *Board) Add(path string, f *gbx.File) bool {
	if b.best == nil {
		b.best, b.maps = map[boardKey]BoardRow{}, map[string]boardMap{}
	}
	m, err := maps.Of(f)
	is := err == nil
	if r, err := ReplayOf(f); err == nil {
		if _, known := b.maps[r.MapIdent().ID.String()]; !known && len(r.MapFile()) > 0 {
			if inside, err := gbx.Parse(r.MapFile(), engine.Registry()); err == nil {
				m, _ = maps.Of(inside)
			}
		}
	}
	if m != nil {
		b.AddMap(m)
	}
	for i, g := range GhostsOf(f) {
		is = true
		p := BoardRow{MapUID: g.MapUID(), Driver: g.Player(), Time: g.Time(), Date: g.date(), File: path, Ghost: i}
		key := boardKey{p.MapUID, cmp.Or(p.Driver.Login, p.Driver.Nick)}
		if before, ok := b.best[key]; p.Time != gbx.NoTime && p.MapUID != "" && (!ok || p.Time < before.Time) {
			b.best[key] = p
		}
	}
	return is
}

// AddMap adds a map, for its name and medals.
func (b *Board) AddMap(m *maps.Map) {
	b.maps[m.UID()] = boardMap{m.Name(), m.Medals(), m.Scoring() == maps.Scoring{}}
}

// Unknown lists the UIDs of maps that have runs on the board, but that no added file
// contains.
func (b *Board) Unknown() (uids []string) {
	for key := range b.best {
		if _, known := b.maps[key.uid]; !known {
			uids = append(uids, key.uid)
		}
	}
	slices.Sort(uids)
	return slices.Compact(uids)
}

// Empty reports whether the board has no run.
func (b *Board) Empty() bool { return len(b.best) == 0 }

// Places returns the rows of all maps, sorted by map name and time.
func (b *Board) Places() []BoardRow {
	list := make([]BoardRow, 0, len(b.best))
	for _, p := range b.best {
		m := b.maps[p.MapUID]
		p.MapName = m.name
		if m.scored {
			p.Medal = m.medals.Best(p.Time)
		}
		list = append(list, p)
	}
	slices.SortFunc(list, func(x, y BoardRow) int {
		return cmp.Or(cmp.Compare(nadeo.Plain(x.MapName), nadeo.Plain(y.MapName)), cmp.Compare(x.MapUID, y.MapUID),
			cmp.Compare(x.Time, y.Time), cmp.Compare(x.Driver.Login, y.Driver.Login))
	})
	first := 0
	for i := range list {
		if list[i].MapUID != list[first].MapUID {
			first = i
		}
		list[i].Rank, list[i].Gap = i-first+1, list[i].Time-list[first].Time
		if i > first && list[i].Time == list[i-1].Time {
			list[i].Rank = list[i-1].Rank
		}
	}
	return list
}

// date returns the time of the run, if the ghost has it.
func (g *Ghost) date() time.Time {
	if c, ok := gbx.Find[*game.Chunk0309202D](g.Node); ok && c.WalltimeStart != 0 && c.WalltimeStart != math.MaxUint32 { // both values mean none
		return time.Unix(int64(c.WalltimeStart), 0).UTC()
	}
	return time.Time{}
}
