package object

import (
	"maps"
	"math"
	"slices"
	"strings"

	"pakbox/simutrans/node"
)

func init() {
	register(&Type{
		Node: node.BUIL, Word: "building", Versions: since12(10, 12).extended(9, 6), Axes: buildingAxes, Parts: []node.Type{node.TILE},
		About: "A house, a station, a depot, a monument or another building.",
		Fields: `
			.  buildingword  type       -- The kind of building: a house of a city (res, com, ind), a stop, a depot, a monument and so on.
			.  maybewaytype  waytype    -- The way of a stop, a depot or an extension.
			.  text          dims=1,1   -- Width, height and number of layouts, such as 2,1,2.
			.  int           level=1    -- The size: it gives passengers and mail, and of a stop the capacity in steps of 32.
			.  int           passengers -- In the place of level for attractions, monuments, town halls and headquarters.
			.  int           build_time -- The population at which a city builds the attraction or town hall.
			.  int           hq_level   -- The step of the headquarters, from 0.
			.  text          clusters   -- Groups of houses that like to stand together, 1 to 32.
			.  int           station_capacity    -- An old name for capacity.
			.  int           extension_building  -- No longer supported: write type=extension.
			climates           land          climates                    -- The climates in which it is built; all but water without the key.
			chance             int           chance=100                  -- How often it is chosen, in percent.
			animation_time     ms            animation_time=300          -- How long a frame shows.
			capacity           late          capacity                    -- How many passengers or goods wait at a stop; 32 for each level without the key.
			price              stationmoney  cost|station_price~0x7FFFFFFF               -- The price, in hundredths of a credit; from the level without the key.
			maintenance        stationmoney  maintenance|station_maintenance~0x7FFFFFFF  -- The monthly cost, in hundredths of a credit; from the level without the key.
			allow_underground  underground   allow_underground=2         -- 0 above the ground, 1 below it, 2 both.
			enables            enables       enables_pax|enables_post|enables_ware       -- 1: the stop or extension serves passengers, mail, or goods.
			flags              bits          noinfo|noconstruction|needs_ground          -- 1: no window with details, no building site, ground below the image.
			intro              date          intro=1900                  -- The first month in which it is built.
			retire             date          retire=2999                 -- The month from which it is not built any more.
			preservation       date          preservation=2999           -- The month from which cities do not replace it.
			height_clearance   int           height_clearance=255        -- How many levels a way above it must leave.
			building_type  buildingtype
			size_x   sidelength
			size_y   sidelength
			layouts  count
			.  image  icon    -- The image in the menu; without it the game does not offer a stop, depot, extension or headquarters.
			.  image  cursor  -- The image at the mouse pointer.
			.  image  backimage[0][0][0][0][0][0]   -- The image by layout, y, x, storey, frame and season.
			.  image  frontimage[0][0][0][0][0][0]  -- The image in front of vehicles, by layout, y, x, storey (always 0), frame and season.`,
		Extended: `
			intro                                   date     intro=1492
			enables                                 latekey  enables_pax
			regions                                 regions  regions            -- The regions in which it is built, 0 to 15.
			is_control_tower                        int      is_control_tower~0 -- 1: an airport needs it.
			population_and_visitor_demand_capacity  int      population_and_visitor_demand_capacity~65535  -- How many people live there or visit it.
			employment_capacity                     latekey  employment_capacity                           -- How many people work there.
			mail_demand_and_production_capacity     int      mail_demand_and_production_capacity|mail_demand~65535  -- How much mail it sends and takes.
			radius                                  m        radius=1000        -- How far a signal box reaches.
			pier_mask_0                             mask     pier_deck_mask~0xFFFF0000  -- The piers on whose deck it fits.
			pier_mask_1                             mask     pier_sub_1_mask~0          -- The piers below which it fits.
			pier_mask_2                             mask     pier_sub_2_mask~0          -- The piers below which it fits, second set.
			pier_needed                             int      pier_sub_needed~0          -- 1: it needs a pier.
			.  int       enables_post               -- 1: the stop serves mail.
			.  int       enables_ware               -- 1: the stop serves goods.
			.  int       pax_level                  -- The level, before one is taken away.
			.  int       passenger_demand           -- An old name for employment_capacity.
			.  traction  traction_type[0]           -- The engines that a depot is for; all of them without the key.
			.  int       class_proportion[0]        -- The share of a class among those who live there or visit it.
			.  int       class_proportion_jobs[0]   -- The share of a class among those who work there.
			.  text      signal_groups              -- The groups of signals that a signal box can work, 1 to 32.`,
		Bodies: []string{
			"0: game_type:u16 reserved:u16 building_type:u32 level:u32 extra_data:u32 size_x:u16 size_y:u16 layouts:u32 flags:u32",
			"1-12: game_type:u8@-11 building_type:u8 level:u16 extra_data:u32 size_x:u16 size_y:u16 layouts:u8 climates:u16@4 enables:u8@3" +
				" flags:u8 chance:u8 intro:u16@2 retire:u16@2 animation_time:u16@5 capacity:u16@8 maintenance:i32@8,i64@11" +
				" price:i32@8,i64@11 allow_underground:u8@7 preservation:u16@10 height_clearance:u8@12",
			"x9.5-6: game_type:u8 building_type:u8 level:u16 extra_data:u32 size_x:u16 size_y:u16 layouts:u8 climates:u16 regions:u16 enables:u16" +
				" flags:u8 chance:u8 intro:u16 retire:u16 animation_time:u16 capacity:u16 maintenance:i32 price:i32 allow_underground:u8" +
				" is_control_tower:u8 population_and_visitor_demand_capacity:u16 employment_capacity:u16 mail_demand_and_production_capacity:u16" +
				" radius:u32 class_proportions[num_class_proportions:u8]:u16 class_proportions_jobs[num_class_proportions_jobs:u8]:u16" +
				" pier_mask_0:u32@6 pier_mask_1:u32@6 pier_mask_2:u32@6 pier_needed:u8@6",
		},
		Build: (*Builder).building,
		Write: func(w *Writer, d *Body) { w.building(w.object, d) },
	})
	register(&Type{
		Node: node.TILE, Word: "tile", Versions: same(2),
		Fields: "phases count\nseasons count",
		Bodies: []string{
			"0: reserved_1:u16 reserved_2:u16 phases:u16 index:u16",
			"1-2: phases:u16 index:u16 seasons:u8@2",
		},
	})
}

