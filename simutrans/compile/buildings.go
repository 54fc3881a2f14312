package compile

import (
	"math"
	"strings"

	"pakbox/simutrans/desc"
	"pakbox/simutrans/node"
	"pakbox/simutrans/vocab"
)

func (b *builder) building() *node.Node {
	d := &desc.Building{
		Head:          b.version(node.BUIL),
		Climates:      b.buildingClimates(),
		Chance:        b.Int("chance", 100),
		Intro:         b.intro(),
		Retire:        b.retire(),
		AnimationTime: desc.Millis(b.Int("animation_time", 300)),
		Maintenance:   b.stationMoney("maintenance", "station_maintenance"),
		Price:         b.stationMoney("cost", "station_price"),
		Underground:   b.underground(),
	}
	b.buildingKind(d)
	if b.target.versions[node.BUIL] < 9 {
		oldGameType(d)
	}
	byLevel := d.Level * 32
	if d.Capacity = b.Int("capacity", byLevel); d.Capacity == byLevel {
		d.Capacity = b.Int("station_capacity", byLevel)
	}
	for i, k := range vocab.StationKeys {
		if b.Int(k, 0) > 0 {
			d.Enables |= 1 << i
		}
	}
	for i, k := range vocab.FlagKeys {
		if b.Int(k, 0) > 0 {
			d.Flags |= 1 << i
		}
	}
	if version := b.target.versions[node.BUIL]; version >= 10 {
		d.Preservation = b.date("preservation", 2999)
	}
	if b.target.versions[node.BUIL] >= 12 {
		d.Clearance = b.Int("height_clearance", 255)
	}
	if b.Int("extension_building", 0) > 0 {
		b.Fail("extension_building", "use type=stop or type=extension with waytype", "the key is no longer supported")
	}
	b.dimensions(d)
	if b.failed() {
		return nil
	}
	children := append(b.nameAndCopyright(), b.tiles(d)...)
	if b.Has("cursor") || b.Has("icon") {
		children = append(children, b.cursor())
	}
	return b.node(node.BUIL, d, children...)
}

// stationMoney reads an amount that has a second name, which is that of
// Simutrans-Extended.
func (b *builder) stationMoney(k, second string) desc.Money {
	if m := b.money(k, int64(desc.Unset)); m != desc.Unset {
		return m
	}
	return b.money(second, int64(desc.Unset))
}

// clusters reads the groups of city buildings that like to stand together.
func (b *builder) clusters() (set int64) {
	for _, n := range b.Ints("clusters") {
		if n < 1 || n > 32 {
			b.Warn("clusters", "", "there is no cluster %d; they are 1 to 32", n)
			continue
		}
		set |= 1 << (n - 1)
	}
	return set
}

// underground reads where a building may stand: 0 above the ground, 1 below
// it, 2 both, which is also what any other number means.
func (b *builder) underground() int64 {
	if v := b.Int("allow_underground", 2); v == 0 || v == 1 {
		return v
	}
	return 2
}

// buildingClimates are all but water where a building does not say. Words too
// short for a climate, such as all and land, say nothing.
func (b *builder) buildingClimates() desc.Climates {
	const long = len("rocky")
	said := b.Get("climates")
	if len(said) >= long {
		return b.climates()
	}
	switch strings.ToLower(strings.TrimSpace(said)) {
	case "", "all", "land":
	default:
		b.Warn("climates", didYouMean(said, vocab.Climates), "there is no climate %q; all but water are taken", said)
	}
	return 0xFE
}

