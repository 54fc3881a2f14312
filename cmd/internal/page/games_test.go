package page_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"image/color"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/cmd/internal/page"
	"pakbox/cmd/internal/source"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo/maps"
	mappicture "pakbox/nadeo/picture"
	"pakbox/simutrans/node"
	"pakbox/simutrans/picture"
)

// box is a block or item in an answer to map.scene.
type box struct {
	sceneKind
	index uint32
	at    [3]float32
	turn  [4]float32
}

type sceneKind struct {
	Name, Surface, Waypoint string
	Color                   int
	Size                    [3]float32
	Ground, Item            bool
}

// scene asks for the scene of a map, and reads its columns.
func (a *asker) scene(path string) (boxes, items []box) {
	a.Helper()
	type columns struct{ Kind, Index, Turn, At []byte }
	var said struct {
		Kinds        []sceneKind
		Turns        []byte
		Boxes, Items columns
	}
	if err := json.Unmarshal(a.read("map.scene?path="+path), &said); err != nil {
		a.Fatal(err)
	}
	read := func(c columns) (list []box) {
		for at := c; len(at.Kind) > 0; at = (columns{at.Kind[4:], at.Index[4:], at.Turn[4:], at.At[12:]}) {
			b := box{sceneKind: said.Kinds[binary.LittleEndian.Uint32(at.Kind)], index: binary.LittleEndian.Uint32(at.Index)}
			binary.Decode(at.At, binary.LittleEndian, &b.at)
			binary.Decode(said.Turns[16*binary.LittleEndian.Uint32(at.Turn):], binary.LittleEndian, &b.turn)
			list = append(list, b)
		}
		return list
	}
	return read(said.Boxes), read(said.Items)
}

