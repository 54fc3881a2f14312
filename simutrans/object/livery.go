package object

import (
	"slices"

	"pakbox/simutrans/node"
)

// In Simutrans-Extended a vehicle may be painted in several liveries, and each
// of its images then has one more index.

// allLiveries stands in the place of the number of kinds of freight where
// there are none, but images of each livery with freight.
const allLiveries = 255

// liveryImages makes the images of a vehicle of Extended, and returns the
// goods that have images of their own and the names of its liveries.
func (b *Builder) liveryImages(d *Body) (images []*node.Node, goods, liveries []string) {
	count := len(b.present(func(i int) string { return key("emptyimage[%s][%d]", directions[0], i) }))
	if count == 0 {
		images, goods = b.vehicleImages()
		d.Put("freight_image_types", int64(len(goods)))
		return images, goods, nil
	}
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
	for i := range count {
		k := key("liverytype[%d]", i)
		b.required([]string{k}, "the livery has images but no name", "name the livery the images show")
		liveries = append(liveries, b.Get(k))
	}
	return images, goods, liveries
}

// liveryGrid makes the images of all liveries by direction. The list of a
// direction ends before the first image that is missing.
func (b *Builder) liveryGrid(name string, count int) *node.Node {
	var lists []*node.Node
	for _, dir := range directions {
		all := bracketed(name+"["+dir+"]", numbers(count), "")
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
			var keys []string
			for kind := range kinds {
				keys = append(keys, key("freightimage[%d][%s][%d]", kind, dir, livery))
			}
			if b.Has(keys[0]) {
				lists = append(lists, b.list(b.required(keys, "the image is missing", "every kind of freight needs one")))
			}
		}
		all = append(all, listNode(node.IMG2, lists))
	}
	return listNode(node.IMG3, all)
}

// numbers are 0, 1, … as they stand in keys.
func numbers(count int) (list []string) {
	for i := range count {
		list = append(list, key("%d", i))
	}
	return list
}

// extendedVehicle writes what the fields do not say.
func (w *Writer) extendedVehicle(d *Body) {
	w.fields(d, "")
	for _, smoke := range xrefs(w.object, node.SMOK) {
		if smoke != "" {
			w.Set("smoke", smoke)
		}
	}
	texts := w.classes(d)
	goods, vehicles := xrefs(w.object, node.GOOD), xrefs(w.object, node.VHCL)
	prev, next, upgrades := int(d.Int("prev")), int(d.Int("next")), int(d.Int("upgrades"))
	liveries := int(d.Int("liveries"))
	if len(goods) == 0 || upgrades < 0 || len(vehicles) != prev+next+upgrades || liveries > 0 && len(texts) != liveries+1 {
		w.fail("a vehicle whose parts are not as many as it says")
		return
	}
	w.Set("freight", goods[0])
	w.extendedCouplings("prev", vehicles[:prev], d)
	w.extendedCouplings("next", vehicles[prev:prev+next], d)
	for i, name := range vehicles[prev+next:] {
		w.Set(key("upgrade[%d]", i), name)
	}
	w.cabs(d)
	for i := range liveries {
		w.Set(key("liverytype[%d]", i), texts[i])
	}
	if len(goods) > 1 {
		for i, name := range goods[1 : len(goods)-1] {
			w.Set(key("freightimagetype[%d]", i), name)
		}
	}
	w.Blank()
	w.liveryImages(len(goods) - 2)
}

