package answer

import (
	"pakbox/fact"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

// VehicleFields are the fields of a vehicle that people compare.
var VehicleFields = []string{"name", "waytype", "topspeed", "power", "capacity", "freight", "price", "running_cost", "intro", "retire"}

// vehicle is a Simutrans vehicle with its descriptor.
type vehicle struct {
	node *node.Node
	*object.Body
}

// vehicleFacts are the facts of vehicles, in the units that people compare.
var vehicleFacts = fact.NewTable("vehicle", "A Simutrans vehicle.", []fact.Row[*vehicle]{
	{Name: "name", Kind: fact.Text, Doc: "name of the vehicle", Get: func(v *vehicle) any { return node.Display(v.node.Name()) }},
	{Name: "copyright", Kind: fact.Text, Doc: "copyright line", Get: func(v *vehicle) any { return node.Display(v.node.Copyright()) }},
	fieldWords("waytype", "track, road, …"),
	fieldWords("engine_type", "steam, diesel, …"),
	fieldWords("intro", "month of introduction, as 1931-07"),
	fieldWords("retire", "month of retirement, as 1931-07"),
	fieldNumber("topspeed", "top speed in km/h"),
	fieldNumber("power", "power in kW"),
	fieldNumber("length", "length in eighths of a tile"),
	fieldNumber("axle_load", "axle load in tons"),
	fieldNumber("price", "price in credits"),
	fieldNumber("running_cost", "running cost in credits for each kilometre"),
	fieldNumber("fixed_cost", "fixed cost in credits a month"),
	{Name: "capacity", Kind: fact.Number, Doc: "capacity for freight", Get: func(v *vehicle) any { return v.Capacity() }},
	{Name: "weight", Kind: fact.Number, Doc: "weight in tons", Get: func(v *vehicle) any { return v.Tons() }},
	{Name: "gear", Kind: fact.Number, Doc: "gear; 1 is usual", Get: func(v *vehicle) any { return float64(v.Int("gear")) / 64 }},
	{Name: "freight", Kind: fact.Text, Doc: "name of the good that the vehicle carries", Get: func(v *vehicle) any { return freightOf(v.node) }},
})

// fieldWords is a field of the descriptor in words, null where its version has
// none.
func fieldWords(name, doc string) fact.Row[*vehicle] {
	return fact.Row[*vehicle]{Name: name, Kind: fact.Text, Doc: doc, Get: func(v *vehicle) any {
		f, ok := v.Field(name)
		return fact.Known(f.Text, ok)
	}}
}

// fieldNumber is a field of the descriptor as a number, null where its version
// has none.
func fieldNumber(name, doc string) fact.Row[*vehicle] {
	return fact.Row[*vehicle]{Name: name, Kind: fact.Number, Doc: doc, Get: func(v *vehicle) any {
		if f, ok := v.Field(name); ok {
			return f.Number()
		}
		return nil
	}}
}

// Vehicle reads the facts of a Simutrans vehicle. An object of another type has
// none.
func Vehicle(n *node.Node) (fact.Record, error) {
	if n.Type != node.VHCL {
		return nil, nil
	}
	d, err := object.Decode(n)
	if err != nil {
		return nil, err
	}
	return vehicleFacts.Of(&vehicle{n, d}), nil
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
