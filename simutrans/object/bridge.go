package object

import "pakbox/simutrans/node"

func init() {
	register(&Type{
		Node: node.BRDG, Versions: since12(9, 11).extended(9, 1),
		Fields: `
			waytype            waytype  waytype
			topspeed           km/h     topspeed=999
			price              money    cost
			maintenance        money    maintenance=1000
			pillars_every      tiles    pillar_distance        0..255@11
			pillar_asymmetric  int      pillar_asymmetric      0..1@11
			max_length         tiles    max_length|max_lenght  0..255@11
			max_height         tiles    max_height             0..255@11
			axle_load          t        axle_load=9999         0..65535@11
			clip_below         int      clip_below=1           0..1@11
			intro              date     intro=1900             0..0x7FFFFFFF@11
			retire             date     retire=2999            0..0x7FFFFFFF@11
			seasons            count`,
		Extended: `
			intro                        date         intro=1492
			max_weight                   t            max_weight=250
			topspeed_gradient_1          km/h         topspeed_gradient_1~topspeed
			topspeed_gradient_2          km/h         topspeed_gradient_2~topspeed_gradient_1
			max_altitude                 int          max_altitude~0
			max_vehicles_on_tile         int          max_vehicles_on_tile~251
			way_constraints_permissive   constraints  way_constraint_permissive
			way_constraints_prohibitive  constraints  way_constraint_prohibitive
			has_own_way_graphics         int          has_own_way_graphics=1
			has_way                      count`,
		Bodies: []string{
			"0: waytype:u16 menu_position:u16 price:u32",
			"1: waytype:u16 topspeed:u16 price:u32",
			"2-11: topspeed:u16 price:u32,i64@10 maintenance:u32,i64@10 waytype:u8 pillars_every:u8@3 max_length:u8@4" +
				" intro:u16@5 retire:u16@5 pillar_asymmetric:u8@7 axle_load:u16@9 max_height:u8@7 clip_below:u8@11 seasons:u8@6",
			// Extended put the axle load on the other side of the height.
			"x9.1: topspeed:u16 price:u32 maintenance:u32 waytype:u8 pillars_every:u8 max_length:u8 intro:u16 retire:u16" +
				" pillar_asymmetric:u8 max_height:u8 axle_load:u16 max_weight:u32 way_constraints_permissive:u8 way_constraints_prohibitive:u8" +
				" topspeed_gradient_1:u16 topspeed_gradient_2:u16 max_altitude:i8 max_vehicles_on_tile:u8 has_own_way_graphics:u8 has_way:i8 seasons:i8",
		},
		Build: (*Builder).bridge,
		Write: (*Writer).bridge,
	})
}

// bridgeParts are the keys of one side of a bridge, without the side. Those of
// double slopes came with version 9.
var bridgeParts = []string{
	"image[ns]", "image[ew]", "start[n]", "start[s]", "start[e]", "start[w]",
	"ramp[n]", "ramp[s]", "ramp[e]", "ramp[w]", "pillar[s]", "pillar[w]",
	"image2[ns]", "image2[ew]", "start2[n]", "start2[s]", "start2[e]", "start2[w]",
	"ramp2[n]", "ramp2[s]", "ramp2[e]", "ramp2[w]", "pillar2[s]", "pillar2[w]",
}

func (b *Builder) bridge() *node.Node {
	d := b.read(node.BRDG, "")
	if d.Int("waytype") == power && !b.IsSet("clip_below") {
		d.Put("clip_below", 0)
	}
	suffix := ""
	if b.Has("backimage[ns][0]") {
		suffix = "[0]"
		if b.Has("backimage[ns][1]") {
			d.Put("seasons", 1)
		}
	}
	children := []*node.Node{b.bridgeSide("back", suffix), b.bridgeSide("front", suffix), b.cursor()}
	if b.target.since(node.BRDG, 8) { // before, only the cursor had a name
		children = append(b.nameAndCopyright(), children...)
	}
	if d.Int("seasons") > 0 {
		children = append(children, b.bridgeSide("back", "[1]"), b.bridgeSide("front", "[1]"))
	}
	if way := b.Get("way"); way != "" && d.Version.IsExt {
		d.Put("has_way", 1)
		children = append(children, reference(node.WAY, false, way))
	}
	return b.node(node.BRDG, d, children...)
}

func (b *Builder) bridgeSide(side, suffix string) *node.Node {
	parts := bridgeParts
	if !b.target.since(node.BRDG, 9) {
		parts = parts[:10]
		if b.Has(side + "pillar[s]" + suffix) {
			parts = bridgeParts[:12]
		}
	}
	return b.list(suffixed(side, parts, suffix))
}

func (w *Writer) bridge(d *Body) {
	w.fields(d, "")
	for _, way := range xrefs(w.object, node.WAY) {
		w.Set("way", way)
	}
	w.Blank()
	sides := lists(w.object)
	if len(sides) != 2 && len(sides) != 4 {
		w.fail("a bridge with %d lists of images", len(sides))
		return
	}
	for i, list := range sides {
		suffix, must := "", ""
		side := []string{"back", "front"}[i%2]
		if len(sides) == 4 {
			suffix = key("[%d]", i/2)
			must = "backimage[ns]" + suffix // says that there are seasons
		}
		if d.Version.Standard < 9 && len(list.Children) == 12 {
			must = side + "pillar[s]" + suffix // says that there are pillars
		}
		w.some(list, suffixed(side, bridgeParts, suffix), must)
	}
	w.cursor()
}
