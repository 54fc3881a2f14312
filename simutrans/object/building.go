package object

import (
	"math"
	"strconv"
	"strings"

	"pakbox/simutrans/node"
)

func init() {
	register(&Type{
		Node: node.BUIL, Versions: since12(10, 12).extended(9, 6),
		Fields: `
			climates           land          climates
			chance             int           chance=100
			animation_time     ms            animation_time=300
			capacity           late          capacity
			price              stationmoney  cost|station_price~0x7FFFFFFF
			maintenance        stationmoney  maintenance|station_maintenance~0x7FFFFFFF
			allow_underground  underground   allow_underground=2
			enables            enables       enables_pax|enables_post|enables_ware
			flags              bits          noinfo|noconstruction|needs_ground
			intro              date          intro=1900
			retire             date          retire=2999
			preservation       date          preservation=2999
			height_clearance   int           height_clearance=255
			building_type  buildingtype
			size_x   sidelength
			size_y   sidelength
			layouts  count`,
		Extended: `
			intro                                   date     intro=1492
			enables                                 latekey  enables_pax
			regions                                 regions  regions
			is_control_tower                        int      is_control_tower~0
			population_and_visitor_demand_capacity  int      population_and_visitor_demand_capacity~65535
			employment_capacity                     latekey  employment_capacity
			mail_demand_and_production_capacity     int      mail_demand_and_production_capacity|mail_demand~65535
			radius                                  m        radius=1000
			pier_mask_0                             mask     pier_deck_mask~0xFFFF0000
			pier_mask_1                             mask     pier_sub_1_mask~0
			pier_mask_2                             mask     pier_sub_2_mask~0
			pier_needed                             int      pier_sub_needed~0`,
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
		Node: node.TILE, Versions: same(2),
		Fields: "phases count\nseasons count",
		Bodies: []string{
			"0: reserved_1:u16 reserved_2:u16 phases:u16 index:u16",
			"1-2: phases:u16 index:u16 seasons:u8@2",
		},
	})
}

// buildingWords are the values of type= with what they stand for. An
// attraction is one of the country unless it has a time at which cities build
// it.
var buildingWords = map[string]int64{
	"res": 37, "com": 38, "ind": 39, "cur": 2, "mon": 3, "fac": 4, "tow": 5, "hq": 7,
	"habour": 11, "harbour": 11, "dock": 36, "depot": 33, "stop": 34, "extension": 35,
	"any": 6, "": 6, "signalbox": signalBox,
}

const cityAttraction, depot, residence, industry, signalBox = 1, 33, 37, 39, 70

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

// readUnderground reads where a building may stand: 0 above the ground, 1
// below it, 2 both, which is also what any other number means.
func readUnderground(b *Builder, f said) int64 {
	if v := readInt(b, f); v == 0 || v == 1 {
		return v
	}
	return 2
}

// clusters reads the groups of city buildings that like to stand together.
func (b *Builder) clusters(key string) (set int64) {
	for _, n := range b.Ints(key) {
		if n < 1 || n > 32 {
			b.Warn(key, "", "there is no cluster %d; they are 1 to 32", n)
			continue
		}
		set |= 1 << (n - 1)
	}
	return set
}

// buildingKind sets what follows from type=: a building's type, its level,
// and a number whose meaning depends on the type.
func (b *Builder) buildingKind(d *Body) {
	name := strings.ToLower(b.Get("type"))
	kind, ok := buildingWords[name]
	switch {
	case !ok:
		b.Fail("type", didYouMean(name, buildingTypeWords()), "there is no building type %q", name)
	case kind == signalBox && !d.Version.IsExt:
		b.Fail("type", "choose the target "+Extended, "a %s is of Simutrans-Extended alone", name)
	}
	level, extra := b.Int("level", 1)-1, int64(0)
	if d.Version.IsExt {
		level = b.Int("pax_level", level+1)
	}
	switch name {
	case "res", "com", "ind":
		extra = b.clusters("clusters")
	case "signalbox":
		extra = b.clusters("signal_groups")
	case "cur", "mon", "tow", "hq":
		level = b.Int("passengers", level)
	case "fac":
		level++
		d.Put("enables", d.Int("enables")|4)
	case "habour", "harbour", "depot", "stop", "extension":
		level++
	}
	switch name {
	case "cur":
		if extra = b.Int("build_time", 0); extra != 0 {
			kind = cityAttraction
		}
	case "tow":
		extra = b.Int("build_time", 0)
	case "hq":
		extra = b.Int("hq_level", 0)
	case "dock", "habour", "harbour":
		extra = water
	case "depot", "stop":
		extra = b.waytype("waytype")
	case "extension":
		if b.Has("waytype") {
			extra = b.waytype("waytype")
		}
	}
	d.Put("building_type", kind)
	d.Put("level", level)
	d.Put("extra_data", extra)
}

func buildingTypeWords() (words []string) {
	for word := range buildingWords {
		if word != "" {
			words = append(words, word)
		}
	}
	return words
}

