package simutrans

import (
	"pakbox/archive"
	"pakbox/simutrans/node"
)

var _ archive.Grouped = (*Archive)(nil)

// Groups implements archive.Grouped: the things in an object file are its
// objects.
func (a *Archive) Groups() []archive.Group {
	list := make([]archive.Group, len(a.objects))
	for i, o := range a.objects {
		list[i] = archive.Group{
			Folder: o.Folder,
			Size:   o.Node.BodyBytes(),
			Summary: []archive.Fact{
				{Name: "type", Label: "Type", Value: o.Node.Type.Name()},
				{Name: "name", Label: "Name", Value: node.Display(o.Node.Name())},
				{Name: "copyright", Label: "Copyright", Value: node.Display(o.Node.Copyright())},
				{Name: "images", Label: "Images", Value: countImages(o.Node)},
			},
			Facts: func() []archive.Fact { return ObjectFacts(o.Node) },
		}
	}
	return list
}

// countImages counts the images that have pixels.
func countImages(n *node.Node) (images int) {
	n.Walk(func(n *node.Node, _ int) bool {
		if n.Type == node.IMG && len(n.Body) > emptyImage {
			images++
		}
		return true
	})
	return images
}
