package models

import (
	"os"
	"path/filepath"
	"testing"

	"pakbox"
	"pakbox/archive"
	"pakbox/nadeo/drives"
	"pakbox/nadeo/items"
	"pakbox/nadeo/nadeotest/mapsample"
)

// gameWith opens a game whose drives have these files, each with an item of its own name
// in it, or with nothing that can be read.
func gameWith(t *testing.T, files map[string]string) *Models {
	t.Helper()
	root := t.TempDir()
	for name, item := range files {
		data := []byte("nothing")
		if item != "" {
			var err error
			if data, err = mapsample.Item(item); err != nil {
				t.Fatal(err)
			}
		}
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	layout, err := drives.FindLayout(root)
	if err != nil {
		t.Fatal(err)
	}
	g, err := drives.Open(t.Context(), layout, pakbox.Formats(), archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Close() })
	return Of(g)
}

func named(t *testing.T) *Models {
	return gameWith(t, map[string]string{
		"ManiaPlanet/GameData/Stadium/Items/Tree.Item.Gbx":      "tree",
		"ManiaPlanet/GameData/Stadium/Items/Old.ObjectInfo.Gbx": "old",
		"ManiaPlanet/GameData/Stadium/Road.EDRoad.Gbx":          "road",
		"ManiaPlanet/GameData/Stadium/Clip.TMEDClip.Gbx":        "clip",
		"ManiaPlanet/GameData/Stadium/Sound.Block.Gbx":          "sound",
		"ManiaPlanet/GameData/Stadium/Broken.Item.Gbx":          "",
		"Personal/Items/A/Tree.Item.Gbx":                        "a",
		"Personal/Items/B/Tree.Item.gbx":                        "b",
		"Personal/Items/Road.EDRoad.Gbx":                        "mine",
	})
}

// Models are found by the names that maps give them, items among items and blocks among
// blocks. The game's own come before those of the player.
func TestNames(t *testing.T) {
	m := named(t).ForMap()
	for _, test := range []struct {
		block bool
		name  string
		want  string
	}{
		{false, "Tree", "tree"}, {false, "TREE", "tree"}, {false, "Old", "old"}, {false, "Road", ""}, {false, "Sound", ""}, {false, "Broken", ""}, {false, "Nothing", ""}, {false, "", ""},
		{true, "Road", "road"}, {true, "clip", "clip"}, {true, "Tree", ""}, {true, "Sound", ""},
		{false, `Items\A\Tree.Item.Gbx`, "a"}, {false, "a/tree.item.gbx", "a"}, {false, `B\Tree.Item.Gbx`, "b"}, {false, "Tree.Item.Gbx", "tree"}, {false, `C\Tree.Item.Gbx`, ""}, {false, `ms\A\Tree.Item.Gbx`, ""},
		{true, `Stadium\Sound.Block.Gbx_CustomBlock`, "sound"}, {false, "Stadium/Broken.Item.Gbx", ""},
	} {
		find := m.Item
		if test.block {
			find = m.Block
		}
		f, open := find(test.name)
		got := ""
		if f != nil {
			got, _ = items.NameOf(f)
		}
		if got != test.want || (open != nil) != (test.want != "") {
			t.Errorf("%q is %q, want %q", test.name, got, test.want)
		}
	}
}

// A file is read once for a map, also one that cannot be read; and no more is read for a
// map than there may be.
func TestReadsOnce(t *testing.T) {
	m := named(t).ForMap()
	first, _ := m.Item("Tree")
	left := m.left
	again, _ := m.Item("tree.item.gbx")
	if first == nil || again != first || m.left != left || left >= maxModels {
		t.Errorf("%p and %p, %d and %d bytes are left", first, again, left, m.left)
	}
	m.Item("stadium/broken.item.gbx")
	m.Item("stadium/broken.item.gbx")
	if broken := left - m.left; broken != int64(len("nothing")) {
		t.Errorf("%d bytes were read of a broken file", broken)
	}
	size := maxModels - left // of the item
	for _, test := range []struct {
		left int64
		ok   bool
	}{{size, true}, {size - 1, false}, {0, false}} {
		m := named(t).ForMap()
		m.left = test.left
		if f, _ := m.Item("Tree"); (f != nil) != test.ok || m.left < 0 || test.ok && m.left != 0 {
			t.Errorf("with %d bytes left: %v, %d are left", test.left, f != nil, m.left)
		}
	}
}

// A model refers to files beside it on its drive, and with a slash to those of the player.
func TestRefers(t *testing.T) {
	m := named(t).ForMap()
	_, open := m.Item("Tree")
	for name, want := range map[string]string{"../Road.EDRoad.Gbx": "road", "Old.ObjectInfo.Gbx": "old", "/Items/Road.EDRoad.Gbx": "mine", "/Items/A/Tree.Item.Gbx": "a", "A/Tree.Item.Gbx": "", "/Nothing.Gbx": "", "../Broken.Item.Gbx": ""} {
		f, next := open(name)
		got := ""
		if f != nil {
			got, _ = items.NameOf(f)
		}
		if got != want || (next != nil) != (want != "") {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}
