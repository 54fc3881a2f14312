package object

import (
	"strings"

	"pakbox/simutrans/node"
)

func init() {
	registerFactory()
	registerFactoryParts()
}

func registerFactory() {
	register(&Type{
		Node: node.FACT, Word: "factory", Versions: since12(5, 6).extended(4, 4), Axes: buildingAxes,
		Parts: []node.Type{node.BUIL, node.FSUP, node.FPRO, node.FFIE, node.FFCL},
		About: "A factory: a building that makes and needs goods.",
		Fields: `
			placement             placement  location                    -- Where the game builds it.
			color                 int        mapcolor=255                -- The colour on the map, 0 to 254.
			productivity          int        productivity=10             -- What it makes in a month.
			range                 int        range=10                    -- By how much the production of a new factory may be higher.
			distribution_weight   int        distributionweight=1        -- How often it is built, compared with others; 0 for never.
			pax_level             int        pax_level=12                -- How many people work there.
			expand_probability    share      expand_probability~0        -- How likely it grows, of 10000.
			expand_minimum        int        expand_minimum~0            -- By how much it grows at least.
			expand_range          int        expand_range~0              -- By how much it may grow more.
			expand_times          int        expand_times~0              -- How often it may grow.
			electric_boost        boost      electricity_boost~1000      -- The gain from electricity, of 1000.
			pax_boost             boost      passenger_boost~0           -- The gain from passengers, of 1000.
			mail_boost            boost      mail_boost~0                -- The gain from mail, of 1000.
			electric_demand       int        electricity_demand|electricity_amount~65535  -- How much electricity it needs; from the production without the key.
			pax_demand            int        passenger_demand~65535      -- How many passengers it needs; from pax_level without the key.
			mail_demand           int        mail_demand~65535           -- How much mail it needs; from pax_level without the key.
			sound                 voice      sound                       -- The sound of the factory: a file, or the number of a built-in sound.
			sound_interval        ms         sound_interval~0xFFFFFFFF   -- How often the sound is heard.
			electricity_producer  int        electricity_producer~255    -- 1: a power station.
			smoke_uplift          int        smokeuplift=16              -- How fast the smoke rises.
			smoke_lifetime        ms         smokelifetime=2499          -- How long a cloud of smoke lives.
			fields     count
			suppliers  count
			products   count
			upgrades   count
			.  smoke  smoke            -- The smoke of the factory.
			.  text   smoketile        -- The tile that smokes: x,y; with an index for each rotation.
			.  text   smokeoffset      -- The place on the tile in pixels: x,y; with an index for each rotation.
			.  good   inputgood[0]     -- A good that the factory needs.
			.  good   outputgood[0]    -- A good that the factory makes.
			.  field  fields           -- The field around the factory; with an index if there are several kinds.`,
		Extended: `
			placement                 extplacement  location
			electricity_percent       int           electricity_percent=17          -- How much electricity it needs, in percent of the production.
			max_distance_to_consumer  int           max_distance_to_consumer~65535  -- How far a consumer may be.
			max_distance_to_supplier  int           max_distance_to_supplier~65535  -- How far a supplier may be.
			sound_interval            ms            sound_interval=10000
			field_output_divider      int           field_output_divider=1          -- The production of fields is divided by it.
			.  int      smokespeed  -- How often it smokes.
			.  factory  upgrade[0]  -- A factory that it can become.`,
		Bodies: []string{
			"0: placement:u16 reserved:u16 productivity:u16 range:u16 distribution_weight:u16 color:u16 suppliers:u16 products:u16",
			"1: placement:u16 productivity:u16 range:u16 distribution_weight:u16 color:u16 suppliers:u16 products:u16 pax_level:u16",
			"2-6: placement:u16 productivity:u16 range:u16 distribution_weight:u16 color:u8 fields:u8 suppliers:u16 products:u16 pax_level:u16" +
				" expand_probability:u16@3 expand_minimum:u16@3 expand_range:u16@3 expand_times:u16@3 electric_boost:u16@3 pax_boost:u16@3" +
				" mail_boost:u16@3 electric_demand:u16@3 pax_demand:u16@3 mail_demand:u16@3 electricity_producer:u8@6 sound_interval:u32@4" +
				" sound:i8@4 smoke_rotations:u8@5 smoke[4]{tile_x tile_y offset_x offset_y}:i16@5 smoke_uplift:u16@5 smoke_lifetime:u16@5" +
				" $sound_file[sound_file_length:u8]?sound=-2",
			"x4.4: placement:u16 productivity:u16 range:u16 distribution_weight:u16 color:u8 fields:u8 suppliers:u16 products:u16" +
				" electricity_percent:u16 upgrades:u8 expand_probability:u16 expand_minimum:u16 expand_range:u16 expand_times:u16" +
				" electric_boost:u16 pax_boost:u16 mail_boost:u16 electric_demand:u16 max_distance_to_consumer:u16 sound_interval:u32" +
				" sound:i16 field_output_divider:u8 zero:u8 max_distance_to_supplier:u16?sound!=-2" +
				// The length of the name overwrites the upper half of the distance.
				" max_distance_to_supplier:u8?sound=-2 $sound_file[sound_file_length:u8]?sound=-2",
		},
		Build: (*Builder).factory,
		Write: (*Writer).factory,
	})
}

