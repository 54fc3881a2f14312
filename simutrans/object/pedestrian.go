package object

import "pakbox/simutrans/node"

func init() {
	register(&Type{
		Node: node.PASS, Versions: same(2).extended(1, 0),
		Fields: `
			distribution_weight  int      distributionweight=1
			offset               int      offset=20
			intro                date     intro=1
			retire               date     retire=2999
			steps_per_frame      latekey  steps_per_frame`,
		Bodies: []string{
			"0: distribution_weight:u16 reserved:u16",
			"1-2: distribution_weight:u16 steps_per_frame:u16 offset:u16 intro:u16@2 retire:u16@2",
			"x1.0: distribution_weight:u16 steps_per_frame:u16 offset:u16 intro:u16 retire:u16",
		},
		Build: (*Builder).pedestrian,
		Write: (*Writer).pedestrian,
	})
}

func (b *Builder) pedestrian() *node.Node {
	d := b.read(node.PASS, "")
	images := (*node.Node)(nil)
	if b.anyOf(bracketed("image", directions, "[0]")) {
		d.Put("steps_per_frame", max(b.Int("steps_per_frame", 1), 1))
		images = b.walk()
	} else {
		images = b.list(bracketed("image", directions, ""))
	}
	return b.node(node.PASS, d, append(b.nameAndCopyright(), images)...)
}

// walk makes the IMG2 of an animated pedestrian. makeobj adds an empty list
// for every image it reads, which is kept because files are compared.
func (b *Builder) walk() *node.Node {
	var lists []*node.Node
	images := 0
	for _, dir := range directions {
		keys := b.present(numbered(key("image[%s]", dir)))
		images += len(keys)
		lists = append(lists, b.list(keys))
	}
	for range images {
		lists = append(lists, listNode(node.IMG1, nil))
	}
	return listNode(node.IMG2, lists)
}

func (w *Writer) pedestrian(d *Body) {
	w.fields(d, "")
	if list := child(w.object, node.IMG1); list != nil {
		w.Blank()
		w.some(list, bracketed("image", directions, ""), "")
		return
	}
	w.Set("steps_per_frame", d.Int("steps_per_frame"))
	w.Blank()
	if grid := child(w.object, node.IMG2); grid != nil {
		// Lists behind the eighth are the empty ones makeobj adds.
		for i, list := range grid.Children[:min(len(grid.Children), len(directions))] {
			w.all(list, numbered("image["+directions[i]+"]"))
		}
	}
}