// buildingKind sets what follows from type=: a building's type, its level,
// and a number whose meaning depends on the type.
func (b *builder) buildingKind(d *desc.Building) {
	name := strings.ToLower(b.Get("type"))
	kind, ok := vocab.BuildingTypes[name]
	if !ok {
		b.Fail("type", didYouMean(name, vocab.BuildingTypes), "there is no building type %q", name)
	}
	d.Type = kind
	d.Level = b.Int("level", 1) - 1
	switch name {
	case "cur", "mon", "tow", "hq":
		d.Level = b.Int("passengers", d.Level)
	case "fac":
		d.Level++
		d.Enables = 4
	case "habour", "harbour", "depot", "stop", "extension":
		d.Level++
	}
	switch name {
	case "res", "com", "ind":
		d.Extra = b.clusters()
	case "cur":
		if d.Extra = b.Int("build_time", 0); d.Extra != 0 {
			d.Type = 1 // in a city
		}
	case "tow":
		d.Extra = b.Int("build_time", 0)
	case "hq":
		d.Extra = b.Int("hq_level", 0)
	case "dock", "habour", "harbour":
		d.Extra = int64(vocab.Waytypes["water"])
	case "depot", "stop":
		d.Extra = int64(b.waytype("waytype"))
	case "extension":
		if b.Has("waytype") {
			d.Extra = int64(b.waytype("waytype"))
		}
	}
}

// oldGameType divides what is now one type: houses of cities by their kind,
// and everything else.
func oldGameType(d *desc.Building) {
	const residence, industry, others = 37, 39, 3
	if d.Type >= residence && d.Type <= industry {
		d.GameType, d.Type = int64(d.Type)-residence, 0
		return
	}
	d.GameType = others
}

// dimensions reads dims=x,y,layouts.
func (b *builder) dimensions(d *desc.Building) {
	d.SizeX, d.SizeY = 1, 1
	if dims, set := b.Ints("dims"), b.isSet("dims"); set {
		d.SizeX = 0
		for i, v := range dims {
			switch i {
			case 0:
				d.SizeX = desc.Tiles(v)
			case 1:
				d.SizeY = desc.Tiles(v)
			case 2:
				d.Layouts = v
			}
		}
	}
	if d.Layouts == 0 {
		d.Layouts = 1
		if d.SizeX != d.SizeY {
			d.Layouts = 2 // it can be turned
		}
	}
	const most = 256
	if d.SizeX < 1 || d.SizeY < 1 || d.Layouts < 1 || d.SizeX > most || d.SizeY > most || d.Layouts > most ||
		int64(d.SizeX*d.SizeY)*d.Layouts > math.MaxUint16-3 {
		b.Fail("dims", "write dims=width,height,layouts", "a building of %d × %d tiles in %d layouts cannot be", d.SizeX, d.SizeY, d.Layouts)
	}
}

// isSet reports whether a key is there, even without a value.
func (b *builder) isSet(k string) bool {
	for _, e := range b.Entries() {
		if e.Key == k {
			return true
		}
	}
	return false
}

// tiles makes the TILE children: layout by layout, row by row. Every other
// layout is turned by a quarter.
func (b *builder) tiles(d *desc.Building) []*node.Node {
	seasons := b.seasons(d)
	var tiles []*node.Node
	forTiles(d, func(layout, y, x int) {
		tile := &desc.Tile{Head: b.version(node.TILE), Index: int64(len(tiles)), Seasons: int64(seasons)}
		var children []*node.Node
		for season := range seasons {
			for _, side := range []string{"back", "front"} {
				at := key("%simage[%d][%d][%d]", side, layout, y, x)
				list, phases := b.tileImages(at, side, season, seasons)
				tile.Phases = max(tile.Phases, int64(phases))
				children = append(children, list)
			}
		}
		tiles = append(tiles, b.node(node.TILE, tile, children...))
	})
	return tiles
}

func forTiles(d *desc.Building, visit func(layout, y, x int)) {
	for layout := range int(d.Layouts) {
		width, height := int(d.SizeX), int(d.SizeY)
		if layout%2 == 1 {
			width, height = height, width
		}
		for y := range height {
			for x := range width {
				visit(layout, y, x)
			}
		}
	}
}

// maxSeasons is how many seasons a building is asked for.
const maxSeasons = 12

// seasons finds how many seasons any tile has. Tiles and sides are asked in
// this order whether they have the season that is next.
func (b *builder) seasons(d *desc.Building) int {
	seasons := 1
	forTiles(d, func(layout, y, x int) {
		for _, side := range []string{"front", "back"} {
			for seasons < maxSeasons && b.Has(key("%simage[%d][%d][%d][0][0][%d]", side, layout, y, x, seasons)) {
				seasons++
			}
		}
	})
	return seasons
}

