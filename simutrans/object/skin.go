package object

import "pakbox/simutrans/node"

// Skins are objects that are nothing but a list of images.
func init() {
	for t, skin := range map[node.Type]struct{ word, axis, about string }{
		node.CURS: {"cursor", "image", "A mouse pointer. The game looks for certain names."},
		node.FIEL: {"field", "image", "A field around a factory, such as a field of grain."},
		node.MENU: {"menu", "image", "The buttons of a menu. The game looks for certain names."},
		node.MISC: {"misc", "image", "An image for the game itself. The game looks for certain names."},
		node.SMOK: {"smoke", "frame", "The smoke of a vehicle or a factory."},
		node.SYMB: {"symbol", "image", "A symbol of the game. The game looks for certain names."},
	} {
		register(&Type{
			Node: t, Word: skin.word, Versions: noVersions, unversioned: true, Axes: []string{skin.axis}, About: skin.about,
			Fields: ". image image[0] -- The images in their order.",
			Build: func(b *Builder) *node.Node {
				return &node.Node{Type: t, Children: append(b.nameAndCopyright(), b.list(b.present(numbered("image"))))}
			},
			Write: func(w *Writer, _ *Body) {
				w.Blank()
				w.all(child(w.object, node.IMG1), numbered("image"))
			},
		})
	}
}
