package object

import "pakbox/simutrans/node"

func init() {
	register(&Type{
		Node: node.TREE, Versions: same(2),
		Fields: `
			climates             climates  climates
			distribution_weight  int       distributionweight=3
			seasons              count     seasons=1`,
		Bodies: []string{
			"1: reserved:u8 distribution_weight:u8",
			"2: climates:u16 distribution_weight:u8 seasons:u8",
		},
		Build: (*Builder).tree,
		Write: func(w *Writer, d *Body) {
			w.fields(d, "")
			w.Blank()
			w.grid(numbered("image"))
		},
	})
}

func (b *Builder) tree() *node.Node {
	const ages = 5
	d := b.read(node.TREE, "")
	var lists []*node.Node
	for age := range ages {
		lists = append(lists, b.list(b.everySeason(key("image[%d]", age), d)))
	}
	return b.node(node.TREE, d, append(b.nameAndCopyright(), listNode(node.IMG2, lists))...)
}

// everySeason are the keys of one image in all seasons, which must be there.
func (b *Builder) everySeason(name string, d *Body) []string {
	return b.required(seasonKeys(name, d), "the image is missing", "every season needs an image")
}

func seasonKeys(name string, d *Body) (keys []string) {
	for i := range min(max(d.Int("seasons"), 0), 255) {
		keys = append(keys, key("%s[%d]", name, i))
	}
	return keys
}
