package table

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pakbox/fact"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/nadeotest/mapsample"
	"pakbox/nadeo/runs"
)

// tableOf is what 'map blocks --items --csv' prints.
func tableOf(m *maps.Map) string {
	b := []byte(strings.Join(fact.Names(Columns)[1:], ",") + "\n")
	for p := range Each(m, false, true) {
		line := len(b)
		b = p.AppendCSV(b)
		b = slices.Delete(b, line, line+1) // the comma behind the file
	}
	return string(b)
}

// objectOf is what 'map blocks --items --json' prints, as far as it matters here.
func objectOf(t testing.TB, m *maps.Map) string {
	text, err := json.Marshal(struct {
		Path   string  `json:"path"`
		Blocks []Thing `json:"blocks"`
	}{"a.Map.Gbx", On(m, false, true)})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func setTable(m *maps.Map, text string) error {
	table, err := Read([]byte(text))
	if err != nil {
		return err
	}
	_, err = table.Set(m, "a.Map.Gbx", true)
	return err
}

// editableMaps calls test with the maps of the corpus that can be edited, also
// those in replays.
func editableMaps(t *testing.T, test func(path string, m *maps.Map, data []byte)) {
	t.Helper()
	for path, data := range corpus.GBX(t, "03043000", "24003000", "03093000") {
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if r, err := runs.ReplayOf(f); err == nil {
			if data = r.MapFile(); len(data) == 0 {
				continue
			}
			if f, err = gbx.Parse(data, engine.Registry()); err != nil {
				t.Errorf("%s: %v", path, err)
				continue
			}
		}
		m, err := maps.Of(f)
		if err != nil || m.CheckBlock(&maps.Block{Name: "A"}) != nil {
			continue
		}
		test(path, m, data)
	}
}

// Every map of the corpus that can be edited, printed as CSV and some as JSON:
// set on itself it stays the same file, set on the map without anything on it it
// has equal blocks and items.
func TestTakeApartAndRebuild(t *testing.T) {
	t.Parallel()
	rebuilt, blocks, items := 0, 0, 0
	editableMaps(t, func(path string, m *maps.Map, data []byte) {
		rebuilt++
		text := tableOf(m)
		if rebuilt%8 == 0 {
			text = objectOf(t, m)
		}
		wantBlocks, wantItems := m.Blocks(), m.Items()
		blocks, items = blocks+len(wantBlocks), items+len(wantItems)
		before, err := m.File.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if err := setTable(m, text); err != nil {
			t.Errorf("%s: %v", path, err)
			return
		}
		if after, err := m.File.Encode(); err != nil || !bytes.Equal(before, after) {
			t.Errorf("%s: a list that nobody changed changes the map: %v", path, err)
		}
		empty := mapsample.Parsed(t, data)
		if err := setTable(empty, "name,x,y,z\n"); err != nil || empty.BlockCount()+empty.ItemCount() > 0 {
			t.Fatalf("%s: %d blocks and %d items are left: %v", path, empty.BlockCount(), empty.ItemCount(), err)
		}
		if err := setTable(empty, text); err != nil {
			t.Errorf("%s: %v", path, err)
			return
		}
		saved, err := empty.File.Encode()
		if err != nil {
			t.Fatal(err)
		}
		sameThings(t, path, mapsample.Parsed(t, saved), wantBlocks, wantItems)
	})
	if rebuilt < 250 || items < 5000 {
		t.Errorf("only %d maps with %d items", rebuilt, items)
	}
	t.Logf("%d maps, %d blocks, %d items", rebuilt, blocks, items)
}

// sameThings compares all that is printed, and the rest of what is shown.
func sameThings(t *testing.T, path string, m *maps.Map, blocks []maps.Block, items []maps.Item) {
	t.Helper()
	// Decals, card events and special properties are not in the list.
	const hidden = 1<<17 | 1<<18 | 1<<19
	got, gotItems := m.Blocks(), m.Items()
	if len(got) != len(blocks) || len(gotItems) != len(items) {
		t.Errorf("%s: %d blocks and %d items, want %d and %d", path, len(got), len(gotItems), len(blocks), len(items))
		return
	}
	for i, b := range got {
		want := blocks[i]
		b.Flags, want.Flags = b.Flags&^hidden, want.Flags&^hidden
		if want.Free {
			want.Coord, want.Direction = b.Coord, b.Direction // of no meaning
		}
		if fmt.Sprintf("%+v", b) != fmt.Sprintf("%+v", want) { // places may be no numbers
			t.Errorf("%s: block %d is %+v, want %+v", path, i, b, want)
			return
		}
	}
	for i, it := range gotItems {
		want := items[i]
		if !it.Model.ID.Equal(want.Model.ID) || !it.Model.Collection.Equal(want.Model.Collection) || !it.Model.Author.Equal(want.Model.Author) {
			t.Errorf("%s: item %d is a %v, want a %v", path, i, it.Model, want.Model)
			return
		}
		it.Model = want.Model
		if it != want {
			t.Errorf("%s: item %d is %+v, want %+v", path, i, it, want)
			return
		}
	}
}

// Edits of a list as in a spreadsheet: lines are changed, removed or added, and the map
// follows.
func TestChangedTable(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(tableOf(mapsample.New(t))), "\n")
	for _, c := range []struct {
		name   string
		change func([]string) []string
		want   string // the changes, in words
	}{
		{"nothing", func(l []string) []string { return l }, ""},
		{"move", func(l []string) []string { l[2] = strings.Replace(l[2], "21,9,24", "31,9,24", 1); return l },
			"moved block RoadTechStraight: 21 9 24, facing 1 -> 31 9 24, facing 1"},
		{"turn", func(l []string) []string { l[2] = strings.Replace(l[2], "24,1,block", "24,2,block", 1); return l },
			"changed block at 21 9 24: RoadTechStraight, facing 1, colour 1 -> RoadTechStraight, facing 2, colour 1"},
		{"rename", func(l []string) []string { l[1] = strings.Replace(l[1], "RoadTechStart", "Other", 1); return l },
			"changed block at 20 9 24: RoadTechStart, facing 1 -> Other, facing 1"},
		{"recolour", func(l []string) []string { l[2] = strings.Replace(l[2], "true,1,", "TRUE,5,", 1); return l },
			"changed block at 21 9 24: RoadTechStraight, facing 1, colour 1 -> RoadTechStraight, facing 1, colour 5"},
		{"delete", func(l []string) []string { return slices.Delete(l, 6, 8) },
			"removed block PlatformTechBase: 700.5 40 800 m, turned 0.5 0 0|removed item Tree.Item.Gbx: 650 8 750 m, turned 0 0 0"},
		{"free", func(l []string) []string {
			l[6] = strings.Replace(l[6], "700.5,40,800,,metre,0.5", "1,2,3.25,,metre,-1.5", 1)
			return l
		},
			"moved block PlatformTechBase: 700.5 40 800 m, turned 0.5 0 0 -> 1 2 3.25 m, turned -1.5 0 0"},
		{"ghost", func(l []string) []string { l[1] = strings.Replace(l[1], "false,true", "true,true", 1); return l },
			"changed block at 20 9 24: RoadTechStart,block,20,9,24,1,block,,,,false,true,0,,,00001000,,,,,,, -> RoadTechStart,block,20,9,24,1,block,,,,true,true,0,,,10001000,,,,,,,"},
		{"waypoint", func(l []string) []string {
			l[1] = strings.Replace(l[1], "0,,,00001000,", "0,a.dds,Goal,00001000,3", 1)
			return l
		},
			"changed block at 20 9 24: RoadTechStart, facing 1 -> RoadTechStart, facing 1, skin a.dds, waypoint Goal, by Nadeo, order 3"},
		{"item", func(l []string) []string {
			l[9] = strings.Replace(l[9], "690,8,750,,metre,0,", "690,8,750,,metre,1.5,", 1)
			l[9] = strings.Replace(l[9], ",26,1,0,0,0", ",26,2,0,0.5,0", 1)
			return l
		}, "changed item at 690 8 750 m: Lost.Item.Gbx, turned 0 0 0, by Ada -> Lost.Item.Gbx, turned 1.5 0 0, by Ada, scale 2"},
	} {
		m, was := mapsample.New(t), mapsample.New(t)
		if err := setTable(m, strings.Join(c.change(slices.Clone(lines)), "\r\n")); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var got []string
		for _, change := range Changes(On(was, false, true), On(m, false, true)) {
			text := string(change.Kind) + " " + change.Path + ": " + change.Old
			if change.Old != "" && change.New != "" {
				text += " -> "
			}
			got = append(got, text+change.New)
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%s: got\n%s, want\n%s", c.name, strings.Join(got, "\n"), c.want)
		}
	}
}

