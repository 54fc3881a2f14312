package object

import (
	"slices"

	"pakbox/simutrans/node"
)

// extendedWayFields are the fields that ways, bridges and tunnels of Simutrans-Extended
// share.
const extendedWayFields = `
			topspeed_gradient_1          km/h         topspeed_gradient_1~topspeed             -- The highest speed on a slope.
			topspeed_gradient_2          km/h         topspeed_gradient_2~topspeed_gradient_1  -- The highest speed on a double slope.
			max_altitude                 int          max_altitude~0                           -- The highest level at which it can be built; 0 for any.
			max_vehicles_on_tile         int          max_vehicles_on_tile~251                 -- How many vehicles fit on a tile.
` + constraintFields

// constraintFields are the fields that say which ways a vehicle can use.
const constraintFields = `
			way_constraints_permissive   constraints  way_constraint_permissive    -- Kinds of ways, 0 to 7, with an index each: a vehicle needs the way to have them.
			way_constraints_prohibitive  constraints  way_constraint_prohibitive   -- Kinds of ways, 0 to 7, with an index each: only a vehicle that has them may run there.`

// extendedAxleLoad is the field for the heaviest axle on ways and tunnels of Extended.
const extendedAxleLoad = `
			axle_load                    t            axle_load|max_weight=9999
			intro                        date         intro=1492`

// wayImages are the image keys of a way, for editors.
const wayImages = `
			.  image  image[-]|image[n,s,e,w]|image[ns]|image[ew]|image[ne]|image[se]|image[nw]|image[sw]|image[nse]|image[new]|image[nsw]|image[sew]|image[nsew]  -- The way by its connections; image[-] is the one that a way must have, and a second index is the season.
			.  image  image[nse1]|image[new1]|image[nsw1]|image[sew1]|image[nsew1]|image[nse2]|image[new2]|image[nsw2]|image[sew2]|image[nsew2]  -- The switch in its two positions.
			.  image  imageup[3,6,9,12]|imageup2[3,6,9,12]  -- The way on a slope and on a double slope: 3 north, 6 west, 9 east, 12 south.
			.  image  diagonal[ne]|diagonal[se]|diagonal[nw]|diagonal[sw]  -- The diagonal way.
			.  image  frontimage[ns]|frontimageup[3,6,9,12]|frontimageup2[3,6,9,12]|frontdiagonal[ne]  -- The same in front of the vehicles.`