// buildingAxes are the axes of the images of buildings and factories.
var buildingAxes = []string{"layout", "y", "x", "storey", "frame", "season"}

const cityAttraction, countryAttraction, depot, residence, industry, signalBox = 1, 2, 33, 37, 39, 70

// buildingKind states how a value of type= is stored, and which other keys it uses.
type buildingKind struct {
	value int64
	// level states where the level comes from: "" is the level of the source, "less" is one
	// less, "passengers" is the key passengers=.
	level string
	extra string // the key of extra_data; "water" is the way type itself
}

var buildingKinds = map[string]buildingKind{
	"res": {37, "less", "clusters"}, "com": {38, "less", "clusters"}, "ind": {39, "less", "clusters"},
	"cur": {countryAttraction, "passengers", "build_time"}, "mon": {3, "passengers", ""},
	"tow": {5, "passengers", "build_time"}, "hq": {7, "passengers", "hq_level"}, "fac": {4, "", ""},
	"habour": {11, "", "water"}, "harbour": {11, "", "water"}, "dock": {36, "less", "water"},
	"depot": {depot, "", "waytype"}, "stop": {34, "", "waytype"}, "extension": {35, "", "waytype"},
	"any": {6, "less", ""}, "": {6, "less", ""}, "signalbox": {signalBox, "less", "signal_groups"},
}

// buildingWordList lists the values of type= for authors.
func buildingWordList() []string {
	words := slices.Sorted(maps.Keys(buildingKinds))
	return slices.DeleteFunc(words, func(word string) bool { return word == "" })
}

func (b *Builder) building() *node.Node {
	d := b.read(node.BUIL, "")
	b.buildingKind(d)
	if d.Version.IsExt {
		b.extendedBuilding(d)
	}
	if !b.target.since(node.BUIL, 9) {
		oldGameType(d)
	}
	byLevel := d.Int("level") * 32
	capacity := b.Int("capacity", byLevel)
	if capacity == byLevel {
		capacity = b.Int("station_capacity", byLevel)
	}
	d.Put("capacity", capacity)
	if b.Int("extension_building", 0) > 0 {
		b.Fail("extension_building", "use type=stop or type=extension with waytype", "the key is no longer supported")
	}
	b.dimensions(d)
	children := append(b.nameAndCopyright(), b.tiles(d)...)
	return b.node(node.BUIL, d, append(children, b.maybeCursor()...)...)
}

