package object

import (
	"slices"
	"strings"

	"pakbox/simutrans/node"
)

func init() {
	register(&Type{
		Node: node.VHCL, Word: "vehicle", Versions: since12(11, 13).extended(11, 7), Axes: []string{"direction", "livery"},
		About:    "A vehicle: a car, a wagon, a ship or an aircraft.",
		Extended: extendedVehicle,
		Fields: `
			waytype       waytype    waytype                 -- The way that it runs on.
			engine_type   engine     engine_type             -- The kind of engine.
			topspeed      km/h       speed                   -- The highest speed.
			power         kW         power                   -- The power of the engine; 0 for a vehicle without one.
			gear          gear       gear=100                -- How much of the power counts, in percent.
			weight        mass       weight                  -- The weight in tons, with decimals.
			axle_load     t          axle_load               -- The load of the heaviest axle.
			loading_time  ms         loading_time=1000  0..0x7FFFFFFF@13  -- How long it loads.
			fixed_cost    fixedcost  fixed_cost|maintenance  -- The monthly cost, in hundredths of a credit.
			length        int        length=8                -- The length in 1/16 of a tile.
			capacity      int        payload                 -- How much it carries.
			price         money      cost                    -- The price, in hundredths of a credit.
			running_cost  money      runningcost             -- The cost of a kilometre, in hundredths of a credit.
			sound         voice      sound                   -- The sound at the start: a file, or the number of a built-in sound.
			intro         date       intro=1900              -- The first month in which it can be bought.
			retire        date       retire=2999             -- The month from which it cannot be bought any more.
			prev                 count
			next                 count
			freight_image_types  count
			.  good     freight=None         -- The good that it carries.
			.  smoke    smoke                -- The smoke of the engine.
			.  vehicle  constraint[prev][0]  -- A vehicle that may be in front of it; none is the front of a convoy.
			.  vehicle  constraint[next][0]  -- A vehicle that may be behind it; none is the end of a convoy.
			.  good     freightimagetype[0]  -- The good of a set of images.
			.  image    emptyimage[s,w,sw,se,n,e,ne,nw]       -- The empty vehicle, for 4 or 8 directions.
			.  image    freightimage[s,w,sw,se,n,e,ne,nw]     -- The loaded vehicle, for the directions of emptyimage.
			.  image    freightimage[0][s,w,sw,se,n,e,ne,nw]  -- The vehicle loaded with the good of freightimagetype[0].`,
		Bodies: []string{
			"0: waytype:u16 capacity:u16 price:u32 topspeed:u16 weight(oldmass):u16 power:u16 running_cost:u16 sound:i16 prev:u16 next:u16",
			"1-5: price:u32 capacity:u16 topspeed:u16 weight(oldmass):u16 power:u16 running_cost:u16" +
				" intro(olddate):u16@-4 retire(olddate):u16@3-4 intro:u16@5 retire:u16@5" +
				" gear:u8 waytype:u8 sound:i8 prev:u8 next:u8 engine_type:u8@2 $sound_file[sound_file_length:u8]?sound=-2",
			"6-13: price:u32,i64@12 capacity:u16 loading_time:u16@9,u32@13 topspeed:u16 weight(oldmass):u16@-9 weight:u32@10 axle_load:u16@9" +
				" power:u32 running_cost:u16,i64@12 fixed_cost:u16@9,u32@11,i64@12 intro:u16 retire:u16 gear:u16 waytype:u8 sound:i8" +
				" engine_type:u8 length:u8@7 prev:u8 next:u8 freight_image_types:u8@8 $sound_file[sound_file_length:u8]?sound=-2",
			extendedVehicleBody,
		},
		Build: (*Builder).vehicle,
		Write: (*Writer).vehicle,
	})
}

// couplingSides are the two ends of a vehicle.
var couplingSides = []string{"prev", "next"}

