package table

import (
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/nadeotest/mapsample"
)

// things is a map of two blocks, two that the game added, and two items.
type things struct{}

func (things) EachBlock() iter.Seq[*maps.Block] {
	return slices.Values([]*maps.Block{
		{Name: "A,B", Coord: gbx.Int3{X: 1, Y: -2, Z: 3}, Direction: 2, Flags: 0x1234ABCD &^ (1<<28 | 1<<12 | 1<<29), Color: 4, Skin: "s", Waypoint: "Goal", Order: 7, Author: "me"},
		{Name: "F", Free: true, Flags: 1<<29 | 1<<28, Position: gbx.Vec3{X: 1.5, Y: float32(math.NaN()), Z: -0.1}, YawPitchRoll: gbx.Vec3{X: 0.25, Y: -1, Z: float32(math.Inf(-1))}, Color: -1, Order: 3},
	})
}

func (things) EachBakedBlock() iter.Seq[*maps.Block] {
	return slices.Values([]*maps.Block{{Name: "P", Flags: 1 << 12}, {Name: "Q"}})
}

func (things) BlockCount() int { return 2 }

func (things) Items() []maps.Item {
	model := gbx.Ident{ID: gbx.NewID("T"), Collection: gbx.NumberID(26), Author: gbx.NewID("Ada")}
	return []maps.Item{
		{Model: model, Position: gbx.Vec3{X: 1, Y: 2, Z: 3}, Pivot: gbx.Vec3{X: 4, Y: 5, Z: 6}, YawPitchRoll: gbx.Vec3{X: 7, Y: 8, Z: 9}, Scale: 0.5, Flags: 0xBEEF, Color: 2},
		{Model: model, Scale: float32(math.Inf(1)), Color: -1},
	}
}

// Every cell of blocks on the grid and off it, of baked blocks and of items.
func TestCells(t *testing.T) {
	want := []string{
		`x,"A,B",block,1,-2,3,2,block,,,,false,false,4,s,Goal,0234ABCD,7,me,,,,,`,
		`x,F,block,1.5,0,-0.1,,metre,0.25,-1,0,true,false,,,,30000000,,,,,,,`,
		`x,P,baked,0,0,0,0,block,,,,false,true,0,,,00001000,,,,,,,`,
		`x,Q,baked,0,0,0,0,block,,,,false,false,0,,,00000000,,,,,,,`,
		`x,T,item,1,2,3,,metre,7,8,9,false,false,2,,,0000BEEF,,Ada,26,0.5,4,5,6`,
		`x,T,item,0,0,0,,metre,0,0,0,false,false,,,,00000000,,Ada,26,0,0,0,0`,
	}
	for _, test := range []struct {
		baked, items bool
		want         []string
	}{{true, true, want}, {false, true, append(want[:2:2], want[4:]...)}, {true, false, want[:4]}, {false, false, want[:2]}} {
		var got []string
		for p := range Each(things{}, test.baked, test.items) {
			got = append(got, strings.TrimSuffix(string(p.AppendCSV([]byte("x"))), "\n"))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("baked %v, items %v:\n%s\nwant\n%s", test.baked, test.items, strings.Join(got, "\n"), strings.Join(test.want, "\n"))
		}
		for n := range len(test.want) { // whoever stops is not called again
			rest := n
			for range Each(things{}, test.baked, test.items) {
				if rest--; rest < 0 {
					break
				}
			}
		}
	}
	list := On(things{}, true, true)
	for i := range list { // a list stays as it is when its map changes
		if got := strings.TrimSuffix(string(list[i].AppendCSV([]byte("x"))), "\n"); got != want[i] {
			t.Errorf("%d of a list: %s", i, got)
		}
		if n := len(list[i].Row()); n != len(Columns)-1 {
			t.Errorf("a row of %d cells for %d columns", n, len(Columns))
		}
	}
	for i, want := range []string{
		"x|A,B|block|1|-2|3|2|block|<nil>|<nil>|<nil>|false|false|4|s|Goal|0234ABCD|7|me||<nil>|<nil>|<nil>|<nil>",
		"x|F|block|1.5|0|-0.1|<nil>|metre|0.25|-1|0|true|false|<nil>|||30000000|<nil>|||<nil>|<nil>|<nil>|<nil>",
		"x|P|baked|0|0|0|0|block|<nil>|<nil>|<nil>|false|true|0|||00001000|<nil>|||<nil>|<nil>|<nil>|<nil>",
	} {
		var got []string
		for _, cell := range list[i].Record("x") {
			v := cell.Value
			switch v.(type) {
			case nil, string, bool, int64, float64:
			default:
				t.Errorf("%v is a %T", v, v)
			}
			got = append(got, fmt.Sprint(v))
		}
		if strings.Join(got, "|") != want {
			t.Errorf("record %d: %s, want %s", i, strings.Join(got, "|"), want)
		}
	}
	for _, test := range []struct {
		kind fact.Kind
		text string
		want any
	}{{fact.Text, "", ""}, {fact.Count, "", nil}, {fact.Flag, "", nil}, {fact.Flag, "true", true}, {fact.Count, "12", int64(12)}, {fact.Number, "12", 12.0}} {
		if got := value(test.kind, test.text); got != test.want {
			t.Errorf("%v %q is %#v", test.kind, test.text, got)
		}
	}
}