// clusters reads a set of numbers from 1 to 32.
func (b *Builder) clusters(key string) (set int64) {
	for _, n := range b.Ints(key) {
		if n < 1 || n > 32 {
			b.Warn(key, "", "cluster %d is out of range; expected 1 to 32", n)
			continue
		}
		set |= 1 << (n - 1)
	}
	return set
}

// buildingKind sets the fields that depend on type=: a building's type, its level, and a
// number whose meaning depends on the type.
func (b *Builder) buildingKind(d *Body) {
	name := strings.ToLower(b.Get("type"))
	kind, ok := buildingKinds[name]
	switch {
	case !ok:
		b.Fail("type", didYouMean(name, buildingWordList()), "unknown building type %q", name)
		kind.level = "less"
	case kind.value == signalBox && !d.Version.IsExt:
		b.onlyExtended("type", name)
		kind.extra = ""
	}
	level := b.Int("level", 1)
	if d.Version.IsExt {
		level = b.Int("pax_level", level) + 1
	}
	switch kind.level {
	case "less":
		level--
	case "passengers":
		level = b.Int("passengers", level-1)
	}
	if name == "fac" {
		d.Put("enables", d.Int("enables")|4)
	}
	extra := int64(0)
	switch kind.extra {
	case "clusters", "signal_groups":
		extra = b.clusters(kind.extra)
	case "build_time", "hq_level":
		extra = b.Int(kind.extra, 0)
	case "water":
		extra = water
	case "waytype":
		if name != "extension" || b.Has("waytype") {
			extra = b.oneOf("waytype", waytypes)
		} else {
			b.Warn("waytype", "name the way, or write waytype=none if that is meant", "the extension has no way type, so it fits the stops of every way")
		}
	}
	if kind.value == countryAttraction && extra != 0 {
		kind.value = cityAttraction
	}
	d.Put("building_type", kind.value)
	d.Put("level", level)
	d.Put("extra_data", extra)
}

// oldGameType splits today's single type for old versions: city houses by their kind, and
// everything else.
func oldGameType(d *Body) {
	const others = 3
	if t := d.Int("building_type"); t >= residence && t <= industry {
		d.Put("game_type", t-residence)
		d.Put("building_type", 0)
		return
	}
	d.Put("game_type", others)
}

// dimensions reads dims=x,y,layouts.
func (b *Builder) dimensions(d *Body) {
	size := []int64{1, 1, 0}
	if b.IsSet("dims") {
		size[0] = 0
		copy(size, b.Ints("dims"))
	}
	x, y, layouts := size[0], size[1], size[2]
	if layouts == 0 {
		layouts = 1
		if x != y {
			layouts = 2 // the building can be rotated
		}
	}
	const most = 256
	if x < 1 || y < 1 || layouts < 1 || x > most || y > most || layouts > most || x*y*layouts > math.MaxUint16-3 {
		b.Fail("dims", "write dims=width,height,layouts", "a building of %d × %d tiles in %d layouts cannot be", x, y, layouts)
		x, y, layouts = 1, 1, 1 // continue, because the rest of the source may have mistakes too
	}
	d.Put("size_x", x)
	d.Put("size_y", y)
	d.Put("layouts", layouts)
}

// tiles makes the TILE children: layout by layout, row by row.
func (b *Builder) tiles(d *Body) []*node.Node {
	seasons := b.seasons(d)
	var tiles []*node.Node
	for _, at := range tileIndices(d) {
		tile := b.read(node.TILE, "")
		var children []*node.Node
		phases := 0
		for season := range seasons {
			for _, side := range sides {
				list, n := b.tileImages(side+"image"+at, side, season, seasons)
				phases = max(phases, n)
				children = append(children, list)
			}
		}
		tile.Put("index", int64(len(tiles)))
		tile.Put("phases", int64(phases))
		tile.Put("seasons", int64(seasons))
		tiles = append(tiles, b.node(node.TILE, tile, children...))
	}
	return tiles
}

// tileIndices are the first three indices of each tile: layout, y and x. Every other
// layout is rotated by a quarter turn.
func tileIndices(d *Body) (indices []string) {
	for layout := range min(d.Int("layouts"), 256) {
		width, height := d.Int("size_x"), d.Int("size_y")
		if layout%2 == 1 {
			width, height = height, width
		}
		for y := range height {
			for x := range width {
				indices = append(indices, key("[%d][%d][%d]", layout, y, x))
			}
		}
	}
	return indices
}

