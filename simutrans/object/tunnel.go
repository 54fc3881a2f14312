package object

import "pakbox/simutrans/node"

func init() {
	register(&Type{
		Node: node.TUNL, Word: "tunnel", Versions: since12(5, 6).extended(5, 2), emptyFirst: true, Axes: []string{"part", "season"},
		About: "A tunnel of one way type, with its portals.",
		Fields: `
			waytype      waytype  waytype           -- The way in the tunnel.
			topspeed     km/h     topspeed=999      -- The highest speed in the tunnel.
			price        money    cost              -- The price of a tile, in hundredths of a credit.
			maintenance  money    maintenance=1000  -- The monthly cost of a tile, in hundredths of a credit.
			axle_load    t        axle_load=9999    -- The heaviest axle that the tunnel carries.
			intro        date     intro=1900        -- The first month in which it can be built.
			retire       date     retire=2999       -- The month from which it cannot be built any more.
			seasons      count
			has_way      count
			.  way    way     -- The way that the game shows in the tunnel.
			.  image  icon    -- The image in the menu; without it the game does not offer the tunnel.
			.  image  cursor  -- The image at the mouse pointer; without it the game does not offer the tunnel.
			.  image  frontimage[n,s,e,w]|frontimage[nl]|frontimage[nr]|frontimage[nm]  -- The portal in front of the vehicles; l, r and m are the parts of broad portals, and a second index is the season.
			.  image  backimage[n,s,e,w]|backimage[nl]|backimage[nr]|backimage[nm]      -- The portal behind the vehicles.`,
		Extended: `
			topspeed                     km/h         topspeed=1000
` + extendedAxleLoad + extendedWayFields + `
			tunnel_flags                 count
			subsea_cost                  money        subsea_cost~0               -- The price of a tile below the sea.
			subsea_maintenance           money        subsea_maintenance~0        -- The monthly cost of a tile below the sea.
			subbuilding_cost             latekey      subbuilding_cost            -- The price of a tile below a building.
			subwaterline_cost            money        subwaterline_cost~0         -- The price of a tile below the level of the water.
			subwaterline_maintenance     money        subwaterline_maintenance~0  -- The monthly cost of a tile below the level of the water.
			sub_way_cost                 money        sub_way_cost~0              -- The price of a tile below a way.
			depth_cost                   money        depth_cost~0                -- The price of each level of depth.
			depth_squared_cost           money        depth_squared_cost~0        -- The price of the square of the depth.
			depth_limit                  int          depth_limit~0               -- The greatest depth; 0 for any.
			sea_depth_limit              int          sea_depth_limit~0           -- The greatest depth below the sea; 0 for any.
			length_limit                 int          length_limit~0              -- The longest tunnel; 0 for any.
			.  int    half_height         -- 1: the tunnel has half the usual height.
			.  int    allow_subsea        -- 1: it may run below the sea.
			.  int    forbid_subbuilding  -- 1: it may not run below buildings.
			.  image  undergroundimage[ns]|undergroundimageup[3,6,9,12]|undergroundimageup2[3,6,9,12]|undergrounddiagonal[ne]  -- The way inside the tunnel.
			.  image  frontundergroundimage[ns]|frontundergroundimageup[3,6,9,12]|frontundergroundimageup2[3,6,9,12]|frontundergrounddiagonal[ne]  -- The way inside the tunnel, in front of the vehicles.`,
		Bodies: []string{
			"0:",
			"1-6: topspeed:i32 price:u32,i64@6 maintenance:u32,i64@6 waytype:u8 intro:u16 retire:u16 axle_load:u16@5" +
				" seasons:u8@2 has_way:u8@3 broad_portals:u8@4",
			"x5.1-2: topspeed:i32 price:u32 maintenance:u32 waytype:u8 intro:u16 retire:u16 axle_load:u16 seasons:i8 has_way:i8" +
				" broad_portals:i8 way_constraints_permissive:u8 way_constraints_prohibitive:u8 topspeed_gradient_1:u16" +
				" topspeed_gradient_2:u16 max_altitude:i8 max_vehicles_on_tile:u8 tunnel_flags:u8@2 subsea_cost:u32?tunnel_flags&2" +
				" subsea_maintenance:u32?tunnel_flags&2 subbuilding_cost:u32?tunnel_flags&4 subwaterline_cost:u32?tunnel_flags&8" +
				" subwaterline_maintenance:u32?tunnel_flags&8 sub_way_cost:u32?tunnel_flags&16 depth_cost:u32?tunnel_flags&16" +
				" depth_squared_cost:u32?tunnel_flags&16 depth_limit:u8?tunnel_flags&16 sea_depth_limit:u8?tunnel_flags&32" +
				" length_limit:u16?tunnel_flags&64",
		},
		Build: (*Builder).tunnel,
		Write: (*Writer).tunnel,
	})
}

