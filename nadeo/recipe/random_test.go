package recipe

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/nadeotest/mapsample"
)

// FuzzRecipe reads anything, and does it if it is a recipe: nothing panics, and
// errors are typed.
func FuzzRecipe(f *testing.F) {
	rock, err := mapsample.Item("Rock")
	if err != nil {
		f.Fatal(err)
	}
	data, err := mapsample.Map()
	if err != nil {
		f.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		f.Add(randomRecipe(random))
	}
	f.Add("embed file=r.Item.Gbx\nplace item=r.Item.Gbx at=1,2,3 # \"\npaste macroblock=r.Item.Gbx at=1,2,3")
	f.Add("replace block=R*d*h with=\"a\"\"b\"\nmirror in=all along=z\r\nskin item=* to=")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := Parse([]byte(text))
		if err == nil {
			var effects []Effect
			m := mapsample.Parsed(t, data)
			if effects, err = r.Apply(m, fstest.MapFS{"r.Item.Gbx": {Data: rock}}); err == nil {
				if len(effects) != r.Len() {
					t.Errorf("%d effects of %d steps", len(effects), r.Len())
				}
				saved(t, m)
			}
		}
		if err != nil && fault.KindOf(err) == "" {
			t.Errorf("no typed error: %v", err)
		}
	})
}

// randomRecipe is a recipe that a small map takes, nearly always.
func randomRecipe(r *rand.Rand) string {
	var b strings.Builder
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	cell := func() string { return fmt.Sprintf("%d,%d,%d", 8+r.IntN(32), 9+r.IntN(12), 8+r.IntN(32)) }
	place := func() string { return fmt.Sprintf("%g,%g,%g", r.Float32()*1500, r.Float32()*200, r.Float32()*1500) }
	angles := func() string { return fmt.Sprintf("%g,%g,%g", r.Float32()*3, r.Float32(), r.Float32()) }
	which := func() string {
		return pick("block=Road*", "block=*Left", "item=*", "in=all", "in="+cell()+":"+cell(), "block=* in="+cell()+":"+cell(), "block=A* item=T*")
	}
	for range 1 + r.IntN(30) {
		switch r.IntN(14) {
		case 0, 1, 2:
			fmt.Fprintf(&b, "place block=%s at=%s facing=%s color=%d\n", pick("RoadTechStraight", "ABCLeft", `"with space"`), cell(), pick(ways...), r.IntN(6))
		case 3:
			fmt.Fprintf(&b, "place block=A at=%s waypoint=%s order=%d ground=yes skin=%s\n", cell(), pick("Spawn", "Goal", "LinkedCheckpoint"), r.IntN(5), pick("a.dds", `Skins\Any\b.dds`))
		case 4:
			fmt.Fprintf(&b, "place block=FreeRight free=%s turned=%s\n", place(), angles())
		case 5, 6:
			fmt.Fprintf(&b, "place item=%s at=%s turned=%s scale=%g\n", pick("Tree", "Flag16m"), place(), angles(), 0.5+r.Float32())
		case 7:
			fmt.Fprintf(&b, "delete in=%s:%s\n", cell(), cell())
		case 8:
			fmt.Fprintf(&b, "replace %s\n", pick("block=Road* with=Dirt*", "block=ABC* with=Other", "item=Tree with=Rock"))
		case 9:
			fmt.Fprintf(&b, "move %s by=%d,%d,%d\n", which(), r.IntN(5)-2, r.IntN(3)-1, r.IntN(5)-2)
		case 10:
			fmt.Fprintf(&b, "turn %s by=%d\n", which(), r.IntN(8)-4)
		case 11:
			fmt.Fprintf(&b, "mirror in=all along=%s\n", pick("x", "z"))
		case 12:
			fmt.Fprintf(&b, "color %s to=%d\nskin %s to=%s\n", which(), r.IntN(6), which(), pick("", "c.dds"))
		default:
			fmt.Fprintf(&b, "waypoint %s to=%s order=%d\n", which(), pick("Checkpoint", "Goal"), r.IntN(3))
		}
	}
	return b.String()
}

// A thousand random recipes: each is done, saved and read back as it was meant,
// and strict checks find nothing. Every fourth is done in two parts too, with a
// save between them, which gives the same map.
func TestRandomRecipes(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(21, 1))
	empty, err := maps.New(maps.Options{UID: "SampleUID_00000000000000001"})
	if err != nil {
		t.Fatal(err)
	}
	data, err := empty.File.Encode()
	if err != nil {
		t.Fatal(err)
	}
	done, blocks, items := 0, 0, 0
	for i := range 1000 {
		text := randomRecipe(random)
		r := parse(t, text)
		r.AllowUnknown = true
		m := mapsample.Parsed(t, data)
		if _, err := r.Apply(m, nil); err != nil {
			if fault.KindOf(err) != fault.Limit { // a box that turned left the map
				t.Fatalf("recipe %d: %v\n%s", i, err, text)
			}
			continue
		}
		done++
		wantBlocks, wantItems := m.Blocks(), m.Items()
		after := saved(t, m)
		if !slices.Equal(after.Blocks(), wantBlocks) || !slices.EqualFunc(after.Items(), wantItems, sameItem) {
			t.Fatalf("recipe %d is read back as another map\n%s", i, text)
		}
		blocks, items = blocks+len(wantBlocks), items+len(wantItems)
		if found := after.LintStrict(); len(found) > 0 {
			t.Fatalf("recipe %d: %v\n%s", i, found, text)
		}
		if i%4 != 0 {
			continue
		}
		lines := strings.SplitAfter(text, "\n")
		half := mapsample.Parsed(t, data)
		for _, part := range []string{strings.Join(lines[:len(lines)/2], ""), strings.Join(lines[len(lines)/2:], "")} {
			r := parse(t, part)
			r.AllowUnknown = true
			if _, err := r.Apply(half, nil); err != nil {
				t.Fatalf("recipe %d in parts: %v\n%s", i, err, text)
			}
			half = saved(t, half)
		}
		if !slices.Equal(names(half), names(after)) {
			t.Fatalf("recipe %d in parts gives another map\n%s", i, text)
		}
	}
	if done < 800 || blocks < 3*done || items < done {
		t.Errorf("only %d recipes could be done, with %d blocks and %d items", done, blocks, items)
	}
}

func sameItem(x, y maps.Item) bool {
	x.Model, y.Model = gbx.Ident{}, gbx.Ident{} // names compares them
	return x == y
}
