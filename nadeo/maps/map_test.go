package maps

import (
	"bytes"
	"encoding/json"
	"image"
	"image/png"
	"math"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/script"
	"pakbox/nadeo"
	"pakbox/nadeo/nadeotest/roomtest"
)

// madeMap is a map of some chunks.
func madeMap(bodies ...gbx.Body) *Map {
	n := &gbx.Node{Class: classMap}
	for _, b := range bodies {
		n.Chunks = append(n.Chunks, gbx.Chunk{Body: b})
	}
	return &Map{&gbx.File{Body: n}}
}

func TestMood(t *testing.T) {
	for decoration, want := range map[string]string{
		"48x48Screen155Day": "Day", "Sunrise48": "Sunrise", "30x30sunset": "Sunset", "Night": "Night", "30x30": "Day", "Simple": "",
	} {
		m := madeMap(&game.Chunk0304301F{Decoration: gbx.Ident{ID: gbx.NewID(decoration)}})
		if got := m.Mood(); got != want {
			t.Errorf("%s has the mood %q, want %q", decoration, got, want)
		}
	}
}

// The games put a mark before every text that is not plain ASCII.
func TestRenameMark(t *testing.T) {
	m := madeMap(&game.Chunk0304301F{MapName: "plain"})
	for _, c := range []struct{ name, want string }{
		{"Höhe", "\ufeffHöhe"}, {"\ufeffTiefe é", "\ufeffTiefe é"}, {"plain again", "plain again"},
	} {
		if err := m.Rename(c.name); err != nil || m.Name() != c.want {
			t.Errorf("%q became %q", c.name, m.Name())
		}
	}
}

func TestDependencyMark(t *testing.T) {
	m := madeMap(&game.Chunk03043024{CustomMusicPackDesc: gbx.FileRef{Path: "\ufeffMusic\\é.ogg"}})
	if d := m.Dependencies(); len(d) != 1 || d[0].Path != `Music\é.ogg` {
		t.Errorf("d = %+v; want d of length 1, d[0].Path = `Music\\é.ogg`", d)
	}
}

func TestWaypoint(t *testing.T) {
	for _, c := range []struct {
		chunk gamedata.Chunk2E009000
		want  string
	}{
		{gamedata.Chunk2E009000{Version: 1, Spawn: 0}, "Spawn"},
		{gamedata.Chunk2E009000{Version: 1, Spawn: 2}, "Checkpoint"},
		{gamedata.Chunk2E009000{Version: 1, Spawn: 9}, ""},
		{gamedata.Chunk2E009000{Version: 2, Tag: "Goal"}, "Goal"},
		{gamedata.Chunk2E009000{Version: 0}, ""},
		{gamedata.Chunk2E009000{Version: 3}, ""}, // whatever it holds
	} {
		r := gbx.NewRef(&gbx.Node{Chunks: []gbx.Chunk{{Body: &c.chunk}}})
		if got, _ := waypointOf(r); got != c.want {
			t.Errorf("version %d: %q, want %q", c.chunk.Version, got, c.want)
		}
	}
}

// NaN and infinity have no form in JSON, and cannot be set.
func TestMetaNumbers(t *testing.T) {
	nan := float32(math.NaN())
	traits := &script.Chunk11002000{}
	traits.Traits.Traits = []script.Trait{
		{Name: "A", Type: &script.Type{Kind: script.Real}, Value: script.Value{Real: nan}},
		{Name: "B", Type: &script.Type{Kind: script.Vec3}, Value: script.Value{Vec3: gbx.Vec3{X: 1.5, Y: nan, Z: -float32(math.Inf(1))}}},
		{Name: "C", Type: &script.Type{Kind: script.Real}, Value: script.Value{Real: 0.25}},
	}
	m := madeMap(&game.Chunk03043044{ScriptMetadata: gbx.NewRef(&gbx.Node{Chunks: []gbx.Chunk{{Body: traits}}})})
	for _, bad := range []string{"NaN", "-Inf", "1e99"} {
		if m.SetMeta("C", bad) == nil {
			t.Errorf("a Real became %s", bad)
		}
	}
	got, err := json.Marshal(m.Meta())
	want := `[{"name":"A","type":"Real","value":null},{"name":"B","type":"Vec3","value":[1.5,null,null]},{"name":"C","type":"Real","value":0.25}]`
	if string(got) != want {
		t.Errorf("got = %s (err = %v); want %s", got, err, want)
	}
}

// A name that would break the header's XML is refused, and nothing changes.
func TestRenameControlCharacters(t *testing.T) {
	m, err := Of(roomtest.Hard(t, "6ae38096c91b09b6.Map.Gbx"))
	if err != nil {
		t.Fatal(err)
	}
	before := m.Name()
	for _, name := range []string{"a\nb", "\x01", "a\x00", "\x7f", "a\ufffe", "\xff"} {
		if err := m.Rename(name); err == nil || m.Name() != before {
			t.Errorf("%q: the map is called %q (%v)", name, m.Name(), err)
		}
	}
}

// A real map whose author wrote two letters instead of digits.
func TestColoursOfFewDigits(t *testing.T) {
	m, err := Of(roomtest.Hard(t, "6ae38096c91b09b6.Map.Gbx"))
	if err != nil || nadeo.Plain(m.Name()) != "Hγstеria //  ЯunBaby 2" {
		t.Errorf(`nadeo.Plain(m.Name()) = %q (err = %v); want no error, nadeo.Plain(m.Name()) = "Hγstеria // ЯunBaby 2"`, nadeo.Plain(m.Name()), err)
	}
}

// Games store square pictures of 512 pixels. A camera's picture must not make the map
// several times as large, unless its maker wants that.
func TestThumbnailIsCutToASquare(t *testing.T) {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 1600, 1200))); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		form ThumbnailForm
		want image.Point
	}{
		{"as games store it", ThumbnailForm{}, image.Pt(512, 512)},
		{"its own size", ThumbnailForm{KeepSize: true}, image.Pt(1600, 1200)},
		{"a given size", ThumbnailForm{Size: 800}, image.Pt(800, 600)},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := madeMap()
			m.File.Chunks = []gbx.HeaderChunk{{Body: &game.Header03043007{}}}
			if err := m.SetThumbnail(b.Bytes(), c.form); err != nil {
				t.Fatal(err)
			}
			got, _, err := image.DecodeConfig(bytes.NewReader(m.StoredThumbnail()))
			if err != nil || got.Width != c.want.X || got.Height != c.want.Y {
				t.Errorf("stored %d by %d, %v; want %v", got.Width, got.Height, err, c.want)
			}
		})
	}
}
