package object

import "pakbox/simutrans/node"

func init() {
	register(&Type{
		Node: node.TUNL, Versions: since12(5, 6), emptyFirst: true,
		Fields: `
			waytype      waytype  waytype
			topspeed     km/h     topspeed=999
			price        money    cost
			maintenance  money    maintenance=1000
			axle_load    t        axle_load=9999
			intro        date     intro=1900
			retire       date     retire=2999
			seasons      count
			has_way      count`,
		Bodies: []string{
			"0:",
			"1-6: topspeed:i32 price:u32,i64@6 maintenance:u32,i64@6 waytype:u8 intro:u16 retire:u16 axle_load:u16@5" +
				" seasons:u8@2 has_way:u8@3 broad_portals:u8@4",
			"x5.1-2: topspeed:i32 price:u32 maintenance:u32 waytype:u8 intro:u16 retire:u16 axle_load:u16",
		},
		Build: (*Builder).tunnel,
		Write: (*Writer).tunnel,
	})
}

// portals are the images of a tunnel; those behind the fourth are for
// entrances broader than a tile.
var portals = []string{
	"n", "s", "e", "w", "nl", "sl", "el", "wl", "nr", "sr", "er", "wr", "nm", "sm", "em", "wm",
}

func (b *Builder) tunnel() *node.Node {
	d := b.read(node.TUNL, "")
	if b.anyOf([]string{"frontimage[nl]", "frontimage[nl][0]"}) {
		d.Put("broad_portals", 1)
	}
	if b.Has("frontimage[n][1]") {
		d.Put("seasons", 1)
	}
	side := func(name string, season int) *node.Node { return b.portals(name, season, d.Int("broad_portals") != 0) }
	children := append(b.nameAndCopyright(), side("back", 0), side("front", 0), b.cursor())
	if d.Int("seasons") > 0 {
		children = append(children, side("back", 1), side("front", 1))
	}
	if way := b.Get("way"); way != "" {
		d.Put("has_way", 1)
		children = append(children, reference(node.WAY, false, way))
	}
	return b.node(node.TUNL, d, children...)
}

// portals makes the images of one side; those of the first season may be
// written without it.
func (b *Builder) portals(side string, season int, broad bool) *node.Node {
	names := portals
	if !broad {
		names = portals[:4]
	}
	keys := make([]string, len(names))
	for i, portal := range names {
		keys[i] = key("%simage[%s][%d]", side, portal, season)
		if plain := key("%simage[%s]", side, portal); season == 0 && !b.Has(keys[i]) {
			keys[i] = plain
		}
	}
	return b.list(keys)
}

func (w *Writer) tunnel(d *Body) {
	w.fields(d, "")
	for _, way := range xrefs(w.object, node.WAY) {
		w.Set("way", way)
	}
	w.Blank()
	for i, list := range lists(w.object) {
		suffix, must := "", ""
		if d.Int("seasons") > 0 {
			suffix = key("[%d]", i/2%2)
		}
		side := []string{"back", "front"}[i%2]
		switch {
		case side == "front" && suffix == "[1]":
			must = "frontimage[n][1]"
		case side == "front" && d.Int("broad_portals") != 0:
			must = "frontimage[nl]" + suffix
		}
		w.some(list, bracketed(side+"image", portals, suffix), must)
	}
	w.cursor(w.object)
}