func (b *Builder) vehicle() *node.Node {
	const electric = 2
	d := b.read(node.VHCL, "")
	if d.Int("waytype") == electrified {
		if b.Has("engine_type") && d.Int("engine_type") != electric {
			b.Warn("engine_type", "write waytype=track", "a vehicle for electrified_track is electric; its engine type is not read")
		}
		d.Put("waytype", track)
		d.Put("engine_type", electric)
	}
	freight := b.Get("freight")
	if freight == "" {
		freight = "None"
	}
	images, goods, liveries := b.vehicleImages(d)
	children := append(b.nameAndCopyright(), reference(node.GOOD, true, freight), reference(node.SMOK, false, b.Get("smoke")))
	children = append(children, images...)
	for i, side := range couplingSides {
		couplings, isAny := b.couplings(side, d.Version.IsExt)
		d.Put(side, int64(len(couplings)))
		children = append(children, couplings...)
		if d.Version.IsExt {
			d.Put(side+"_flags", b.cabs(d).flags(i == 0, couplings, isAny))
		}
	}
	if d.Version.IsExt {
		d.Put("bidirectional", b.cabs(d).bothWays())
		children = append(append(children, b.vehicleUpgrades(d)...), b.classes(d)...)
	}
	for _, name := range goods {
		children = append(children, reference(node.GOOD, false, name))
	}
	for _, name := range liveries {
		children = append(children, node.NewText(name))
	}
	if len(goods) > 0 {
		children = append(children, reference(node.GOOD, false, freight))
	}
	if len(liveries) > 0 {
		children = append(children, node.NewText("default"))
	}
	return b.node(node.VHCL, d, children...)
}

// couplings reads the vehicles that may be coupled on one side. In Extended the word any
// ends the list and allows every vehicle.
func (b *Builder) couplings(side string, isExt bool) (nodes []*node.Node, isAny bool) {
	for _, k := range b.present(numbered(key("constraint[%s]", side))) {
		name := b.Get(k)
		if strings.EqualFold(name, "none") {
			name = ""
		}
		isAny = isAny || isExt && strings.EqualFold(name, "any")
		if !isAny {
			nodes = append(nodes, reference(node.VHCL, false, name))
		}
	}
	return nodes, isAny
}

// Couplings returns the names of the vehicles that may be in front of a vehicle, and of
// those that may be behind it. "" stands for the end of a convoy.
func Couplings(vehicle *node.Node, d *Body) (front, behind []string) {
	names := xrefs(vehicle, node.VHCL)
	split := min(max(int(d.Int("prev")), 0), len(names))
	// In Extended the vehicles that it can become follow.
	return names[:split], names[split:min(split+max(int(d.Int("next")), 0), len(names))]
}

// vehicleImages makes the lists of images without and with freight. It returns the goods
// with their own freight images, and the names of liveries.
func (b *Builder) vehicleImages(d *Body) (images []*node.Node, goods, liveries []string) {
	if d.Version.IsExt {
		if count := len(b.present(numbered("emptyimage[s]"))); count > 0 {
			return b.liveryImages(d, count)
		}
	}
	empty := b.leading(bracketed("emptyimage", directions, ""))
	if n := len(empty); n > 4 && n < 8 {
		b.Fail(key("emptyimage[%s]", directions[n]), "give images for 4 or 8 directions", "expected images for 4 or 8 directions, found %d", n)
	}
	images = []*node.Node{b.list(empty)}
	kinds := len(b.present(func(i int) string { return key("freightimage[%d][%s]", i, directions[0]) }))
	if kinds > 0 {
		d.Put("freight_image_types", int64(kinds))
		return append(images, b.freightKinds(kinds, len(empty))), b.freightTypes(kinds), nil
	}
	// makeobj ignores directions without an empty image.
	freight := bracketed("freightimage", directions[:len(empty)], "")
	if !b.anyOf(freight) && len(empty) > 0 {
		return append(images, noList()), nil, nil
	}
	b.required(freight, "the freight image for this direction is missing", "give as many as of emptyimage")
	return append(images, b.list(freight)), nil, nil
}