// Values that the list does not show stay with a block that is moved, renamed or
// turned, and with an item.
func TestHiddenStays(t *testing.T) {
	m := mapsample.New(t)
	quality, ok := gbx.Find[*game.Chunk03043068](m.File.Body)
	if !ok {
		t.Fatal("no lightmap qualities")
	}
	for i := range quality.LightmapQualities {
		quality.LightmapQualities[i] = byte(i)
	}
	lines := strings.Split(strings.TrimSpace(tableOf(m)), "\n")
	lines[1] = strings.Replace(lines[1], "20,9,24", "5,9,5", 1)
	lines[3] = strings.Replace(lines[3], "RoadTechCheckpoint", "Other", 1)
	lines[8] = strings.Replace(lines[8], "670,8,750", "1,2,3", 1)
	lines = append(slices.Delete(lines, 2, 3), "New,block,1,9,1"+strings.Repeat(",", 18))
	if err := setTable(m, strings.Join(lines, "\n")); err != nil {
		t.Fatal(err)
	}
	if got, want := quality.LightmapQualities, []byte{0, 2, 3, 4, 5, 0, 6, 7, 8}; !bytes.Equal(got, want) {
		t.Errorf("lightmap qualities %v, want %v", got, want)
	}
}

// A person may append a block to the JSON with nothing but a name and a place.
func TestAppendedBlock(t *testing.T) {
	m := mapsample.New(t)
	n := m.BlockCount()
	added := `,{"name":"A","coord":[1,9,2]},{"name":"B","position":[1.5,2,3]},{"name":"Tree.Item.Gbx","kind":"item","position":[1,2,3]},{"name":"Rock","kind":"item","position":[4,5,6]}]}`
	if err := setTable(m, strings.TrimSuffix(objectOf(t, m), "]}")+added); err != nil {
		t.Fatal(err)
	}
	blocks, items := m.Blocks()[n:], m.Items()[3:]
	want := []maps.Block{{Name: "A", Coord: gbx.Int3{X: 1, Y: 9, Z: 2}}, {Name: "B", Free: true, Flags: 1 << 29, Position: gbx.Vec3{X: 1.5, Y: 2, Z: 3}}}
	if blocks[1].Coord = (gbx.Int3{}); !slices.Equal(blocks, want) {
		t.Errorf("blocks = %+v; want blocks equal to %+v", blocks, want)
	}
	if items[0].Model.Author.String() != "Ada" || items[0].Scale != 1 || items[1].Model.Author.String() != "Nadeo" || items[1].Model.Collection.String() != "26" {
		t.Errorf(`items = %+v; want items[0].Model.Author.String() = "Ada", items[0].Scale = 1, items[1].Model.Author.String() = "Nadeo", items[1].Model.Collection.String() = "26"`, items)
	}
}

