package object

import "pakbox/simutrans/node"

func init() {
	const ages = 5
	register(&Type{
		Node: node.TREE, Word: "tree", Versions: same(2), Axes: []string{"age", "season"},
		About: "A tree of five ages.",
		Fields: `
			climates             climates  climates              -- The climates in which it grows; without one it never grows.
			distribution_weight  int       distributionweight=3  -- How often it grows, compared with other trees.
			seasons              count     seasons=1             -- The number of seasons that the images show.
			.  image  image[0-4][0]  -- The tree at each of five ages; the second index is the season.`,
		Bodies: []string{
			"1: reserved:u8 distribution_weight:u8",
			"2: climates:u16 distribution_weight:u8 seasons:u8",
		},
		Build: func(b *Builder) *node.Node {
			d := b.read(node.TREE, "")
			return b.node(node.TREE, d, append(b.nameAndCopyright(), b.everySeason(numbers("image", ages), d))...)
		},
		Write: func(w *Writer, d *Body) {
			w.fields(d, "")
			w.Blank()
			w.grid(numbered("image"))
		},
	})
}