func registerFactoryParts() {
	// FSUP is one good that a factory needs. It has no version. Very old files end before
	// the last word, which no game reads.
	register(&Type{
		Node: node.FSUP, Word: "factory supplier", unversioned: true,
		Fields: `
			capacity     int     inputcapacity#     -- How much of the good it stores.
			count        int     inputsupplier#     -- How many factories should supply it; 0 for any number.
			consumption  factor  inputfactor#=100   -- How much it needs, in percent of the production.`,
		Bodies: []string{"0: capacity:u16 count:u16 consumption:u16"},
	})
	// FPRO is one good that a factory makes.
	register(&Type{
		Node: node.FPRO, Word: "factory product", Versions: same(1),
		Fields: `
			capacity  int     outputcapacity#    -- How much of the good it stores; more than 10.
			factor    factor  outputfactor#=100  -- How much it makes, in percent of the production.`,
		Bodies: []string{"0: capacity:u16 reserved:u16", "1: capacity:u16 factor:u16"},
	})
	// FSMO is the smoke of a factory in older versions.
	register(&Type{
		Node: node.FSMO, Word: "factory smoke", unversioned: true,
		Bodies: []string{"0: tile_x:i16 tile_y:i16 offset_x:i16 offset_y:i16 speed:i16"},
	})
}

func init() {
	// FFIE has the fields around a factory, FFCL is one kind of them.
	register(&Type{
		Node: node.FFIE, Word: "factory field", Versions: same(3),
		Fields: `
			probability_to_spawn  share  probability_to_spawn=10  -- How likely a new field appears, of 10000.
			max_fields            int    max_fields=25            -- The largest number of fields.
			min_fields            int    min_fields=5             -- The smallest number of fields.
			start_fields          int    start_fields=5           -- The number of fields of a new factory.`,
		Bodies: []string{
			"1: has_snow:u8 probability_to_spawn:u16 production_per_field:u16 max_fields:u16 min_fields:u16",
			"2-3: probability_to_spawn:u16 max_fields:u16 min_fields:u16 start_fields:u16@3 classes:u16",
		},
	})
	register(&Type{
		Node: node.FFCL, Word: "factory field class", Versions: same(1),
		Fields: `
			has_snow              int  has_snow#=1               -- 1: the second image of the field shows snow.
			production_per_field  int  production_per_field#=16  -- What a field adds to the production.
			storage_capacity      int  storage_capacity#         -- What a field adds to the stores.
			spawn_weight          int  spawn_weight#=1000        -- How often this field appears, compared with the others.`,
		Bodies: []string{"1: has_snow:u8 production_per_field:u16 storage_capacity:u16 spawn_weight:u16"},
	})
}

