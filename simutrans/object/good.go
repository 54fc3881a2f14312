package object

import "pakbox/simutrans/node"

func init() {
	register(&Type{
		Node: node.GOOD, Versions: since12(3, 4),
		Fields: `
			value            amount  value
			category         int    catg
			speed_bonus      int    speed_bonus
			weight_per_unit  kg     weight_per_unit=100
			color            int    mapcolor=255`,
		Bodies: []string{
			"0-4: value:u16,i64@4 category:u16,u8@3 speed_bonus:u16@1 weight_per_unit:u16@2 color:u8@3",
			"x3.1: value:u16 category:u8 speed_bonus:u16 weight_per_unit:u16 color:u8 classes(counter):u8 stages(counter):u8" +
				" stage[stages]{distance value}:u16 class_revenue_percent[classes]:u16",
		},
		Build: func(b *Builder) *node.Node {
			children := append(b.nameAndCopyright(), node.NewText(b.Get("metric")))
			return b.node(node.GOOD, b.read(node.GOOD, ""), children...)
		},
		Write: func(w *Writer, d *Body) {
			w.fields(d, "")
			if len(w.object.Children) > 2 {
				w.Set("metric", w.object.Children[2].Text())
			}
		},
	})
}