// classes writes what passengers are offered, and returns the texts of the
// object that are no names of classes.
func (w *Writer) classes(d *Body) []string {
	var texts []string
	for _, c := range w.object.Children {
		if c.Type == node.TEXT {
			texts = append(texts, c.Text())
		}
	}
	texts = texts[min(2, len(texts)):]
	capacity, comfort := d.List("class_capacity"), d.List("comfort")
	single := len(capacity) == 1 && len(d.Rest) == 0
	for i, v := range capacity {
		if single {
			w.Set("payload", v)
			w.Set("comfort", comfort[i])
		} else {
			w.Set(key("payload[%d]", i), v)
			w.Set(key("comfort[%d]", i), comfort[i])
		}
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

// extendedCouplings writes what may be coupled to a side.
func (w *Writer) extendedCouplings(side string, names []string, d *Body) {
	for i, name := range names {
		if name == "" {
			name = "none"
		}
		w.Set(key("constraint[%s][%d]", side, i), name)
	}
	if d.Int(side+"_flags") == 0 && len(names) < 2 {
		w.Set(key("constraint[%s][%d]", side, len(names)), "any")
	}
}

// cabs writes the words about cabs that give the vehicle its flags, as few as
// will do. That there are none is found when the source is compiled.
func (w *Writer) cabs(d *Body) {
	type word struct {
		key   string
		value int64
	}
	var best []word
	found := false
	vehicles := w.vehicleCouplings()
	for choice := range 3 * 3 * 2 * 2 {
		c := cabs{front: []int64{noWord, 0, 1}[choice%3], rear: []int64{noWord, 0, 1}[choice/3%3], fromRear: choice/9%2 == 1, bidirectional: int64(choice / 18)}
		var words []word
		if c.front != noWord {
			words = append(words, word{"has_front_cab", c.front})
		}
		if c.rear != noWord {
			words = append(words, word{"has_rear_cab", c.rear})
		}
		if c.fromRear {
			words = append(words, word{"can_lead_from_rear", 1})
		}
		if c.bidirectional != 0 {
			words = append(words, word{"bidirectional", d.Int("bidirectional")})
			c.bidirectional = d.Int("bidirectional")
		} else if c.fromRear {
			c.bidirectional = 1
		}
		c.both, c.powered = c.bidirectional != 0, d.Int("power") != 0
		if c.bidirectional != d.Int("bidirectional") || !w.givesFlags(c, d, vehicles) || found && len(words) >= len(best) {
			continue
		}
		best, found = words, true
	}
	for _, word := range best {
		w.Set(word.key, word.value)
	}
}

// vehicleCouplings are the nodes that refer to vehicles.
func (w *Writer) vehicleCouplings() (nodes []*node.Node) {
	for _, c := range w.object.Children {
		if x, ok := c.Xref(); ok && x.Type == node.VHCL {
			nodes = append(nodes, c)
		}
	}
	return nodes
}

// givesFlags reports whether cabs make the flags of both sides.
func (w *Writer) givesFlags(c cabs, d *Body, vehicles []*node.Node) bool {
	prev, next := int(d.Int("prev")), int(d.Int("next"))
	for i, side := range []string{"prev", "next"} {
		couplings := vehicles[:prev]
		if i == 1 {
			couplings = vehicles[prev : prev+next]
		}
		want := d.Int(side + "_flags")
		if c.flags(i == 0, couplings, want == 0 && len(couplings) < 2) != want {
			return false
		}
	}
	return true
}

// liveryImages writes the images, of which kinds are with freight.
func (w *Writer) liveryImages(kinds int) {
	all := lists(w.object)
	if len(all) == 0 || len(all) > 2 || slices.ContainsFunc(all, func(n *node.Node) bool { return len(n.Children) > len(directions) }) {
		w.fail("a vehicle with %d lists of images", len(all))
		return
	}
	for i, list := range all {
		name := []string{"emptyimage", "freightimage"}[i]
		for dir, c := range list.Children {
			at := key("%s[%s]", name, directions[dir])
			switch {
			case c.Type == node.IMG:
				w.image(at, c)
			case list.Type == node.IMG3:
				for livery, kindsOf := range c.Children {
					w.all(kindsOf, func(kind int) string { return key("freightimage[%d][%s][%d]", kind, directions[dir], livery) })
				}
			case i == 1 && kinds > 0:
				w.all(c, func(kind int) string { return key("freightimage[%d][%s]", kind, directions[dir]) })
			default:
				w.all(c, numbered(at))
			}
		}
	}
}
