package recipe

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/nadeotest/mapsample"
)

func parse(t testing.TB, text string) *Recipe {
	t.Helper()
	r, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// saved saves a map and reads it back; saved once more it is the same file.
func saved(t testing.TB, m *maps.Map) *maps.Map {
	t.Helper()
	data, err := m.File.Encode()
	if err != nil {
		t.Fatal(err)
	}
	after := mapsample.Parsed(t, data)
	if twice, err := after.File.Encode(); err != nil || !bytes.Equal(data, twice) {
		t.Fatalf("the second save is another file: %v", err)
	}
	return after
}

// names lists what stands on a map, as the tests of steps want it.
func names(m *maps.Map) (list []string) {
	for _, b := range m.Blocks() {
		at := fmt.Sprint(b.Coord.X, " ", b.Coord.Y, " ", b.Coord.Z, " ", b.Direction)
		if b.Free {
			at = fmt.Sprintf("%.0f %.0f %.0f m %.2f", b.Position.X, b.Position.Y, b.Position.Z, b.YawPitchRoll.X)
		}
		list = append(list, fmt.Sprintf("%s %s %s%d #%d %s", b.Name, at, b.Waypoint, b.Order, b.Color, b.Skin))
	}
	for _, it := range m.Items() {
		list = append(list, fmt.Sprintf("%s by %s %.0f %.0f %.0f m %.2f %s%d #%d %s", it.Model.ID, it.Model.Author,
			it.Position.X, it.Position.Y, it.Position.Z, it.YawPitchRoll.X, it.Waypoint, it.Order, it.Color, it.Skin))
	}
	return list
}

// Every step has its effect on a map with one block of each kind and an
// item.
func TestSteps(t *testing.T) {
	const before = `
		place block=A at=1,9,2 facing=east
		place block=B at=3,10,4 waypoint=Goal order=2 skin="Skins\Any\a b.dds" color=3
		place block=BLeft free=64,16,96 turned=0.5,0,0
		place item=Tree at=40,8,70 turned=1,0,0
	`
	const a, b, free, tree = "A 1 9 2 1 0 #0 ", `B 3 10 4 0 Goal2 #3 Skins\Any\a b.dds`, "BLeft 64 16 96 m 0.50 0 #0 ", "Tree by Nadeo 40 8 70 m 1.00 0 #0 "
	for _, c := range []struct {
		step          string
		blocks, items int // that it touched
		want          string
	}{
		{"", 0, 1, a + "|" + b + "|" + free + "|" + tree},
		{"delete block=B*", 2, 0, a + "|" + tree},
		{"delete item=*", 0, 1, a + "|" + b + "|" + free},
		{"delete block=* item=T*e", 3, 1, ""},
		{"delete in=0,9,0:2,9,9 # the tree stands in cell 1 9 2", 1, 1, b + "|" + free},
		{"crop in=2,9,9:0,9,0", 2, 0, a + "|" + tree},
		{"replace block=B* with=New*x", 2, 0, a + "|" + strings.Replace(b, "B", "Newx", 1) + "|NewLeftx 64 16 96 m 0.50 0 #0 |" + tree},
		{"replace item=Tree with=Rock author=ada", 0, 1, a + "|" + b + "|" + free + "|Rock by ada 40 8 70 m 1.00 0 #0 "},
		{"move by=1,-1,2", 3, 1, "A 2 8 4 1 0 #0 |" + strings.Replace(b, "3 10 4", "4 9 6", 1) + "|BLeft 96 8 160 m 0.50 0 #0 |Tree by Nadeo 72 0 134 m 1.00 0 #0 "},
		{"turn block=A by=-1", 1, 0, "A 1 9 2 0 0 #0 |" + b + "|" + free + "|" + tree},
		{"turn item=* by=1", 0, 1, a + "|" + b + "|" + free + "|Tree by Nadeo 40 8 70 m -0.57 0 #0 "},
		{"turn block=A in=0,0,0:9,40,9 by=1", 1, 0, "A 7 9 1 2 0 #0 |" + b + "|" + free + "|" + tree},
		{"turn block=A in=all by=2", 1, 0, "A 46 9 45 3 0 #0 |" + b + "|" + free + "|" + tree},
		{"mirror block=A in=0,0,0:9,40,9 along=x", 1, 0, "A 8 9 2 3 0 #0 |" + b + "|" + free + "|" + tree},
		{"mirror block=BLeft in=all along=z", 1, 0, a + "|" + b + "|BLeft 92 16 1455 m 2.64 0 #0 |" + tree},
		{"skin block=B to=", 1, 0, a + "|B 3 10 4 0 Goal2 #3 |" + free + "|" + tree},
		{`skin item=Tree to="x # y.dds"`, 0, 1, a + "|" + b + "|" + free + "|" + tree + "x # y.dds"},
		{"waypoint block=* order=7", 1, 0, a + "|" + strings.Replace(b, "Goal2", "Goal7", 1) + "|" + free + "|" + tree},
		{"waypoint block=A to=LinkedCheckpoint order=4", 1, 0, "A 1 9 2 1 LinkedCheckpoint4 #0 |" + b + "|" + free + "|" + tree},
		{"waypoint block=B to=", 1, 0, a + "|" + strings.Replace(b, "Goal2", "0", 1) + "|" + free + "|" + tree},
		{"color in=all to=5", 3, 1, strings.NewReplacer("#0", "#5", "#3", "#5").Replace(a + "|" + b + "|" + free + "|" + tree)},
	} {
		t.Run(c.step, func(t *testing.T) {
			m, err := maps.New(maps.Options{})
			if err != nil {
				t.Fatal(err)
			}
			r := parse(t, before+c.step)
			r.AllowUnknown = true // no game has a block A
			effects, err := r.Apply(m, nil)
			if err != nil {
				t.Errorf("%s: %v", c.step, err)
				return
			}
			if last := effects[len(effects)-1]; last.Blocks != c.blocks || last.Items != c.items {
				t.Errorf("%s: last = %+v; want last.Blocks = %v, last.Items = %v", c.step, last, c.blocks, c.items)
			}
			if got := strings.Join(names(saved(t, m)), "|"); got != c.want {
				t.Errorf("%s: got\n%s, want\n%s", c.step, strings.ReplaceAll(got, "|", "\n"), strings.ReplaceAll(c.want, "|", "\n"))
			}
		})
	}
}

// A block that no game has is neither turned nor mirrored without leave, and no
// block leaves the map. Known ones are, with the cells that they take.
func TestUnknownBlocks(t *testing.T) {
	const known = "place block=RoadTechCurve3 at=10,9,10\nplace block=RoadTechChicaneX2Left at=20,9,20 facing=west\n"
	for _, c := range []struct{ steps, want string }{
		{known + "mirror in=all along=x", "RoadTechCurve3 35 9 10 3 0 #0 |RoadTechChicaneX2Right 26 9 20 1 0 #0 "},
		{known + "mirror in=all along=z", "RoadTechCurve3 10 9 35 1 0 #0 |RoadTechChicaneX2Right 20 9 26 3 0 #0 "},
		{known + "turn in=all by=1", "RoadTechCurve3 35 9 10 1 0 #0 |RoadTechChicaneX2Left 26 9 20 0 0 #0 "},
		{known + "place block=A at=1,9,1\nmirror in=all along=x", "how to mirror these blocks is not known: A (1)"},
		{known + "place block=A at=1,9,1\nplace block=A at=2,9,1\nturn in=all by=1", "how to turn these blocks is not known: A (2)"},
		{known + "place block=A at=1,9,1\nturn in=all by=4\nmove by=1,0,0", "RoadTechCurve3 11 9 10 0 0 #0 |RoadTechChicaneX2Left 21 9 20 3 0 #0 |A 2 9 1 0 0 #0 "},
		{known + "move by=36,0,0", "RoadTechCurve3 would leave the map"},
		{"place block=RoadTechCurve3 at=46,9,0", "RoadTechCurve3 does not lie on the map"},
	} {
		m, err := maps.New(maps.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if _, err := parse(t, c.steps).Apply(m, nil); err != nil {
			got = err.Error()
		} else {
			got = strings.Join(names(m), "|")
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: got\n%s, want\n%s", c.steps, got, c.want)
		}
	}
}

// Flags are set by name and by number.
func TestPlacedFlags(t *testing.T) {
	m := mapsample.New(t)
	n := m.BlockCount()
	if _, err := parse(t, "place block=A at=1,2,3 ground=yes ghost=yes\nplace block=A at=1,2,3 flags=5 ghost=no").Apply(m, nil); err != nil {
		t.Fatal(err)
	}
	b := saved(t, m).Blocks()[n:]
	if !b[0].Ground() || !b[0].Ghost() || b[1].Ground() || b[1].Flags != 5 {
		t.Errorf("b = %+v; want b[0].Ground() = true, b[0].Ghost() = true, b[1].Ground() = false, b[1].Flags = 5", b)
	}
}

// A direction is given by name or by the number that lists of blocks have.
func TestFacing(t *testing.T) {
	for i, way := range []string{"north", "east", "south", "west", "0", "1", "2", "3"} {
		m := mapsample.New(t)
		if _, err := parse(t, "place block=A at=1,9,3 facing="+way).Apply(m, nil); err != nil {
			t.Fatal(err)
		}
		if b := m.Blocks(); b[len(b)-1].Direction != i%4 {
			t.Errorf("%s is %d", way, b[len(b)-1].Direction)
		}
	}
}

// An item is as large as its model where a recipe does not say, and a block
// that gets another model another author.
func TestScaleAndAuthor(t *testing.T) {
	m := mapsample.New(t)
	n := m.ItemCount()
	const text = "place item=Tree at=1,9,3\nplace item=Tree at=1,9,3 scale=2.5\nplace block=A at=1,9,3 skin=a.dds author=ada\nreplace block=A with=B author=grace"
	if _, err := parse(t, text).Apply(m, nil); err != nil {
		t.Fatal(err)
	}
	after := saved(t, m)
	items, blocks := after.Items()[n:], after.Blocks()
	if items[0].Scale != 1 || items[1].Scale != 2.5 {
		t.Errorf("items[0].Scale = %g, items[1].Scale = %g; want items[0].Scale = 1, items[1].Scale = 2.5", items[0].Scale, items[1].Scale)
	}
	if b := blocks[len(blocks)-1]; b.Name != "B" || b.Author != "grace" {
		t.Errorf(`b = %+v; want b.Name = "B", b.Author = "grace"`, b)
	}
}

// Files come from the folder of the recipe, and from nowhere else.
func TestFiles(t *testing.T) {
	rock, err := mapsample.Item("Rock")
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{"Rock.Item.Gbx": {Data: rock}, "text": {Data: []byte("no GBX")}}
	m := mapsample.New(t)
	effects, err := parse(t, "embed file=Rock.Item.Gbx as=Items/Stone/Rock.Item.Gbx\nplace item=Stone/Rock.Item.Gbx at=1,2,3").Apply(m, files)
	if err != nil || effects[0].Embedded != "Items/Stone/Rock.Item.Gbx" || effects[1] != (Effect{2, "place", 0, 1, ""}) {
		t.Fatalf(`effects = %v, err = %v; want no error, effects[0].Embedded = "Items/Stone/Rock.Item.Gbx", effects[1] = Effect{2, "place", 0, 1, ""}`, effects, err)
	}
	e, err := saved(t, m).EmbeddedFiles()
	if err != nil {
		t.Fatal(err)
	}
	if f := e.Model(`stone\rock.Item.Gbx`); f == nil || f.Uses != 1 || !f.Listed {
		t.Errorf("f = %+v; want f other than nil, f.Used = 1, f.Listed = true", f)
	}
	for text, kind := range map[string]fault.Kind{
		"embed file=../Rock.Item.Gbx":                              fault.Unsafe,
		"embed file=/Rock.Item.Gbx":                                fault.Unsafe,
		"embed file=Rock.Item.Gbx as=../Rock.Item.Gbx":             fault.Unsafe,
		"embed file=text as=Items/A.Item.Gbx":                      fault.NotFormat,
		"paste macroblock=Rock.Item.Gbx at=1,2,3":                  fault.NotFormat,
		"paste macroblock=text at=1,2,3":                           fault.NotFormat,
		"place item=Other.Item.Gbx at=1,2,3":                       fault.BadEntry,
		"place block=Other.Block.Gbx_CustomBlock at=1,2,3":         fault.BadEntry,
		"place block=A at=255,9,3":                                 fault.Limit,
		"place block=A at=3,9,3 color=256":                         fault.Limit,
		"place block=A at=3,9,3 order=1":                           fault.Unsupported,
		"place block=A at=3,9,3\nmove block=A by=-9,0,0":           fault.Limit,
		"place item=Tree at=1,2,3 color=256":                       fault.Limit,
		"color item=Tree* to=256":                                  fault.Limit,
		"color in=all to=256":                                      fault.Limit,
		"waypoint block=RoadTechStart to=Spawn order=-70000":       fault.Limit,
		"waypoint item=Tree* to=Spawn order=-70000":                fault.Limit,
		"replace block=RoadTech* with=Other.Block.Gbx_CustomBlock": fault.BadEntry,
		"place block=A at=3,9,3\nturn in=4,0,4:5,0,5 by=1\n":       "",
	} {
		_, err := parse(t, text).Apply(mapsample.New(t), files)
		if fault.KindOf(err) != kind {
			t.Errorf("%s: %v, want %s", text, err, kind)
		}
		if line := fmt.Sprintf("line %d: ", strings.Count(text, "\n")+1); err != nil && !strings.HasPrefix(err.Error(), line) {
			t.Errorf("%s: %v does not begin with %s", text, err, line)
		}
	}
	if _, err := parse(t, "embed file=gone.Item.Gbx").Apply(mapsample.New(t), files); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("err = %v; want err matching fs.ErrNotExist", err)
	}
	if _, err := parse(t, "embed file=Rock.Item.Gbx").Apply(mapsample.New(t), nil); err == nil {
		t.Error("a file from nowhere")
	}
}

// Macroblocks of the corpus are pasted as PasteMacroblock does it.
func TestPaste(t *testing.T) {
	for path, data := range corpus.GBX(t, "0310d000") {
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Fatal(err)
		}
		macro, err := maps.MacroblockOf(f)
		if err != nil {
			t.Fatal(err)
		}
		m, want := mapsample.New(t), mapsample.New(t)
		if err := want.PasteMacroblock(macro, gbx.Int3{X: 5, Y: 9, Z: 6}, 1); err != nil {
			t.Fatal(err)
		}
		paste := parse(t, "paste macroblock=m at=5,9,6 facing=east")
		if macro.Collection() == "Valley" {
			if _, err := paste.Apply(mapsample.New(t), fstest.MapFS{"m": {Data: data}}); err == nil || !strings.Contains(err.Error(), "of another game") {
				t.Errorf("%s: a macroblock of Valley on Stadium: %v", path, err)
			}
			paste.AllowUnknown = true
		}
		effects, err := paste.Apply(m, fstest.MapFS{"m": {Data: data}})
		if err != nil || effects[0].Blocks != len(macro.Blocks()) || effects[0].Items != len(macro.Items()) {
			t.Fatalf("path = %v, effects = %v, err = %v; want no error, effects[0].Blocks = len(macro.Blocks()), effects[0].Items = len(macro.Items())", path, effects, err)
		}
		a, err := m.File.Encode()
		b, err2 := want.File.Encode()
		if err != nil || err2 != nil || !bytes.Equal(a, b) {
			t.Errorf("%s: another map: %v %v", path, err, err2)
		}
	}
}