// A table about several maps changes a map only by the rows for that map.
func TestTableOfSeveralMaps(t *testing.T) {
	text := "file,name,x,y,z\na.Map.Gbx,A,1,9,1\nb.Map.Gbx,B,1,9,1\nb.Map.Gbx,C,2,9,1\n"
	table, err := Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	m := mapsample.New(t)
	done, err := table.Set(m, "b.Map.Gbx", false)
	if want := (Result{Blocks: 2, Items: 3, Removed: 6, Added: 2, OtherRows: 1}); err != nil || done != want || m.BlockCount() != 2 || m.ItemCount() != 3 {
		t.Errorf("done = %v, m.BlockCount() = %v, m.ItemCount() = %v, err = %v; want no error, done = %v, m.BlockCount() = 2, m.ItemCount() = 3", done, m.BlockCount(), m.ItemCount(), err, want)
	}
	if _, err := table.Set(m, "c.Map.Gbx", false); err == nil || !strings.Contains(err.Error(), "all 3 rows are for other maps than c.Map.Gbx") {
		t.Errorf(`err = %v; want an error, err with "all 3 rows are for other maps than c.Map.Gbx"`, err)
	}
}

// An invalid list of blocks is rejected, and the error names line and column.
func TestRefusedTables(t *testing.T) {
	for text, want := range map[string]string{
		"":                                          "the table is empty",
		"name,x,y\nA,1,2":                           `line 1: the column "z" is missing`,
		"name,x,y,z,colour":                         `line 1: unknown column "colour"; expected one of file, name, kind,`,
		"name,x,y,z,x":                              `line 1: there are two columns "x"`,
		"name,x,y,z\nA,1,2\n":                       "line 2: wrong number of fields",
		"name,x,y,z\nA,1,2,z":                       `line 2: z: "z" is not a number`,
		"name,x,y,z\nA,1,2,":                        `line 2: z: "" is not a number`,
		"name,x,y,z\n\"A\",1,2,0.5":                 "line 2: z: 0.5 is not a cell",
		"name,x,y,z\nA,1,2,nan":                     "is not a number",
		"name,x,y,z\n,1,2,3":                        "line 2: name is missing",
		"name,x,y,z\nA,1,2,3\nA,300,2,3":            "line 3: a block cannot stand at 300 2 3",
		"name,x,y,z,kind\nA,1,2,3,baked":            "line 2: the game adds baked blocks by itself",
		"name,x,y,z,kind\nA,1,2,3,tree":             `kind: "tree" is neither block nor item`,
		"name,x,y,z,unit\nA,1,2,3,mile":             `unit: "mile" is not a block or metre`,
		"name,x,y,z,kind,unit\nA,1,2,3,item,block":  "items stand at a place in metres",
		"name,x,y,z,kind\nNo.Item.Gbx,1,2,3,item":   "does not embed No.Item.Gbx",
		"name,x,y,z,kind,flags\nA,1,2,3,item,12345": "have 16 bits",
		"name,x,y,z,flags\nA,1,2,3,XY":              `flags: "XY" is not a hexadecimal number`,
		"name,x,y,z,ghost\nA,1,2,3,maybe":           `ghost: "maybe" is neither yes nor no, true nor false`,
		"name,x,y,z,color\nA,1,2,3,red":             `color: "red" is not a whole number`,
		"name,x,y,z,color\nA,1,2,3,256":             "colour 256 is out of range",
		"name,x,y,z\n\"A,1,2,3":                     "line 2: extraneous or missing",
		"{}":                                        "neither a list of blocks",
		"[1]":                                       "blocks[0]: cannot unmarshal number",
		`[{"name":"A"}]`:                            "blocks[0]: the place is either coord",
		`[{"coord":[1,2,3]}]`:                       "blocks[0]: name is missing",
		`[{"name":"A","coord":[1,2,3],"position":[1,2,3]}]`:                            "the place is either coord",
		`[{"name":"A","coord":[1,2]}]`:                                                 "blocks[0]: [1,2] is not a list of three numbers",
		`[{"name":"A","coord":[1,2,3],"colour":1}]`:                                    `unknown field "colour"`,
		`[{"name":"A","coord":[1,2,3.5]}]`:                                             "blocks[0]: cannot unmarshal number 3.5",
		`[{"name":"A","coord":[1,2,3],"flags":"x"}]`:                                   "hexadecimal",
		`[{"name":"A","position":[1,2,3],"yaw_pitch_roll":[1]}]`:                       "[1] is not a list of three numbers",
		`[{"name":"A","kind":"item","position":[1,2,3],"pivot":[1,2,3,4]}]`:            "[1,2,3,4] is not a list of three numbers",
		`[{"name":"A","coord":[1,2,3]}`:                                                "the text is no JSON",
		`{"blocks":[{"name":"A","coord":[1,9,3]}]}{"blocks":[{"name":"A","coord":3}]}`: "blocks[0]: cannot unmarshal",
		`[{"name":"A","coord":[40000,2,3]}]`:                                           "x: 40000 is not a cell",
	} {
		err := setTable(mapsample.New(t), text)
		if err == nil || !strings.Contains(err.Error(), want) || fault.KindOf(err) == "" {
			t.Errorf("%q: %v (%s), want %s", text, err, fault.KindOf(err), want)
		}
	}
}

