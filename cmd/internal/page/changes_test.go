package page_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pakbox/cmd/internal/page"
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/nadeotest/mapsample"
)

// A place is a folder on disk whose files are changed from the page.
type place struct {
	*asker
	dir string
}

func changing(t *testing.T, change ...func(*page.Options)) *place {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "files")
	write(t, filepath.Join(dir, "a.Map.Gbx"), sampleMap(t))
	write(t, filepath.Join(dir, "tram.pak"), sample(t, "simutrans/vehicle.Sample_Tram.pak"))
	return &place{looking(t, []string{dir}, change...), dir}
}

func (p *place) file(name string) []byte {
	p.Helper()
	data, err := os.ReadFile(filepath.Join(p.dir, name))
	if err != nil {
		p.Fatal(err)
	}
	return data
}

// makes previews a change, makes it, and returns the changed map.
func (p *place) makes(command string, change map[string]any, expression, told string) *maps.Map {
	p.Helper()
	old := p.file("a.Map.Gbx")
	change["dry_run"] = true
	shown := p.send(command+"?path=files/a.Map.Gbx", change)
	if got := p.pick(shown, ".dry_run, (.values | length > 0), .notes"); got != `true true []` {
		p.Errorf("%s: command = %s", command, got)
	}
	if !bytes.Equal(p.file("a.Map.Gbx"), old) {
		p.Errorf("%s: the preview changed the file", command)
	}
	change["dry_run"] = false
	made := p.send(command+"?path=files/a.Map.Gbx", change)
	data := p.file("a.Map.Gbx")
	if got, want := p.pick(made, `.format, .dry_run, .old_size - `+strconv.Itoa(len(old))+`, .size - `+strconv.Itoa(len(data))+`, (`+expression+`)`), `"gbx" false 0 0 `+told; got != want {
		p.Errorf("%s = %s, want %s", command, got, want)
	}
	return mapsample.Parsed(p, data)
}

// Each change of a map has a preview and then changes the file.
func TestMapChanges(t *testing.T) {
	p := changing(t)
	if m := p.makes("map.rename", map[string]any{"name": "{name} again"}, ".schema, .old_name, .name", `"pakbox.map.rename/1" "$f00Sample $zmap" "$f00Sample $zmap again"`); m.Name() != "$f00Sample $zmap again" {
		t.Errorf("name = %q", m.Name())
	}
	if m := p.makes("map.medals.set", map[string]any{"author": "0:30.000", "silver": "0:50.5", "bronze": ""}, ".path", `"files/a.Map.Gbx"`); m.Medals() != (maps.Medals{Author: 30000, Gold: 43000, Silver: 50500, Bronze: 60000}) {
		t.Errorf("medals = %v", m.Medals())
	}
	icon := sample(t, "simutrans/tram.png")
	m := p.makes("map.thumbnail.set", map[string]any{"picture": map[string]any{"data": icon}}, ".thumbnail_size > 100", "true")
	if upright, err := m.Thumbnail(maps.ThumbnailForm{}); err != nil || len(upright) < 100 {
		t.Errorf("the thumbnail has %d bytes, %v", len(upright), err)
	}
	m = p.makes("map.meta.set", map[string]any{"set": []string{"Race_Note=bye", "Race_Version=8"}}, ".set", `["Race_Note=bye","Race_Version=8"]`)
	if v := m.Meta(); len(v) != 2 || v[0].Value != int32(8) || v[1].Value != "bye" {
		t.Errorf("values = %+v", v)
	}
	item, err := mapsample.Item("New")
	if err != nil {
		t.Fatal(err)
	}
	m = p.makes("map.items.change", map[string]any{
		"add":    []any{map[string]any{"name": "New.Item.Gbx", "data": item}, map[string]any{"as": "Items/Sub/Other.Item.Gbx", "name": "x.Item.Gbx", "data": item}},
		"remove": []string{"Items/Tree.txt"}, "remove_unused": true,
	}, ".schema, .added, .removed", `"pakbox.map.items.change/1" ["Items/New.Item.Gbx","Items/Sub/Other.Item.Gbx"] ["Items/Tree.txt","Items/Unused.Item.Gbx","C:/Users/Ada/Items/Leak.Item.Gbx","../Evil.Item.Gbx"]`)
	e, err := m.EmbeddedFiles()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range e.Files {
		names = append(names, f.Name)
	}
	if got, want := strings.Join(names, " "), "Items/Tree.Item.Gbx Items/New.Item.Gbx Items/Sub/Other.Item.Gbx"; got != want {
		t.Errorf("embedded items = %s, want %s", got, want)
	}
	// A question after a change reads the file again.
	p.expect([]expected{{"info?path=files/a.Map.Gbx", ".name, .medals.silver, (.embedded_items | length)", `"$f00Sample $zmap again" 50500 3`}})
	if _, err := os.Stat(filepath.Join(p.dir, "a.Map.Gbx.bak")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a change without backup kept the old file: %v", err)
	}
	p.refuses([]refused{
		{"map.rename?path=files/a.Map.Gbx", map[string]any{"name": "a\nb"}, page.Bad, "name"},
		{"map.medals.set?path=files/a.Map.Gbx", map[string]any{"gold": "soon"}, page.Bad, "is not a time"},
		{"map.thumbnail.set?path=files/a.Map.Gbx", map[string]any{}, page.Bad, "a picture is needed"},
		{"map.thumbnail.set?path=files/a.Map.Gbx", map[string]any{"picture": map[string]any{"data": []byte("no picture")}}, page.Unusable, "files/a.Map.Gbx"},
		{"map.meta.set?path=files/a.Map.Gbx", map[string]any{"set": []string{"a=2", "Race_Version=9"}}, page.Bad, `\"a\"`},
		{"map.meta.set?path=files/a.Map.Gbx", map[string]any{"set": []string{"Race_Version=x"}}, page.Bad, "is not a value of type Integer"},
		{"map.items.change?path=files/a.Map.Gbx", map[string]any{"remove": []string{"nothing"}}, page.Bad, "does not embed nothing"},
		{"map.rename?path=files/tram.pak", map[string]any{"name": "x"}, page.Unknown, "files/tram.pak"},
		{"map.rename?path=files/none.Map.Gbx", map[string]any{"name": "x"}, page.NotFound, "no such file"},
		{"map.rename?path=files/a.Map.Gbx/Items/Tree.Item.Gbx", map[string]any{"name": "x"}, page.Unusable, "cannot be changed"},
		{"map.rename?path=files", map[string]any{"name": "x"}, page.Unusable, "cannot be changed"},
	})
}

