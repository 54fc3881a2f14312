package lint

import (
	"fmt"
	"slices"

	"pakbox/simutrans/img"
	"pakbox/simutrans/node"
)

// FirstImage is the Key of mistakes in pixels: they are reported at the first image of
// the source.
const FirstImage = "image"

// Special colours 0 to 15 are eight shades of each of the players' two colours. lights are
// the numbers of lights that nobody paints by accident; the other lights are greys and
// pale tints, which occur in pictures anyway.
const playerShades, shadesOfOne = 16, 8

var lights = []int{17, 18, 19, 20, 29, 30}

// Numbers of pixels above which a mistake is likely. The objects of pak64 and pak128 with
// more pixels were examined, and are mistakes.
const (
	enoughOfPlayer = 16
	enoughOfLight  = 64
	enoughOfEdge   = 20
)

// pixels counts pixels with nearly the right colour in the images of an object.
type pixels struct {
	near  [img.Specials]int // pixels near each special colour
	exact [img.Specials]int
	edge  int // pixels near the background colour that are beside the background
}

// countPixels looks at all images.
func countPixels(n *node.Node) (count pixels) {
	n.Walk(func(n *node.Node, _ int) bool {
		if n.Type == node.IMG {
			count.image(n)
		}
		return true
	})
	return count
}

func (count *pixels) image(n *node.Node) {
	m, err := img.Parse(n.Body, n.BodyOffset())
	if err != nil {
		return
	}
	// Most images have no such pixels. Their words show this without decoding.
	if !slices.ContainsFunc(m.Words, func(p uint16) bool {
		_, near := img.NearSpecial(p)
		return near || img.NearTransparency(p)
	}) {
		return
	}
	b, err := m.Bitmap()
	if err != nil {
		return
	}
	for i, p := range b.Pix {
		if near, ok := img.NearSpecial(p); ok {
			count.near[near]++
		}
		if exact, ok := img.Special(p); ok {
			count.exact[exact]++
		}
		if img.NearTransparency(p) && isEdge(b, i%b.W, i/b.W) {
			count.edge++
		}
	}
}

// isEdge reports whether a pixel has a transparent neighbour.
func isEdge(b *img.Bitmap, x, y int) bool {
	for _, d := range [][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
		if b.At(x+d[0], y+d[1]) == img.Transparent {
			return true
		}
	}
	return false
}

const keepColours = "paint with the exact colour, and save as PNG without smoothing, resizing or colour management"

// colours finds images whose special colours were changed by an image program, and edges
// that are mixed with the background.
func (l *linter) colours() {
	switch l.object.Type {
	case node.GRND: // its images are masks
		return
	case node.MENU, node.SYMB, node.CURS: // these have no night and no owner
		return
	}
	count := countPixels(l.object)
	for first := 0; first < playerShades && l.isOwned(); first += shadesOfOne {
		near, exact, shades, shade := 0, 0, 0, first
		for i := first; i < first+shadesOfOne; i++ {
			near, exact = near+count.near[i], exact+count.exact[i]
			if count.near[i] > 0 {
				shades++
			}
			if count.near[i] > count.near[shade] {
				shade = i
			}
		}
		if near >= enoughOfPlayer && shades > 1 && 4*near >= exact {
			l.add(FirstImage, keepColours, "%d pixels are nearly, but not quite, shades of a player's colour such as %s, so they keep their colour", near, hex(shade))
		}
	}
	for _, i := range lights {
		if count.near[i] >= enoughOfLight && l.object.Type != node.PASS {
			l.add(FirstImage, keepColours, "%d pixels are nearly, but not quite, the light %s, so they do not shine at night", count.near[i], hex(i))
		}
	}
	if count.edge >= enoughOfEdge {
		l.add(FirstImage, "paint hard edges, or use a transparent background", "%d pixels at edges are mixed with the background E7FFFF, so the object has a pale border", count.edge)
	}
}

// isOwned reports whether players own such an object, so that it has their
// colours.
func (l *linter) isOwned() bool {
	switch l.object.Type {
	case node.VHCL, node.SIGN, node.BRDG, node.TUNL, node.WYOB:
		return true
	case node.BUIL:
		kind, _ := l.body.Field("building_type")
		return kind.Text == "headquarters" || slices.Contains(offered, kind.Text)
	}
	return false
}

func hex(i int) string {
	c := img.SpecialColors[i]
	return fmt.Sprintf("%02X%02X%02X", c.R, c.G, c.B)
}
