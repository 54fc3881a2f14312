package object

import "pakbox/simutrans/node"

// maxGrounds is how many lists of images a ground is asked for.
const maxGrounds = 128

func init() {
	register(&Type{
		Node: node.GRND, Versions: noVersions, unversioned: true,
		Build: func(b *Builder) *node.Node {
			grid := b.grid(func(i int) []string { return b.present(numbered(key("image[%d]", i))) })
			if len(grid.Children) > maxGrounds {
				grid = listNode(node.IMG2, grid.Children[:maxGrounds])
			}
			return &node.Node{Type: node.GRND, Children: append(b.nameAndCopyright(), grid)}
		},
		Write: func(w *Writer, _ *Body) {
			w.Blank()
			w.grid(numbered("image"))
		},
	})
}
