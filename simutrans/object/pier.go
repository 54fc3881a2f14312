package object

import "pakbox/simutrans/node"

// Piers, which carry what is above them, are of Simutrans-Extended alone.
func init() {
	register(&Type{
		Node: node.PIER, Versions: versions{}.extended(9, 2),
		Extended: `
			price                 money  cost
			maintenance           money  maintenance=1000
			intro                 date   intro=1492
			retire                date   retire=2999
			max_weight            latekey  max_weight
			max_altitude          int    max_altitude~0
			above_way_ribi        latekey  above_way_ribi
			below_way_ribi        latekey  below_way_ribi
			base_mask             mask   base_mask~0
			support_mask          mask   support_mask~0
			sub_obj_mask          mask   sub_obj_mask~0xFFFFFFFF
			deck_obj_mask         mask   deck_obj_mask~0xFFFF
			auto_height           int    auto_height~0
			above_slope           int    above_slope~0
			middle_mask           mask   middle_mask~0
			pier_weight           int    pier_weight~0
			drag_ribi             latekey  drag_ribi
			above_way_supplement  int    above_way_supplement~0
			support_mask_2        mask   support_mask_2~0
			middle_mask_2         mask   middle_mask_2~0
			base_mask_2           mask   base_mask_2~0
			topspeed              km/h   topspeed~65535
			max_axle_weight       latekey  max_weight
			auto_group            mask   auto_group~0
			seasons               count
			rotations             count`,
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

// pierBytes are the bytes of a pier that hold more than one thing: the lower
// half is a set of directions, the upper one a number or single bits.
var pierBytes = []struct {
	field string
	upper string   // the key of the upper half
	bits  []string // or those of its bits
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
		for _, side := range []string{"back", "front"} {
			children = append(children, b.list(pierKeys(side, rotations, season)))
		}
		if season == 0 {
			children = append(children, b.cursor())
		}
	}
	return b.node(node.PIER, d, children...)
}

// The weight that a pier carries stands in it twice, with two defaults.
const defaultPierWeight, noPierWeight = 250, 65535

// A pier has an image for every form that the ground below it can have, turned
// up to four times.
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
		side, must := []string{"back", "front"}[i%2], ""
		if side == "back" {
			must = pierKey(side, 0, 0, i/2) // says that there is this season
		}
		w.some(list, pierKeys(side, rotations, i/2), must)
	}
	w.cursor()
}
