package object

import (
	"strings"

	"pakbox/simutrans/node"
)

// extendedVehicle are the fields that Simutrans-Extended adds to vehicles, or
// changes.
const extendedVehicle = `
	engine_type                           extengine    engine_type
	fixed_cost                            money        fixed_cost|fixed_maintenance~0
	axle_load                             axles        axle_load
	loading_time                          boarding     loading_time
	intro                                 date         intro=1492
	is_tilting                            int          is_tilting~0                            -- 1: it tilts in curves.` + constraintFields + `
	catering_level                        int          catering_level~0                        -- The quality of the food, 0 for none.
	bidirectional                         latekey      bidirectional                           -- 1: it runs both ways.
	overcrowded_capacity                  int          overcrowded_capacity~0                  -- How many passengers can stand.
	upgrade_cost                          money        upgrade_cost|upgrade_price~price        -- The price as an upgrade, in hundredths of a credit.
	available_only_as_upgrade             int          available_only_as_upgrade~0             -- 1: it cannot be bought, only be made of another.
	tractive_effort                       kN           tractive_effort~0                       -- The pull at the start; from the power without the key.
	air_resistance                        airdrag      air_resistance                          -- The air resistance; by the way type without the key.
	increase_maintenance_after_years      int          increase_maintenance_after_years~0      -- The years after the retirement at which the cost begins to rise.
	increase_maintenance_by_percent       int          increase_maintenance_by_percent~0       -- By how much the cost rises in the end.
	years_before_maintenance_max_reached  int          years_before_maintenance_max_reached~0  -- The years until the cost is highest.
	min_loading_time                      int          min_loading_time~65535                  -- The shortest time of loading.
	max_loading_time                      int          max_loading_time~65535                  -- The longest time of loading.
	rolling_resistance                    rolling      rolling_resistance                      -- The rolling resistance; by the way type without the key.
	brake_force                           kN           brake_force~65535                       -- The force of the brakes.
	minimum_runway_length                 m            minimum_runway_length~0                 -- The shortest runway.
	range                                 int          range~0                                 -- How far it goes, in km; 0 for any distance.
	way_wear_factor                       int          way_wear_factor~0xFFFFFFFF              -- How much it wears the way; from the weight without the key.
	is_tall                               plustwo      is_tall~0                               -- 1: it does not fit below low overhead lines.
	mixed_load_prohibition                int          mixed_load_prohibition~0                -- 1: it carries one good at a time.
	override_way_speed                    int          override_way_speed~0                    -- 1: it may run faster than the way allows.
	prev_flags  count
	next_flags  count
	upgrades    count
	liveries    count
	.  int      payload[0]             -- The capacity of a class of passengers, at most five.
	.  int      comfort=100            -- The comfort of the vehicle; with an index that of a class.
	.  text     accommodation_name[0]  -- The name of a class.
	.  int      axles=2                -- The number of axles.
	.  int      has_front_cab          -- 1: it can lead, 0: it cannot.
	.  int      has_rear_cab           -- 1: it can lead with its rear, 0: it cannot.
	.  int      can_lead_from_rear     -- 1: a train may run with it pushing.
	.  vehicle  upgrade[0]             -- A vehicle that it can become.
	.  text     liverytype[0]          -- The name of a livery.
	.  image    emptyimage[s,w,sw,se,n,e,ne,nw][0]       -- The empty vehicle in each livery.
	.  image    freightimage[s,w,sw,se,n,e,ne,nw][0]     -- The loaded vehicle in each livery.
	.  image    freightimage[0][s,w,sw,se,n,e,ne,nw][0]  -- The vehicle with a kind of freight in each livery.`

const extendedVehicleBody = "x11.6-7: price:u32 class_capacity[num_class_capacity:u8]:u16 topspeed:u16 weight:u32 axle_load:u16 power:u32" +
	" running_cost:u16 intro:u16 retire:u16 gear:u16 waytype:u8 sound:i16 engine_type:u8 length:u8 prev:u8 next:u8" +
	" freight_image_types:u8 is_tilting:u8 way_constraints_permissive:u8 way_constraints_prohibitive:u8 catering_level:u8" +
	" bidirectional:u8 prev_flags:u8 comfort[num_class_capacity]:u8 overcrowded_capacity:u16 loading_time:u16 upgrades:i8" +
	" upgrade_cost:u32 available_only_as_upgrade:u8 fixed_cost:u32 tractive_effort:u16 air_resistance:u16 next_flags:u8" +
	" increase_maintenance_after_years:u16 increase_maintenance_by_percent:u16 years_before_maintenance_max_reached:u8 liveries:u8" +
	" min_loading_time:u16 max_loading_time:u16 rolling_resistance:u16 brake_force:u16 minimum_runway_length:u16 range:u16" +
	" way_wear_factor:u32 is_tall:u8 mixed_load_prohibition:u8 override_way_speed:u8 $sound_file[sound_file_length:u8]?sound=-2"

