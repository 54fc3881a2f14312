package decompile

import (
	"fmt"

	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

// NamedImage is an image of an object with its key in a source, for example
// emptyimage[sw] or backimage[0][0][1][0][0][1].
type NamedImage struct {
	Key  string
	Node *node.Node
}

// Images returns the images of an object in order, without empty images that only fill a
// list. If the source language is unknown, the key is the image's path in the tree.
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

// collection collects images like a sheet, for callers that only need the images.
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

// CellSize is the size of the cells that the images of an object come from, as far as it
// can be seen; 0 without images.
func CellSize(n *node.Node) int {
	s := newSheet("")
	if s.measure(n) != nil {
		return 0
	}
	return s.cell
}
