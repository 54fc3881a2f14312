package object

import "strings"

// What buildings have more in Simutrans-Extended: people who live and work
// there, by class, and the trains that a depot is for.

// allTractions is a depot for all of them.
const allTractions = 65535

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
	for field, name := range map[string]string{"class_proportions": "class_proportion", "class_proportions_jobs": "class_proportion_jobs"} {
		var list []int64
		for _, k := range b.present(numbered(name)) {
			list = append(list, b.Int(k, 0))
		}
		d.setList(field, list)
		if len(list) > 0 {
			d.Rest = append(d.Rest, 0, 0) // makeobj counts the list one too long
		}
	}
}

// tractions reads the engines that a depot is for; one that is not known
// counts as diesel.
func (b *Builder) tractions() (set int64) {
	keys := b.present(numbered("traction_type"))
	if len(keys) == 0 {
		return allTractions
	}
	for _, k := range keys {
		v, said, ok := b.word(k, extendedEngines)
		if !ok || v == unknownEngine {
			const diesel = 1
			b.Warn(k, didYouMean(said, extendedEngines.list()), "there is no engine type %q; diesel is taken", said)
			v = diesel
		}
		set |= 1 << v
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
				w.Set(key("traction_type[%d]", n), strings.ToLower(extendedEngines.text(v)))
				n++
			}
		}
	}
	w.Set("employment_capacity", d.Int("employment_capacity"))
	for field, name := range map[string]string{"class_proportions": "class_proportion", "class_proportions_jobs": "class_proportion_jobs"} {
		for i, v := range d.List(field) {
			w.Set(key("%s[%d]", name, i), v)
		}
	}
}
