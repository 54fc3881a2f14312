package object

import "pakbox/simutrans/node"

func init() {
	images := bracketed("image", directions, "")
	register(&Type{
		Node: node.CCAR, Word: "citycar", Versions: same(2), Axes: []string{"direction", "frame"},
		About: "A private car on the roads of cities.",
		Fields: `
			distribution_weight  int      distributionweight=1  -- How often it appears, compared with other city cars.
			topspeed             speed16  speed=80              -- The speed in km/h.
			intro                date     intro=1900            -- The first month in which it appears.
			retire               date     retire=2999           -- The month from which it does not appear any more.
			.  image  image[s,w,sw,se,n,e,ne,nw]  -- The car for each direction.`,
		Bodies: []string{
			"0: distribution_weight:u16",
			"1: distribution_weight:u16 topspeed:u16 intro(olddate):u16 retire(olddate):u16",
			"2: distribution_weight:u16 topspeed:u16 intro:u16 retire:u16",
		},
		Build: func(b *Builder) *node.Node {
			return b.node(node.CCAR, b.read(node.CCAR, ""), append(b.nameAndCopyright(), b.list(images))...)
		},
		Write: func(w *Writer, d *Body) {
			w.fields(d, "")
			w.Blank()
			w.some(child(w.object, node.IMG1), images, "")
		},
	})
}
