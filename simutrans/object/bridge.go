package object

import "pakbox/simutrans/node"

func init() {
	register(&Type{
		Node: node.BRDG, Word: "bridge", Versions: since12(9, 11).extended(9, 1), Axes: []string{"part", "season"},
		About: "A bridge of one way type, with its ramps and pillars.",
		Fields: `
			waytype            waytype  waytype                             -- The way that the bridge carries.
			topspeed           km/h     topspeed=999                        -- The highest speed on the bridge.
			price              money    cost                                -- The price of a tile, in hundredths of a credit.
			maintenance        money    maintenance=1000                    -- The monthly cost of a tile, in hundredths of a credit.
			pillars_every      tiles    pillar_distance        0..255@11    -- Tiles from one pillar to the next; 0 for no pillars.
			pillar_asymmetric  int      pillar_asymmetric      0..1@11      -- 1: there is no pillar at the second end.
			max_length         tiles    max_length|max_lenght  0..255@11    -- The longest bridge; 0 for any length.
			max_height         tiles    max_height             0..255@11    -- The highest bridge; 0 for any height.
			axle_load          t        axle_load=9999         0..65535@11  -- The heaviest axle that the bridge carries.
			clip_below         int      clip_below=1           0..1@11      -- 1: the game hides the parts of an image below the ground.
			intro              date     intro=1900             0..0x7FFFFFFF@11  -- The first month in which it can be built.
			retire             date     retire=2999            0..0x7FFFFFFF@11  -- The month from which it cannot be built any more.
			seasons            count
			.  image  icon    -- The image in the menu; without it the game does not offer the bridge.
			.  image  cursor  -- The image at the mouse pointer; without it the game does not offer the bridge.
			.  image  backimage[ns]|backimage[ew]|backimage2[ns]|backimage2[ew]  -- The part behind the vehicles; a second index is the season.
			.  image  backstart[n,s,e,w]|backstart2[n,s,e,w]  -- The end of the bridge on a slope, behind the vehicles.
			.  image  backramp[n,s,e,w]|backramp2[n,s,e,w]    -- The ramp on flat ground, behind the vehicles.
			.  image  backpillar[s]|backpillar[w]|backpillar2[s]|backpillar2[w]  -- The pillar behind the vehicles.
			.  image  frontimage[ns]|frontimage[ew]|frontimage2[ns]|frontimage2[ew]  -- The part in front of the vehicles.
			.  image  frontstart[n,s,e,w]|frontstart2[n,s,e,w]  -- The end of the bridge on a slope, in front of the vehicles.
			.  image  frontramp[n,s,e,w]|frontramp2[n,s,e,w]    -- The ramp on flat ground, in front of the vehicles.
			.  image  frontpillar[s]|frontpillar[w]|frontpillar2[s]|frontpillar2[w]  -- The pillar in front of the vehicles.`,
		Extended: `
			intro                        date         intro=1492
			max_weight                   t            max_weight=250  -- The heaviest convoy on the bridge.
` + extendedWayFields + `
			has_own_way_graphics         int          has_own_way_graphics=1  -- 0: the game draws the way on the bridge.
			has_way                      count
			.  way  way  -- The way that the game builds on the bridge.`,
		Bodies: []string{
			"0: waytype:u16 menu_position:u16 price:u32",
			"1: waytype:u16 topspeed:u16 price:u32",
			"2-11: topspeed:u16 price:u32,i64@10 maintenance:u32,i64@10 waytype:u8 pillars_every:u8@3 max_length:u8@4" +
				" intro:u16@5 retire:u16@5 pillar_asymmetric:u8@7 axle_load:u16@9 max_height:u8@7 clip_below:u8@11 seasons:u8@6",
			// In Extended the axle load and the height are in the other order.
			"x9.1: topspeed:u16 price:u32 maintenance:u32 waytype:u8 pillars_every:u8 max_length:u8 intro:u16 retire:u16" +
				" pillar_asymmetric:u8 max_height:u8 axle_load:u16 max_weight:u32 way_constraints_permissive:u8 way_constraints_prohibitive:u8" +
				" topspeed_gradient_1:u16 topspeed_gradient_2:u16 max_altitude:i8 max_vehicles_on_tile:u8 has_own_way_graphics:u8 has_way:i8 seasons:i8",
		},
		Build: (*Builder).bridge,
		Write: (*Writer).bridge,
	})
}

// bridgeParts are the keys of one side of a bridge, without the side. Keys for double
// slopes exist since version 9.
var bridgeParts = []string{
	"image[ns]", "image[ew]", "start[n]", "start[s]", "start[e]", "start[w]",
	"ramp[n]", "ramp[s]", "ramp[e]", "ramp[w]", "pillar[s]", "pillar[w]",
	"image2[ns]", "image2[ew]", "start2[n]", "start2[s]", "start2[e]", "start2[w]",
	"ramp2[n]", "ramp2[s]", "ramp2[e]", "ramp2[w]", "pillar2[s]", "pillar2[w]",
}

// sides are the prefixes of images behind the vehicles and in front of them.
var sides = []string{"back", "front"}

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
	children := append(b.bridgeSides(suffix), b.cursor())
	if b.target.since(node.BRDG, 8) { // before version 8 only the cursor had a name
		children = append(b.nameAndCopyright(), children...)
	}
	if d.Int("seasons") > 0 {
		children = append(children, b.bridgeSides("[1]")...)
	}
	if d.Version.IsExt && b.Has("way") {
		d.Put("has_way", 1)
		children = append(children, reference(node.WAY, false, b.Get("way")))
	}
	return b.node(node.BRDG, d, children...)
}

func (b *Builder) bridgeSides(suffix string) (lists []*node.Node) {
	for _, side := range sides {
		parts := bridgeParts
		if !b.target.since(node.BRDG, 9) {
			parts = parts[:10]
			if b.Has(side + "pillar[s]" + suffix) {
				parts = bridgeParts[:12]
			}
		}
		lists = append(lists, b.list(suffixed(side, parts, suffix)))
	}
	return lists
}

func (w *Writer) bridge(d *Body) {
	w.fields(d, "")
	w.names("way", node.WAY)
	w.Blank()
	all := lists(w.object)
	if len(all) != 2 && len(all) != 4 {
		w.fail("a bridge with %d lists of images", len(all))
		return
	}
	for i, list := range all {
		suffix, must := "", ""
		side := sides[i%2]
		if len(all) == 4 {
			suffix = key("[%d]", i/2)
			must = "backimage[ns]" + suffix // this key shows that there are seasons
		}
		if d.Version.Standard < 9 && len(list.Children) == 12 {
			must = side + "pillar[s]" + suffix // this key shows that there are pillars
		}
		w.some(list, suffixed(side, bridgeParts, suffix), must)
	}
	w.cursor()
}
