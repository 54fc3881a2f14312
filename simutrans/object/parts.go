package object

import "pakbox/simutrans/node"

// Node types that many objects have in common. Images belong to package img.
func init() {
	node.Declare(node.ROOT, "root", false)
	node.Declare(node.IMG, "image", false)
	node.Declare(node.FUPG, "factory upgrade", false) // only in Extended
	for t, word := range map[node.Type]string{node.IMG1: "imagelist", node.IMG2: "imagelist2d", node.IMG3: "imagelist3d"} {
		register(&Type{Node: t, Word: word, unversioned: true, Fields: "count count", Bodies: []string{"0: count:u16 reserved:u16"}})
	}
	register(&Type{Node: node.TEXT, Word: "text", unversioned: true, Bodies: []string{"0: $text[*]"}})
	register(&Type{Node: node.XREF, Word: "xref", unversioned: true, Bodies: []string{"0: $type[4] fatal:u8 $name[*]"}})
}