func (b *Builder) factory() *node.Node {
	d := b.read(node.FACT, "")
	if d.Int("color")&0xFF == 255 { // only the byte in the body counts
		b.Fail("mapcolor", "give the factory a colour for the map, 0 to 254", "the colour is missing")
	}
	b.Default("type", "fac")
	children := []*node.Node{b.building(), b.smoke(d)}
	in, out, fields := b.suppliers(), b.products(), b.fields()
	d.Put("suppliers", int64(len(in)))
	d.Put("products", int64(len(out)))
	d.Put("fields", int64(len(fields)))
	children = append(append(append(children, in...), out...), fields...)
	if d.Version.IsExt {
		children = append(children, b.factoryUpgrades(d)...)
	}
	return b.node(node.FACT, d, children...)
}

// factoryUpgrades makes the references to factories that a factory of Extended can
// become. It gives the body the same length as makeobj.
func (b *Builder) factoryUpgrades(d *Body) (nodes []*node.Node) {
	nodes = b.references(node.FACT, false, numbered("upgrade"))
	d.Put("upgrades", int64(len(nodes)))
	d.Rest = []byte{0}
	if d.Int("sound") == namedSound {
		d.Put("max_distance_to_supplier", d.Int("max_distance_to_supplier")&0xFF)
		d.Rest = []byte{0, 0}
	}
	return nodes
}

// pair reads two numbers; a single one is ignored.
func (b *Builder) pair(d *Body, k, prefix string) {
	numbers := b.Ints(k)
	if len(numbers) < 2 {
		if len(numbers) == 1 {
			b.Warn(k, "write "+k+"=x,y", "there is one number and not two; both count as 0")
		}
		return
	}
	d.Put(prefix+"_x", numbers[0])
	d.Put(prefix+"_y", numbers[1])
}

// smoke reads the place of the smoke. Keys without an index give the place for the first
// rotation and, for older games, a separate node.
func (b *Builder) smoke(d *Body) *node.Node {
	if d.Has("smoke_rotations") {
		b.rotatedSmoke(d)
	}
	name := b.Get("smoke")
	if name == "" {
		return reference(node.SMOK, false, "")
	}
	s := b.read(node.FSMO, "")
	b.pair(s, "smoketile", "tile")
	b.pair(s, "smokeoffset", "offset")
	if !b.target.since(node.FACT, 5) {
		s.Put("speed", b.Int("smokespeed", 0))
	}
	return b.node(node.FSMO, s, reference(node.SMOK, true, name))
}

func (b *Builder) rotatedSmoke(d *Body) {
	if !b.Has("smoketile[0]") {
		b.pair(d, "smoketile", "smoke_0_tile")
		b.pair(d, "smokeoffset", "smoke_0_offset")
		return
	}
	for i := range 4 {
		tile, offset := key("smoketile[%d]", i), key("smokeoffset[%d]", i)
		if !b.Has(tile) {
			break
		}
		if !b.Has(offset) {
			b.Warn(tile, "add "+offset, "the smoke has a tile but no offset on it")
		}
		d.Put("smoke_rotations", int64(i+1))
		b.pair(d, tile, key("smoke_%d_tile", i))
		b.pair(d, offset, key("smoke_%d_offset", i))
	}
}

func (b *Builder) suppliers() (nodes []*node.Node) {
	for i, k := range b.present(numbered("inputgood")) {
		s := b.read(node.FSUP, key("[%d]", i))
		s.Rest = []byte{0, 0}
		nodes = append(nodes, b.node(node.FSUP, s, reference(node.GOOD, true, b.Get(k))))
	}
	return nodes
}

func (b *Builder) products() (nodes []*node.Node) {
	for i, k := range b.present(numbered("outputgood")) {
		p := b.read(node.FPRO, key("[%d]", i))
		if capacity := p.Int("capacity"); capacity < 11 {
			b.Warn(key("outputcapacity[%d]", i), "give it more than 10", "the factory can hold only %d of its product", capacity)
		}
		nodes = append(nodes, b.node(node.FPRO, p, reference(node.GOOD, true, b.Get(k))))
	}
	return nodes
}

