package answer

import (
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

// VehicleFields are the fields of a vehicle that people compare.
var VehicleFields = []string{"name", "waytype", "topspeed", "power", "capacity", "freight", "price", "running_cost", "intro", "retire"}

// Vehicle is a Simutrans vehicle as people compare it: speed in km/h, power in
// kW, weight in tons, money in credits, months as 1931-07. It is nil for an
// object that is none.
func Vehicle(path string, n *node.Node) (*Object, error) {
	if n.Type != node.VHCL {
		return nil, nil
	}
	d, err := object.Decode(n)
	if err != nil {
		return nil, err
	}
	o := New("simutrans.vehicles", path, "simutrans").
		Add("name", node.Display(n.Name())).Add("copyright", node.Display(n.Copyright()))
	for _, name := range []string{"waytype", "engine_type", "intro", "retire"} {
		o.Add(name, fieldText(d, name))
	}
	for _, name := range []string{"topspeed", "power", "length", "axle_load", "price", "running_cost", "fixed_cost"} {
		o.Add(name, fieldNumber(d, name))
	}
	return o.Add("capacity", d.Capacity()).Add("weight", d.Tons()).Add("gear", float64(d.Int("gear"))/64).
		Add("freight", freightOf(n)), nil
}

// fieldText is a field in words, nil where the version has none.
func fieldText(d *object.Body, name string) any {
	if f, ok := d.Field(name); ok {
		return f.Text
	}
	return nil
}

func fieldNumber(d *object.Body, name string) any {
	if f, ok := d.Field(name); ok {
		return f.Number()
	}
	return nil
}

// freightOf is the good that a vehicle carries.
func freightOf(n *node.Node) any {
	for _, c := range n.Children {
		if x, ok := c.Xref(); ok && x.Type == node.GOOD && x.Name != "None" {
			return node.Display(x.Name)
		}
	}
	return nil
}
