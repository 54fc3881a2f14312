package compile

import (
	"pakbox/simutrans/desc"
	"pakbox/simutrans/node"
	"pakbox/simutrans/vocab"
)

// skin makes the writer of an object that is nothing but a list of images.
func skin(t node.Type) func(*builder) *node.Node {
	return func(b *builder) *node.Node {
		keys := b.present(func(i int) string { return key("image[%d]", i) })
		children := append(b.nameAndCopyright(), b.list(keys))
		return &node.Node{Type: t, Children: children}
	}
}

func (b *builder) good() *node.Node {
	d := &desc.Good{
		Head:       b.version(node.GOOD),
		Value:      b.money("value", 0),
		Category:   b.Int("catg", 0),
		SpeedBonus: b.Int("speed_bonus", 0),
		Weight:     desc.Kilos(b.Int("weight_per_unit", 100)),
		Color:      b.Int("mapcolor", 255),
	}
	children := append(b.nameAndCopyright(), node.NewText(b.Get("metric")))
	return b.node(node.GOOD, d, children...)
}

func (b *builder) sound() *node.Node {
	d := &desc.Sound{
		Head:   b.version(node.SOUN),
		Number: b.Int("sound_nr", 0xFFFF),
		File:   b.Get("sound_name") + "\x00",
	}
	return b.node(node.SOUN, d, b.nameAndCopyright()...)
}

// grid makes the IMG2 of image[i][j] as far as there are any, and ends it
// with an empty list, as makeobj does.
func (b *builder) grid(row func(i int) []string) *node.Node {
	var lists []*node.Node
	for {
		keys := row(len(lists))
		lists = append(lists, b.list(keys))
		if len(keys) == 0 {
			return listNode(node.IMG2, lists)
		}
	}
}

// maxGrounds is how many lists of images a ground is asked for.
const maxGrounds = 128

func (b *builder) ground() *node.Node {
	grid := b.grid(func(i int) []string {
		return b.present(func(j int) string { return key("image[%d][%d]", i, j) })
	})
	if len(grid.Children) > maxGrounds {
		grid = listNode(node.IMG2, grid.Children[:maxGrounds])
	}
	return &node.Node{Type: node.GRND, Children: append(b.nameAndCopyright(), grid)}
}

// ages is how many ages a tree has.
const ages = 5

func (b *builder) tree() *node.Node {
	d := &desc.Tree{
		Head:     b.version(node.TREE),
		Climates: b.climates(),
		Weight:   b.Int("distributionweight", 3),
		Seasons:  b.Int("seasons", 1),
	}
	var lists []*node.Node
	for age := range ages {
		lists = append(lists, b.list(b.required(seasonKeys(key("image[%d]", age), d.Seasons))))
	}
	return b.node(node.TREE, d, append(b.nameAndCopyright(), listNode(node.IMG2, lists))...)
}

// seasonKeys are the keys of one image in all seasons.
func seasonKeys(name string, seasons int64) (keys []string) {
	for i := range min(max(seasons, 0), 255) {
		keys = append(keys, key("%s[%d]", name, i))
	}
	return keys
}

// required reports the keys that are missing.
func (b *builder) required(keys []string) []string {
	for _, k := range keys {
		if !b.Has(k) {
			b.Fail(k, "every season needs an image", "the image is missing")
		}
	}
	return keys
}

func (b *builder) groundObject() *node.Node {
	d := &desc.GroundObject{
		Head:       b.version(node.GOBJ),
		Climates:   b.climates(),
		Weight:     b.Int("distributionweight", 3),
		Seasons:    b.Int("seasons", 1),
		TreesOnTop: 1,
		Speed:      desc.Speed(b.Int("speed", 0)),
		Price:      b.money("cost", 0),
	}
	if b.Int("trees_on_top", 1) == 0 {
		d.TreesOnTop = 0
	}
	if b.Has("waytype") {
		d.Waytype = b.waytype("waytype")
	}
	var grid *node.Node
	if d.Speed > 0 {
		var lists []*node.Node
		for _, dir := range vocab.Directions {
			lists = append(lists, b.list(b.required(seasonKeys(key("image[%s]", dir), d.Seasons))))
		}
		grid = listNode(node.IMG2, lists)
	} else {
		grid = b.grid(func(i int) []string {
			keys := seasonKeys(key("image[%d]", i), d.Seasons)
			if len(keys) == 0 || !b.Has(keys[0]) {
				return nil
			}
			return b.required(keys)
		})
	}
	return b.node(node.GOBJ, d, append(b.nameAndCopyright(), grid)...)
}
