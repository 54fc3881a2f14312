package object

import (
	"slices"

	"pakbox/simutrans/node"
)

// extendedWay is what ways of all kinds, tunnels too, have in Simutrans-Extended.
const extendedWay = `
			axle_load                    t            axle_load|max_weight=9999
			intro                        date         intro=1492
			topspeed_gradient_1          km/h         topspeed_gradient_1~topspeed
			topspeed_gradient_2          km/h         topspeed_gradient_2~topspeed_gradient_1
			max_altitude                 int          max_altitude~0
			max_vehicles_on_tile         int          max_vehicles_on_tile~251
			way_constraints_permissive   constraints  way_constraint_permissive
			way_constraints_prohibitive  constraints  way_constraint_prohibitive`

func init() {
	register(&Type{
		Node: node.WAY, Versions: since12(6, 8).extended(6, 2), always: true, emptyFirst: true,
		Fields: `
			waytype         waytype  waytype
			system_type     int      system_type
			topspeed        km/h     topspeed=999
			price           money    cost=100
			maintenance     money    maintenance=100
			max_weight      t        max_weight=999
			axle_load       t        axle_load=9999
			draw_as_object  one      draw_as_ding
			clip_below      int      clip_below=1  0..1@8
			intro           date     intro=1900
			retire          date     retire=2999
			seasons         count`,
		Extended: `
			topspeed                     km/h         topspeed=999
` + extendedWay + `
			wear_capacity                wear         wear_capacity
			way_only_cost                money        way_only_cost~price
			upgrade_group                int          upgrade_group~0
			monthly_base_wear            monthlywear  monthly_base_wear
			deck_mask                    int          deck_mask~0`,
		Bodies: []string{
			"0:",
			"1-8: price:u32,i64@7 maintenance:u32,i64@7 topspeed:u32 max_weight:u32 intro(olddate):u32@-1 intro:u16@2 retire:u16@2" +
				" axle_load:u16@6 waytype:u8 system_type:u8 draw_as_object:u8@3 clip_below:u8@8 seasons:i8@4",
			"x6.1-2: price:u32 maintenance:u32 topspeed:i32 intro:u16 retire:u16 axle_load:u16 waytype:u8 system_type:u8" +
				" draw_as_object:u8 seasons:i8 way_constraints_permissive:u8 way_constraints_prohibitive:u8 topspeed_gradient_1:i32" +
				" topspeed_gradient_2:i32 max_altitude:i8 max_vehicles_on_tile:u8 wear_capacity:u32 way_only_cost:u32 upgrade_group:u8" +
				" monthly_base_wear:u32 deck_mask:u32@2",
		},
		Build: (*Builder).way,
		Write: (*Writer).way,
	})
}

// ribis are the sixteen sets of directions a way can have, in binary order of
// n, e, s and w; switches come in two positions.
var (
	ribis = []string{
		"-", "n", "e", "ne", "s", "ns", "se", "nse", "w", "nw", "ew", "new", "sw", "nsw", "sew", "nsew",
	}
	switches = []string{
		"nse1", "new1", "nsw1", "sew1", "nsew1", "nse2", "new2", "nsw2", "sew2", "nsew2",
	}
	ribisAndSwitches = slices.Concat(ribis, switches)
)

// slopes by their number, and as newer sources may call them.
var (
	slopes       = []string{"3", "6", "9", "12"}
	slopeLetters = []string{"n", "w", "e", "s"}
)

// diagonals are the images of diagonal ways; the last two are newer.
var diagonals = []string{"ne", "se", "nw", "sw", "close1", "close2"}

func (b *Builder) way() *node.Node {
	d := b.read(node.WAY, "")
	if d.Int("waytype") == track { // how some tracks were once written
		switch w := d.Int("system_type"); w {
		case monorail, tram:
			d.Put("waytype", w)
		}
	}
	suffixes := []string{""}
	if b.Has("image[-][0]") {
		suffixes = []string{"[0]"}
		if b.Has("image[-][1]") {
			d.Put("seasons", 1)
			suffixes = append(suffixes, "[1]")
		}
	} else if !b.Has("image[-]") {
		b.Fail("image[-]", "a way needs at least this image", "the image without a direction is missing")
	}
	flat := b.flatWay("image", suffixes[0])
	children := append(b.nameAndCopyright(), b.wayLists("", suffixes[0], flat)...)
	children = append(children, b.cursor())
	if d.Int("seasons") > 0 {
		children = append(children, b.wayLists("", suffixes[1], flat)...)
	}
	if b.target.since(node.WAY, 5) {
		if suffixes[0] == "" { // each side has switches of its own then
			flat = b.flatWay("frontimage", "")
		}
		for _, suffix := range suffixes {
			children = append(children, b.wayLists("front", suffix, flat)...)
		}
	}
	return b.node(node.WAY, d, children...)
}

