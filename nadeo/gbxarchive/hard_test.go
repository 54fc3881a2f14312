package gbxarchive

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"pakbox/internal/testkit/corpus"
)

// Facts that cards of real files once omitted.
func TestFactsOfHardFiles(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]map[string]string{
		"000862288c163f8c.Shape.gbx": {"game": `"ManiaPlanet"`, "triangle_count": "0", "collision_triangle_count": "12"},
		"046cfec27944633b.Mat.Gbx":   {"game": `"ManiaPlanet"`, "model": `"TDOBSN"`, "textures": `["Materials\\ColorPalette\\ColorPalette_Opacity50%.dds"]`},
		"ecdddd253d5230fd.Item.gbx":  {"game": `"ManiaPlanet"`, "files": `["100x50.Mesh.gbx","100x50.Shape.gbx"]`},
		"7f201778487d600d.Item.Gbx":  {"game": `"Trackmania (2020)"`, "triangle_count": "6996", "files": "[]"},
		"053d786745e6657a.Ghost.Gbx": {"game": `"Trackmania (2020)"`, "input_count": "63411", "race_time": "2575154"},
		// A header of version FFFFFFFF, and medals that only the XML has.
		"c5fdce713feac2f2.Replay.Gbx": {"time": "62750", "nick": `"Bench1"`, "login": `"unnamed/127.0.0.1"`, "map_uid": `"SE2zbgLaeB7aCoSpRXqm8Q62rXk"`},
		"d8ccdd35f2385ea1.Map.Gbx":    {"medals": `{"author":62000,"gold":65000,"silver":71000,"bronze":80000}`},
		// It has no time but that of the header.
		"b058d69ac4394d8c.Replay.Gbx": {"time": "69930", "map_uid": `"EB7g1vI_m7XfzP1AV4sS8LJgGX8"`},
	} {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(corpus.Dir(t, "gbx-hard"), name))
			if err != nil {
				t.Fatal(err)
			}
			record, err := open(t, data, name).Facts().MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			var got map[string]json.RawMessage
			if err := json.Unmarshal(record, &got); err != nil {
				t.Fatal(err)
			}
			for fact, value := range want {
				if string(got[fact]) != value {
					t.Errorf("%s: %s is %q, want %q", name, fact, got[fact], value)
				}
			}
		})
	}
}

// A checkpoint that was not passed is null in JSON, never -1.
func TestAbsentCheckpoints(t *testing.T) {
	t.Parallel()
	const name = "1011db6d0b0297bd.Replay.Gbx"
	data, err := os.ReadFile(filepath.Join(corpus.Dir(t, "gbx-hard"), name))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range open(t, data, name).Facts() {
		if f.Name != "ghosts" {
			continue
		}
		value, err := json.Marshal(f.Value)
		if err != nil || bytes.Count(value, []byte("null,")) < 31 || bytes.Contains(value, []byte("-1")) {
			t.Errorf(`value = %s (err = %v); want no error, bytes.Count(value, []byte("null,")) at least 31, value without []byte("-1")`, value, err)
		}
		return
	}
	t.Error("no ghosts")
}
