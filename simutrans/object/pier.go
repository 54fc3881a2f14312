package object

import "pakbox/simutrans/node"

// Only Simutrans-Extended has piers.
func init() {
	register(&Type{
		Node: node.PIER, Word: "pier", Versions: versions{}.extended(9, 2), Axes: []string{"image", "layout", "season"},
		About: "A pier that carries a way or a building above the ground.",
		Extended: `
			price                 money    cost                      -- The price, in hundredths of a credit.
			maintenance           money    maintenance=1000          -- The monthly cost, in hundredths of a credit.
			intro                 date     intro=1492                -- The first month in which it can be built.
			retire                date     retire=2999               -- The month from which it cannot be built any more.
			max_weight            latekey  max_weight                -- The weight that it carries, in tons.
			max_altitude          int      max_altitude~0            -- The highest level at which it can be built; 0 for any.
			above_way_ribi        latekey  above_way_ribi            -- The directions of the way above, as the sum of n 1, e 2, s 4 and w 8.
			below_way_ribi        latekey  below_way_ribi            -- The directions of the way below.
			base_mask             mask     base_mask~0               -- The pieces of a pier below that it needs, as bits.
			support_mask          mask     support_mask~0            -- The pieces that it offers to a pier above.
			sub_obj_mask          mask     sub_obj_mask~0xFFFFFFFF   -- The objects that fit below it.
			deck_obj_mask         mask     deck_obj_mask~0xFFFF      -- The objects that fit on its deck.
			auto_height           int      auto_height~0             -- How the game chooses it by height.
			above_slope           int      above_slope~0             -- The slope above it.
			middle_mask           mask     middle_mask~0             -- The pieces in its middle.
			pier_weight           int      pier_weight~0             -- Its own weight.
			drag_ribi             latekey  drag_ribi                 -- The directions in which a line of piers is drawn.
			above_way_supplement  int      above_way_supplement~0    -- 1: it adds to the way above.
			support_mask_2        mask     support_mask_2~0          -- As support_mask, for a second set.
			middle_mask_2         mask     middle_mask_2~0           -- As middle_mask, for a second set.
			base_mask_2           mask     base_mask_2~0             -- As base_mask, for a second set.
			topspeed              km/h     topspeed~65535            -- The highest speed on the way above.
			max_axle_weight       latekey
			auto_group            mask     auto_group~0              -- The group from which the game chooses.
			seasons               count
			rotations             count
			.  int    tooltipflagsauto    -- Flags of the tooltip when the game chooses the pier.
			.  int    tooltipflagsmanual  -- Flags of the tooltip when the player chooses the pier.
			.  int    keep_dry            -- 1: it may not stand in water.
			.  int    bottom_only         -- 1: it stands only on the ground.
			.  int    low_waydeck         -- 1: the way above lies low.
			.  image  icon                -- The image in the menu.
			.  image  cursor              -- The image at the mouse pointer.
			.  image  backimage[00][0][0]   -- The part behind, by slope of the ground, rotation and season.
			.  image  frontimage[00][0][0]  -- The part in front, by slope of the ground, rotation and season.`,
		Bodies: []string{
			"x9.2: price:u32 maintenance:u32 intro:u16 retire:u16 max_weight:u32 max_altitude:i8 above_way_ribi:u8 below_way_ribi:u8" +
				" base_mask:u32 support_mask:u32 sub_obj_mask:u32 deck_obj_mask:u32 reserved_1:u8 auto_height:u8 seasons:u8 above_slope:u8" +
				" rotations:u8 middle_mask:u32 pier_weight:u32 drag_ribi:u8 above_way_supplement:u8 support_mask_2:u32 middle_mask_2:u32" +
				" base_mask_2:u32 topspeed:u16 max_axle_weight:u16 auto_group:u32 reserved_2:u32",
		},
		Build: (*Builder).pier,
		Write: (*Writer).pier,
	})
}

// pierBytes are bytes of a pier with two values: the lower half is a set of directions,
// the upper half a number or single bits.
var pierBytes = []struct {
	field string
	upper string   // key of the upper half
	bits  []string // or keys of its bits
}{
	{"above_way_ribi", "tooltipflagsauto", nil},
	{"below_way_ribi", "tooltipflagsmanual", nil},
	{"drag_ribi", "", []string{"keep_dry", "bottom_only", "above_way_supplement", "low_waydeck"}},
}

func (b *Builder) pier() *node.Node {
	d := b.read(node.PIER, "")
	for _, p := range pierBytes {
		v := b.Int(p.field, 0)
		if p.upper != "" {
			v += b.Int(p.upper, 0) << 4
		}
		for i, k := range p.bits {
			v |= b.bit(k, 16<<i)
		}
		d.Put(p.field, v)
	}
	d.Put("max_weight", b.Int("max_weight", defaultPierWeight))
	d.Put("max_axle_weight", b.Int("max_weight", noPierWeight))
	seasons, rotations := 1, 1
	for rotations < maxRotations && b.Has(pierKey("back", 0, rotations, 0)) {
		rotations++
	}
	if b.Has(pierKey("back", 0, 0, 1)) {
		seasons = 2
	}
	d.Put("seasons", int64(seasons))
	d.Put("rotations", int64(rotations))
	children := b.nameAndCopyright()
	for season := range seasons {
		for _, side := range sides {
			children = append(children, b.list(pierKeys(side, rotations, season)))
		}
		if season == 0 {
			children = append(children, b.cursor())
		}
	}
	return b.node(node.PIER, d, children...)
}

// The weight that a pier carries is stored twice, with different defaults.
const defaultPierWeight, noPierWeight = 250, 65535

// A pier has an image for every slope of the ground below it, in up to four
// rotations.
const pierSlopes, maxRotations = 81, 4

func pierKey(side string, slope, rotation, season int) string {
	return key("%simage[%02d][%d][%d]", side, slope, rotation, season)
}

func pierKeys(side string, rotations, season int) (keys []string) {
	for rotation := range rotations {
		for slope := range pierSlopes {
			keys = append(keys, pierKey(side, slope, rotation, season))
		}
	}
	return keys
}

func (w *Writer) pier(d *Body) {
	w.fields(d, "")
	if d.Int("max_axle_weight") != noPierWeight || d.Int("max_weight") != defaultPierWeight {
		w.Set("max_weight", d.Int("max_weight"))
	}
	for _, p := range pierBytes {
		v := d.Int(p.field)
		w.Set(p.field, v&0xF)
		if p.upper != "" && v>>4 != 0 {
			w.Set(p.upper, v>>4)
		}
		for i, k := range p.bits {
			if v&(16<<i) != 0 && k != "above_way_supplement" {
				w.Set(k, 1)
			}
		}
	}
	w.Blank()
	all := lists(w.object)
	seasons, rotations := int(d.Int("seasons")), int(d.Int("rotations"))
	if len(all) != 2*seasons || rotations > maxRotations {
		w.fail("a pier with %d lists of images", len(all))
		return
	}
	for i, list := range all {
		side, must := sides[i%2], ""
		if side == "back" {
			must = pierKey(side, 0, 0, i/2) // this key shows that the season exists
		}
		w.some(list, pierKeys(side, rotations, i/2), must)
	}
	w.cursor()
}