// tileImages makes the IMG2 of one tile, side and season: a list of images
// per storey, one image per phase of an animation.
func (b *builder) tileImages(at, side string, season, seasons int) (list *node.Node, phases int) {
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

func (b *builder) factory() *node.Node {
	location := strings.ToLower(b.Get("location"))
	placement, ok := vocab.Placements[location]
	if !ok {
		b.Warn("location", didYouMean(location, vocab.Placements), "there is no location %q; land is taken", location)
	}
	d := &desc.Factory{
		Head:         b.version(node.FACT),
		Placement:    placement,
		Productivity: b.Int("productivity", 10),
		Range:        b.Int("range", 10),
		Weight:       b.Int("distributionweight", 1),
		Color:        b.Int("mapcolor", 255),
		PaxLevel:     b.Int("pax_level", 12),

		ExpandProbability: b.probability("expand_probability", 0),
		ExpandMinimum:     b.Int("expand_minimum", 0),
		ExpandRange:       b.Int("expand_range", 0),
		ExpandTimes:       b.Int("expand_times", 0),
		ElectricBoost:     b.boost("electricity_boost", 1000),
		PaxBoost:          b.boost("passenger_boost", 0),
		MailBoost:         b.boost("mail_boost", 0),
		ElectricDemand:    b.Int("electricity_amount", desc.Undefined),
		PaxDemand:         b.Int("passenger_demand", desc.Undefined),
		MailDemand:        b.Int("mail_demand", desc.Undefined),

		SoundInterval: desc.Millis(b.Int("sound_interval", math.MaxUint32)),
		Sound:         b.voice(),
		SmokeUplift:   b.Int("smokeuplift", 16),
		SmokeLifetime: desc.Millis(b.Int("smokelifetime", 2499)),
	}
	d.ElectricDemand = b.Int("electricity_demand", d.ElectricDemand)
	if d.Color&0xFF == 255 { // as it will be stored
		b.Fail("mapcolor", "give the factory a colour for the map, 0 to 254", "the colour is missing")
	}
	if b.target.versions[node.FACT] >= 6 {
		d.ElectricityProducer = b.Int("electricity_producer", 255)
	}
	b.Default("type", "fac")
	children := []*node.Node{b.building(), b.smoke(d)}
	children = append(children, b.suppliers(d)...)
	children = append(children, b.products(d)...)
	if fields := b.fields(); fields != nil {
		d.Fields = 1
		children = append(children, fields)
	}
	if b.failed() {
		return nil
	}
	return b.node(node.FACT, d, children...)
}

// boost turns thousandths into parts of 256.
func (b *builder) boost(k string, def int64) desc.Factor {
	return desc.Factor((b.Int(k, def)*256 + 500) / 1000)
}

// probability reads a share of ten thousand. More is cut, after what 16 bits
// make of it.
func (b *builder) probability(k string, def int64) int64 {
	const whole = 10000
	said := b.Int(k, def)
	p := min(said&0xFFFF, whole)
	if p != said {
		b.Warn(k, "", "%d is not between 0 and %d, and becomes %d", said, whole, p)
	}
	return p
}

// pair reads two numbers; one alone counts for nothing.
func (b *builder) pair(k string) (x, y int64) {
	numbers := b.Ints(k)
	if len(numbers) < 2 {
		if len(numbers) == 1 {
			b.Warn(k, "write "+k+"=x,y", "there is one number and not two; both count as 0")
		}
		return 0, 0
	}
	return numbers[0], numbers[1]
}

// smoke reads where the factory smokes. What is written without an index is
// the place of the first rotation and, for older games, a node of its own.
func (b *builder) smoke(d *desc.Factory) *node.Node {
	if version := b.target.versions[node.FACT]; version >= 5 {
		b.rotatedSmoke(d)
	}
	name := b.Get("smoke")
	if name == "" {
		return node.NewXref(node.Xref{Type: node.SMOK})
	}
	s := &desc.Smoke{}
	s.TileX, s.TileY = b.pair("smoketile")
	s.OffsetX, s.OffsetY = b.pair("smokeoffset")
	if b.target.versions[node.FACT] < 5 {
		s.Speed = b.Int("smokespeed", 0)
	}
	return b.node(node.FSMO, s, node.NewXref(node.Xref{Type: node.SMOK, Fatal: true, Name: name}))
}

func (b *builder) rotatedSmoke(d *desc.Factory) {
	if !b.Has("smoketile[0]") {
		d.Smoke[0].TileX, d.Smoke[0].TileY = b.pair("smoketile")
		d.Smoke[0].OffsetX, d.Smoke[0].OffsetY = b.pair("smokeoffset")
		return
	}
	for i := range d.Smoke {
		tile, offset := key("smoketile[%d]", i), key("smokeoffset[%d]", i)
		if !b.Has(tile) {
			break
		}
		if !b.Has(offset) {
			b.Warn(tile, "add "+offset, "the smoke has a tile but no offset on it")
		}
		d.Rotations++
		d.Smoke[i].TileX, d.Smoke[i].TileY = b.pair(tile)
		d.Smoke[i].OffsetX, d.Smoke[i].OffsetY = b.pair(offset)
	}
}

func goodXref(name string, fatal bool) *node.Node {
	return node.NewXref(node.Xref{Type: node.GOOD, Fatal: fatal, Name: name})
}

func (b *builder) suppliers(d *desc.Factory) (nodes []*node.Node) {
	for i := range b.present(func(i int) string { return key("inputgood[%d]", i) }) {
		s := &desc.Supplier{
			Head:        desc.Head{Rest: []byte{0, 0}},
			Capacity:    b.Int(key("inputcapacity[%d]", i), 0),
			Count:       b.Int(key("inputsupplier[%d]", i), 0),
			Consumption: desc.Factor(b.Int(key("inputfactor[%d]", i), 100) * 256 / 100),
		}
		nodes = append(nodes, b.node(node.FSUP, s, goodXref(b.Get(key("inputgood[%d]", i)), true)))
	}
	d.Suppliers = int64(len(nodes))
	return nodes
}

func (b *builder) products(d *desc.Factory) (nodes []*node.Node) {
	for i := range b.present(func(i int) string { return key("outputgood[%d]", i) }) {
		capacity := key("outputcapacity[%d]", i)
		p := &desc.Product{
			Head:     b.version(node.FPRO),
			Capacity: b.Int(capacity, 0),
			Factor:   desc.Factor(b.Int(key("outputfactor[%d]", i), 100) * 256 / 100),
		}
		if p.Capacity < 11 {
			b.Warn(capacity, "give it more than 10", "the factory can hold only %d of what it makes", p.Capacity)
		}
		nodes = append(nodes, b.node(node.FPRO, p, goodXref(b.Get(key("outputgood[%d]", i)), true)))
	}
	d.Products = int64(len(nodes))
	return nodes
}

// fields makes the FFIE child: one class of fields, or several with indices.
func (b *builder) fields() *node.Node {
	var classes []*node.Node
	if b.Has("fields") {
		classes = []*node.Node{b.fieldClass("")}
	} else {
		for i := range b.present(func(i int) string { return key("fields[%d]", i) }) {
			classes = append(classes, b.fieldClass(key("[%d]", i)))
		}
	}
	if len(classes) == 0 {
		return nil
	}
	g := &desc.FieldGroup{
		Head:        b.version(node.FFIE),
		Probability: b.probability("probability_to_spawn", 10),
		Max:         b.Int("max_fields", 25),
		Min:         b.Int("min_fields", 5),
		StartNum:    b.Int("start_fields", 5),
		Classes:     int64(len(classes)),
	}
	return b.node(node.FFIE, g, classes...)
}

func (b *builder) fieldClass(index string) *node.Node {
	c := &desc.FieldClass{
		Head:       b.version(node.FFCL),
		Snow:       b.Int("has_snow"+index, 1),
		Production: b.Int("production_per_field"+index, 16),
		Capacity:   b.Int("storage_capacity"+index, 0),
		Weight:     b.Int("spawn_weight"+index, 1000),
	}
	return b.node(node.FFCL, c, node.NewXref(node.Xref{Type: node.FIEL, Fatal: true, Name: b.Get("fields" + index)}))
}
