package object

import (
	"strings"

	"pakbox/simutrans/node"
)

// maxGrounds is the number of image lists that makeobj reads for a ground.
const maxGrounds = 128

func init() {
	register(&Type{
		Node: node.GRND, Word: "ground", Versions: noVersions, unversioned: true, Axes: []string{"image", "season"},
		About:  "A texture of the landscape. The game looks for certain names.",
		Names:  strings.Fields("Basement Borders ClimateTexture Fence LightTexture Marker Outside ShoreTrans SlopeTrans Slopes Water"),
		Fields: ". image image[0][0] -- The image of a slope, by number; the second index counts the variants.",
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
