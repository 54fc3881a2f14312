package object

import "pakbox/simutrans/node"

func init() {
	register(&Type{
		Node: node.CCAR, Versions: same(2),
		Fields: `
			distribution_weight  int      distributionweight=1
			topspeed             speed16  speed=80
			intro                date     intro=1900
			retire               date     retire=2999`,
		Bodies: []string{
			"0: distribution_weight:u16",
			"1: distribution_weight:u16 topspeed:u16 intro(olddate):u16 retire(olddate):u16",
			"2: distribution_weight:u16 topspeed:u16 intro:u16 retire:u16",
		},
		Build: func(b *Builder) *node.Node {
			images := b.list(bracketed("image", directions, ""))
			return b.node(node.CCAR, b.read(node.CCAR, ""), append(b.nameAndCopyright(), images)...)
		},
		Write: func(w *Writer, d *Body) {
			w.fields(d, "")
			w.Blank()
			w.some(child(w.object, node.IMG1), bracketed("image", directions, ""), "")
		},
	})
}
