package object

// Additional fields of buildings in Simutrans-Extended: people who live and work there,
// by class, and the engines that a depot is for.

// allTractions is the value of a depot for all engines.
const allTractions = 65535

// classLists are lists of a body and their keys, in the order in which a source has them.
var classLists = []struct{ field, key string }{
	{"class_proportions", "class_proportion"},
	{"class_proportions_jobs", "class_proportion_jobs"},
}

func (b *Builder) extendedBuilding(d *Body) {
	if d.Int("building_type") == depot {
		d.Put("enables", b.tractions())
	} else {
		d.Put("enables", d.Int("enables")|b.bit("enables_pax", 1)|b.bit("enables_post", 2)|b.bit("enables_ware", 4))
	}
	jobs := int64(65535)
	if d.Int("building_type") == residence {
		jobs = 0
	}
	d.Put("employment_capacity", b.Int("employment_capacity", b.Int("passenger_demand", jobs)))
	for _, c := range classLists {
		var list []int64
		for _, k := range b.present(numbered(c.key)) {
			list = append(list, b.Int(k, 0))
		}
		d.setList(c.field, list)
		if len(list) > 0 {
			d.Rest = append(d.Rest, 0, 0) // makeobj makes the list one element too long
		}
	}
}

// tractions reads the engines that a depot is for.
func (b *Builder) tractions() (set int64) {
	keys := b.present(numbered("traction_type"))
	if len(keys) == 0 {
		return allTractions
	}
	for _, k := range keys {
		set |= 1 << b.oneOf(k, tractions)
	}
	return set
}

func (w *Writer) extendedBuilding(word string, d *Body) {
	enables := d.Int("enables")
	switch {
	case word != "depot":
		for i, k := range []string{"enables_pax", "enables_post", "enables_ware"} {
			if enables>>i&1 != 0 {
				w.Set(k, 1)
			}
		}
	case enables != allTractions:
		n := 0
		for v := range int64(16) {
			if enables>>v&1 != 0 {
				w.Set(key("traction_type[%d]", n), tractions.text(v))
				n++
			}
		}
	}
	w.Set("employment_capacity", d.Int("employment_capacity"))
	for _, c := range classLists {
		for i, v := range d.List(c.field) {
			w.Set(key("%s[%d]", c.key, i), v)
		}
	}
}