// seasons finds the largest number of seasons of any tile, in the same order as makeobj.
func (b *Builder) seasons(d *Body) int {
	const most = 12
	seasons := 1
	for _, at := range tileIndices(d) {
		for _, side := range []string{"front", "back"} {
			for seasons < most && b.Has(key("%simage%s[0][0][%d]", side, at, seasons)) {
				seasons++
			}
		}
	}
	return seasons
}

// tileImages makes the IMG2 of one tile, side and season: a list of images for each
// storey, one image for each phase of an animation.
func (b *Builder) tileImages(at, side string, season, seasons int) (list *node.Node, phases int) {
	var storeys []*node.Node
	for height := 0; ; height++ {
		keys := b.present(func(phase int) string {
			k := key("%s[%d][%d][%d]", at, height, phase, season)
			if plain := key("%s[%d][%d]", at, height, phase); seasons == 1 && !b.Has(k) {
				return plain
			}
			return k
		})
		if len(keys) == 0 {
			break
		}
		if side == "front" && height > 0 {
			b.Warn(keys[0], "put it into backimage", "a front image has one storey only; this one is left out")
			break
		}
		phases = max(phases, len(keys))
		storeys = append(storeys, b.list(keys))
	}
	return listNode(node.IMG2, storeys), phases
}

// building writes the source of a BUIL. It may be the building of a factory.
func (w *Writer) building(n *node.Node, d *Body) {
	word := buildingWord(d)
	if word == "" {
		w.fail("a building of type %d", d.Int("building_type"))
		return
	}
	w.Set("type", word)
	w.buildingKind(word, d)
	x, y, layouts := d.Int("size_x"), d.Int("size_y"), d.Int("layouts")
	dims := key("%d,%d", x, y)
	if x == y && layouts != 1 || x != y && layouts != 2 {
		dims += key(",%d", layouts)
	}
	w.Set("dims", dims)
	w.fields(d, "")
	if d.Version.IsExt {
		w.extendedBuilding(word, d)
	}
	w.Blank()
	w.tiles(n, d)
	w.maybeCursor(n)
}

// buildingWord is the value of type=, "" if none exists.
func buildingWord(d *Body) string {
	value := d.Int("building_type")
	if game := d.Int("game_type"); d.Version.Standard < 9 && value == 0 && game < 3 {
		value = residence + game
	}
	if value == cityAttraction {
		value = countryAttraction
	}
	for _, word := range buildingWordList() {
		if buildingKinds[word].value == value {
			return word
		}
	}
	return ""
}

// buildingKind writes the level, and the key of the number that depends on the type. A
// level 0 minus one is stored as 65535. The compiler of Extended adds one to every level.
func (w *Writer) buildingKind(word string, d *Body) {
	kind, level, extra := buildingKinds[word], d.Int("level"), d.Int("extra_data")
	if level == math.MaxUint16 {
		level = -1
	}
	switch kind.level {
	case "passengers":
		w.Set("passengers", level)
	case "less":
		w.Set("level", level+1-truth(d.Version.IsExt))
	default:
		w.Set("level", level-truth(d.Version.IsExt))
	}
	switch kind.extra {
	case "clusters", "signal_groups":
		w.clusters(kind.extra, extra)
	case "build_time":
		if extra != 0 {
			w.Set("build_time", extra)
		}
	case "hq_level":
		w.Set("hq_level", extra)
	case "waytype":
		w.Set("waytype", waytypes.text(extra))
	}
}

// tiles writes the images of a building: two IMG2 for each tile and season.
func (w *Writer) tiles(n *node.Node, d *Body) {
	var tiles []*node.Node
	for _, c := range n.Children {
		if c.Type == node.TILE {
			tiles = append(tiles, c)
		}
	}
	if d.Int("size_x")*d.Int("size_y")*min(d.Int("layouts"), 256) > int64(len(tiles)) {
		w.fail("a building of %d tiles lacks some", len(tiles))
		return
	}
	for i, at := range tileIndices(d) {
		w.tile(tiles[i], at)
	}
}

func (w *Writer) tile(tile *node.Node, at string) {
	seasons := len(tile.Children) / 2
	for i, storeys := range tile.Children {
		for height, phases := range storeys.Children {
			if phases.Type != node.IMG1 {
				w.fail("a tile with a %s", phases.Type)
				return
			}
			w.all(phases, func(phase int) string {
				k := key("%simage%s[%d][%d]", sides[i%2], at, height, phase)
				if seasons > 1 {
					k += key("[%d]", i/2)
				}
				return k
			})
		}
	}
}