// fields makes the FFIE child: one kind of fields, or several with indices.
func (b *Builder) fields() []*node.Node {
	var classes []*node.Node
	if b.Has("fields") {
		classes = []*node.Node{b.fieldClass("")}
	} else {
		for i := range b.present(numbered("fields")) {
			classes = append(classes, b.fieldClass(key("[%d]", i)))
		}
	}
	if len(classes) == 0 {
		return nil
	}
	g := b.read(node.FFIE, "")
	g.Put("classes", int64(len(classes)))
	return []*node.Node{b.node(node.FFIE, g, classes...)}
}

func (b *Builder) fieldClass(index string) *node.Node {
	return b.node(node.FFCL, b.read(node.FFCL, index), reference(node.FIEL, true, b.Get("fields"+index)))
}

func (w *Writer) factory(d *Body) {
	w.fields(d, "")
	w.smoke(d)
	w.goods()
	for i, name := range xrefs(w.object, node.FACT) {
		w.Set(key("upgrade[%d]", i), name)
	}
	if fields := child(w.object, node.FFIE); fields != nil {
		w.fieldGroup(fields)
	}
	n := child(w.object, node.BUIL)
	if building := w.decode(n); building != nil {
		w.building(n, building)
	}
}

// pair writes the place of a smoke.
func (w *Writer) pair(d *Body, k, prefix string) {
	w.Set(k, key("%d,%d", d.Int(prefix+"_x"), d.Int(prefix+"_y")))
}

func (w *Writer) smoke(d *Body) {
	rotations := min(d.Int("smoke_rotations"), 4)
	for i := range rotations {
		w.pair(d, key("smoketile[%d]", i), key("smoke_%d_tile", i))
		w.pair(d, key("smokeoffset[%d]", i), key("smoke_%d_offset", i))
	}
	n := child(w.object, node.FSMO)
	if n == nil {
		if rotations == 0 && d.Int("smoke_0_tile_x")|d.Int("smoke_0_tile_y")|d.Int("smoke_0_offset_x")|d.Int("smoke_0_offset_y") != 0 {
			w.pair(d, "smoketile", "smoke_0_tile")
			w.pair(d, "smokeoffset", "smoke_0_offset")
		}
		return
	}
	s := w.decode(n)
	if s == nil {
		return
	}
	w.Set("smoke", strings.Join(xrefs(n, node.SMOK), ""))
	w.pair(s, "smoketile", "tile")
	w.pair(s, "smokeoffset", "offset")
	if speed := s.Int("speed"); speed != 0 {
		w.Set("smokespeed", speed)
	}
}

// goods writes the goods that a factory needs and makes.
func (w *Writer) goods() {
	count := map[node.Type]int{}
	for _, n := range w.object.Children {
		name := map[node.Type]string{node.FSUP: "inputgood", node.FPRO: "outputgood"}[n.Type]
		if name == "" {
			continue
		}
		d := w.decode(n)
		if d == nil {
			return
		}
		index := key("[%d]", count[n.Type])
		count[n.Type]++
		w.Set(name+index, strings.Join(xrefs(n, node.GOOD), ""))
		w.fields(d, index)
	}
}

func (w *Writer) fieldGroup(n *node.Node) {
	g := w.decode(n)
	if g == nil || g.Version.Standard < 2 {
		w.fail("a factory whose fields are not understood")
		return
	}
	w.fields(g, "")
	for i, c := range n.Children {
		class := w.decode(c)
		if class == nil {
			return
		}
		index := ""
		if len(n.Children) > 1 {
			index = key("[%d]", i)
		}
		w.Set("fields"+index, strings.Join(xrefs(c, node.FIEL), ""))
		w.fields(class, index)
	}
}
