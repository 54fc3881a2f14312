package object

import "pakbox/simutrans/node"

func init() {
	register(&Type{
		Node: node.WYOB, Versions: since12(1, 2).extended(1, 1), always: true,
		Fields: `
			waytype      waytype  waytype
			own_waytype  waytype  own_waytype
			topspeed     km/h     topspeed=999
			price        money    cost=100
			maintenance  money    maintenance=100
			intro        date     intro=1900
			retire       date     retire=2999`,
		Extended: `
			intro                        date         intro=1492
			way_constraints_permissive   constraints  way_constraint_permissive
			way_constraints_prohibitive  constraints  way_constraint_prohibitive
			is_tall                      flag         is_tall~0`,
		Bodies: []string{
			"1-2: price:u32,i64@2 maintenance:u32,i64@2 topspeed:u32 intro:u16 retire:u16 waytype:u8 own_waytype:u8",
			"x1.0-1: price:u32 maintenance:u32 topspeed:u32 intro:u16 retire:u16 waytype:u8 own_waytype:u8" +
				" way_constraints_permissive:u8 way_constraints_prohibitive:u8 is_tall:u8@1",
		},
		Build: (*Builder).wayObject,
		Write: (*Writer).wayObject,
	})
}

func (b *Builder) wayObject() *node.Node {
	children := append(b.nameAndCopyright(),
		b.list(bracketed("frontimage", ribisAndSwitches, "")), b.list(bracketed("backimage", ribisAndSwitches, "")),
		b.list(b.slopeKeys("front", "")), b.list(b.slopeKeys("back", "")),
		b.list(b.diagonalKeys("front", "")), b.list(b.diagonalKeys("back", "")),
		b.cursor())
	return b.node(node.WYOB, b.read(node.WYOB, ""), children...)
}

func (w *Writer) wayObject(d *Body) {
	w.fields(d, "")
	w.Blank()
	all := lists(w.object)
	if len(all) != 6 {
		w.fail("a way object with %d lists of images", len(all))
		return
	}
	for i, side := range []string{"front", "back"} {
		w.some(all[i], bracketed(side+"image", ribisAndSwitches, ""), "")
		w.slopes(side, "", all[2+i])
		w.some(all[4+i], bracketed(side+"diagonal", diagonals, ""), "")
	}
	w.cursor()
}