// The scene of a map is in metres: a cell of the sample map is 32 metres wide.
func TestScene(t *testing.T) {
	a := samples(t)
	const path = "path=samples/trackmania/Sample.Map.Gbx"
	a.expect([]expected{
		{"map.scene?" + path, ".schema, .path, .format", `"pakbox.map.scene/1" "samples/trackmania/Sample.Map.Gbx" "gbx"`},
		{"map.scene?" + path, ".items.kind, .models", `"" []`},
		// From the middle of cell 10, 10 to that of cell 16, 15: six cells, with two more on each
		// side, rounded up to an even number.
		{"map.scene?" + path, "[.min[0], .min[2], .max[0], .max[2]], .grid.step, .grid.size, .grid.centre, (.grid.y == .min[1])", "[336,336,528,496] 32 320 [416,416] true"},
		{"map.scene?" + path, ".note | contains(\"32 x 32 m\")", "true"},
	})
	boxes, _ := a.scene("samples/trackmania/Sample.Map.Gbx")
	if got, want := fmt.Sprint(boxes[0]), "{{StadiumRoadMainStartLine road start -1 [26 1.2 32] false false} 0 [336 8.9 336] [0 0 0 1]}"; got != want {
		t.Errorf("start = %s, want %s", got, want)
	}
	// Ten blocks: nine flat and straight ones, and a curve of several boxes.
	seen := map[uint32]bool{}
	for _, b := range boxes {
		seen[b.index] = true
		if b.Size[2] == 32 && (int(b.at[0])%32 != 16 || int(b.at[2])%32 != 16) {
			t.Errorf("straight block is not in the middle of a cell: %v", b)
		}
	}
	if len(boxes) != 14 || len(seen) != 10 {
		t.Errorf("scene has %d boxes for %d blocks, want 14 for 10", len(boxes), len(seen))
	}
	data := sampleMap(t)
	if _, err := a.files.Drop("a.Map.Gbx", bytes.NewReader(data), int64(len(data))); err != nil {
		t.Fatal(err)
	}
	a.expect([]expected{
		// Two trees share a model that the map embeds, and are 20 metres apart; the model of a
		// third item is missing.
		{"map.scene?path=dropped/a.Map.Gbx", ".models | map(.path, .items, (.matrices | map(.[12:15])))", `["items/Tree.Item.Gbx",[0,1],[[650,8,750],[670,8,750]]]`},
		{"map.deps?path=dropped/a.Map.Gbx", ".schema, (.dependencies | map(select(.url != null)))", `"pakbox.map.deps/1" [{"kind":"mod","path":"Skins\\Stadium\\Mod\\Snow.zip","present":null,"url":"http://dl.dropbox.com/u/1/Snow.zip","uses":1}]`},
	})
	boxes, items := a.scene("dropped/a.Map.Gbx")
	if boxes[5].Name != "PlatformTechBase" || boxes[5].index != 5 {
		t.Errorf("sixth box = %v", boxes[5])
	}
	if len(items) != 3 || items[0].Name != "Tree.Item.Gbx" || items[1].Name != "Tree.Item.Gbx" || items[2].Name != "Lost.Item.Gbx" || !items[0].Item {
		t.Errorf("items = %v", items)
	}
	f, err := gbx.Parse(sample(t, "trackmania/Sample.Map.Gbx"), engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	m, err := maps.Of(f)
	if err != nil {
		t.Fatal(err)
	}
	var svg bytes.Buffer
	if err := mappicture.Map(m).SVG(&svg); err != nil {
		t.Fatal(err)
	}
	if got := a.read("map.picture?kind=svg&" + path); !bytes.Equal(got, svg.Bytes()) {
		t.Errorf("got = %.300s; want got equal to svg.Bytes()", got)
	}
	glb := a.ask("map.mesh?" + path)
	if data, err := glb.Read(); err != nil || glb.File != "Sample.glb" || !bytes.Contains(data, []byte(`"scenes":[{"name":"Sample"`)) || !bytes.Contains(data, []byte("Checkpoint StadiumRoadMainCheckpoint #6")) {
		t.Errorf("glb.File = %s, err = %v: data = %.300s", glb.File, err, data)
	}
}

// The runs of a file: driver, inputs, and the line as a file.
func TestRuns(t *testing.T) {
	a := samples(t)
	const path, with = "path=samples/trackmania/Sample.Replay.Gbx", "with=samples/trackmania/Sample.Replay.Gbx"
	a.expect([]expected{
		{"replay.info?" + path, ".time, .nick, .ghosts[0].checkpoints", `9950 "$06fPak$fffbox" [7550,9950]`},
		{"spans?text=%2406fPak%24fffbox", ".spans", `[[{"color":"#0066ff","text":"Pak"},{"color":"#ffffff","text":"box"}]]`},
		{"replay.inputs?" + path, ".schema, (.ghosts | map(.ghost)), [.ghosts[0].inputs[] | [.time, .name, .value]]", `"pakbox.replay.inputs/1" [0] [[0,"_FakeIsRaceRunning",1],[0,"Accelerate",1],[4470,"Steer",-39321],[6350,"Steer",0],[9950,"_FakeFinishLine",1]]`},
		{"replay.telemetry?" + path, ".lines[0] | .sample_count, .time_s[100], .x_m[0]", `101 10 336`},
		{"replay.compare?step=20&" + path + "&" + with, "[.against[0].points[].distance] | .[1] - .[0]", "20"},
	})
	csv := a.ask("replay.telemetry.file?kind=csv&" + path)
	data, err := csv.Read()
	if err != nil || csv.File != "telemetry.csv" || bytes.Count(data, []byte("\n")) != 102 {
		t.Errorf("csv.File = %s, err = %v, data = %.100s; want no error, csv.File = \"telemetry.csv\", bytes.Count(data, []byte(\"\\n\")) = 102", csv.File, err, data)
	}
	if npy := a.read("replay.telemetry.file?kind=npy&" + path); !bytes.HasPrefix(npy, []byte("\x93NUMPY")) {
		t.Errorf("npy = %.20q; want npy beginning with []byte(\"\\x93NUMPY\")", npy)
	}
	a.refuses([]refused{
		{"replay.telemetry.file?kind=parquet&" + path, nil, page.Bad, "unknown format"},
		{"replay.telemetry.file?kind=odd&" + path, nil, page.Bad, "unknown format"},
		{"replay.telemetry?ghost=1&" + path, nil, page.Bad, "ghost"},
		{"replay.telemetry?ghost=x&" + path, nil, page.Bad, "ghost"},
		{"replay.compare?step=-1&" + path, nil, page.Bad, "step"},
		{"replay.compare?" + path + strings.Repeat("&"+with, 20), nil, page.Bad, "20 files are compared at most"},
		{"replay.info?path=samples/trackmania/Sample.Mesh.Gbx", nil, page.Unknown, "no recorded run"},
	})
	if got := a.ask("replay.compare?" + path + strings.Repeat("&"+with, 19)); got.Status != page.OK {
		t.Errorf("20 files: %d", got.Status)
	}
	a.expect([]expected{{"home", ".parquet", "false"}})
}

// The objects of a file, with their settings and pictures.
func TestSimutrans(t *testing.T) {
	a := samples(t)
	const good, tram = "path=samples/simutrans/good.Sample_Parcels.pak", "path=samples/simutrans/vehicle.Sample_Tram.pak"
	a.expect([]expected{
		{"simutrans.objects?" + good, ".schema, .path, .format", `"pakbox.simutrans.objects/1" "samples/simutrans/good.Sample_Parcels.pak" "simutrans"`},
		// The values of parcels.dat.
		{"simutrans.objects?" + good, ".objects[0] | .folder, .type, .name, .copyright, .axes, .fields", `"good.Sample_Parcels" "good" "Sample_Parcels" "the pakbox project" [] [{"name":"value","text":"85"},{"name":"category","text":"2"},{"name":"speed_bonus","text":"12"},{"name":"weight_per_unit","text":"20","unit":"kg"},{"name":"color","text":"255"}]`},
		{"simutrans.objects?" + good, `.objects[0].card | map(select(.label == "Value" or .label == "Weight per unit" or .label == "Object"))`, `[{"label":"Object","text":"Sample_Parcels"},{"label":"Value","text":"85"},{"label":"Weight per unit","text":"20 kg"}]`},
		{"simutrans.objects?" + good, `.objects[0].card | all(.label != "" and .text != "")`, "true"},
		{"simutrans.objects?" + tram, `.objects[0].axes | map(.name, (.values | map(.value)))`, `["direction",["n","ne","e","se","s","sw","w","nw"]]`},
		// A list has no value, only the number of its elements.
		{"simutrans.objects?" + tram, `.objects[0].fields | map(.name) | contains(["power"]), contains(["prev"])`, "true false"},
		{"simutrans.objects?object=vehicle.Sample_Tram&" + tram, ".objects | map(.name)", `["Sample_Tram"]`},
		{"simutrans.objects?" + tram + "/vehicle.Sample_Tram", ".objects | map(.folder)", `["vehicle.Sample_Tram"]`},
		{"simutrans.vehicles?path=samples", ".objects | map(.path, .name)", `["samples/simutrans/vehicle.Sample_Tram.pak","Sample_Tram"]`},
		{"simutrans.check?path=samples/simutrans", ".paths, .objects, .errors, .warnings, .notes", `["samples/simutrans"] 3 1 1 2`},
		{"simutrans.check?path=samples/simutrans", `.findings[] | select(.severity == "error") | .message, .file`, `"it needs the good \"Passagiere\", which is not there" "samples/simutrans/vehicle.Sample_Tram.pak"`},
		{"simutrans.check?path=samples/simutrans/vehicle.Sample_Tram.pak", ".objects, .errors", "1 1"},
	})
	a.refuses([]refused{
		{"simutrans.objects?object=nothing&" + tram, nil, page.Unknown, "is not an object"},
		{"simutrans.picture?" + tram + "&scale=17", nil, page.Bad, "scale"},
		{"simutrans.picture?" + tram + "&columns=-1", nil, page.Bad, "columns"},
		{"simutrans.picture?" + tram + "&player1=odd", nil, page.Bad, "player1"},
		{"simutrans.picture?" + tram + "&player2=odd", nil, page.Bad, "player2"},
	})
	pak, err := node.Parse(sample(t, "simutrans/vehicle.Sample_Tram.pak"))
	if err != nil {
		t.Fatal(err)
	}
	object := pak.Root.Children[0]
	red, blue := color.NRGBA{255, 0, 0, 255}, color.NRGBA{0, 0, 255, 255}
	for question, k := range map[string]struct {
		opts   picture.Options
		choice map[string]string
	}{
		"":                                {opts: picture.Options{Scale: 1, Columns: 8}},
		"&scale=2":                        {opts: picture.Options{Scale: 2, Columns: 8}},
		"&scale=1&columns=1":              {opts: picture.Options{Scale: 1, Columns: 1}},
		"&scale=1&columns=3":              {opts: picture.Options{Scale: 1, Columns: 3}},
		"&scale=9&columns=65":             {opts: picture.Options{Scale: 8, Columns: 64}},
		"&night=true":                     {opts: picture.Options{Scale: 1, Columns: 8, Night: true}},
		"&player1=ff0000&player2=0000ff":  {opts: picture.Options{Scale: 1, Columns: 8, Player1: &red, Player2: &blue}},
		"&sprite=true&scale=1":            {opts: picture.Options{Scale: 1, Columns: 8}, choice: map[string]string{}},
		"&sprite=true&choose=direction=e": {opts: picture.Options{Scale: 1, Columns: 8}, choice: map[string]string{"direction": "e"}},
	} {
		t.Run(question, func(t *testing.T) {
			want, err := picture.Sheet(object, k.opts)
			if k.choice != nil {
				want, err = picture.Sprite(object, k.choice, k.opts)
			}
			if err != nil {
				t.Fatal(err)
			}
			same(t, a.read("simutrans.picture?"+tram+question), want.At, want.Bounds().Dx(), want.Bounds().Dy())
		})
	}
	// The pakset includes subfolders; a file with many objects is one picture.
	set := folder(t, map[string][]byte{"sub/deep/x.PAK": sample(t, "simutrans/vehicle.Sample_Tram.pak"), "good.pak": sample(t, "simutrans/good.Sample_Parcels.pak"), "broken.pak": []byte("no pak"), "b.txt": sample(t, "simutrans/good.Sample_Parcels.pak")})
	set.expect([]expected{
		{"simutrans.vehicles?path=files", ".objects | map(.path)", `["files/sub/deep/x.PAK"]`},
		{"simutrans.check?path=files", ".objects, ([.findings[] | .file] | unique)", `2 ["files/broken.pak","files/good.pak","files/sub/deep/x.PAK"]`},
		{"what?path=files/sub/deep", ".tabs | length", "6"},
	})
	// Folders with more files than a pakset are refused.
	dir := t.TempDir()
	write(t, filepath.Join(dir, "files", "huge.pak"), nil)
	if err := os.Truncate(filepath.Join(dir, "files", "huge.pak"), 512<<20+1); err != nil {
		t.Fatal(err)
	}
	looking(t, []string{filepath.Join(dir, "files")}).refuses([]refused{
		{"simutrans.vehicles?path=files", nil, page.TooLarge, "or 536870912 bytes"},
		{"simutrans.check?path=files", nil, page.TooLarge, "or 536870912 bytes"},
	})
	// A list of vehicles is refused rather than cut.
	pak.Root.Children = slices.Repeat([]*node.Node{{Type: object.Type, Body: object.Body, Children: object.Children[:2]}}, 20000)
	many, err := pak.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	folder(t, map[string][]byte{"many.pak": many}).expect([]expected{{"simutrans.vehicles?path=files", ".objects | length", "20000"}})
	folder(t, map[string][]byte{"many.pak": many, "one more.pak": sample(t, "simutrans/vehicle.Sample_Tram.pak")}).refuses([]refused{
		{"simutrans.vehicles?path=files", nil, page.TooLarge, "more than 20000 objects"},
	})
}

// library is an index for the tests.
type library struct{ failing error }

func (l library) Name() string { return "maps.sqlite" }

func (l library) Files(context.Context) (int64, error) { return 42, l.failing }

func (l library) Ask(_ context.Context, q page.Asked, limit int) (*page.Table, error) {
	return &page.Table{Columns: []string{fmt.Sprint(limit)}, Rows: [][]any{{q.Query}}, Texts: [][]string{q.Words}, Paths: []string{"maps/a"}, Cut: true}, l.failing
}

func (l library) CSV(_ context.Context, w io.Writer, q page.Asked) error {
	if q.Query == "much" {
		for range 65 {
			if _, err := w.Write(make([]byte, 1<<20)); err != nil {
				return err
			}
		}
	}
	_, err := io.WriteString(w, strings.Join(append(q.Words, q.Query), ","))
	return errors.Join(err, l.failing)
}

func (l library) Facets(_ context.Context, words []string) (any, error) { return words, l.failing }

// Questions to an index are passed on unchanged.
func TestCollection(t *testing.T) {
	a := looking(t, nil, func(o *page.Options) { o.Collection = library{} })
	a.expect([]expected{
		{"home", ".collection", `{"files":42,"index":"maps.sqlite"}`},
		{"collection", ".", `{"files":42,"index":"maps.sqlite"}`},
		{"find?q=a&q=b", ".", `{"columns":["2000"],"cut":true,"paths":["maps/a"],"rows":[[""]],"texts":[["a","b"]]}`},
		{"find?most=120", ".columns", `["120"]`},
		{"find?most=999999", ".columns", `["2000"]`},
		{"find?most=-1", ".columns", `["2000"]`},
		{"sql?q=select", ".rows, .texts", `[["select"]] [null]`},
		{"facets?q=x&q=y", ".", `{"facets":["x","y"]}`},
	})
	for question, want := range map[string]string{"find.csv?q=a&q=b": "a,b,", "sql.csv?q=select": "select"} {
		got := a.ask(question)
		if data, err := got.Read(); err != nil || string(data) != want || got.File != "pakbox.csv" || got.Type != "application/octet-stream" {
			t.Errorf("%s = %q as %s, %v", question, data, got.File, err)
		}
	}
	a.refuses([]refused{
		{"sql", nil, page.Bad, "a question in SQL is needed"},
		{"sql.csv?q=much", nil, page.TooLarge, "limit of 33554432 bytes"},
	})
	failing := looking(t, nil, func(o *page.Options) { o.Collection = library{errors.New("the index is broken")} })
	for _, question := range []string{"home", "collection", "find?q=x", "sql?q=x", "find.csv?q=x", "facets"} {
		failing.refuses([]refused{{question, nil, page.Unusable, "the index is broken"}})
	}
}

// A typed passphrase or key opens its archive, and no other.
func TestUnlock(t *testing.T) {
	dir := corpus.Dir(t, "vpk42")
	data, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Passphrase string `json:"passphrase_default"`
	}
	if err := json.Unmarshal(data, &manifest); err != nil {
		t.Fatal(err)
	}
	a := looking(t, []string{filepath.Join(dir, "v1")})
	const path = "path=v1/enc.vpk"
	a.expect([]expected{
		{"what?" + path, ".kind, .format, (.tabs | map(.name))", `"archive" "vpk42" ["files","bytes"]`},
		{"children?" + path, ".archive, .children, .command, .locked.kind", `true [] "pakbox info v1/enc.vpk" "passphrase_required"`},
	})
	a.refuses([]refused{
		{"unlock?" + path, map[string]any{}, page.Bad, "a passphrase is needed"},
		{"unlock?" + path, map[string]any{"name": "x"}, page.Bad, "a passphrase is needed"},
		{"unlock?" + path, map[string]any{"key": "x"}, page.Bad, "a passphrase is needed"},
		{"text?" + path + "/readme.txt", nil, page.Unusable, "passphrase"},
	})
	// After a wrong passphrase the page asks again.
	a.refuses([]refused{{"unlock?" + path, map[string]any{"passphrase": "wrong"}, page.Unusable, "passphrase"}})
	a.expect([]expected{{"children?" + path, ".locked.kind", `"passphrase_required"`}})
	if got := a.pick(a.send("unlock?"+path, map[string]any{"passphrase": manifest.Passphrase}), ".kept"); got != "true" {
		t.Errorf(`got = %v; want "true"`, got)
	}
	a.expect([]expected{
		{"text?" + path + "/readme.txt", ".text", `"Hello World"`},
		{"children?" + path, ".locked, (.children | map(select(.name == \"data.bin\")))", `null [{"encrypted":true,"kind":"file","method":"stored","name":"data.bin","size":1024,"stored_size":1024}]`},
		{"children?path=v1/lz4_enc.vpk", ".locked.kind", `"passphrase_required"`}, // another archive
	})
	// The passphrase of the command line opens archives without a typed one.
	given := looking(t, []string{filepath.Join(dir, "v1")}, func(o *page.Options) {
		o.Passphrase = func(source.Request) (string, error) { return manifest.Passphrase, nil }
	})
	given.expect([]expected{{"text?" + path + "/readme.txt", ".text", `"Hello World"`}})
	// If it does not open an archive, the page asks for one.
	wrong := looking(t, []string{filepath.Join(dir, "v1")}, func(o *page.Options) {
		o.Passphrase = func(source.Request) (string, error) { return "not " + manifest.Passphrase, nil }
	})
	wrong.expect([]expected{{"children?" + path, ".locked.kind", `"passphrase_required"`}, {"what?" + path, ".tabs[0].screen", `"folder"`}})
	if got := wrong.pick(wrong.send("unlock?"+path, map[string]any{"passphrase": manifest.Passphrase}), ".kept"); got != "true" {
		t.Errorf(`got = %v; want "true"`, got)
	}
	wrong.expect([]expected{{"text?" + path + "/readme.txt", ".text", `"Hello World"`}})

	if data, err = os.ReadFile(filepath.Join(corpus.Dir(t, "nadeopak"), "manifest.json")); err != nil {
		t.Fatal(err)
	}
	var keyed struct {
		Paks []struct {
			File  string
			Key   string `json:"base_key"`
			Files []struct {
				Path string
				Size int
			}
		}
	}
	if err := json.Unmarshal(data, &keyed); err != nil {
		t.Fatal(err)
	}
	pak := keyed.Paks[0]
	name := strings.TrimSuffix(pak.File, ".pak")
	if data, err = os.ReadFile(filepath.Join(corpus.Dir(t, "nadeopak"), pak.File)); err != nil {
		t.Fatal(err)
	}
	content := map[string][]byte{pak.File: data} // without the list that contains its key
	b := folder(t, content, func(o *page.Options) {
		o.Keys = func() (archive.Keys, error) { return archive.Keys{"another": "00"}, nil }
	})
	b.expect([]expected{{"children?path=files/" + pak.File, ".locked.kind", `"key_required"`}})
	if got := b.pick(b.send("unlock", map[string]any{"name": strings.ToUpper(name), "key": pak.Key}), ".kept"); got != "true" {
		t.Errorf(`got = %v; want "true"`, got)
	}
	b.expect([]expected{
		{"children?path=files/" + pak.File, ".locked, (.children | map(.name))", `null ["readme.txt","Media"]`},
		{"what?path=files/" + pak.File + "/readme.txt", ".size", fmt.Sprint(pak.Files[0].Size)},
	})
	own := folder(t, content, func(o *page.Options) {
		o.Keys = func() (archive.Keys, error) { return archive.Keys{name: pak.Key}, nil }
	})
	own.expect([]expected{{"children?path=files/" + pak.File, ".locked", "null"}})
	broken := folder(t, content, func(o *page.Options) {
		o.Keys = func() (archive.Keys, error) { return nil, errors.New("the keys file is broken") }
	})
	broken.refuses([]refused{{"children?path=files/" + pak.File, nil, page.Unusable, "the keys file is broken"}})
}