// classes reads the capacity and comfort of each class of passengers. It gives the body
// the same length as makeobj.
func (b *Builder) classes(d *Body) (names []*node.Node) {
	const most = 5
	keys := b.present(numbered("payload"))
	if len(keys) > most {
		b.Fail(keys[most], "", "a vehicle has at most %d classes", most)
		return nil
	}
	spare := 0 // bytes after the fields
	if len(keys) > 0 {
		spare = most - len(keys)
	} else {
		keys = []string{"payload"}
	}
	var capacity, comfort []int64
	usual := int64(100)
	for i, k := range keys {
		capacity = append(capacity, b.Int(k, 0))
		comfort = append(comfort, b.comfort(i, &usual))
		if capacity[i] != 0 {
			names = append(names, node.NewText(b.Get(key("accommodation_name[%d]", i))))
		}
	}
	d.setList("class_capacity", capacity)
	d.setList("comfort", comfort)
	d.Rest = make([]byte, spare)
	return names
}

// comfort returns the comfort of a class. The default is usual, the comfort= of the first
// class.
func (b *Builder) comfort(class int, usual *int64) int64 {
	if k := key("comfort[%d]", class); b.IsSet(k) {
		return b.Int(k, 0)
	}
	if class == 0 {
		*usual = b.Int("comfort", *usual)
	}
	return *usual
}

// vehicleUpgrades makes the references to the vehicles that it can become.
func (b *Builder) vehicleUpgrades(d *Body) []*node.Node {
	nodes := b.references(node.VHCL, false, numbered("upgrade"))
	for i := range nodes {
		if k := numbered("upgrade")(i); strings.EqualFold(b.Get(k), "none") {
			b.Fail(k, "leave the line out", "a vehicle cannot become none")
		}
	}
	d.Put("upgrades", int64(len(nodes)))
	return nodes
}

// The flags of a side of a vehicle.
const (
	canBeHead     = 1
	canBeTail     = 2
	unconnectable = 4
	onlyOneFits   = 8
)

// cabs has the keys of a source that determine whether a vehicle can lead.
type cabs struct {
	front, rear   int64 // noWord if the source does not set it
	fromRear      int64
	bidirectional int64
	powered       bool
}

const noWord = 255

func (b *Builder) cabs(d *Body) cabs {
	return cabs{
		front: b.Int("has_front_cab", noWord), rear: b.Int("has_rear_cab", noWord),
		fromRear: b.Int("can_lead_from_rear", 0), bidirectional: b.Int("bidirectional", 0), powered: d.Int("power") != 0,
	}
}

// bothWays is not 0 for a vehicle that runs in both directions.
func (c cabs) bothWays() int64 {
	if c.fromRear != 0 {
		return 1
	}
	return c.bidirectional
}

// flags computes the flags of one side from the keys and its couplings.
func (c cabs) flags(isFront bool, couplings []*node.Node, isAny bool) (flags int64) {
	cab := c.rear
	if isFront {
		cab = c.front
	}
	none := 0
	for _, n := range couplings {
		if x, _ := n.Xref(); x.Name == "" {
			none++
		}
	}
	leads := cab != 0 || c.fromRear != 0 || isFront && c.bothWays() == 0
	switch {
	case isAny:
		return 0
	case len(couplings) == 0:
		flags = canBeTail | truth(cab != 0)*canBeHead
	case none > 0:
		flags = canBeTail | truth(leads)*canBeHead | truth(len(couplings) == 1)*unconnectable
	case len(couplings) == 1:
		flags = onlyOneFits
	}
	if cab == noWord && c.cannotLead(isFront) {
		flags &^= canBeHead
	}
	return flags
}

// cannotLead is the default for a source without keys about cabs.
func (c cabs) cannotLead(isFront bool) bool {
	both := c.bothWays() != 0
	if isFront {
		return !c.powered && both && c.fromRear == 0
	}
	return !both || c.fromRear == 0 && !c.powered
}

// cabs writes the smallest set of keys about cabs that gives the vehicle its flags. If no
// set does, the comparison after compiling finds the difference.
func (w *Writer) cabs(d *Body) {
	var couplings [][]*node.Node
	vehicles := w.vehicleReferences()
	for _, side := range couplingSides {
		n := min(int(d.Int(side)), len(vehicles))
		couplings = append(couplings, vehicles[:n])
		vehicles = vehicles[n:]
	}
	var best []Word
	found := false
	for choice := range 3 * 3 * 2 * 2 {
		words := []int64{noWord, 0, 1}
		c := cabs{words[choice%3], words[choice/3%3], int64(choice / 9 % 2), int64(choice/18) * d.Int("bidirectional"), d.Int("power") != 0}
		if said := c.words(); c.gives(d, couplings) && (!found || len(said) < len(best)) {
			best, found = said, true
		}
	}
	for _, word := range best {
		w.Set(word.Key, word.Value)
	}
}

