package maps

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"

	"pakbox/gbx/engine/game"
	"pakbox/nadeo/nadeotest/roomtest"
)

// Files written by games are consistent: every embedded model is listed and
// used. One of the maps has a file under its whole path on the maker's
// computer; only the map of a title pack uses models that it does not embed.
func TestEmbeddingOfGames(t *testing.T) {
	for file, missing := range map[string]int{
		"03043000/223b9d46373b.Map.Gbx": 0, "03043000/801dc9070351.Gbx": 0, "03093000/6f6dce8c6dce.Gbx": 0,
		"03093000/8bfcc82b40a6.Replay.Gbx": 0, "03043000/3b640027c6e0.Map.Gbx": 34,
	} {
		t.Run(file, func(t *testing.T) {
			m := mapOf(t, mapBytes(t, file))
			e, err := m.EmbeddedFiles()
			if err != nil {
				t.Fatal(err)
			}
			models := 0
			for _, f := range e.Files {
				if f.Model == "" {
					continue
				}
				models++
				if !f.Listed || f.Uses == 0 {
					t.Errorf("%s: %s is listed: %v, used: %d", file, f.Name, f.Listed, f.Uses)
				}
			}
			if models == 0 || len(e.Missing) != missing {
				t.Errorf("%s: %d models, %d missing, want %d", file, models, len(e.Missing), missing)
			}
		})
	}
}

// A zip may hold a file twice, under other spellings of its name, or under its
// whole path.
func TestEmbeddedTwice(t *testing.T) {
	item := roomtest.Item(t)
	made := func(names ...string) *Map {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		for _, n := range names {
			if err := addFile(w, n, item); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return madeMap(&game.Chunk03043054{EmbeddedZip: b.Bytes()})
	}
	left := func(m *Map) string {
		e, err := m.EmbeddedFiles()
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for i := range e.Files {
			out = append(out, e.Files[i].Name)
		}
		return strings.Join(out, " ")
	}
	m := made("Items/A.Item.Gbx", `Items\A.Item.Gbx`, "Items/B.Item.Gbx")
	if err := m.RemoveEmbedded("Items/A.Item.Gbx"); err != nil || left(m) != "Items/B.Item.Gbx" {
		t.Errorf("%s are left (%v)", left(m), err)
	}
	if err := m.RemoveEmbedded("Items/B.Item.Gbx"); err != nil || m.EmbeddedZip() != nil { // no zip at all, as in maps that bring nothing
		t.Errorf("%d bytes are left of nothing (%v)", len(m.EmbeddedZip()), err)
	}
	m = made(`items\tree.item.gbx`, "E:/Trackmania/Items/Tree.Item.Gbx", "Items/Old/Tree.Item.Gbx")
	if err := m.AddEmbedded("Items/Tree.Item.Gbx", item); err != nil || left(m) != "Items/Old/Tree.Item.Gbx Items/Tree.Item.Gbx" {
		t.Errorf("%s are there (%v)", left(m), err)
	}
}

func TestRooted(t *testing.T) {
	for name, want := range map[string]string{
		"E:/TrackmaniaUserData/Items/A/B.Item.Gbx": "Items/A/B.Item.Gbx", "/home/ada/items/B.Item.Gbx": "items/B.Item.Gbx",
		"Items/Items/B.Item.Gbx": "Items/Items/B.Item.Gbx", "C:/B.Item.Gbx": "C:/B.Item.Gbx", "../Items/B.Item.Gbx": "../Items/B.Item.Gbx",
	} {
		if got := rooted(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// Names in the XML are written as the game does that wrote it.
func TestRenameInXML(t *testing.T) {
	for file, want := range map[string]string{
		"24003000/97ec82668180.Challenge.Gbx": `name="A+%22b%22+%26+c"`,
		"03043000/98fb6fb5de7c.Challenge.Gbx": `name="A &quot;b&quot; &amp; c"`,
	} {
		m := mapOf(t, mapBytes(t, file))
		if err := m.Rename(`A "b" & c`); err != nil {
			t.Error(err)
		}
		if c, ok := head[*game.Header03043005](m); !ok || !strings.Contains(c.XML, want) {
			t.Errorf("%s: c.XML = %s; want ok = true, c.XML with %q", file, c.XML, want)
		}
	}
}