// flatWay are the images of a way that is no slope, with those of switches if
// there is one that tells so. Older targets look for it in the first season
// even where there are no seasons.
func (b *Builder) flatWay(name, suffix string) []string {
	if !plainSwitches(b.target.Version(node.WAY)) {
		suffix = "[0]"
	}
	if b.Has(name + "[new2]" + suffix) {
		return ribisAndSwitches
	}
	return ribis
}

// wayLists are the flat, sloped and diagonal images of one side and season.
func (b *Builder) wayLists(side, suffix string, flat []string) []*node.Node {
	up := b.slopeKeys(side, suffix)
	if lazySlopes(b.target.Version(node.WAY)) {
		up = append(b.thereSlopes(side+"imageup", suffix), b.thereSlopes(side+"imageup2", suffix)...)
	}
	return []*node.Node{
		b.list(bracketed(side+"image", flat, suffix)),
		b.list(up),
		b.list(b.diagonalKeys(side, suffix)),
	}
}

// diagonalKeys are the images of diagonal tracks; newer targets have two more.
func (b *Builder) diagonalKeys(side, suffix string) []string {
	names := diagonals
	if !b.target.closeDiagonals {
		names = diagonals[:4]
	}
	return bracketed(side+"diagonal", names, suffix)
}

// slopeKeys are the images on slopes: the single ones always, the double ones
// as far as they are there.
func (b *Builder) slopeKeys(side, suffix string) []string {
	keys := bracketed(side+"imageup", slopes, suffix)
	for _, double := range bracketed(side+"imageup2", slopes, suffix) {
		if b.Has(double) {
			keys = append(keys, double)
		}
	}
	return keys
}

// thereSlopes are the images on slopes that are there.
func (b *Builder) thereSlopes(name, suffix string) (keys []string) {
	numbers := bracketed(name, slopes, suffix)
	for i, letter := range bracketed(name, slopeLetters, suffix) {
		if b.Has(letter) {
			keys = append(keys, letter)
		} else if b.Has(numbers[i]) {
			keys = append(keys, numbers[i])
		}
	}
	return keys
}

func (w *Writer) way(d *Body) {
	w.fields(d, "")
	w.Blank()
	all := lists(w.object)
	if len(all)%3 != 0 || len(all) == 0 {
		w.fail("a way with %d lists of images", len(all))
		return
	}
	// Seasons and, in older versions, the images of switches need the form
	// with an index.
	seasons := 1
	suffixes := []string{""}
	if d.Int("seasons") > 0 {
		seasons, suffixes = 2, []string{"[0]", "[1]"}
	} else if len(all[0].Children) > len(ribis) && !plainSwitches(d.Version) {
		suffixes = []string{"[0]"}
	}
	for i := range len(all) / 3 {
		side := ""
		if i >= seasons {
			side = "front"
		}
		w.wayLists(side, suffixes[i%seasons], all[3*i:3*i+3], d.Version)
	}
	w.cursor()
}

// lazySlopes reports whether a way lists only the images on slopes that it
// has, without empty ones in the place of the others.
func lazySlopes(v Version) bool { return !v.IsExt && v.Standard >= 8 }

// plainSwitches reports whether the switches of a way without seasons have no
// season in their keys either.
func plainSwitches(v Version) bool { return v.IsExt || v.Standard >= 8 }

func (w *Writer) wayLists(side, suffix string, three []*node.Node, v Version) {
	flat, must := three[0], ""
	if side == "" {
		must = "image[-]" + suffix
	}
	if len(flat.Children) > len(ribis) && (plainSwitches(v) || side == "" && suffix == "[0]") {
		if must != "" && IsBlank(flat.Children[0]) {
			w.image(must, flat.Children[0])
		}
		must = side + "image[new2]" + suffix // says that there are switches
	}
	w.some(flat, bracketed(side+"image", ribisAndSwitches, suffix), must)
	if lazySlopes(v) {
		keys := append(bracketed(side+"imageup", slopes, suffix), bracketed(side+"imageup2", slopes, suffix)...)
		w.all(three[1], from(keys))
	} else {
		w.slopes(side, suffix, three[1])
	}
	w.some(three[2], bracketed(side+"diagonal", diagonals, suffix), "")
}

// slopes writes the images on slopes: four, and as many double ones as the
// list is longer.
func (w *Writer) slopes(side, suffix string, list *node.Node) {
	single := len(slopes)
	if len(list.Children) < single {
		if len(list.Children) > 0 {
			w.fail("%d images on slopes", len(list.Children))
		}
		return
	}
	keys := bracketed(side+"imageup", slopes, suffix)
	first := *list
	first.Children = list.Children[:single]
	w.some(&first, keys, "")
	double := bracketed(side+"imageup2", slopes, suffix)
	if len(list.Children) > single+len(double) {
		w.fail("%d images on slopes", len(list.Children))
		return
	}
	for i, n := range list.Children[single:] {
		w.image(double[i], n)
	}
}
