package runs

import (
	"testing"

	"pakbox/gbx"
	"pakbox/nadeo/nadeotest/roomtest"
)

// The board of all replays and ghosts of the corpus: each driver of a map once, with
// the best time, in order.
func TestBoard(t *testing.T) {
	t.Parallel()
	var b Board
	best := map[[2]string]gbx.Time{}
	for _, folders := range [][]string{roomtest.GhostFolders, roomtest.ReplayFolders} {
		roomtest.Each(t, folders, func(c roomtest.File) {
			if !b.Add(c.Path, c.File) && len(GhostsOf(c.File)) > 0 {
				t.Errorf("%s has nothing for a board", c.Path)
			}
			for _, g := range GhostsOf(c.File) {
				key := [2]string{g.MapUID(), g.Player().Login}
				if before, ok := best[key]; g.Time() != gbx.NoTime && key[0] != "" && key[1] != "" && (!ok || g.Time() < before) {
					best[key] = g.Time()
				}
			}
		})
	}
	places := b.Places()
	named, medals, dated := 0, map[string]int{}, 0
	for i, p := range places {
		if want, ok := best[[2]string{p.MapUID, p.Driver.Login}]; ok && want != p.Time {
			t.Errorf("%s: %v, want %v", p.File, p.Time, want)
		}
		if i > 0 && places[i-1].MapUID == p.MapUID && (p.Time < places[i-1].Time || p.Rank <= 1 && p.Gap > 0) {
			t.Errorf("%s: place %d behind %d", p.File, p.Rank, places[i-1].Rank)
		}
		if p.MapName != "" {
			named++
		}
		if !p.Date.IsZero() && p.Date.Year() < 2020 {
			t.Errorf("%s: driven in %v", p.File, p.Date)
		} else if !p.Date.IsZero() {
			dated++
		}
		medals[p.Medal]++
	}
	if len(places) < len(best) || named < 50 || dated < 20 || len(medals) < 4 {
		t.Errorf("%d places of %d drivers, %d with the map's name, %d with a date, medals %v", len(places), len(best), named, dated, medals)
	}
}
