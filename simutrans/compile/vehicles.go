package compile

import (
	"strings"

	"pakbox/simutrans/desc"
	"pakbox/simutrans/node"
	"pakbox/simutrans/vocab"
)

func (b *builder) vehicle() *node.Node {
	d := &desc.Vehicle{
		Head:        b.version(node.VHCL),
		Price:       b.money("cost", 0),
		Capacity:    b.Int("payload", 0),
		LoadingTime: desc.Millis(b.Int("loading_time", 1000)),
		TopSpeed:    desc.Speed(b.Int("speed", 0)),
		AxleLoad:    desc.Tons(b.Int("axle_load", 0)),
		Power:       desc.Power(b.Int("power", 0)),
		RunningCost: b.money("runningcost", 0),
		FixedCost:   b.money("fixed_cost", int64(b.money("maintenance", 0))),
		Intro:       b.intro(), Retire: b.retire(),
		Gear:    desc.Gear(b.Int("gear", 100) * 64 / 100),
		Waytype: b.waytype("waytype"),
		Sound:   b.voice(),
		Engine:  b.engine(),
		Length:  b.Int("length", 8),
	}
	if d.Waytype == vocab.Waytypes["electrified_track"] {
		d.Waytype, d.Engine = vocab.Waytypes["track"], vocab.Engines["electric"]
	}
	// A little more than half a kilogram rounds up.
	d.WeightKilos = desc.Kilos(b.Float("weight", 0)*1000 + 0.5)
	d.Weight = desc.Tons(d.WeightKilos / 1000)

	freight := b.Get("freight")
	if freight == "" {
		freight = "None"
	}
	children := append(b.nameAndCopyright(), goodXref(freight, true), node.NewXref(node.Xref{Type: node.SMOK, Name: b.Get("smoke")}))
	images, types := b.vehicleImages()
	d.FreightImageTypes = int64(len(types))
	children = append(children, images...)
	prev, next := b.couplings("prev"), b.couplings("next")
	d.Prev, d.Next = int64(len(prev)), int64(len(next))
	children = append(append(children, prev...), next...)
	for _, name := range types {
		children = append(children, goodXref(name, false))
	}
	if len(types) > 0 {
		children = append(children, goodXref(freight, false))
	}
	return b.node(node.VHCL, d, children...)
}

func (b *builder) engine() desc.Engine {
	name := strings.ToLower(b.Get("engine_type"))
	e, ok := vocab.Engines[name]
	if !ok {
		if name != "" && name != "none" {
			b.Warn("engine_type", didYouMean(name, vocab.Engines), "there is no engine type %q; diesel is taken", name)
		}
		return vocab.Engines["diesel"]
	}
	return e
}

// couplings reads what a vehicle may be coupled to.
func (b *builder) couplings(side string) (nodes []*node.Node) {
	for _, k := range b.present(func(i int) string { return key("constraint[%s][%d]", side, i) }) {
		name := b.Get(k)
		if strings.EqualFold(name, "none") {
			name = ""
		}
		nodes = append(nodes, node.NewXref(node.Xref{Type: node.VHCL, Name: name}))
	}
	return nodes
}

// vehicleImages makes the lists of images without and with freight, and
// returns the goods that have freight images of their own.
func (b *builder) vehicleImages() (lists []*node.Node, types []string) {
	empty := b.emptyKeys()
	if n := len(empty); n > 4 && n < 8 {
		b.Fail(key("emptyimage[%s]", vocab.Directions[n]), "give images for 4 or 8 directions", "there are images for %d directions", n)
	}
	lists = []*node.Node{b.list(empty)}
	kinds := 0
	for b.Has(key("freightimage[%d][%s]", kinds, vocab.Directions[0])) {
		kinds++
	}
	if kinds > 0 {
		return append(lists, b.freightKinds(kinds, len(empty))), b.freightTypes(kinds)
	}
	// Directions that the empty vehicle does not have are not looked at.
	freight := bracketed("freightimage", vocab.Directions[:len(empty)], "")
	if !b.anyOf(freight) && len(empty) > 0 {
		return append(lists, node.NewXref(node.Xref{Type: node.IMG1})), nil
	}
	for _, k := range freight {
		if !b.Has(k) {
			b.Fail(k, "give as many as of emptyimage", "there are freight images, but none for this direction")
		}
	}
	return append(lists, b.list(freight)), nil
}

// emptyKeys are the images of the empty vehicle that are there.
func (b *builder) emptyKeys() (keys []string) {
	for _, k := range bracketed("emptyimage", vocab.Directions, "") {
		if !b.Has(k) {
			break
		}
		keys = append(keys, k)
	}
	return keys
}

// freightKinds makes the IMG2 of images by direction and kind of freight.
func (b *builder) freightKinds(kinds, dirs int) *node.Node {
	var lists []*node.Node
	for _, dir := range vocab.Directions[:dirs] {
		var keys []string
		for i := range kinds {
			k := key("freightimage[%d][%s]", i, dir)
			if !b.Has(k) {
				b.Fail(k, "every kind of freight needs the directions of emptyimage", "the image is missing")
			}
			keys = append(keys, k)
		}
		lists = append(lists, b.list(keys))
	}
	return listNode(node.IMG2, lists)
}

func (b *builder) freightTypes(kinds int) (names []string) {
	for i := range kinds {
		k := key("freightimagetype[%d]", i)
		if !b.Has(k) {
			b.Fail(k, "name the good the images show", "freight images without their good")
		}
		names = append(names, b.Get(k))
	}
	return names
}

func (b *builder) cityCar() *node.Node {
	d := &desc.CityCar{
		Head:     b.version(node.CCAR),
		Weight:   b.Int("distributionweight", 1),
		TopSpeed: desc.Speed16(b.Int("speed", 80) * 16),
		Intro:    b.intro(), Retire: b.retire(),
	}
	children := append(b.nameAndCopyright(), b.list(bracketed("image", vocab.Directions, "")))
	return b.node(node.CCAR, d, children...)
}

func (b *builder) pedestrian() *node.Node {
	d := &desc.Pedestrian{
		Head:   b.version(node.PASS),
		Weight: b.Int("distributionweight", 1),
		Offset: b.Int("offset", 20),
		Intro:  b.date("intro", 1),
		Retire: b.retire(),
	}
	children := b.nameAndCopyright()
	if b.anyOf(bracketed("image", vocab.Directions, "[0]")) {
		d.StepsPerFrame = max(b.Int("steps_per_frame", 1), 1)
		children = append(children, b.walk())
	} else {
		children = append(children, b.list(bracketed("image", vocab.Directions, "")))
	}
	return b.node(node.PASS, d, children...)
}

// walk makes the IMG2 of an animated pedestrian. makeobj adds an empty list
// for every image it reads, which is kept because files are compared.
func (b *builder) walk() *node.Node {
	var lists []*node.Node
	images := 0
	for _, dir := range vocab.Directions {
		keys := b.present(func(i int) string { return key("image[%s][%d]", dir, i) })
		images += len(keys)
		lists = append(lists, b.list(keys))
	}
	for range images {
		lists = append(lists, listNode(node.IMG1, nil))
	}
	return listNode(node.IMG2, lists)
}
