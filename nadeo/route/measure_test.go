package route_test

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/route"
	"pakbox/nadeo/runs"
)

// realMap is a map of the corpus, with a run that was driven on it, or none.
type realMap struct {
	path string
	m    *maps.Map
	run  []runs.Sample
}

// eachMap goes through the maps of the corpus, those in replays too. A map with several
// runs comes several times.
func eachMap(t *testing.T, visit func(r realMap)) {
	t.Helper()
	for _, folder := range []string{"gbx-runs", "gbx/03093000", "gbx/2403f000", "gbx/2407e000", "gbx/03043000", "gbx/24003000", "gbx-hard"} {
		top, below, _ := strings.Cut(folder, "/")
		for _, path := range corpus.Files(t, corpus.Dir(t, top), below, "*.[gG]bx") {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f, err := gbx.Parse(data, engine.Registry())
			if err != nil {
				continue
			}
			ghosts := runs.GhostsOf(f)
			if r, err := runs.ReplayOf(f); err == nil && len(r.MapFile()) > 0 {
				if f, err = gbx.Parse(r.MapFile(), engine.Registry()); err != nil {
					continue
				}
			}
			if m, err := maps.Of(f); err == nil {
				visit(realMap{path, m, longest(ghosts)})
			}
		}
	}
}

// longest returns the samples of the ghost that has the most.
func longest(ghosts []*runs.Ghost) (line []runs.Sample) {
	for _, g := range ghosts {
		if list, err := g.Telemetry(); err == nil && len(list) > 0 && len(list[0].Samples) > len(line) {
			line = list[0].Samples
		}
	}
	return line
}

// driven returns the numbers of the road blocks, with at least so many joined ends, that a
// run drove over.
func driven(r realMap, g *route.Graph) (joined, all []int) {
	f, cells := r.m.Frame(), map[gbx.Int3]bool{}
	for _, s := range r.run {
		cells[f.CellAt(s.Position)] = true
	}
	for i := range g.Pieces {
		p := &g.Pieces[i]
		b := &g.Blocks[p.Block]
		road := strings.HasPrefix(b.Name, "Road") || strings.HasPrefix(b.Name, "StadiumRoad")
		if !road || p.Kind.Role != 0 || len(p.Joints) < 2 || !slices.ContainsFunc(maps.CellsOf(p.Kind, b), func(c gbx.Int3) bool { return cells[c] }) {
			continue
		}
		all = append(all, p.Block)
		if g.Joined(i) == len(p.Joints) {
			joined = append(joined, p.Block)
		}
	}
	return joined, all
}

// No real map has a gap. If one block is taken from a road that a run drove over, and that
// went on at both ends, the gap is found in at least nine of ten maps. The count of all
// blocks of roads, beside platforms and jumps too, is only logged: there the other side
// has no road that could go on.
func TestGapsOfRealMaps(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	found := func(r realMap, g *route.Graph, list []int) bool {
		gone := list[rng.IntN(len(list))]
		cut := slices.Delete(slices.Clone(g.Blocks), gone, gone+1)
		for _, gap := range route.OfBlocks(r.m, cut).Gaps() {
			if slices.ContainsFunc(r.m.Cells(&gap.Missing), func(c gbx.Int3) bool { return slices.Contains(r.m.Cells(&g.Blocks[gone]), c) }) {
				return true
			}
		}
		t.Logf("%s: nothing found where %s at %v was", r.path, g.Blocks[gone].Name, g.Blocks[gone].Coord)
		return false
	}
	n, finished, joined, joinedFound, all, allFound := 0, 0, 0, 0, 0, 0
	eachMap(t, func(r realMap) {
		g := route.Of(r.m)
		n++
		if gaps := g.Gaps(); len(gaps) > 0 {
			t.Errorf("%s: %v at %v is missing", r.path, gaps[0].Missing.Name, gaps[0].Missing.Coord)
		}
		if len(r.run) > 0 {
			finished++
		}
		ends, any := driven(r, g)
		if len(ends) > 0 {
			joined++
			if found(r, g, ends) {
				joinedFound++
			}
		}
		if len(any) > 0 {
			all++
			if found(r, g, any) {
				allFound++
			}
		}
	})
	t.Logf("%d maps, %d with a run; a block taken from a joined road was found in %d of %d maps, one of any road in %d of %d", n, finished, joinedFound, joined, allFound, all)
	if n < 400 || finished < 100 || joined < 100 || joinedFound*10 < joined*9 {
		t.Errorf("%d maps, %d with a run; %d of %d gaps found", n, finished, joinedFound, joined)
	}
}

// Roads of the older Stadium meet at the ends that follow from their names: on real maps
// most ends are joined, and a third of each kind.
func TestEndsOfTheOlderStadium(t *testing.T) {
	type count struct{ ends, joined int }
	kinds := map[string]*count{}
	eachMap(t, func(r realMap) {
		if r.m.Collection() != "Stadium" {
			return
		}
		g := route.Of(r.m)
		for i := range g.Pieces {
			p := &g.Pieces[i]
			c := kinds[p.Kind.Name]
			if c == nil {
				c = &count{}
				kinds[p.Kind.Name] = c
			}
			c.ends += len(p.Joints)
			c.joined += g.Joined(i)
		}
	})
	ends, joined := 0, 0
	for name, c := range kinds {
		ends, joined = ends+c.ends, joined+c.joined
		if c.ends >= 20 && c.joined*3 < c.ends {
			t.Errorf("%s: %d of %d ends are joined, want at least a third", name, c.joined, c.ends)
		}
	}
	t.Logf("%d kinds, %d of %d ends are joined", len(kinds), joined, ends)
	if len(kinds) < 60 || joined*5 < ends*4 {
		t.Errorf("%d kinds, %d of %d ends are joined", len(kinds), joined, ends)
	}
}
