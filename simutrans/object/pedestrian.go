package object

import "pakbox/simutrans/node"

func init() {
	register(&Type{
		Node: node.PASS, Word: "pedestrian", Versions: same(2).extended(1, 0), Axes: []string{"direction", "frame"},
		About: "Somebody who walks on the pavements of cities.",
		Fields: `
			distribution_weight  int      distributionweight=1  -- How often they appear, compared with other pedestrians.
			offset               int      offset=20             -- How far they walk from the middle of the road, in pixels.
			intro                date     intro=1               -- The first month in which they appear.
			retire               date     retire=2999           -- The month from which they do not appear any more.
			steps_per_frame      latekey  steps_per_frame       -- How far they walk before the next frame, if there are frames.
			.  image  image[s,w,sw,se,n,e,ne,nw]  -- An image for each direction; a second index counts the frames.`,
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

// walk makes the IMG2 of a pedestrian with frames. Like makeobj it adds an empty list for
// every image, so that files are equal.
func (b *Builder) walk() *node.Node {
	var walks, extra []*node.Node
	for _, dir := range directions {
		keys := b.present(numbered(key("image[%s]", dir)))
		walks = append(walks, b.list(keys))
		for range keys {
			extra = append(extra, listNode(node.IMG1, nil))
		}
	}
	return listNode(node.IMG2, append(walks, extra...))
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
		// The lists after the eighth are makeobj's empty ones.
		for i, list := range grid.Children[:min(len(grid.Children), len(directions))] {
			w.all(list, numbered("image["+directions[i]+"]"))
		}
	}
}
