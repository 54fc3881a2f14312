package object

import (
	"strings"

	"pakbox/simutrans/node"
)

// extendedVehicle are the fields that vehicles have more, or otherwise, in
// Simutrans-Extended.
const extendedVehicle = `
	engine_type                           extengine    engine_type
	fixed_cost                            money        fixed_cost|fixed_maintenance~0
	axle_load                             axles        axle_load
	loading_time                          boarding     loading_time
	intro                                 date         intro=1492
	is_tilting                            int          is_tilting~0
	way_constraints_permissive            constraints  way_constraint_permissive
	way_constraints_prohibitive           constraints  way_constraint_prohibitive
	catering_level                        int          catering_level~0
	bidirectional                         latekey      bidirectional
	overcrowded_capacity                  int          overcrowded_capacity~0
	upgrade_cost                          money        upgrade_cost|upgrade_price~price
	available_only_as_upgrade             int          available_only_as_upgrade~0
	tractive_effort                       kN           tractive_effort~0
	air_resistance                        airdrag      air_resistance
	increase_maintenance_after_years      int          increase_maintenance_after_years~0
	increase_maintenance_by_percent       int          increase_maintenance_by_percent~0
	years_before_maintenance_max_reached  int          years_before_maintenance_max_reached~0
	min_loading_time                      int          min_loading_time~65535
	max_loading_time                      int          max_loading_time~65535
	rolling_resistance                    rolling      rolling_resistance
	brake_force                           kN           brake_force~65535
	minimum_runway_length                 m            minimum_runway_length~0
	range                                 int          range~0
	way_wear_factor                       int          way_wear_factor~0xFFFFFFFF
	is_tall                               plustwo      is_tall~0
	mixed_load_prohibition                int          mixed_load_prohibition~0
	override_way_speed                    int          override_way_speed~0
	prev_flags  count
	next_flags  count
	upgrades    count
	liveries    count`

const extendedVehicleBody = "x11.6-7: price:u32 class_capacity[num_class_capacity:u8]:u16 topspeed:u16 weight:u32 axle_load:u16 power:u32" +
	" running_cost:u16 intro:u16 retire:u16 gear:u16 waytype:u8 sound:i16 engine_type:u8 length:u8 prev:u8 next:u8" +
	" freight_image_types:u8 is_tilting:u8 way_constraints_permissive:u8 way_constraints_prohibitive:u8 catering_level:u8" +
	" bidirectional:u8 prev_flags:u8 comfort[num_class_capacity]:u8 overcrowded_capacity:u16 loading_time:u16 upgrades:i8" +
	" upgrade_cost:u32 available_only_as_upgrade:u8 fixed_cost:u32 tractive_effort:u16 air_resistance:u16 next_flags:u8" +
	" increase_maintenance_after_years:u16 increase_maintenance_by_percent:u16 years_before_maintenance_max_reached:u8 liveries:u8" +
	" min_loading_time:u16 max_loading_time:u16 rolling_resistance:u16 brake_force:u16 minimum_runway_length:u16 range:u16" +
	" way_wear_factor:u32 is_tall:u8 mixed_load_prohibition:u8 override_way_speed:u8 $sound_file[sound_file_length:u8]?sound=-2"

// extendedVehicle makes a vehicle of Extended.
func (b *Builder) extendedVehicle(d *Body) *node.Node {
	freight := b.freight()
	children := append(b.nameAndCopyright(), reference(node.GOOD, true, freight), reference(node.SMOK, false, b.Get("smoke")))
	images, types, liveries := b.liveryImages(d)
	children = append(children, images...)
	for i, side := range []string{"prev", "next"} {
		couplings, alone := b.extendedCouplings(side)
		d.Put(side, int64(len(couplings)))
		children = append(children, couplings...)
		d.Put(side+"_flags", b.cabs(d).flags(i == 0, couplings, alone))
	}
	d.Put("bidirectional", b.cabs(d).bidirectional)
	children = append(children, b.vehicleUpgrades(d)...)
	children = append(children, b.classes(d)...)
	for _, name := range types {
		children = append(children, reference(node.GOOD, false, name))
	}
	for _, name := range liveries {
		children = append(children, node.NewText(name))
	}
	if len(types) > 0 {
		children = append(children, reference(node.GOOD, false, freight))
	}
	if len(liveries) > 0 {
		children = append(children, node.NewText("default"))
	}
	return b.node(node.VHCL, d, children...)
}