// freightKinds makes the IMG2 of images by direction and kind of freight.
func (b *Builder) freightKinds(kinds, dirs int) *node.Node {
	var lists []*node.Node
	for _, dir := range directions[:dirs] {
		keys := freightKeys(kinds, "["+dir+"]")
		b.required(keys, "the image is missing", "every kind of freight needs the directions of emptyimage")
		lists = append(lists, b.list(keys))
	}
	return listNode(node.IMG2, lists)
}

// freightKeys are the keys of the images of all kinds of freight with one suffix.
func freightKeys(kinds int, suffix string) []string {
	return suffixed("", numbers("freightimage", kinds), suffix)
}

func (b *Builder) freightTypes(kinds int) (names []string) {
	keys := numbers("freightimagetype", kinds)
	for _, k := range b.required(keys, "freight images without their good", "name the good of these images") {
		names = append(names, b.Get(k))
	}
	return names
}

func (w *Writer) vehicle(d *Body) {
	w.fields(d, "")
	w.names("smoke", node.SMOK)
	var liveries []string
	if d.Version.IsExt {
		liveries = w.classes(d)
	}
	goods := xrefs(w.object, node.GOOD)
	if len(goods) == 0 {
		w.fail("a vehicle without freight")
		return
	}
	w.Set("freight", goods[0])
	w.couplings(d)
	if d.Version.IsExt {
		w.cabs(d)
		w.liveries(int(d.Int("liveries")), liveries)
	}
	kinds := max(len(goods)-2, 0) // the last one repeats the freight
	for i, name := range goods[1 : 1+kinds] {
		w.Set(key("freightimagetype[%d]", i), name)
	}
	w.Blank()
	w.vehicleImages(kinds, d.Int("liveries") > 0)
}

// couplings writes the vehicles that may be coupled, and those that it can become.
func (w *Writer) couplings(d *Body) {
	names := xrefs(w.object, node.VHCL)
	counts := []int{int(d.Int("prev")), int(d.Int("next")), int(d.Int("upgrades"))}
	if slices.Min(counts) < 0 || len(names) != counts[0]+counts[1]+counts[2] {
		w.fail("a vehicle with %d references to others, and counts %d", len(names), counts)
		return
	}
	for i, keys := range []string{"constraint[prev]", "constraint[next]", "upgrade"} {
		for j, name := range names[:counts[i]] {
			if name == "" {
				name = "none"
			}
			w.Set(numbered(keys)(j), name)
		}
		names = names[counts[i]:]
		if d.Version.IsExt && i < 2 && d.Int(couplingSides[i]+"_flags") == 0 && counts[i] < 2 {
			w.Set(numbered(keys)(counts[i]), "any")
		}
	}
}

// vehicleImages writes the images, with kinds of freight.
func (w *Writer) vehicleImages(kinds int, hasLiveries bool) {
	all := lists(w.object)
	if len(all) == 0 || len(all) > 2 || slices.ContainsFunc(all, func(n *node.Node) bool { return len(n.Children) > len(directions) }) {
		w.fail("a vehicle with %d lists of images", len(all))
		return
	}
	for i, list := range all {
		name := []string{"emptyimage", "freightimage"}[i]
		w.sheet.Row()
		for dir, c := range list.Children {
			at := key("[%s]", directions[dir])
			switch {
			case c.Type == node.IMG:
				w.image(name+at, c)
			case list.Type == node.IMG3:
				for livery, loads := range c.Children {
					w.all(loads, from(freightKeys(kinds, key("%s[%d]", at, livery))))
				}
			case i == 1 && kinds > 0:
				w.all(c, from(freightKeys(kinds, at)))
			case hasLiveries:
				w.all(c, numbered(name+at))
			default:
				w.fail("a vehicle with images of freight but no freight")
			}
		}
	}
}

// Capacity is the capacity of a vehicle for all classes together.
func (d *Body) Capacity() (sum int64) {
	for _, n := range d.List("class_capacity") {
		sum += n
	}
	return sum + d.Int("capacity")
}

// Tons is the weight of a vehicle. Newer versions store kilograms.
func (d *Body) Tons() float64 {
	if f, ok := d.Field("weight"); ok && f.Unit == "kg" {
		return float64(d.Int("weight")) / 1000
	}
	return float64(d.Int("weight"))
}