// A value is changed by its path, in a GBX file and in a Simutrans object. With backup the
// old file is kept.
func TestSet(t *testing.T) {
	p := changing(t)
	old := p.file("a.Map.Gbx")
	change := map[string]any{"values": []string{"body.03043018.nbLaps=5"}, "backup": true}
	got := p.send("set?path=files/a.Map.Gbx", change)
	data := p.file("a.Map.Gbx")
	if said, want := p.pick(got, `.schema, .format, .dry_run, (.changes | map(.place, .old_value, .new_value)), .notes, .size`), `"pakbox.set/1" "gbx" false ["body.03043018.nbLaps","3","5"] [] `+strconv.Itoa(len(data)); said != want {
		t.Errorf("value = %s, want %s", said, want)
	}
	if c, ok := gbx.Find[*game.Chunk03043018](mapsample.Parsed(t, data).File.Body); !ok || c.NbLaps != 5 {
		t.Errorf("c = %+v; want ok = true, c.NbLaps = 5", c)
	}
	if !bytes.Equal(p.file("a.Map.Gbx.bak"), old) {
		t.Error("the old file was not kept")
	}
	old = p.file("tram.pak")
	got = p.send("set?path=files/tram.pak", map[string]any{"values": []string{"power=500"}, "dry_run": true})
	if said, want := p.pick(got, `.format, .dry_run, (.values | map(.old, .new)), .size`), `"simutrans" true ["120 kW","500 kW"] null`; said != want || !bytes.Equal(p.file("tram.pak"), old) {
		t.Errorf("value = %s, want %s", said, want)
	}
	if got := p.send("set?path=files/tram.pak", map[string]any{"values": []string{"power=500"}}); got.Status != page.OK {
		t.Errorf("got.Status = %d; want page.OK", got.Status)
	}
	p.expect([]expected{{"simutrans.vehicles?path=files", ".objects | map(.power, .topspeed)", "[500,60]"}})
	p.refuses([]refused{
		{"set?path=files/a.Map.Gbx", map[string]any{"values": []string{"nothing=5"}}, page.Bad, "nothing"},
		{"set?path=files/a.Map.Gbx/body.bin", map[string]any{"values": []string{"nbLaps=5"}}, page.Unusable, "cannot be changed"},
		{"set?path=files/a.Map.Gbx", map[string]any{"values": []string{"body.03043018.nbLaps=many"}}, page.Bad, "many"},
	})
}