// An invalid recipe is rejected, and the error names the line.
func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		"build block=A":                             `line 1: unknown step "build"; expected one of place, delete`,
		"\n\nplace":                                 "line 3: place what?",
		"place block= at=1,2,3":                     "block is missing",
		"place block=A":                             "at is missing",
		"place block=A at=1,2":                      `at: "1,2" is not of the form x,y,z`,
		"place block=A at=1,2,3.5":                  `at: "3.5" is not a whole number`,
		"place block=A at=1,2,99999":                "whole number of cells",
		"place block=A at=1,2,3 free=1,2,3":         "place has no at here; it takes author, block, color, flags, free,",
		"place block=A at=1,2,3 turned=1,2,3":       "place has no turned here",
		"place block=A at=1,2,3 at=1,2,3":           "at stands here twice",
		"place block=A at=1,2,3 facing=up":          `facing: unknown direction "up"; expected one of north, east, south, west`,
		"place block=A at=1,2,3 facing=4":           `"4"`,
		"place block=A at=1,2,3 facing=/":           `"/"`,
		"place block=A at=1,2,3 facing=12":          `"12"`,
		"place block=A at=1,2,3 ghost=maybe":        "neither yes nor no",
		"place block=A at=1,2,3 flags=XYZ":          "hexadecimal",
		"place item=A at=1,2,nan":                   `at: "nan" is not a number`,
		"place item=A at=1,2,1e99":                  "not a number",
		"place item=A at=1,2,3 flags=12345":         "those of an item have 16 bits",
		"place item=A block=B at=1,2,3":             "place has no block here",
		`place block="A at=1,2,3`:                   "the quote does not end",
		`place block="A"b at=1,2,3`:                 "after the quote",
		`place block=A"b at=1,2,3`:                  "stands in quotes",
		"place block = A":                           `"block" is not of the form name=value`,
		"delete":                                    "which ones?",
		"delete block=":                             "a name is missing",
		"delete in=1,2,3":                           "neither x,y,z:x,y,z nor all",
		"delete in=1,2,3:4,5":                       "neither x,y,z:x,y,z nor all",
		"replace in=all with=B":                     "replace what?",
		"replace block=A item=B with=C":             "replace what?",
		"replace block=A* with=*B*":                 "can have a *",
		"replace block=A with=B*":                   "can have a *",
		"move block=A":                              "by is missing",
		"turn block=A":                              "by is missing",
		"turn by=x":                                 "whole number",
		"mirror in=all along=y":                     "neither x nor z",
		"mirror along=x":                            "in is missing",
		"crop block=A":                              "in is missing",
		"crop in=all block=A":                       "crop has no block here",
		"skin block=A":                              "to is missing",
		"waypoint block=A":                          "say to= or order=",
		"color to=-1":                               "colour -1",
		"color to=red":                              "whole number",
		"paste at=1,2,3":                            "macroblock is missing",
		"embed as=x":                                "file is missing",
		"\xff":                                      "text in UTF-8",
		"place block=A at=1,2,3 color=99999999999 ": "whole number",
	} {
		_, err := Parse([]byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
		if err != nil && fault.KindOf(err) != fault.BadEntry {
			t.Errorf("%q: kind %s", text, fault.KindOf(err))
		}
	}
	if _, err := Parse(make([]byte, maxText+1)); fault.KindOf(err) != fault.Limit {
		t.Errorf("err = %v; want err of kind fault.Limit", err)
	}
}

