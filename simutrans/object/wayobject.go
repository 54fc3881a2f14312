package object

import "pakbox/simutrans/node"

func init() {
	register(&Type{
		Node: node.WYOB, Word: "way-object", Versions: since12(1, 2).extended(1, 1), always: true, Axes: []string{"part", "season"},
		About: "Something along a way: overhead lines, or lamps.",
		Fields: `
			waytype      waytype  waytype          -- The way along which it is built.
			own_waytype  waytype  own_waytype      -- Its own type: electrified_track for overhead lines, else none or decoration.
			topspeed     km/h     topspeed=999     -- The highest speed of vehicles that use it.
			price        money    cost=100         -- The price of a tile, in hundredths of a credit.
			maintenance  money    maintenance=100  -- The monthly cost of a tile, in hundredths of a credit.
			intro        date     intro=1900       -- The first month in which it can be built.
			retire       date     retire=2999      -- The month from which it cannot be built any more.
			.  image  icon    -- The image in the menu; without it the game does not offer the object.
			.  image  cursor  -- The image at the mouse pointer; without it the game does not offer the object.
			.  image  frontimage[n,s,e,w]|frontimage[ns]|frontimage[ew]|frontimageup[3,6,9,12]|frontimageup2[3,6,9,12]|frontdiagonal[ne]  -- The part in front of the vehicles, by the connections of the way.
			.  image  backimage[n,s,e,w]|backimage[ns]|backimage[ew]|backimageup[3,6,9,12]|backimageup2[3,6,9,12]|backdiagonal[ne]       -- The part behind the vehicles, by the connections of the way.`,
		Extended: `
			intro                        date         intro=1492
` + constraintFields + `
			is_tall                      flag         is_tall~0  -- 1: tall vehicles do not fit below it.`,
		Bodies: []string{
			"1-2: price:u32,i64@2 maintenance:u32,i64@2 topspeed:u32 intro:u16 retire:u16 waytype:u8 own_waytype:u8",
			"x1.0-1: price:u32 maintenance:u32 topspeed:u32 intro:u16 retire:u16 waytype:u8 own_waytype:u8" +
				" way_constraints_permissive:u8 way_constraints_prohibitive:u8 is_tall:u8@1",
		},
		Build: func(b *Builder) *node.Node {
			children := append(b.nameAndCopyright(), b.images(wayObjectForms(b.diagonals())...)...)
			return b.node(node.WYOB, b.read(node.WYOB, ""), append(children, b.cursor())...)
		},
		Write: func(w *Writer, d *Body) {
			w.fields(d, "")
			w.Blank()
			w.images(lists(w.object), wayObjectForms(diagonals)...)
			w.cursor()
		},
	})
}

func wayObjectForms(diagonals []string) []form {
	forms := make([]form, 6)
	for i, side := range []string{"front", "back"} {
		forms[i] = form{keys: bracketed(side+"image", ribisAndSwitches, "")}
		forms[2+i] = slopeForm(side, "")
		forms[4+i] = form{keys: bracketed(side+"diagonal", diagonals, "")}
	}
	return forms
}
