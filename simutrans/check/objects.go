package check

import (
	"slices"

	"pakbox/finding"
	"pakbox/simutrans/decompile"
	"pakbox/simutrans/img"
	"pakbox/simutrans/node"
)

// outside finds images that reach beyond the cell of the pakset. They are drawn, but cut
// off when the game redraws only the cell.
func (c *checker) outside() {
	cell := c.cell()
	if cell == 0 {
		return
	}
	for _, o := range c.set.Objects {
		if slices.Contains([]node.Type{node.MENU, node.SYMB, node.CURS, node.SMOK}, o.Node.Type) {
			continue // these are not drawn in the landscape
		}
		var keys []string
		for _, image := range decompile.Images(o.Node) {
			m, err := img.Parse(image.Node.Body, image.Node.BodyOffset())
			if err != nil {
				c.find(finding.Error, o, "compile it again", "%s: %v", image.Key, err)
				continue
			}
			if len(m.Words) == 0 || image.Key == "cursor" || image.Key == "icon" {
				continue
			}
			if m.X < 0 || m.X+m.W > cell || m.Y+m.H > cell || m.Y < -cell {
				keys = append(keys, image.Key)
			}
		}
		if len(keys) > 0 {
			c.find(finding.Note, o, "", "%d images reach out of the cell of %d pixels, the first is %s", len(keys), cell, keys[0])
		}
	}
}

// cell is the size of the pakset's cells, or 0. The game takes it from the width of the
// ground outside the map.
func (c *checker) cell() int {
	o := c.byName[node.GRND]["Outside"]
	if o == nil {
		return 0
	}
	first := o.Node.Find(node.IMG)
	if first == nil {
		return 0
	}
	m, err := img.Parse(first.Body, first.BodyOffset())
	if err != nil {
		return 0
	}
	return m.X + m.W
}