// portals are the images of a tunnel. Images after the fourth are for entrances wider
// than a tile.
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
	season := func(i int) []*node.Node {
		broad := d.Int("broad_portals") != 0
		return []*node.Node{b.portals("back", i, broad), b.portals("front", i, broad)}
	}
	children := append(append(b.nameAndCopyright(), season(0)...), b.cursor())
	if d.Int("seasons") > 0 {
		children = append(children, season(1)...)
	}
	if d.Version.IsExt {
		b.tunnelLimits(d)
		d.Put("has_way", 2)
		children = append(children, b.images(underground(b.diagonals())...)...)
	}
	if way := b.Get("way"); way != "" {
		d.Put("has_way", d.Int("has_way")+1)
		children = append(children, reference(node.WAY, false, way))
	}
	return b.node(node.TUNL, d, children...)
}

// portals makes the images of one side. In the first season the index of the season may
// be missing from keys.
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

// Flags for the optional parts of a tunnel's body in Extended.
const (
	halfHeight       = 1
	belowSea         = 2
	belowBuildings   = 4
	belowWaterline   = 8
	costByDepth      = 16
	limitedSeaDepth  = 32
	limitedLength    = 64
	nothingIsAllowed = 0xFFFFFFFF
)

// tunnelLimits finds which optional parts the source needs.
func (b *Builder) tunnelLimits(d *Body) {
	flags := b.bit("half_height", halfHeight) | b.bit("allow_subsea", belowSea|belowWaterline)
	if b.Has("subsea_cost") {
		flags |= belowSea
	}
	if b.Has("subwaterline_cost") {
		flags |= belowWaterline
	}
	building := b.Int("subbuilding_cost", 0)
	if b.Int("forbid_subbuilding", 0) != 0 {
		building = nothingIsAllowed
	}
	d.Put("subbuilding_cost", building)
	d.Put("depth_limit", d.Int("depth_limit")&127)
	for flag, fields := range map[int64][]string{
		belowBuildings:  {"subbuilding_cost"},
		costByDepth:     {"sub_way_cost", "depth_cost", "depth_squared_cost", "depth_limit"},
		limitedSeaDepth: {"sea_depth_limit"},
		limitedLength:   {"length_limit"},
	} {
		for _, name := range fields {
			if d.Int(name) != 0 {
				flags |= flag
			}
		}
	}
	d.Put("tunnel_flags", flags)
}

// tunnelLimits writes keys so that the body gets the same optional parts.
func (w *Writer) tunnelLimits(d *Body) {
	flags := d.Int("tunnel_flags")
	if flags&halfHeight != 0 {
		w.Set("half_height", 1)
	}
	// A part without a cost exists because the source gives the cost 0.
	if flags&belowSea != 0 && d.Int("subsea_cost") == 0 {
		w.Set("subsea_cost", 0)
	}
	if flags&belowWaterline != 0 && d.Int("subwaterline_cost") == 0 {
		w.Set("subwaterline_cost", 0)
	}
	switch v := d.Int("subbuilding_cost"); {
	case flags&belowBuildings == 0:
	case v == nothingIsAllowed:
		w.Set("forbid_subbuilding", 1)
	default:
		w.Set("subbuilding_cost", v)
	}
}

// underground are the images of the way inside a tunnel of Extended.
func underground(diagonals []string) []form {
	return append(wayForms("underground", "", ribis, diagonals, Version{IsExt: true}),
		wayForms("frontunderground", "", ribis, diagonals, Version{IsExt: true})...)
}

func (w *Writer) tunnel(d *Body) {
	w.fields(d, "")
	w.tunnelLimits(d)
	w.names("way", node.WAY)
	w.Blank()
	all := lists(w.object)
	if d.Version.IsExt {
		if len(all) < 6 {
			w.fail("a tunnel with %d lists of images", len(all))
			return
		}
		w.images(all[len(all)-6:], underground(diagonals)...)
		all = all[:len(all)-6]
	}
	for i, list := range all {
		suffix, must := "", ""
		if d.Int("seasons") > 0 {
			suffix = key("[%d]", i/2%2)
		}
		side := sides[i%2]
		switch {
		case side == "front" && suffix == "[1]":
			must = "frontimage[n][1]" // this key shows that there are seasons
		case side == "front" && d.Int("broad_portals") != 0:
			must = "frontimage[nl]" + suffix
		}
		w.some(list, bracketed(side+"image", portals, suffix), must)
	}
	w.cursor()
}
