package simutrans

import (
	"fmt"
	"slices"

	"pakbox/fact"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

// Table lists the objects of some types with facts for comparing them.
type Table struct {
	Name  string   // name of the command: vehicles
	Doc   string   // sentences about its columns, for help
	Usual []string // columns that are shown by default
	types []node.Type
	facts *fact.Table[*compared]
}

// Tables are the tables of a pakset.
var Tables = []*Table{
	{"vehicles", "The speed is in km/h, the power in kW, the weight in tons and the money in\ncredits. A vehicle can be bought from the month of intro until retire.",
		[]string{"name", "waytype", "topspeed", "power", "capacity", "freight", "price", "running_cost", "intro", "retire"}, []node.Type{node.VHCL}, vehicleFacts},
	{"goods", "The value is what the transport of a unit pays, the speed bonus is in percent,\nand the weight of a unit in kilograms.",
		[]string{"name", "category", "value", "speed_bonus", "weight_per_unit"}, []node.Type{node.GOOD}, goodFacts},
	{"factories", "Needs and makes are goods, and the productivity is that of a month. A factory is\nbuilt from the month of intro until retire.",
		[]string{"name", "location", "productivity", "needs", "makes", "size", "intro", "retire"}, []node.Type{node.FACT}, factoryFacts},
	{"buildings", "The size is in tiles and the money in credits. A building is built from the month\nof intro until retire.",
		[]string{"name", "kind", "level", "size", "waytype", "price", "maintenance", "intro", "retire"}, []node.Type{node.BUIL}, buildingFacts},
	{"ways", "Bridges, tunnels and way objects are listed too. The speed is in km/h, the axle\nload in tons, and the money for a tile in credits. A way can be built from the\nmonth of intro until retire.",
		[]string{"name", "type", "waytype", "topspeed", "axle_load", "price", "maintenance", "intro", "retire"}, []node.Type{node.WAY, node.BRDG, node.TUNL, node.WYOB}, wayFacts},
}

// Of reads the facts of an object. An object of another type has none.
func (t *Table) Of(n *node.Node) (fact.Record, error) {
	if !slices.Contains(t.types, n.Type) {
		return nil, nil
	}
	c, err := newCompared(n)
	if err != nil {
		return nil, err
	}
	return t.facts.Of(c), nil
}

// Vehicle reads the facts of a vehicle. An object of another type has none.
func Vehicle(n *node.Node) (fact.Record, error) { return Tables[0].Of(n) }

// compared is an object with its descriptor, and for a factory also the descriptor of its
// building.
type compared struct {
	node     *node.Node
	body     *object.Body
	fields   map[string]object.Field
	building map[string]object.Field
}

func newCompared(n *node.Node) (*compared, error) {
	d, err := object.Decode(n)
	if err != nil {
		return nil, err
	}
	c := &compared{node: n, body: d, fields: fieldsOf(d)}
	c.building = c.fields
	for _, child := range n.Children {
		if child.Type == node.BUIL {
			if d, err := object.Decode(child); err == nil {
				c.building = fieldsOf(d)
			}
		}
	}
	return c, nil
}

func fieldsOf(d *object.Body) map[string]object.Field {
	fields := map[string]object.Field{}
	for _, f := range d.Fields() {
		fields[f.Name] = f
	}
	return fields
}

func hasField(c *compared, name string) bool {
	_, ok := c.fields[name]
	return ok
}

type row = fact.Row[*compared]

// named returns the first facts of every object.
func named(what string) []row {
	return []row{
		{Name: "name", Kind: fact.Text, Doc: "name of the " + what, Always: true, Get: func(c *compared) any { return node.Display(c.node.Name()) }},
		{Name: "copyright", Kind: fact.Text, Doc: "copyright line", Always: true, Get: func(c *compared) any { return node.Display(c.node.Copyright()) }},
	}
}

// words returns a row for a field of the descriptor in words; null if its version lacks
// the field.
func words(name, also, doc string) row {
	return row{Name: name, Kind: fact.Text, Doc: doc, Also: alsoNamed(also, doc), Get: func(c *compared) any {
		f, ok := c.building[name]
		return fact.Known(f.Text, ok)
	}}
}

// number returns a row for a field of the descriptor as a number; null if its version
// lacks the field.
func number(name, also string, kind fact.Kind, doc string) row {
	return row{Name: name, Kind: kind, Doc: doc, Also: alsoNamed(also, doc), Get: func(c *compared) any {
		f, ok := c.fields[name]
		if !ok || isUnset(f) {
			return nil
		}
		return f.Number()
	}}
}

// isUnset reports whether a price or cost is the number that stands for "not given": the
// game then works it out.
func isUnset(f object.Field) bool { return fmt.Sprint(f.Value) == fmt.Sprint(object.FromLevel) }

// alsoNamed returns a further name of a field, if it has one.
func alsoNamed(word, doc string) []fact.Word {
	if word == "" {
		return nil
	}
	return []fact.Word{{Name: word, Doc: doc + ", of a Simutrans vehicle"}}
}

// dates returns rows for the introduction and retirement of an object.
func dates() []row {
	return []row{
		words("intro", "", "month of introduction, as 1931-07"),
		words("retire", "", "month of retirement, as 1931-07"),
	}
}

var vehicleFacts = fact.NewTable("vehicle", "A Simutrans vehicle.", slices.Concat(named("vehicle"), []row{
	words("waytype", "", "type of way: track, road, …"),
	{Name: "engine_type", Kind: fact.Text, Doc: "type of engine: steam, diesel, …; null without power", Also: alsoNamed("engine", "type of engine"), Get: func(c *compared) any {
		f, ok := c.building["engine_type"]
		return fact.Known(f.Text, ok && (!hasField(c, "power") || c.body.Int("power") > 0))
	}},
}, dates(), []row{
	number("topspeed", "speed", fact.Count, "top speed in km/h"),
	number("power", "", fact.Count, "power in kW"),
	number("length", "", fact.Count, "length in sixteenths of a tile"),
	number("axle_load", "", fact.Count, "axle load in tons"),
	number("price", "", fact.Number, "price in credits"),
	number("running_cost", "", fact.Number, "running cost in credits for each kilometre"),
	number("fixed_cost", "", fact.Number, "fixed cost in credits a month"),
	{Name: "capacity", Kind: fact.Count, Doc: "capacity for freight", Get: func(c *compared) any { return c.body.Capacity() }},
	{Name: "weight", Kind: fact.Number, Doc: "weight in tons", Get: func(c *compared) any { return c.body.Tons() }},
	{Name: "gear", Kind: fact.Number, Doc: "gear; 1 is usual", Get: func(c *compared) any { return float64(c.body.Int("gear")) / 64 }},
	{Name: "freight", Kind: fact.Text, Doc: "name of the good that the vehicle carries", Get: func(c *compared) any { return freightOf(c.node) }},
	{Name: "prev", Kind: fact.List, Doc: "vehicles that may be in front of it; none is the front of a convoy, and an empty list allows all",
		Get: func(c *compared) any { front, _ := object.Couplings(c.node, c.body); return coupled(front) }},
	{Name: "next", Kind: fact.List, Doc: "vehicles that may be behind it; none is the end of a convoy, and an empty list allows all",
		Get: func(c *compared) any { _, behind := object.Couplings(c.node, c.body); return coupled(behind) }},
}))

// coupled returns names of vehicles in the form of sources.
func coupled(names []string) []string {
	out := []string{}
	for _, name := range names {
		if name == "" {
			name = "none"
		}
		out = append(out, node.Display(name))
	}
	return out
}

var goodFacts = fact.NewTable("good", "A Simutrans good.", slices.Concat(named("good"), []row{
	number("category", "", fact.Count, "category of freight; goods of category 0 have one each"),
	number("value", "", fact.Count, "what the transport of a unit pays, in the game's own unit"),
	number("speed_bonus", "", fact.Count, "how much more a fast transport pays, in percent"),
	number("weight_per_unit", "", fact.Count, "weight of a unit in kilograms"),
	number("color", "", fact.Count, "colour in lists and on the map; 255 lets the game choose"),
}))

var factoryFacts = fact.NewTable("factory", "A Simutrans factory.", slices.Concat(named("factory"), []row{
	{Name: "location", Kind: fact.Text, Doc: "where the game builds it: land, city, water, …", Get: func(c *compared) any { return c.fields["placement"].Text }},
	number("productivity", "", fact.Count, "production of a month"),
	number("range", "", fact.Count, "by how much the production of a new factory may be higher"),
	number("distribution_weight", "", fact.Count, "how often it is built, compared with others"),
	{Name: "needs", Kind: fact.List, Doc: "goods that it needs", Get: func(c *compared) any { return Goods(c.node, node.FSUP) }},
	{Name: "makes", Kind: fact.List, Doc: "goods that it makes", Get: func(c *compared) any { return Goods(c.node, node.FPRO) }},
	sizeFact,
}, dates()))

var buildingFacts = fact.NewTable("building", "A Simutrans building.", slices.Concat(named("building"), []row{
	{Name: "kind", Kind: fact.Text, Doc: "kind of building: res, stop, depot, monument, …", Get: func(c *compared) any { return buildingKind(c.body) }},
	number("level", "", fact.Count, "level of the building"),
	sizeFact,
	{Name: "waytype", Kind: fact.Text, Doc: "type of way of a stop or depot", Get: func(c *compared) any { return buildingWay(c.body) }},
	number("capacity", "", fact.Count, "how much waits at a stop"),
	{Name: "price", Kind: fact.Number, Doc: "price in credits; null if it follows from the level", Get: func(c *compared) any { return setMoney(c, "price") }},
	{Name: "maintenance", Kind: fact.Number, Doc: "monthly cost in credits; null if it follows from the level", Get: func(c *compared) any { return setMoney(c, "maintenance") }},
	words("climates", "", "climates in which it is built"),
	words("enables", "", "what a stop serves: pax, post, ware"),
	number("chance", "", fact.Count, "how often it is chosen, in percent"),
	number("layouts", "", fact.Count, "number of layouts"),
}, dates()))

var wayFacts = fact.NewTable("way", "A Simutrans way, bridge, tunnel or way object.", slices.Concat(named("way"), []row{
	{Name: "type", Kind: fact.Text, Doc: "way, bridge, tunnel or way-object", Always: true, Get: func(c *compared) any { return c.node.Type.Name() }},
	words("waytype", "", "type of way: track, road, …"),
	number("topspeed", "", fact.Count, "highest speed in km/h"),
	number("axle_load", "", fact.Count, "heaviest axle in tons"),
	number("price", "", fact.Number, "price of a tile in credits"),
	number("maintenance", "", fact.Number, "monthly cost of a tile in credits"),
	number("max_length", "", fact.Count, "longest bridge in tiles; 0 for any"),
	number("max_height", "", fact.Count, "highest bridge; 0 for any"),
}, dates()))

// sizeFact is the size of a building or factory.
var sizeFact = row{Name: "size", Kind: fact.Text, Doc: "size in tiles, as 2x1", Get: func(c *compared) any {
	return fmt.Sprintf("%vx%v", c.building["size_x"].Value, c.building["size_y"].Value)
}}

// freightOf is the good that a vehicle carries; nil for none.
func freightOf(n *node.Node) any {
	for _, c := range n.Children {
		if x, ok := c.Xref(); ok && x.Type == node.GOOD && x.Name != "None" {
			return node.Display(x.Name)
		}
	}
	return nil
}

// Goods returns the goods in a factory's parts of a type: FSUP for goods that it needs,
// FPRO for goods that it makes.
func Goods(n *node.Node, part node.Type) []string {
	names := []string{}
	for _, c := range n.Children {
		if c.Type != part {
			continue
		}
		for _, x := range c.Children {
			if ref, ok := x.Xref(); ok && ref.Type == node.GOOD {
				names = append(names, node.Display(ref.Name))
			}
		}
	}
	return names
}

// buildingKind is the kind of a building in one word. Old versions store city houses
// separately.
func buildingKind(d *object.Body) string {
	kind, _ := d.Field("building_type")
	if game := d.Int("game_type"); d.Version.Standard < 9 && d.Int("building_type") == 0 && game < 3 {
		return []string{"res", "com", "ind"}[game]
	}
	return kind.Text
}

// buildingWay is the way type of a stop, depot or extension.
func buildingWay(d *object.Body) any {
	if kind := buildingKind(d); !slices.Contains([]string{"stop", "depot", "extension", "dock", "flat_dock"}, kind) {
		return nil
	}
	return object.Waytype(d.Int("extra_data"))
}

// setMoney is an amount that the source sets; nil if the game computes it from the level.
func setMoney(c *compared, name string) any {
	f, ok := c.fields[name]
	if !ok || c.body.Int(name) == object.FromLevel {
		return nil
	}
	return f.Number()
}