// words returns the lines that a source needs.
func (c cabs) words() (words []Word) {
	for _, word := range []struct {
		key        string
		value, def int64
	}{
		{"has_front_cab", c.front, noWord}, {"has_rear_cab", c.rear, noWord},
		{"can_lead_from_rear", c.fromRear, 0}, {"bidirectional", c.bidirectional, 0},
	} {
		if word.value != word.def {
			words = append(words, Word{word.key, key("%d", word.value)})
		}
	}
	return words
}

// gives reports whether these keys give the flags of both sides.
func (c cabs) gives(d *Body, couplings [][]*node.Node) bool {
	for i, side := range couplingSides {
		want := d.Int(side + "_flags")
		if c.flags(i == 0, couplings[i], want == 0 && len(couplings[i]) < 2) != want {
			return false
		}
	}
	return c.bothWays() == d.Int("bidirectional")
}

// vehicleReferences are the nodes that refer to vehicles.
func (w *Writer) vehicleReferences() (nodes []*node.Node) {
	for _, c := range w.object.Children {
		if x, ok := c.Xref(); ok && x.Type == node.VHCL {
			nodes = append(nodes, c)
		}
	}
	return nodes
}

// classes writes the capacity and comfort of each class, and returns the texts of the
// object that are not names of classes.
func (w *Writer) classes(d *Body) []string {
	var texts []string
	for _, c := range w.object.Children {
		if c.Type == node.TEXT {
			texts = append(texts, c.Text())
		}
	}
	texts = texts[min(2, len(texts)):]
	capacity, comfort := d.List("class_capacity"), d.List("comfort")
	for i, v := range capacity {
		index := key("[%d]", i)
		if len(capacity) == 1 && len(d.Rest) == 0 {
			index = ""
		}
		w.Set("payload"+index, v)
		w.Set("comfort"+index, comfort[i])
		if v == 0 {
			continue
		}
		if len(texts) == 0 {
			w.fail("a class without a name")
			return nil
		}
		if texts[0] != "" {
			w.Set(key("accommodation_name[%d]", i), texts[0])
		}
		texts = texts[1:]
	}
	return texts
}

// In Simutrans-Extended a vehicle may have several liveries. Its images then have one
// more index.

// allLiveries replaces the number of freight kinds for a vehicle with one freight image
// for each livery.
const allLiveries = 255

// liveryImages is vehicleImages for a vehicle with liveries.
func (b *Builder) liveryImages(d *Body, count int) (images []*node.Node, goods, liveries []string) {
	images = []*node.Node{b.liveryGrid("emptyimage", count)}
	kinds := len(b.present(func(i int) string { return key("freightimage[%d][%s][0]", i, directions[0]) }))
	switch {
	case kinds > 0:
		goods = b.freightTypes(kinds)
		images = append(images, b.liveryFreight(kinds, count))
		d.Put("freight_image_types", int64(kinds))
	case b.Has(key("freightimage[%s][0]", directions[0])):
		images = append(images, b.liveryGrid("freightimage", count))
		d.Put("freight_image_types", allLiveries)
	}
	d.Put("liveries", int64(count))
	for _, k := range b.required(numbers("liverytype", count), "the livery has images but no name", "name the livery of these images") {
		liveries = append(liveries, b.Get(k))
	}
	return images, goods, liveries
}

// liveryGrid makes the images of all liveries by direction. The list of a direction ends
// before the first missing image.
func (b *Builder) liveryGrid(name string, count int) *node.Node {
	var lists []*node.Node
	for _, dir := range directions {
		all := numbers(name+"["+dir+"]", count)
		keys := b.leading(all)
		if n := len(keys); n > 0 && n < count {
			b.anyOf(all)
			b.Warn(all[n], "give an image of every livery", "the image is missing; this direction has only %d of %d liveries", n, count)
		}
		lists = append(lists, b.list(keys))
	}
	return listNode(node.IMG2, lists)
}

// liveryFreight makes the images with freight by direction, livery and kind of
// freight.
func (b *Builder) liveryFreight(kinds, count int) *node.Node {
	var all []*node.Node
	for _, dir := range directions {
		var lists []*node.Node
		for livery := range count {
			keys := freightKeys(kinds, key("[%s][%d]", dir, livery))
			if b.Has(keys[0]) {
				lists = append(lists, b.list(b.required(keys, "the image is missing", "every kind of freight needs one")))
			}
		}
		all = append(all, listNode(node.IMG2, lists))
	}
	return listNode(node.IMG3, all)
}

// liveries writes the names of liveries. A text after the last one comes from makeobj.
func (w *Writer) liveries(count int, texts []string) {
	if count > 0 && len(texts) != count+1 {
		w.fail("a vehicle with %d liveries and %d names", count, len(texts))
		return
	}
	for i := range count {
		w.Set(key("liverytype[%d]", i), texts[i])
	}
}