func pointer[T any](v T) *T { return &v }

// The text of a difference has all given values, and omits defaults.
func TestDetails(t *testing.T) {
	at := func(change func(*Thing)) *Thing {
		p := &Thing{Name: "A", Kind: Block, Coord: &Cell{1, 2, 3}, Direction: pointer(1), Ghost: new(bool), Ground: new(bool), Flags: new(Flags)}
		change(p)
		return p
	}
	for want, p := range map[string]*Thing{
		"A, facing 1": at(func(p *Thing) { p.Order, p.Scale, p.Color = pointer(0), pointer(float32(1)), pointer(0) }),
		"A, facing 1, skin s, waypoint Goal, by me, order 1, scale 0.5, colour 1": at(func(p *Thing) {
			p.Skin, p.Waypoint, p.Author = pointer("s"), pointer("Goal"), pointer("me")
			p.Order, p.Scale, p.Color = pointer(1), pointer(float32(0.5)), pointer(1)
		}),
		"A, turned 1 2 -0.5": at(func(p *Thing) { p.Coord, p.Position, p.Rotation = nil, &Vector{}, &Vector{1, 2, -0.5} }),
	} {
		if got := p.details(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Equal things pair with each other as often as they occur, whatever their order; of the
// rest those at one place are changed, those of one name moved, the others gone or new.
func TestChanges(t *testing.T) {
	list := func(words string) (out []Thing) { // NAME@X
		for word := range strings.FieldsSeq(words) {
			x := int32(word[2] - '0')
			out = append(out, Thing{Name: word[:1], Kind: Block, Coord: &Cell{x, 0, 0}, Direction: new(int), Ghost: new(bool), Ground: new(bool), Flags: new(Flags)})
		}
		return out
	}
	for _, test := range []struct{ x, y, want string }{
		{"A@1 B@2", "B@2 A@1", ""}, {"A@1 A@1 A@1", "A@1", "removed block A|removed block A"}, {"A@1", "A@1 A@1", "added block A"},
		{"A@1 A@2", "A@2 A@1 A@3", "added block A"}, {"A@1", "B@1", "changed block at 1 0 0"}, {"A@1 B@2", "B@1 A@2", "changed block at 1 0 0|changed block at 2 0 0"},
		{"A@1 A@2", "A@3 A@4", "moved block A|moved block A"}, {"A@1 A@2", "A@3", "moved block A|removed block A"}, {"A@1", "B@2", "removed block A|added block B"},
		{"A@1 A@1", "B@1 C@1", "changed block at 1 0 0|changed block at 1 0 0"},
	} {
		var got []string
		for _, c := range Changes(list(test.x), list(test.y)) {
			got = append(got, string(c.Kind)+" "+c.Path)
			if (c.Kind == archive.Removed) != (c.New == "") || (c.Kind == archive.Added) != (c.Old == "") {
				t.Errorf(`c = %+v; want c.Kind is archive.Removed exactly if c.New is "", c.Kind is archive.Added exactly if c.Old is ""`, c)
			}
		}
		if strings.Join(got, "|") != test.want {
			t.Errorf("%s to %s: %s, want %s", test.x, test.y, strings.Join(got, "|"), test.want)
		}
	}
}

// Things are counted by kind and name, most first, then by name.
func TestCount(t *testing.T) {
	list := []Thing{{Name: "B", Kind: Block}, {Name: "C", Kind: Item}, {Name: "A", Kind: Block}, {Name: "C", Kind: Block}, {Name: "C", Kind: Item}}
	if got := fmt.Sprint(Count(list)); got != "[{C item 2} {A block 1} {B block 1} {C block 1}]" {
		t.Errorf(`got = %v; want "[{C item 2} {A block 1} {B block 1} {C block 1}]"`, got)
	}
	if text, err := json.Marshal(Count(nil)); err != nil || string(text) != "[]" {
		t.Errorf(`text = %s, err = %v; want no error, text = "[]"`, text, err)
	}
}

// Values as people write them, their meaning, and the first mistake as the error.
func TestValues(t *testing.T) {
	given := map[string]string{"t": "a,b", "w": "-7", "n": "1.5", "v": "1,-2,0.5", "yes": "yes", "True": "True", "no": "no", "FALSE": "FALSE", "f": "1000ffFF", "none": ""}
	v := &Values{Get: func(name string) (string, bool) { text, ok := given[name]; return text, ok }}
	for _, missing := range []bool{v.Text("x") == nil, v.Integer("x") == nil, v.Number("x") == nil, v.Vector("x") == nil, v.Flag("x") == nil, v.Flags("x") == nil} {
		if !missing {
			t.Error("what is not given has a value")
		}
	}
	if got := fmt.Sprint(*v.Text("t"), *v.Text("none"), *v.Integer("w"), *v.Number("n"), *v.Vector("v"), *v.Flag("yes"), *v.Flag("True"), *v.Flag("no"), *v.Flag("FALSE"), *v.Flags("f")); got != "a,b-7 1.5 [1 -2 0.5] true true false false 268500991" || v.Err != nil {
		t.Errorf(`got = %v, v.Err = %v; want got = "a,b-7 1.5 [1 -2 0.5] true true false false 268500991", v.Err = nil`, got, v.Err)
	}
	for text, read := range map[string]func(v *Values){
		`a: "z" is not a whole number`: func(v *Values) { v.Integer("a") }, `a: "z" is not a number`: func(v *Values) { v.Number("a") },
		`a: "z" is not of the form x,y,z`: func(v *Values) { v.Vector("a") }, `a: "z" is neither yes nor no, true nor false`: func(v *Values) { v.Flag("a") },
		`a: "z" is not a hexadecimal number`: func(v *Values) { v.Flags("a") }, `inf: "+Inf" is not a number`: func(v *Values) { v.Number("inf") },
		`v: "y" is not a number`: func(v *Values) { v.Vector("v") }, `big: "2147483648" is not a whole number`: func(v *Values) { v.Integer("big") },
	} {
		given := map[string]string{"a": "z", "inf": "+Inf", "v": "1,y,x", "big": "2147483648"}
		v := &Values{Get: func(name string) (string, bool) { text, ok := given[name]; return text, ok }}
		read(v)
		v.Fail("later")
		if v.Err == nil || v.Err.Error() != text && !strings.HasSuffix(v.Err.Error(), text) || fault.KindOf(v.Err) != fault.BadEntry {
			t.Errorf("%v, want %s", v.Err, text)
		}
	}
}

// The bounds of what may be on a map.
func TestCheckBounds(t *testing.T) {
	for _, test := range []struct {
		thing Thing
		want  string
	}{
		{Thing{Coord: &Cell{-32768, 32767, 0}}, ""}, {Thing{Coord: &Cell{-32769, 0, 0}}, "x: -32769 is not a cell"}, {Thing{Coord: &Cell{0, 32768, 0}}, "y: 32768 is not a cell"},
		{Thing{Coord: &Cell{0, 0, 70000}}, "z: 70000 is not a cell"}, {Thing{}, "the place is either"}, {Thing{Coord: &Cell{}, Position: &Vector{}}, "the place is either"},
		{Thing{Kind: Item, Position: &Vector{}, Flags: pointer(Flags(0xFFFF))}, ""}, {Thing{Kind: Item, Position: &Vector{}, Flags: pointer(Flags(0x10000))}, "have 16 bits"},
		{Thing{Kind: Block, Position: &Vector{}, Flags: pointer(Flags(0x10000))}, ""}, {Thing{Kind: Item, Coord: &Cell{}}, "items stand at a place in metres"},
	} {
		err := test.thing.Check()
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) || test.thing.Kind == "" {
			t.Errorf("%+v: %v, want %q", test.thing, err, test.want)
		}
	}
}

// A row pairs with the block or item that agrees in all values, else with one of its name at
// its place, else with any at its place, else with one of its name elsewhere. No thing is paired twice.
func TestPairs(t *testing.T) {
	shownOf := func(words string) (out []storage) { // NAME@X.COLOUR
		for word := range strings.FieldsSeq(words) {
			var s storage
			s.block(&maps.Block{Name: word[:1], Coord: gbx.Int3{X: int32(word[2] - '0')}, Color: int(word[4] - '0')}, Block)
			out = append(out, s)
		}
		for i := range out { // the pointers of a copy
			out[i].Thing = out[i].clone()
		}
		return out
	}
	for _, test := range []struct{ rows, shown, want string }{
		{"A@1.2 A@1.1", "A@1.1 A@1.2", "[1 0]"}, {"A@1 A@1", "A@1.1 A@1.2", "[0 1]"}, {"A@1.3", "B@1.1 A@1.1", "[1]"}, {"A@1", "A@2.1 B@1.1", "[1]"},
		{"A@1", "B@3.1 A@2.1", "[1]"}, {"A@1", "B@2.1", "[-1]"}, {"A@1 A@1 A@1", "A@1.1 A@2.1", "[0 1 -1]"}, {"B@1 A@1", "A@1.1", "[-1 0]"}, {"A@1.3 A@1.2 A@1.1", "A@1.1 A@1.2 A@1.3", "[2 1 0]"},
	} {
		var rows []*row
		for word := range strings.FieldsSeq(test.rows) {
			r := &row{Thing: Thing{Name: word[:1], Kind: Block, Coord: &Cell{int32(word[2] - '0')}}}
			if len(word) > 3 {
				r.Color = pointer(int(word[4] - '0'))
			}
			rows = append(rows, r)
		}
		if got := fmt.Sprint(pair(rows, shownOf(test.shown))); got != test.want {
			t.Errorf("%s on %s: %s, want %s", test.rows, test.shown, got, test.want)
		}
	}
}

// Each value in a row has to equal the thing's value. Missing values, and values without
// meaning at such a place, are ignored.
func TestAgrees(t *testing.T) {
	full := On(things{}, false, true)
	block, free, item := &full[0], &full[1], &full[2]
	for name, change := range map[string]func(*Thing){
		"name": func(p *Thing) { p.Name = "other" }, "color": func(p *Thing) { p.Color = pointer(9) }, "order": func(p *Thing) { p.Order = pointer(9) }, "scale": func(p *Thing) { p.Scale = pointer(float32(9)) },
		"pivot": func(p *Thing) { p.Pivot = &Vector{9} }, "flags": func(p *Thing) { p.Flags = pointer(Flags(9)) }, "ghost": func(p *Thing) { p.Ghost = pointer(!*p.Ghost) }, "ground": func(p *Thing) { p.Ground = pointer(!*p.Ground) },
		"skin": func(p *Thing) { p.Skin = pointer("9") }, "waypoint": func(p *Thing) { p.Waypoint = pointer("9") }, "author": func(p *Thing) { p.Author = pointer("9") }, "collection": func(p *Thing) { p.Collection = pointer("9") },
		"place": func(p *Thing) {
			if p.Coord != nil {
				p.Coord[2]++
			} else {
				p.Position[2]++
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, p := range []*Thing{block, free, item} {
				r := p.clone()
				if !r.agrees(p) {
					t.Fatalf("%s does not agree with itself", p.Name)
				}
				change(&r)
				if r.agrees(p) {
					t.Errorf("%s: another %s agrees", p.Name, name)
				}
			}
		})
	}
	r := block.clone()
	if r.Rotation = (&Vector{9}); !r.agrees(block) {
		t.Error("angles matter on the grid")
	}
	if r.Direction = pointer(9); r.agrees(block) {
		t.Error("a direction does not matter on the grid")
	}
	r = free.clone()
	if r.Direction = pointer(9); !r.agrees(free) {
		t.Error("a direction matters off the grid")
	}
	if r.Rotation = (&Vector{9}); r.agrees(free) {
		t.Error("angles do not matter off the grid")
	}
	empty := Thing{Name: "F", Position: free.Position, Skin: new(string), Author: new(string)}
	if !empty.agrees(free) {
		t.Error("an empty text is not the same as none")
	}
}

// Names of maps in rows: the whole path decides, else the file's name; a row without one
// counts for every map.
func TestRowsOfMap(t *testing.T) {
	table := &Table{rows: []row{{file: "a/x.Gbx"}, {file: "b/x.Gbx"}, {file: "y.Gbx"}}}
	for name, want := range map[string]int{"a/x.Gbx": 1, "c/x.Gbx": 2, "x.Gbx": 2, "q/y.Gbx": 1} {
		if rows, err := table.of(name); err != nil || len(rows) != want {
			t.Errorf("%s: %d rows, want %d: %v", name, len(rows), want, err)
		}
	}
	if _, err := table.of("z.Gbx"); err == nil || fault.KindOf(err) != fault.BadEntry {
		t.Errorf("rows of no map: %v", err)
	}
	table.rows = append(table.rows, row{})
	if rows, err := table.of("z.Gbx"); err != nil || len(rows) != 1 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	if rows, err := (&Table{}).of("z.Gbx"); err != nil || rows != nil {
		t.Errorf("rows = %v, err = %v; want no error, rows = nil", rows, err)
	}
	items, err := Read([]byte("name,kind,x,y,z\nA,block,1,9,1\nRock,item,1,2,3\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := items.Set(mapsample.New(t), "a", false); err == nil || !strings.Contains(err.Error(), "line 3: this is an item") {
		t.Errorf("items without being asked: %v", err)
	}
}

// A new block or item gets the game's defaults for missing values, and a thing that ceases
// to be a waypoint loses its order.
func TestNewThings(t *testing.T) {
	models := mapsample.New(t).Models()
	b, err := (&Thing{Name: "A", Coord: &Cell{1, 2, 3}, Rotation: &Vector{9}, Direction: pointer(3), Ghost: pointer(true), Ground: pointer(true), Color: pointer(2), Waypoint: pointer("Goal"), Order: pointer(4)}).NewBlock(models)
	if want := (maps.Block{Name: "A", Coord: gbx.Int3{X: 1, Y: 2, Z: 3}, Direction: 3, Flags: b.Flags, Color: 2, Waypoint: "Goal", Order: 4}); err != nil || b != want || !b.Ghost() || !b.Ground() {
		t.Errorf("b = %+v, err = %v; want no error, b = %+v, b.Ghost() = true, b.Ground() = true", b, err, want)
	}
	b, err = (&Thing{Name: "A", Position: &Vector{1, 2, 3}, Rotation: &Vector{4, 5, 6}, Direction: pointer(3), Skin: pointer("s.dds")}).NewBlock(models)
	if err != nil || !b.Free || b.Direction != 0 || b.Author != "Nadeo" || b.Position != (gbx.Vec3{X: 1, Y: 2, Z: 3}) || b.YawPitchRoll != (gbx.Vec3{X: 4, Y: 5, Z: 6}) {
		t.Errorf(`b = %+v, err = %v; want no error, b.Free = true, b.Direction = 0, b.Author = "Nadeo", b.Position = gbx.Vec3{X: 1, Y: 2, Z: 3}, b.YawPitchRoll = gbx.Vec3{X: 4, Y: 5, Z: 6}`, b, err)
	}
	it, err := (&Thing{Name: "Rock", Kind: Item, Position: &Vector{1, 2, 3}, Rotation: &Vector{4, 5, 6}, Pivot: &Vector{7, 8, 9}, Flags: pointer(Flags(5)), Collection: pointer("Stadium"), Author: pointer("me")}).NewItem(models)
	if err != nil || it.Scale != 1 || it.Position != (gbx.Vec3{X: 1, Y: 2, Z: 3}) || it.YawPitchRoll != (gbx.Vec3{X: 4, Y: 5, Z: 6}) || it.Pivot != (gbx.Vec3{X: 7, Y: 8, Z: 9}) ||
		it.Flags != 5 || it.Model.Collection.String() != "Stadium" || it.Model.Author.String() != "me" || it.Model.ID.String() != "Rock" {
		t.Errorf("it = %+v, err = %v", it, err)
	}
	if number, name := collectionID("7"), collectionID("x7"); !number.Equal(gbx.NumberID(7)) || !name.Equal(gbx.NewID("x7")) {
		t.Errorf(`number = %v, name = %v; want number.Equal(gbx.NumberID(7)) = true, name.Equal(gbx.NewID("x7")) = true`, number, name)
	}
	for name, err := range map[string]error{
		"block": func() error { _, err := (&Thing{Coord: &Cell{}}).NewBlock(models); return err }(),
		"item":  func() error { _, err := (&Thing{Position: &Vector{}}).NewItem(models); return err }(),
	} {
		if err == nil || !strings.Contains(err.Error(), "name is missing") {
			t.Errorf("%s without a name: %v", name, err)
		}
	}
	was := &Thing{Name: "A", Coord: &Cell{}, Waypoint: pointer("Goal"), Order: pointer(4), Author: pointer("me")}
	b = maps.Block{Name: "A", Waypoint: "Goal", Order: 4, Author: "me", Direction: 1}
	if err := (&Thing{Name: "A", Coord: &Cell{}, Waypoint: new(string)}).changeBlock(&b, was, models); err != nil || b.Order != 0 || b.Waypoint != "" || b.Author != "me" || b.Direction != 1 {
		t.Errorf(`b = %+v, err = %v; want no error, b.Order = 0, b.Waypoint = "", b.Author = "me", b.Direction = 1`, b, err)
	}
	if err := (&Thing{Name: "B", Coord: &Cell{}, Author: pointer("you")}).changeBlock(&b, was, models); err != nil || b.Name != "B" || b.Author != "you" {
		t.Errorf(`b = %+v, err = %v; want no error, b.Name = "B", b.Author = "you"`, b, err)
	}
	nameless := &Thing{Coord: &Cell{}, Author: pointer("me")}
	if err := (&Thing{Coord: &Cell{5, 6, 7}}).changeBlock(&b, nameless, models); err != nil || b.Coord != (gbx.Int3{X: 5, Y: 6, Z: 7}) {
		t.Errorf("a block without a name cannot be moved: %+v, %v", b, err)
	}
}
