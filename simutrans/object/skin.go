package object

import "pakbox/simutrans/node"

// Skins are objects that are nothing but a list of images.
func init() {
	for _, t := range []node.Type{node.CURS, node.FIEL, node.MENU, node.MISC, node.SMOK, node.SYMB} {
		register(&Type{
			Node: t, Versions: noVersions, unversioned: true,
			Build: func(b *Builder) *node.Node {
				images := b.list(b.present(numbered("image")))
				return &node.Node{Type: t, Children: append(b.nameAndCopyright(), images)}
			},
			Write: func(w *Writer, _ *Body) {
				w.Blank()
				w.all(child(w.object, node.IMG1), numbered("image"))
			},
		})
	}
}