// classes reads what passengers of each class are offered, and gives the body
// the length that makeobj gives it.
func (b *Builder) classes(d *Body) (names []*node.Node) {
	const most = 5
	keys := b.present(numbered("payload"))
	if len(keys) > most {
		b.Fail(keys[most], "", "a vehicle has at most %d classes", most)
		return nil
	}
	spare := 0 // bytes behind the fields
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

// comfort of a class is its own or, of those behind the first, the usual one:
// what the first has without an index.
func (b *Builder) comfort(class int, usual *int64) int64 {
	if k := key("comfort[%d]", class); b.IsSet(k) {
		return b.Int(k, 0)
	}
	if class == 0 {
		*usual = b.Int("comfort", *usual)
	}
	return *usual
}

// vehicleUpgrades makes the references to what a vehicle may become.
func (b *Builder) vehicleUpgrades(d *Body) (nodes []*node.Node) {
	for _, k := range b.present(numbered("upgrade")) {
		name := b.Get(k)
		if strings.EqualFold(name, "none") {
			b.Fail(k, "leave the line out", "a vehicle cannot become none")
		}
		nodes = append(nodes, reference(node.VHCL, false, name))
	}
	d.Put("upgrades", int64(len(nodes)))
	return nodes
}

// extendedCouplings reads what may be coupled to one side. The word any ends
// the list and lets all couple that it does not name.
func (b *Builder) extendedCouplings(side string) (nodes []*node.Node, any bool) {
	for _, n := range b.couplings(side) {
		if x, _ := n.Xref(); strings.EqualFold(x.Name, "any") {
			return nodes, true
		}
		nodes = append(nodes, n)
	}
	return nodes, false
}

// What the flags of a side of a vehicle say.
const (
	canBeHead     = 1
	canBeTail     = 2
	unconnectable = 4
	onlyOneFits   = 8
)

// cabs is what tells whether a vehicle can lead.
type cabs struct {
	front, rear   int64 // noWord if the source does not say
	fromRear      bool
	both          bool // it runs both ways
	bidirectional int64
	powered       bool
}

const noWord = 255

func (b *Builder) cabs(d *Body) cabs {
	c := cabs{front: b.Int("has_front_cab", noWord), rear: b.Int("has_rear_cab", noWord), bidirectional: b.Int("bidirectional", 0)}
	c.fromRear = b.Int("can_lead_from_rear", 0) != 0
	if c.fromRear {
		c.bidirectional = 1
	}
	c.both, c.powered = c.bidirectional != 0, d.Int("power") != 0
	return c
}

// flags are those of one side with its couplings.
func (c cabs) flags(isFront bool, couplings []*node.Node, any bool) (flags int64) {
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
	leads := cab != 0 || c.fromRear || isFront && !c.both
	switch {
	case any:
		return 0
	case len(couplings) == 0:
		flags = canBeTail
		if cab != 0 {
			flags |= canBeHead
		}
	case none > 0:
		flags = canBeTail
		if leads {
			flags |= canBeHead
		}
		if len(couplings) == 1 {
			flags |= unconnectable
		}
	case len(couplings) == 1:
		flags = onlyOneFits
	}
	if cab == noWord && c.cannotLead(isFront) {
		flags &^= canBeHead
	}
	return flags
}

// cannotLead is how a source that says nothing of cabs is understood.
func (c cabs) cannotLead(isFront bool) bool {
	if isFront {
		return !c.powered && c.both && !c.fromRear
	}
	return !c.both || !c.fromRear && !c.powered
}
