package object

import "pakbox/simutrans/node"

// Ground objects are stones, flocks and herds.
func init() {
	register(&Type{
		Node: node.GOBJ, Versions: since12(1, 2),
		Fields: `
			climates             climates      climates
			distribution_weight  int           distributionweight=3
			seasons              count         seasons=1
			trees_on_top         flag          trees_on_top=1
			price                money         cost
			waytype              maybewaytype  waytype
			topspeed             km/h          speed`,
		Bodies: []string{
			"1-2: climates:u16 distribution_weight:u16 seasons:u8 trees_on_top:u8 topspeed:u16 waytype:u16 price:i32,i64@2",
		},
		Build: (*Builder).groundObject,
		Write: func(w *Writer, d *Body) {
			w.fields(d, "")
			w.Blank()
			if d.Int("topspeed") > 0 {
				w.grid(from(bracketed("image", directions, "")))
				return
			}
			w.grid(numbered("image"))
		},
	})
}

func (b *Builder) groundObject() *node.Node {
	d := b.read(node.GOBJ, "")
	var grid *node.Node
	if d.Int("topspeed") > 0 {
		var lists []*node.Node
		for _, name := range bracketed("image", directions, "") {
			lists = append(lists, b.list(b.everySeason(name, d)))
		}
		grid = listNode(node.IMG2, lists)
	} else {
		grid = b.grid(func(i int) []string {
			name := key("image[%d]", i)
			if keys := seasonKeys(name, d); len(keys) == 0 || !b.Has(keys[0]) {
				return nil
			}
			return b.everySeason(name, d)
		})
	}
	return b.node(node.GOBJ, d, append(b.nameAndCopyright(), grid)...)
}
