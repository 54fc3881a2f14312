package decompile

import (
	"fmt"

	"pakbox/simutrans/node"
)

// NamedImage is an image of an object and the key a source gives it, for
// example emptyimage[sw] or backimage[0][0][1][0][0][1].
type NamedImage struct {
	Key  string
	Node *node.Node
}

// Images returns the images of an object in their order, without those that
// only fill a list. Where the source language does not reach, the key is the
// image's path in the tree.
func Images(n *node.Node) []NamedImage {
	w := &writer{sheet: newSheet("x"), object: n}
	if _, err := w.versions(); err == nil && w.sheet.measure(n) == nil {
		w.collect = &[]NamedImage{}
		if w.body() == nil {
			return *w.collect
		}
	}
	var images []NamedImage
	byPath(n, "", &images)
	return images
}

func byPath(n *node.Node, path string, images *[]NamedImage) {
	for i, c := range n.Children {
		at := fmt.Sprintf("%s[%d]", path, i)
		if c.Type == node.IMG {
			if !isBlank(c) {
				*images = append(*images, NamedImage{"image" + at, c})
			}
			continue
		}
		byPath(c, at, images)
	}
}