// FuzzTable reads anything, and sets it: nothing panics, errors are typed, and
// what was set and printed is set again without a change.
func FuzzTable(f *testing.F) {
	data, err := mapsample.Map()
	if err != nil {
		f.Fatal(err)
	}
	m := mapsample.Parsed(f, data)
	f.Add(tableOf(m))
	f.Add(objectOf(f, m))
	f.Add("name,x,y,z\nA,1,2,3\n\"B \"\"\",4,5,6\n")
	f.Add(`[{"name":"A","coord":[1,2,3]},{"name":"B","position":[1,2.5,-3],"skin":null,"waypoint":"Goal"}]`)
	f.Fuzz(func(t *testing.T, text string) {
		m := mapsample.Parsed(t, data)
		if err := setTable(m, text); err != nil {
			if fault.KindOf(err) == "" {
				t.Errorf("no typed error: %v", err)
			}
			return
		}
		saved, err := m.File.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again := mapsample.Parsed(t, saved)
		if err := setTable(again, tableOf(m)); err != nil {
			t.Fatal(err)
		}
		if twice, err := again.File.Encode(); err != nil || !bytes.Equal(saved, twice) {
			t.Errorf("set once more it is another map: %v", err)
		}
	})
}

// A list that a condition made shorter must not be set: it would remove all other blocks.
func TestFilteredList(t *testing.T) {
	list := "name,x,y,z," + FilterColumn + "\nRoadMain,1,2,3,name~Checkpoint\n"
	if _, err := Read([]byte(list)); err == nil || !strings.Contains(err.Error(), "name~Checkpoint") {
		t.Errorf("Read = %v, want an error with the condition", err)
	}
	if _, err := Read([]byte(strings.Replace(list, "name~Checkpoint", "", 1))); err != nil {
		t.Errorf("a list with an empty column: %v", err)
	}
}
