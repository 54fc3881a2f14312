package recipe_test

import (
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo/nadeotest/roomtest"
	"testing"

	"pakbox/finding"
	"pakbox/nadeo"
	"pakbox/nadeo/lint"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/nadeotest/mapsample"
	"pakbox/nadeo/recipe"
	"pakbox/nadeo/route"
)

func roadRecipe(t testing.TB, text string) *recipe.Recipe {
	t.Helper()
	r, err := recipe.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// again saves a map and reads it.
func again(t testing.TB, m *maps.Map) *maps.Map {
	t.Helper()
	data, err := m.File.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return mapsample.Parsed(t, data)
}

// tracks are roads of three games. The first word of each is where it begins.
var tracks = []struct {
	name  string
	game  nadeo.Generation
	begin string
	track string
}{
	{"a first track", nadeo.Trackmania2020, "", "start, straight 4, curve right 2, slope up, straight, checkpoint, straight 2, finish"},
	{"to dirt and back", nadeo.Trackmania2020, "at=10,9,10 facing=north", "start, straight 3, to dirt, curve left 3, checkpoint, to tech, chicane right 2, turbo, straight 5, finish"},
	{"up and down", nadeo.Trackmania2020, "at=30,9,5 facing=north", "start, slope up 2, straight, slope start up in 2, slope middle up, slope end up in 2, checkpoint, slope down, curve right 3, slope down 2, finish"},
	{"banked", nadeo.Trackmania2020, "at=24,12,10 facing=north", "start, straight, tilt right up, straight 2, curve left 3, tilt flat down, checkpoint, straight, finish"},
	{"laps", nadeo.Trackmania2020, "at=24,9,24 facing=east", "multilap, straight 2, curve left 3, straight 3, curve left 3, checkpoint, straight 2, curve left 3, straight 3, curve left 3, lap"},
	{"Forever", nadeo.Forever, "", "start, straight 4, curve right 2, slope up, straight, checkpoint, straight 2, finish"},
	{"Forever, high", nadeo.Forever, "at=12,1,5 facing=north", "start, turbo, slope start up in 2, slope middle up, slope end up in 2, curve right 3, checkpoint, chicane left 2, straight 3, finish"},
	{"Forever, a loop", nadeo.Forever, "at=10,3,10 facing=north", "start, straight 2, loop left, straight, checkpoint, straight 2, finish"},
	{"Forever, laps", nadeo.Forever, "at=16,1,16 facing=west", "multilap, straight 3, curve left 2, straight 4, curve left 2, checkpoint, straight 3, curve left 2, straight 4, curve left 2, lap"},
	{"ManiaPlanet", nadeo.ManiaPlanet4, "", "start, straight 4, curve right 2, slope up, straight, checkpoint, straight 2, finish"},
	{"ManiaPlanet, banked", nadeo.ManiaPlanet4, "at=10,12,10 facing=north", "start, straight 2, tilt right down, straight 2, curve left 2, tilt flat up, checkpoint, crest, straight, finish"},
}

// Roads in the language of tracks stand on the map without mistakes, lead from the start
// to the finish, and read as they were written. A road from which a block is taken has a
// gap.
func TestTracks(t *testing.T) {
	for _, c := range tracks {
		t.Run(c.name, func(t *testing.T) {
			m, err := maps.New(maps.Options{Game: c.game, Environment: "Stadium"})
			if err != nil {
				t.Fatal(err)
			}
			r := roadRecipe(t, "road "+c.begin+": "+c.track)
			if _, err := r.Apply(m, nil); err != nil {
				t.Fatal(err)
			}
			m = again(t, m)
			for _, f := range lint.Map(m, 1000) {
				if f.Severity != finding.Note {
					t.Errorf("lint.Map found %s: %s", f.Rule, f.Message)
				}
			}
			g := route.Of(m)
			way := g.Route()
			if way == nil || !way.Complete || way.String() != c.track {
				t.Fatalf("Route() = %v, want %s", way, c.track)
			}
			for i := 1; i+1 < len(way.Sections); i++ {
				left := m.Blocks()
				for k := range left {
					if left[k].Coord == way.Sections[i].Block.Coord {
						left = append(left[:k], left[k+1:]...)
						break
					}
				}
				if gaps := route.OfBlocks(m, left).Gaps(); len(gaps) == 0 || gaps[0].Missing.Coord != way.Sections[i].Block.Coord {
					t.Errorf("without %s (%s) Gaps() = %v", way.Sections[i].Block.Name, way.Sections[i].Word, gaps)
				}
			}
		})
	}
}

// The roads of real maps, in words, lay the same roads again on empty maps of their size.
func TestRealRoadsAgain(t *testing.T) {
	seen, whole := 0, 0
	for _, folder := range []string{"03043000", "24003000", "03093000", "2407e000"} {
		for path, data := range corpus.GBX(t, folder) {
			m := mapIn(data)
			if m == nil {
				continue
			}
			way := route.Of(m).Route()
			if way == nil || !way.Complete {
				continue
			}
			seen++
			text := way.String()
			empty, err := maps.New(maps.Options{Game: generations[m.Title() == "" && m.Collection() == "Stadium"], Environment: "Stadium"})
			if err != nil {
				t.Fatal(err)
			}
			first := way.Sections[0].Block
			layer, err := route.NewLayer(empty, nil)
			if err != nil {
				t.Fatal(err)
			}
			layer.Begin(first.Coord, first.Direction)
			if kind := m.Kind(first); kind != nil && kind.Environment == "Stadium2020" {
				layer.Surface = kind.Surface
			}
			if err := layer.Lay(text); err != nil {
				t.Logf("%s: %v", path, err)
				continue
			}
			if again := route.OfBlocks(empty, layer.Blocks).Route(); again == nil || again.String() != text {
				t.Errorf("%s: %s became %v", path, text, again)
			}
			whole++
		}
	}
	t.Logf("%d roads, %d laid again", seen, whole)
	if seen < 15 || whole*10 < seen*8 {
		t.Errorf("%d of %d roads laid again", whole, seen)
	}
}

var generations = map[bool]nadeo.Generation{true: nadeo.Forever, false: nadeo.Trackmania2020}

// mapIn returns the map in a file, or in the replay in it.
func mapIn(data []byte) *maps.Map {
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		return nil
	}
	if inside := roomtest.MapInReplay(f); inside != nil {
		if f, err = gbx.Parse(inside, engine.Registry()); err != nil {
			return nil
		}
	}
	m, err := maps.Of(f)
	if err != nil || m.Generation() == nadeo.ManiaPlanet4 {
		return nil
	}
	return m
}
