package maps_test

import (
	"testing"

	"pakbox/codec/lzo1x"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/nadeotest/mapsample"
	"pakbox/nadeo/runs"
)

// FuzzMap looks at everything in a map that may be damaged, and edits it:
// nothing may panic, errors are typed, and what is saved can be read.
func FuzzMap(f *testing.F) {
	data, err := mapsample.Map()
	if err != nil {
		f.Fatal(err)
	}
	file, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		f.Fatal(err)
	}
	file.SetCompression(false, lzo1x.Fast)
	plain, err := file.Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(plain)
	item, err := mapsample.Item("Rock")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			return
		}
		m, err := maps.Of(file)
		if err != nil {
			return
		}
		look(m)
		typed := func(err error) {
			if err != nil && fault.KindOf(err) == "" {
				t.Errorf(`%T: err = %v; want no error or err of a kind other than none`, err, err)
			}
		}
		_, err = m.Thumbnail(maps.ThumbnailForm{})
		typed(err)
		_, err = m.Parts()
		typed(err)
		if err := m.Rename("renamed"); err != nil {
			t.Error(err)
		}
		m.SetMedals(maps.Medals{Author: 1, Gold: 2, Silver: 3, Bronze: 4})
		typed(m.AddBlock(maps.Block{Name: "added"}))
		typed(m.AddBlock(maps.Block{Name: "added", Free: true}))
		typed(m.AddItem(maps.Item{Model: m.Ident()}))
		first := func() func() bool { n := 0; return func() bool { n++; return n == 1 } }
		doomed := first()
		_, err = m.RemoveBlocks(func(*maps.Block) bool { return doomed() })
		typed(err)
		doomed = first()
		_, err = m.RemoveItems(func(*maps.Item) bool { return doomed() })
		typed(err)
		typed(m.ChangeBlocks(func(b *maps.Block) { b.Coord.X++; b.Skin, b.Waypoint, b.Order = "a.dds", "Checkpoint", 2 }))
		typed(m.ChangeItems(func(it *maps.Item) { it.Position.X++; it.Skin, it.Waypoint = "a.dds", "" }))
		typed(m.AddEmbedded("Items/Rock.Item.Gbx", item))
		typed(m.RemoveEmbedded("Items/Tree.Item.Gbx"))
		typed(m.SetMeta("Race_Version", "9"))
		m.RemovePassword()
		m.StripLightmap()
		saved, err := file.Encode()
		if err != nil {
			typed(err)
			return
		}
		if _, err := gbx.Parse(saved, engine.Registry()); err != nil {
			t.Errorf("what was saved cannot be read: %v", err)
		}
	})
}

// look asks a map everything that there is to ask.
func look(m *maps.Map) {
	m.Blocks()
	m.BakedBlocks()
	m.Items()
	m.Lightmap()
	m.Meta()
	m.Floor()
	m.RootedZip()
	for _, c := range m.Clips() {
		c.Length()
		runs.GhostsOfClip(&c.Clip)
	}
}
