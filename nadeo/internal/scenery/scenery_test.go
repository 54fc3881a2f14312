package scenery

import (
	"slices"
	"testing"

	"pakbox/gbx"
	"pakbox/nadeo"
)

func TestDecorationSize(t *testing.T) {
	for _, c := range []struct {
		game                   nadeo.Generation
		collection, decoration string
		want                   gbx.Int3 // zero: unknown
	}{
		{nadeo.Forever, "Stadium", "Sunset", gbx.Int3{X: 32, Y: 32, Z: 32}},
		{nadeo.Forever, "Speed", "Day", gbx.Int3{X: 45, Y: 18, Z: 45}},
		{nadeo.Forever, "Speed", "30x30sunset", gbx.Int3{X: 30, Y: 18, Z: 30}},
		{nadeo.Forever, "Rally", "30x30Sunset", gbx.Int3{X: 30, Y: 18, Z: 30}},
		{nadeo.Forever, "Alpine", "20x60", gbx.Int3{X: 20, Y: 18, Z: 60}},
		{nadeo.Forever, "Island", "Day ", gbx.Int3{X: 45, Y: 36, Z: 45}},
		{nadeo.Forever, "Island", "Day", gbx.Int3{X: 36, Y: 36, Z: 36}},
		{nadeo.Forever, "Coast", "Night ", gbx.Int3{X: 45, Y: 36, Z: 45}},
		{nadeo.Forever, "Bay", "Night", gbx.Int3{X: 36, Y: 36, Z: 36}},
		{nadeo.ManiaPlanet4, "Stadium", "Day", gbx.Int3{X: 32, Y: 40, Z: 32}},
		{nadeo.ManiaPlanet4, "Stadium", "64x64Night", gbx.Int3{X: 64, Y: 64, Z: 64}},
		{nadeo.ManiaPlanet4, "Canyon", "Sunrise", gbx.Int3{X: 32, Y: 40, Z: 32}},
		{nadeo.ManiaPlanet4, "Valley", "Day48", gbx.Int3{X: 48, Y: 40, Z: 48}},
		{nadeo.ManiaPlanet4, "Lagoon", "Day48", gbx.Int3{X: 48, Y: 48, Z: 48}},
		{nadeo.ManiaPlanet4, "Storm", "Water48x48Day", gbx.Int3{X: 48, Y: 40, Z: 48}},
		{nadeo.Trackmania2020, "Stadium", "48x48Screen155Day", gbx.Int3{X: 48, Y: 40, Z: 48}},
		{nadeo.Trackmania2020, "Stadium", "Day16x12", gbx.Int3{X: 16, Y: 40, Z: 12}},
		{nadeo.Trackmania2020, "BlueBay", "Day64", gbx.Int3{X: 64, Y: 64, Z: 64}},
		{nadeo.Trackmania2020, "RedIsland", "Day", gbx.Int3{X: 64, Y: 64, Z: 64}},
		{nadeo.Trackmania2020, "RedIsland", "Day64", gbx.Int3{X: 64, Y: 64, Z: 64}},

		{nadeo.Forever, "Speed", "30x30night", gbx.Int3{}}, // no map was seen with it
		{nadeo.Forever, "Speed", "", gbx.Int3{}},           // and so it has no name
		{nadeo.Forever, "Canyon", "Day", gbx.Int3{}},
		{nadeo.ManiaPlanet4, "Canyon", "Day48", gbx.Int3{}},
		{nadeo.Trackmania2020, "Speed", "Day", gbx.Int3{}},
	} {
		got, ok := DecorationSize(c.game, c.collection, c.decoration)
		if got != c.want || ok != (c.want != gbx.Int3{}) {
			t.Errorf("%v %s %q: %v %v, want %v", c.game, c.collection, c.decoration, got, ok, c.want)
		}
	}
}

func TestHas(t *testing.T) {
	for _, c := range []struct {
		game       nadeo.Generation
		collection string
		want       bool
	}{
		{nadeo.Forever, "Bay", true}, {nadeo.Forever, "Canyon", false},
		{nadeo.ManiaPlanet4, "Canyon", true}, {nadeo.ManiaPlanet4, "Bay", false},
		{nadeo.Trackmania2020, "Stadium", true}, {nadeo.Trackmania2020, "", false},
	} {
		if got := Has(c.game, c.collection); got != c.want {
			t.Errorf("c.game = %v c.collection = %s: got = %v; want got = %v", c.game, c.collection, got, c.want)
		}
	}
}

// A new map gets scenery that real maps of the games have.
func TestEveryEnvironment(t *testing.T) {
	seen := map[nadeo.Generation]map[gbx.Hash128]string{}
	for game, all := range All {
		seen[game] = map[gbx.Hash128]string{}
		for _, s := range all {
			if game != nadeo.Trackmania2020 { // whose maps have no mask
				if other := seen[game][s.PackMask]; other != "" || s.PackMask == (gbx.Hash128{}) {
					t.Errorf("%v: %s has the mask of %q", game, s.Name, other)
				}
				seen[game][s.PackMask] = s.Name
			}
			if game != nadeo.Forever && (s.Title == "" || s.MapType == "" || s.Ground.Block == "" || s.Ground.Level == 0) {
				t.Errorf("%v %s: no title, type or ground", game, s.Name)
			}
			for _, b := range s.Bases {
				if b.Decorations[0] == "" || b.Size.X < 12 || b.Size.Y < 12 || b.Size.Z < 12 {
					t.Errorf("%v %s: base %+v", game, s.Name, b)
				}
				if size, ok := DecorationSize(game, s.Name, b.Decorations[0]); !ok || size != b.Size {
					t.Errorf("%v %s: two bases are called %q", game, s.Name, b.Decorations[0])
				}
			}
		}
	}
	stadium := All[nadeo.Trackmania2020][0]
	if stadium.Collection.String() != "26" || stadium.Ground.Offset != 8 || stadium.Bases[0].MoodSuffix != "" || stadium.Bases[2].MoodSuffix != " (no stadium)" || stadium.Bases[2].Ground != nil {
		t.Errorf("stadium = %+v", stadium)
	}
	storm := All[nadeo.ManiaPlanet4][4]
	if water := storm.Bases[1].Ground; water == nil || water.Block != "WaterDeep" || !slices.Equal(water.Zones, []string{"VoidToGrass", "WaterDeepCliff2"}) || storm.Bases[0].Ground != nil {
		t.Errorf(`storm = %+v; want water other than nil, water.Block = "WaterDeep", water.Zones equal to []string{"VoidToGrass", "WaterDeepCliff2"}, storm.Bases[0].Ground = nil`, storm)
	}
}
