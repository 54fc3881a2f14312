package object

import (
	"strings"

	"pakbox/simutrans/node"
)

func init() {
	register(&Type{
		Node: node.VHCL, Versions: since12(11, 13).extended(11, 7),
		Extended: extendedVehicle,
		Fields: `
			waytype       waytype  waytype
			engine_type   engine   engine_type
			topspeed      km/h     speed
			power         kW       power
			gear          gear     gear=100
			weight        mass     weight
			axle_load     t        axle_load
			loading_time  ms       loading_time=1000  0..0x7FFFFFFF@13
			fixed_cost    fixedcost  fixed_cost|maintenance
			length        int      length=8
			capacity      int      payload
			price         money    cost
			running_cost  money    runningcost
			sound         voice    sound
			intro         date     intro=1900
			retire        date     retire=2999
			prev                 count
			next                 count
			freight_image_types  count`,
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

func (b *Builder) vehicle() *node.Node {
	const electric = 2
	d := b.read(node.VHCL, "")
	if d.Int("waytype") == electrified {
		d.Put("waytype", track)
		d.Put("engine_type", electric)
	}
	if d.Version.IsExt {
		return b.extendedVehicle(d)
	}
	freight := b.freight()
	children := append(b.nameAndCopyright(), reference(node.GOOD, true, freight), reference(node.SMOK, false, b.Get("smoke")))
	images, goods := b.vehicleImages()
	d.Put("freight_image_types", int64(len(goods)))
	children = append(children, images...)
	for _, side := range []string{"prev", "next"} {
		couplings := b.couplings(side)
		d.Put(side, int64(len(couplings)))
		children = append(children, couplings...)
	}
	for _, name := range goods {
		children = append(children, reference(node.GOOD, false, name))
	}
	if len(goods) > 0 {
		children = append(children, reference(node.GOOD, false, freight))
	}
	return b.node(node.VHCL, d, children...)
}

// freight is the good that a vehicle carries.
func (b *Builder) freight() string {
	if freight := b.Get("freight"); freight != "" {
		return freight
	}
	return "None"
}

// couplings reads what a vehicle may be coupled to.
func (b *Builder) couplings(side string) (nodes []*node.Node) {
	for _, k := range b.present(numbered(key("constraint[%s]", side))) {
		name := b.Get(k)
		if strings.EqualFold(name, "none") {
			name = ""
		}
		nodes = append(nodes, reference(node.VHCL, false, name))
	}
	return nodes
}

// vehicleImages makes the lists of images without and with freight, and
// returns the goods that have freight images of their own.
func (b *Builder) vehicleImages() (lists []*node.Node, goods []string) {
	empty := b.leading(bracketed("emptyimage", directions, ""))
	if n := len(empty); n > 4 && n < 8 {
		b.Fail(key("emptyimage[%s]", directions[n]), "give images for 4 or 8 directions", "there are images for %d directions", n)
	}
	lists = []*node.Node{b.list(empty)}
	kinds := len(b.present(func(i int) string { return key("freightimage[%d][%s]", i, directions[0]) }))
	if kinds > 0 {
		return append(lists, b.freightKinds(kinds, len(empty))), b.freightTypes(kinds)
	}
	// Directions that the empty vehicle does not have are not looked at.
	freight := bracketed("freightimage", directions[:len(empty)], "")
	if !b.anyOf(freight) && len(empty) > 0 {
		return append(lists, noList()), nil
	}
	b.required(freight, "there are freight images, but none for this direction", "give as many as of emptyimage")
	return append(lists, b.list(freight)), nil
}

// freightKinds makes the IMG2 of images by direction and kind of freight.
func (b *Builder) freightKinds(kinds, dirs int) *node.Node {
	var lists []*node.Node
	for _, dir := range directions[:dirs] {
		var keys []string
		for i := range kinds {
			keys = append(keys, key("freightimage[%d][%s]", i, dir))
		}
		b.required(keys, "the image is missing", "every kind of freight needs the directions of emptyimage")
		lists = append(lists, b.list(keys))
	}
	return listNode(node.IMG2, lists)
}

func (b *Builder) freightTypes(kinds int) (names []string) {
	for i := range kinds {
		k := key("freightimagetype[%d]", i)
		b.required([]string{k}, "freight images without their good", "name the good the images show")
		names = append(names, b.Get(k))
	}
	return names
}

func (w *Writer) vehicle(d *Body) {
	if d.Version.IsExt {
		w.extendedVehicle(d)
		return
	}
	w.fields(d, "")
	for _, smoke := range xrefs(w.object, node.SMOK) {
		if smoke != "" {
			w.Set("smoke", smoke)
		}
	}
	goods := xrefs(w.object, node.GOOD)
	if len(goods) == 0 {
		w.fail("a vehicle without freight")
		return
	}
	w.Set("freight", goods[0])
	w.couplings(int(d.Int("prev")), int(d.Int("next")))
	w.Blank()
	w.vehicleImages(int(d.Int("freight_image_types")), goods[1:])
}

func (w *Writer) couplings(prev, next int) {
	names := xrefs(w.object, node.VHCL)
	if len(names) != prev+next {
		w.fail("a vehicle with %d couplings that says it has %d", len(names), prev+next)
		return
	}
	for i, name := range names {
		side, j := "prev", i
		if i >= prev {
			side, j = "next", i-prev
		}
		if name == "" {
			name = "none"
		}
		w.Set(key("constraint[%s][%d]", side, j), name)
	}
}

func (w *Writer) vehicleImages(kinds int, goods []string) {
	all := lists(w.object)
	if len(all) == 0 || len(all) > 2 {
		w.fail("a vehicle with %d lists of images", len(all))
		return
	}
	w.all(all[0], from(bracketed("emptyimage", directions, "")))
	if len(all) == 1 {
		return
	}
	if all[1].Type == node.IMG1 {
		w.all(all[1], from(bracketed("freightimage", directions, "")))
		return
	}
	if len(goods) == 0 || len(all[1].Children) > len(directions) {
		w.fail("a vehicle with freight images but no freight")
		return
	}
	for i, good := range goods[:len(goods)-1] { // the last is the default
		w.Set(key("freightimagetype[%d]", i), good)
	}
	for i := range kinds {
		w.sheet.Row()
		for j, list := range all[1].Children {
			if i < len(list.Children) {
				w.image(key("freightimage[%d][%s]", i, directions[j]), list.Children[i])
			}
		}
	}
}

// Capacity is how much a vehicle carries, of all classes together.
func (d *Body) Capacity() (sum int64) {
	for _, n := range d.List("class_capacity") {
		sum += n
	}
	return sum + d.Int("capacity")
}

// Tons is the weight of a vehicle, which newer versions have in kilograms.
func (d *Body) Tons() float64 {
	if f, ok := d.Field("weight"); ok && f.Unit == "kg" {
		return float64(d.Int("weight")) / 1000
	}
	return float64(d.Int("weight"))
}