// Remarks, empty lines, either end of line and a mark of byte order are no
// steps.
func TestPlainText(t *testing.T) {
	r := parse(t, "\uFEFF# all\r\n\r\n  place\tblock=\"a \"\"b\"\"\" at=1,2,3 # one\r\n\t\ncolor to=1")
	if r.Len() != 2 || r.steps[0].line != 3 || r.steps[1].line != 5 {
		t.Fatalf("r.steps = %+v; want r.Len() = 2, r.steps[0].line = 3, r.steps[1].line = 5", r.steps)
	}
	if name := r.steps[0].do.(*placement).thing.Name; name != `a "b"` {
		t.Errorf("name = %v; want `a \"b\"`", name)
	}
}

func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern pattern
		name    string
		want    bool
	}{
		{"A", "A", true}, {"A", "AB", false}, {"A*", "AB", true}, {"*", "", true}, {"a*a", "a", false}, {"a*a", "aa", true}, {"*b*", "abc", true},
		{"*b*b*", "abc", false}, {"x/*.Gbx", `x\y.Gbx`, true}, {`x\y`, "x/y", true}, {"*ab", "aab", true}, {"**", "x", true}, {"a*b*c", "abxc", true}, {"a*bc*c", "abc", false},
	} {
		if c.pattern.fits(c.name) != c.want {
			t.Errorf("%q fits %q: %t", c.pattern, c.name, !c.want)
		}
	}
}
