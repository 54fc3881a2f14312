package simutrans

import (
	"pakbox/archive"
	"pakbox/fact"
	"pakbox/simutrans/node"
)

var _ archive.Grouped = (*Archive)(nil)

// Groups implements archive.Grouped: the groups of an object file are its objects.
func (a *Archive) Groups() []archive.Group {
	list := make([]archive.Group, len(a.objects))
	for i, o := range a.objects {
		list[i] = archive.Group{
			Folder:  o.Folder,
			Size:    o.Node.BodyBytes(),
			Summary: append(objectFacts.Of(o.Node)[:3], imageFacts.Of(o.Node)...),
			Facts:   func() fact.Record { return ObjectFacts(o.Node) },
		}
	}
	return list
}

// countImages counts the images with pixels.
func countImages(n *node.Node) (images int) {
	n.Walk(func(n *node.Node, _ int) bool {
		if n.Type == node.IMG && len(n.Body) > emptyImage {
			images++
		}
		return true
	})
	return images
}