// oldGameType divides what is now one type: houses of cities by their kind,
// and everything else.
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
			layouts = 2 // it can be turned
		}
	}
	const most = 256
	if x < 1 || y < 1 || layouts < 1 || x > most || y > most || layouts > most || x*y*layouts > math.MaxUint16-3 {
		b.Fail("dims", "write dims=width,height,layouts", "a building of %d × %d tiles in %d layouts cannot be", x, y, layouts)
		x, y, layouts = 1, 1, 1 // to look at the rest
	}
	d.Put("size_x", x)
	d.Put("size_y", y)
	d.Put("layouts", layouts)
}

// tiles makes the TILE children: layout by layout, row by row.
func (b *Builder) tiles(d *Body) []*node.Node {
	seasons := b.seasons(d)
	var tiles []*node.Node
	forTiles(d, func(at string) bool {
		tile := b.read(node.TILE, "")
		var children []*node.Node
		phases := 0
		for season := range seasons {
			for _, side := range []string{"back", "front"} {
				list, n := b.tileImages(side+"image"+at, side, season, seasons)
				phases = max(phases, n)
				children = append(children, list)
			}
		}
		tile.Put("index", int64(len(tiles)))
		tile.Put("phases", int64(phases))
		tile.Put("seasons", int64(seasons))
		tiles = append(tiles, b.node(node.TILE, tile, children...))
		return true
	})
	return tiles
}

// forTiles visits the tiles with their indices until visit returns false.
// Every other layout is turned by a quarter.
func forTiles(d *Body, visit func(at string) bool) {
	for layout := range min(d.Int("layouts"), 256) {
		width, height := d.Int("size_x"), d.Int("size_y")
		if layout%2 == 1 {
			width, height = height, width
		}
		for y := range height {
			for x := range width {
				if !visit(key("[%d][%d][%d]", layout, y, x)) {
					return
				}
			}
		}
	}
}

// seasons finds how many seasons any tile has. Tiles and sides are asked in
// this order whether they have the season that is next.
func (b *Builder) seasons(d *Body) int {
	const most = 12
	seasons := 1
	forTiles(d, func(at string) bool {
		for _, side := range []string{"front", "back"} {
			for seasons < most && b.Has(key("%simage%s[0][0][%d]", side, at, seasons)) {
				seasons++
			}
		}
		return true
	})
	return seasons
}

// tileImages makes the IMG2 of one tile, side and season: a list of images
// per storey, one image per phase of an animation.
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

// building writes the source of a BUIL, which may be that of a factory.
func (w *Writer) building(n *node.Node, d *Body) {
	word, ok := buildingWord(d)
	if !ok {
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

// buildingWord is the value of type=.
func buildingWord(d *Body) (word string, ok bool) {
	kind := d.Int("building_type")
	if game := d.Int("game_type"); d.Version.Standard < 9 && kind == 0 && game < 3 {
		kind = residence + game
	}
	if kind == cityAttraction {
		return "cur", true
	}
	for word, v := range buildingWords {
		if v == kind && word != "" && word != "harbour" {
			return word, true
		}
	}
	return "", false
}

// buildingKind writes the level and what the type adds to it. The compiler
// takes one from the level of most buildings, below 0 if it is 0.
func (w *Writer) buildingKind(word string, d *Body) {
	level, extra := d.Int("level"), d.Int("extra_data")
	if level == math.MaxUint16 {
		level = -1
	}
	passengers := level
	if d.Version.IsExt { // whose compiler does not
		level--
	}
	switch word {
	case "cur", "mon", "tow", "hq":
		w.Set("passengers", passengers)
	case "fac", "habour", "depot", "stop", "extension":
		w.Set("level", level)
	default:
		w.Set("level", level+1)
	}
	switch word {
	case "res", "com", "ind":
		if extra != 0 {
			w.Set("clusters", clusterList(extra))
		}
	case "cur", "tow":
		if extra != 0 {
			w.Set("build_time", extra)
		}
	case "signalbox":
		if extra != 0 {
			w.Set("signal_groups", clusterList(extra))
		}
	case "hq":
		w.Set("hq_level", extra)
	case "depot", "stop", "extension":
		w.Set("waytype", waytypes.text(extra))
	}
}

// clusterList lists the numbers of the bits that are set, from 1.
func clusterList(set int64) string {
	var list []string
	for i := range 32 {
		if set>>i&1 != 0 {
			list = append(list, strconv.Itoa(i+1))
		}
	}
	return strings.Join(list, ",")
}

// tiles writes the images of a building: two IMG2 per tile and season.
func (w *Writer) tiles(n *node.Node, d *Body) {
	var tiles []*node.Node
	for _, c := range n.Children {
		if c.Type == node.TILE {
			tiles = append(tiles, c)
		}
	}
	i := 0
	forTiles(d, func(at string) bool {
		if i >= len(tiles) {
			w.fail("a building of %d tiles lacks some", len(tiles))
			return false
		}
		w.tile(tiles[i], at)
		i++
		return true
	})
}

func (w *Writer) tile(tile *node.Node, at string) {
	seasons := len(tile.Children) / 2
	for i, storeys := range tile.Children {
		side := []string{"back", "front"}[i%2]
		for height, phases := range storeys.Children {
			if phases.Type != node.IMG1 {
				w.fail("a tile with a %s", phases.Type)
				return
			}
			w.all(phases, func(phase int) string {
				k := key("%simage%s[%d][%d]", side, at, height, phase)
				if seasons > 1 {
					k += key("[%d]", i/2)
				}
				return k
			})
		}
	}
}