func init() {
	register(&Type{
		Node: node.WAY, Word: "way", Versions: since12(6, 8).extended(6, 2), always: true, emptyFirst: true, Axes: []string{"part", "season"},
		About: "A road, a track, a canal, a runway or a power line.",
		Fields: `
			waytype         waytype  waytype              -- The type of the way.
			system_type     int      system_type          -- 0 flat, 1 elevated, 7 tram; for a runway 1, for a taxiway 0.
			topspeed        km/h     topspeed=999         -- The highest speed on the way.
			price           money    cost=100             -- The price of a tile, in hundredths of a credit.
			maintenance     money    maintenance=100      -- The monthly cost of a tile, in hundredths of a credit.
			max_weight      t        max_weight=999       -- The heaviest vehicle; the game does not use it.
			axle_load       t        axle_load=9999       -- The heaviest axle that the way carries.
			draw_as_object  one      draw_as_ding         -- 1: the way is drawn above the ground, as a power line is.
			clip_below      int      clip_below=1  0..1@8 -- 1: the game hides the parts of an image below the ground.
			intro           date     intro=1900           -- The first month in which it can be built.
			retire          date     retire=2999          -- The month from which it cannot be built any more.
			seasons         count
			.  image  icon    -- The image in the menu; without it the game does not offer the way.
			.  image  cursor  -- The image at the mouse pointer; without it the game does not offer the way.` + wayImages,
		Extended: `
			topspeed                     km/h         topspeed=999
` + extendedAxleLoad + extendedWayFields + `
			wear_capacity                wear         wear_capacity         -- How much wear the way takes before it must be renewed.
			way_only_cost                money        way_only_cost~price   -- The price of a renewal, in hundredths of a credit.
			upgrade_group                int          upgrade_group~0       -- Ways of one group replace each other cheaply.
			monthly_base_wear            monthlywear  monthly_base_wear     -- The wear of a month without traffic.
			deck_mask                    int          deck_mask~0           -- The piers that carry the way.`,
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

// ribis are the sixteen sets of directions of a way, in binary order of n, e, s and w.
// Switches have two positions.
var (
	ribis = []string{
		"-", "n", "e", "ne", "s", "ns", "se", "nse", "w", "nw", "ew", "new", "sw", "nsw", "sew", "nsew",
	}
	switches = []string{
		"nse1", "new1", "nsw1", "sew1", "nsew1", "nse2", "new2", "nsw2", "sew2", "nsew2",
	}
	ribisAndSwitches = slices.Concat(ribis, switches)
)

// slopes by number, and by the letters that newer sources may use.
var (
	slopes       = []string{"3", "6", "9", "12"}
	slopeLetters = []string{"n", "w", "e", "s"}
)

// diagonals are the keys of diagonal images; only newer targets have the last two.
var diagonals = []string{"ne", "se", "nw", "sw", "close1", "close2"}

// slopeForm is the form of the images of one side on slopes. Single slopes are always in
// the list, double slopes only if the source has them.
func slopeForm(side, suffix string) form {
	return form{keys: bracketed(side+"imageup", slopes, suffix), more: bracketed(side+"imageup2", slopes, suffix)}
}

// lazySlopeForm is slopeForm for versions that leave out missing images instead of
// storing empty ones.
func lazySlopeForm(side, suffix string) form {
	up, up2 := side+"imageup", side+"imageup2"
	return form{
		more:    append(bracketed(up, slopes, suffix), bracketed(up2, slopes, suffix)...),
		instead: append(bracketed(up, slopeLetters, suffix), bracketed(up2, slopeLetters, suffix)...),
	}
}

// lazySlopes reports whether a version of ways uses lazySlopeForm.
func lazySlopes(v Version) bool { return !v.IsExt && v.Standard >= 8 }

// plainSwitches reports whether keys of switches have no season if the way has no
// seasons.
func plainSwitches(v Version) bool { return v.IsExt || v.Standard >= 8 }

// wayForms are the forms of the flat, sloped and diagonal images of one side and season.
func wayForms(side, suffix string, flat, diagonals []string, v Version) []form {
	up := slopeForm(side, suffix)
	if lazySlopes(v) {
		up = lazySlopeForm(side, suffix)
	}
	return []form{{keys: bracketed(side+"image", flat, suffix)}, up, {keys: bracketed(side+"diagonal", diagonals, suffix)}}
}

// diagonals are the keys of the diagonal images for the target.
func (b *Builder) diagonals() []string {
	if b.target.closeDiagonals {
		return diagonals
	}
	return diagonals[:4]
}

func (b *Builder) way() *node.Node {
	d := b.read(node.WAY, "")
	if d.Int("waytype") == track { // some old sources write these two way types so
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
	side := func(name, suffix string) []*node.Node {
		return b.images(wayForms(name, suffix, flat, b.diagonals(), d.Version)...)
	}
	children := append(b.nameAndCopyright(), side("", suffixes[0])...)
	children = append(children, b.cursor())
	if d.Int("seasons") > 0 {
		children = append(children, side("", suffixes[1])...)
	}
	if b.target.since(node.WAY, 5) {
		if suffixes[0] == "" { // then the front has its own switches
			flat = b.flatWay("frontimage", "")
		}
		for _, suffix := range suffixes {
			children = append(children, side("front", suffix)...)
		}
	}
	return b.node(node.WAY, d, children...)
}

// flatWay are the keys of a way's flat images. They include switches if the source has a
// certain switch image. Older targets look for it in the first season even if there are
// no seasons.
func (b *Builder) flatWay(name, suffix string) []string {
	if !plainSwitches(b.target.Version(node.WAY)) {
		suffix = "[0]"
	}
	if b.Has(name + "[new2]" + suffix) {
		return ribisAndSwitches
	}
	return ribis
}

func (w *Writer) way(d *Body) {
	w.fields(d, "")
	w.Blank()
	all := lists(w.object)
	if len(all)%3 != 0 || len(all) == 0 {
		w.fail("a way with %d lists of images", len(all))
		return
	}
	// Seasons need keys with an index; older versions also need switches.
	suffixes := []string{""}
	if d.Int("seasons") > 0 {
		suffixes = []string{"[0]", "[1]"}
	} else if len(all[0].Children) > len(ribis) && !plainSwitches(d.Version) {
		suffixes = []string{"[0]"}
	}
	for i := range len(all) / 3 {
		side := ""
		if i >= len(suffixes) {
			side = "front"
		}
		w.waySide(side, suffixes[i%len(suffixes)], all[3*i:3*i+3], d.Version)
	}
	w.cursor()
}

func (w *Writer) waySide(side, suffix string, three []*node.Node, v Version) {
	forms := wayForms(side, suffix, ribisAndSwitches, diagonals, v)
	flat, must := three[0], ""
	if side == "" {
		must = "image[-]" + suffix
	}
	if len(flat.Children) > len(ribis) && (plainSwitches(v) || side == "" && suffix == "[0]") {
		if must != "" && IsBlank(flat.Children[0]) {
			w.image(must, flat.Children[0])
		}
		must = side + "image[new2]" + suffix // this key shows that there are switches
	}
	forms[0].must = must
	w.images(three, forms...)
}
