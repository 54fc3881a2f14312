package check

import (
	"fmt"
	"slices"
	"strings"

	"pakbox/finding"
	"pakbox/simutrans/decompile"
	"pakbox/simutrans/img"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

// dates finds objects whose time ends before it begins.
func (c *checker) dates() {
	for _, o := range c.set.Objects {
		o.Node.Walk(func(n *node.Node, _ int) bool {
			d, err := object.Decode(n)
			if err != nil {
				return false
			}
			intro, ok1 := d.Field("intro")
			retire, ok2 := d.Field("retire")
			if ok1 && ok2 && d.Int("retire") <= d.Int("intro") {
				c.find(finding.Warning, o, "", "it is introduced in %s and retires in %s", intro.Text, retire.Text)
			}
			return n.Type == node.FACT
		})
	}
}

// directions finds lists of headings in which some images are missing.
func (c *checker) directions() {
	for _, o := range c.set.Objects {
		switch o.Node.Type {
		case node.VHCL, node.CCAR, node.PASS:
		default:
			continue
		}
		for i, list := range o.Node.Children {
			if list.Type != node.IMG1 || len(list.Children) == 0 {
				continue
			}
			empty := countEmpty(list)
			if empty > 0 && empty < len(list.Children) {
				c.find(finding.Warning, o, "", "%d of %d directions have no image in list %d", empty, len(list.Children), i)
			}
			if n := len(list.Children); o.Node.Type == node.VHCL && n != 4 && n != 8 {
				c.find(finding.Warning, o, "give images for 4 or 8 directions", "it has images for %d directions", n)
			}
		}
	}
}

func countEmpty(list *node.Node) (n int) {
	for _, c := range list.Children {
		if c.Type == node.IMG && len(c.Body) <= 10 {
			n++
		}
	}
	return n
}

// seasons finds tiles of buildings that vanish in some season.
func (c *checker) seasons() {
	for _, o := range c.set.Objects {
		tile := 0
		o.Node.Walk(func(n *node.Node, _ int) bool {
			if n.Type != node.TILE {
				return true
			}
			var missing []string
			some := false
			for season := range len(n.Children) / 2 {
				if hasImage(n.Children[2*season]) || hasImage(n.Children[2*season+1]) {
					some = true
				} else {
					missing = append(missing, fmt.Sprint(season))
				}
			}
			if some && len(missing) > 0 {
				c.find(finding.Warning, o, "give every tile an image in every season", "tile %d has no image in season %s", tile, strings.Join(missing, ", "))
			}
			tile++
			return false
		})
	}
}

func hasImage(n *node.Node) bool {
	found := false
	n.Walk(func(n *node.Node, _ int) bool {
		found = found || n.Type == node.IMG && len(n.Body) > 10
		return !found
	})
	return found
}

// outside finds images that do not fit the cell of the pakset. They are drawn
// nevertheless, but cut where the game redraws only the cell.
func (c *checker) outside() {
	cell := c.cell()
	if cell == 0 {
		return
	}
	for _, o := range c.set.Objects {
		if slices.Contains([]node.Type{node.MENU, node.SYMB, node.CURS, node.SMOK}, o.Node.Type) {
			continue // they are no part of the landscape
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

// cell is the size of the pakset's cells: the width of the ground outside the
// map, which the game takes it from, or 0.
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
