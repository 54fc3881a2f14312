package decompile

import (
	"fmt"

	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
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
	if _, err := versions(n); err == nil && newSheet("x").measure(n) == nil {
		var images collection
		if object.NewWriter(n, &images).Body() == nil {
			return images
		}
	}
	var images []NamedImage
	byPath(n, "", &images)
	return images
}

// collection takes images instead of a sheet, for callers that want only the images.
type collection []NamedImage

func (*collection) Row() {}

func (c *collection) Image(key string, n *node.Node) (string, error) {
	*c = append(*c, NamedImage{key, n})
	return "", nil
}

func byPath(n *node.Node, path string, images *[]NamedImage) {
	for i, c := range n.Children {
		at := fmt.Sprintf("%s[%d]", path, i)
		if c.Type == node.IMG {
			if !object.IsBlank(c) {
				*images = append(*images, NamedImage{"image" + at, c})
			}
			continue
		}
		byPath(c, at, images)
	}
}

// CellSize is the size of the cells that the images of an object come from, as
// far as they show it; 0 if it has none.
func CellSize(n *node.Node) int {
	s := newSheet("")
	if s.measure(n) != nil {
		return 0
	}
	return s.cell
}
