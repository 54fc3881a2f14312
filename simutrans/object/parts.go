package object

import "pakbox/simutrans/node"

// The nodes that many objects have in common. Images are those of package img.
func init() {
	for _, t := range []node.Type{node.IMG1, node.IMG2, node.IMG3} {
		register(&Type{Node: t, unversioned: true, Fields: "count count", Bodies: []string{"0: count:u16 reserved:u16"}})
	}
	register(&Type{Node: node.TEXT, unversioned: true, Bodies: []string{"0: $text[*]"}})
	register(&Type{Node: node.XREF, unversioned: true, Bodies: []string{"0: $type[4] fatal:u8 $name[*]"}})
}
