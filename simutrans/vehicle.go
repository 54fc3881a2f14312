package simutrans

import (
	"pakbox/fact"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

// VehicleFields are the facts of a vehicle that people compare.
var VehicleFields = []string{"name", "waytype", "topspeed", "power", "capacity", "freight", "price", "running_cost", "intro", "retire"}

// vehicle is a vehicle with its descriptor.
type vehicle struct {
	node *node.Node
	*object.Body
	fields map[string]object.Field
}

// vehicleFacts are the facts of vehicles, in the units that people compare.
var vehicleFacts = fact.NewTable("vehicle", "A Simutrans vehicle.", []fact.Row[*vehicle]{
	{Name: "name", Kind: fact.Text, Doc: "name of the vehicle", Always: true, Get: func(v *vehicle) any { return node.Display(v.node.Name()) }},
	{Name: "copyright", Kind: fact.Text, Doc: "copyright line", Always: true, Get: func(v *vehicle) any { return node.Display(v.node.Copyright()) }},
	fieldWords("waytype", "", "type of way: track, road, …"),
	fieldWords("engine_type", "engine", "type of engine: steam, diesel, …"),
	fieldWords("intro", "", "month of introduction, as 1931-07"),
	fieldWords("retire", "", "month of retirement, as 1931-07"),
	fieldNumber("topspeed", "speed", fact.Count, "top speed in km/h"),
	fieldNumber("power", "", fact.Count, "power in kW"),
	fieldNumber("length", "", fact.Count, "length in eighths of a tile"),
	fieldNumber("axle_load", "", fact.Count, "axle load in tons"),
	fieldNumber("price", "", fact.Number, "price in credits"),
	fieldNumber("running_cost", "", fact.Number, "running cost in credits for each kilometre"),
	fieldNumber("fixed_cost", "", fact.Number, "fixed cost in credits a month"),
	{Name: "capacity", Kind: fact.Count, Doc: "capacity for freight", Get: func(v *vehicle) any { return v.Capacity() }},
	{Name: "weight", Kind: fact.Number, Doc: "weight in tons", Get: func(v *vehicle) any { return v.Tons() }},
	{Name: "gear", Kind: fact.Number, Doc: "gear; 1 is usual", Get: func(v *vehicle) any { return float64(v.Int("gear")) / 64 }},
	{Name: "freight", Kind: fact.Text, Doc: "name of the good that the vehicle carries", Get: func(v *vehicle) any { return freightOf(v.node) }},
})

// fieldWords is a field of the descriptor in words, null where its version has
// none.
func fieldWords(name, word, doc string) fact.Row[*vehicle] {
	return fact.Row[*vehicle]{Name: name, Kind: fact.Text, Doc: doc, Also: also(word, doc), Get: func(v *vehicle) any {
		f, ok := v.fields[name]
		return fact.Known(f.Text, ok)
	}}
}

// fieldNumber is a field of the descriptor as a number, null where its version
// has none.
func fieldNumber(name, word string, kind fact.Kind, doc string) fact.Row[*vehicle] {
	return fact.Row[*vehicle]{Name: name, Kind: kind, Doc: doc, Also: also(word, doc), Get: func(v *vehicle) any {
		if f, ok := v.fields[name]; ok {
			return f.Number()
		}
		return nil
	}}
}

// also is a further name of a field, if it has one.
func also(word, doc string) []fact.Word {
	if word == "" {
		return nil
	}
	return []fact.Word{{Name: word, Doc: doc + ", of a Simutrans vehicle"}}
}

// Vehicle reads the facts of a vehicle. An object of another type has none.
func Vehicle(n *node.Node) (fact.Record, error) {
	if n.Type != node.VHCL {
		return nil, nil
	}
	d, err := object.Decode(n)
	if err != nil {
		return nil, err
	}
	v := &vehicle{n, d, map[string]object.Field{}}
	for _, f := range d.Fields() {
		v.fields[f.Name] = f
	}
	return vehicleFacts.Of(v), nil
}

// freightOf is the good that a vehicle carries, nil for none.
func freightOf(n *node.Node) any {
	for _, c := range n.Children {
		if x, ok := c.Xref(); ok && x.Type == node.GOOD && x.Name != "None" {
			return node.Display(x.Name)
		}
	}
	return nil
}
