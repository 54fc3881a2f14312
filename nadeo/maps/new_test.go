package maps

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/internal/lib/styled"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo"
	"pakbox/nadeo/internal/scenery"
	"pakbox/nadeo/nadeotest/roomtest"
)

const sampleUID = "SampleUID_00000000000000001"

// everyNewMap calls test with a new map of each generation, environment, size
// and mood.
func everyNewMap(t *testing.T, test func(t *testing.T, o Options, m *Map)) {
	for g, list := range scenery.All {
		for _, s := range list {
			for _, b := range s.Bases {
				for i, decoration := range b.Decorations {
					if decoration == "" {
						continue
					}
					o := Options{
						Game: g, Environment: s.Name, Size: b.Size, Mood: scenery.Moods[i], Decoration: decoration, UID: sampleUID,
						Name: "$f00Nächte & <Tage>", Author: nadeo.Player{Login: "ada", Nick: "$iAdä", Zone: "World|Europe"},
					}
					t.Run(fmt.Sprint(g, " ", s.Name, " ", decoration), func(t *testing.T) {
						m, err := New(o)
						if err != nil {
							t.Fatal(err)
						}
						test(t, o, m)
					})
				}
			}
		}
	}
}

func encoded(t *testing.T, m *Map) []byte {
	t.Helper()
	data, err := m.File.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A new map is read to its last byte, is byte-identical when saved, also when
// encoded from its values, and has the options that were set.
func TestNewMap(t *testing.T) {
	everyNewMap(t, func(t *testing.T, o Options, m *Map) {
		data := encoded(t, m)
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Fatal(err)
		}
		if f.Body.Tail != nil || len(f.Rest) > 0 || len(f.Trailer) > 0 {
			t.Errorf("not read to the end: %v, %d and %d bytes", f.Body.Tail, len(f.Rest), len(f.Trailer))
		}
		for _, c := range f.Body.Chunks {
			if o, ok := c.Body.(*gbx.Opaque); ok {
				t.Errorf("chunk %v: %s", c.ID, o.Reason)
			}
		}
		again, err := New(o)
		if err != nil || !bytes.Equal(encoded(t, again), data) {
			t.Errorf("the same options give another map (%v)", err)
		}
		m = &Map{f}
		if got := m.Name(); styled.Unmarked(got) != o.Name {
			t.Errorf("name %q", got)
		}
		if m.Size() != o.Size || m.Decoration().ID.String() != o.Decoration || m.UID() != o.UID || m.Generation() != o.Game {
			t.Errorf("size %v, decoration %q, UID %s, generation %q", m.Size(), m.Decoration().ID, m.UID(), m.Generation())
		}
		if got := m.Author(); got.Login != "ada" || o.Game != nadeo.Forever && (styled.Unmarked(got.Nick) != o.Author.Nick || got.Zone != o.Author.Zone) {
			t.Errorf("author %+v", got)
		}
		if list := Contradictions(f); len(list) > 0 {
			t.Errorf("%v; want len(list) at most 0", strings.Join(list, "\n"))
		}
	})
}

// codedChunks are the chunks of a map's body as bytes, each behind those that
// other chunks count the elements of.
func codedChunks(t *testing.T, m *Map) map[classid.ID][]byte {
	t.Helper()
	var counted []gbx.Chunk
	for _, c := range m.File.Body.Chunks {
		if slices.Contains([]classid.ID{0x0304301F, 0x03043040, 0x03043048}, c.ID) {
			counted = append(counted, c)
		}
	}
	out := map[classid.ID][]byte{}
	for _, c := range m.File.Body.Chunks {
		if slices.ContainsFunc(counted, func(o gbx.Chunk) bool { return o.ID == c.ID }) {
			continue // they stand before every other one
		}
		one := gbx.New(&gbx.Node{Class: classMap, Chunks: append(slices.Clip(counted), c)}, engine.Registry())
		coded, err := gbx.Parse(encoded(t, &Map{one}), engine.Registry())
		if err != nil {
			t.Fatal(err)
		}
		out[c.ID] = coded.BodyBytes()
	}
	return out
}

// A map that the editor of Trackmania (2020) opened and left empty, which a
// replay holds, is the map that NewMap makes, chunk by chunk, but for what its
// build and the plugins of its player added.
func TestNewMapIsTheEditorsMap(t *testing.T) {
	var real *Map
	roomtest.Each(t, roomtest.ReplayFolders, func(c roomtest.File) {
		if corpus.Name(c.Path) != "0d89d7e03b56" {
			return
		}
		f, err := gbx.Parse(roomtest.MapInReplay(c.File), engine.Registry())
		if err != nil {
			t.Fatal(err)
		}
		real = &Map{f}
	})
	if real == nil {
		t.Fatal("the replay is gone")
	}
	made, err := New(Options{Decoration: "48x48Screen155Day", Author: real.Author(), UID: sampleUID})
	if err != nil {
		t.Fatal(err)
	}
	mapUID.Set(made.site(), gbx.NoID) // the map was never saved
	differ := []classid.ID{
		0x03043022,                                                 // 1 in all other maps
		0x03043029,                                                 // the checksum of the UID
		0x03043044,                                                 // plugins keep values in it
		0x03043051,                                                 // the build
		0x0304305B,                                                 // a later version of no lightmap
		0x03043067,                                                 // a node without content, or none
		0x03043026, 0x03043028, 0x03043038, 0x0304305C, 0x0304306B, // written by one of the two builds
	}
	a, b := codedChunks(t, made), codedChunks(t, real)
	for id := range a {
		if !slices.Contains(differ, id) && !bytes.Equal(a[id], b[id]) {
			t.Errorf("chunk %v: %d bytes made, %d real", id, len(a[id]), len(b[id]))
		}
	}
	if len(a) < 40 {
		t.Errorf("%d chunks", len(a))
	}
}

// A map without its shadows has the chunk of a map whose shadows were never
// computed: every real map has the flag of a lightmap.
func TestStrippedLikeNew(t *testing.T) {
	stripped := map[uint32]int{}
	roomtest.Each(t, roomtest.MapFolders, func(c roomtest.File) {
		m, err := Of(c.File)
		if err != nil || !m.StripLightmap() {
			return
		}
		var has gbx.Bool
		var l *game.CGameCtnChallengeLightmaps
		if c, ok := find[*game.Chunk0304305B](m); ok {
			has, l = c.HasLightmaps, &c.Lightmaps
		} else if c, ok := find[*game.Chunk0304303D](m); ok {
			has, l = c.HasLightmaps, &c.Lightmaps
		}
		if !has.True() || !reflect.DeepEqual(*l, noLight(l.Version)) {
			t.Errorf("%s: has = %v, l = %+v; want has.True() = true, *l equal to noLight(l.Version)", c.Path, has, l)
		}
		stripped[l.Version]++
		if data, err := m.File.Encode(); err != nil {
			t.Errorf("%s: %v", c.Path, err)
		} else if again := (&Map{roomtest.Parse(t, data)}); again.HasLightmap() || len(again.Lightmap()) > 0 {
			t.Errorf("%s: the shadows are still there", c.Path)
		}
	})
	if stripped[4] < 5 || stripped[8] < 5 {
		t.Errorf("stripped = %v; want stripped[4] at least 5, stripped[8] at least 5", stripped)
	}
}
