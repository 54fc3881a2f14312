package lint

import (
	"fmt"
	"slices"
	"testing"

	"pakbox/simutrans/img"
	"pakbox/simutrans/node"
)

// painted is an object with an image of pixels: so many of each colour, in a column
// between others. Pixels of the background's neighbourhood get one.
func painted(kind node.Type, pixels map[uint16]int) *node.Node {
	b := img.NewBitmap(60, 200)
	for i := range b.Pix {
		b.Pix[i] = img.Transparent
	}
	y := 0
	for p, n := range pixels {
		for i := range n {
			b.Pix[y*b.W+2+i%50] = p
			if i%50 == 49 {
				y++
			}
		}
		y += 2
	}
	return &node.Node{Type: kind, Children: []*node.Node{{Type: node.IMG, Body: img.Encode(b, 0, 0).Append(nil)}}}
}

// near is a colour that is nearly a special one.
func near(i int) uint16 {
	c := img.SpecialColors[i]
	c.B ^= 1
	if _, exact := img.Special(img.FromColor(c)); exact {
		c.B ^= 1
		c.G ^= 1
	}
	return img.FromColor(c)
}

func special(i int) uint16 { return img.FromColor(img.SpecialColors[i]) }

// Pixels are reported from a count on that no picture has by accident: 16 of two shades of a
// player, a quarter as many as are right, and 64 of a light.
func TestEnoughPixels(t *testing.T) {
	const player = "16 pixels are nearly, but not quite, shades of a player's colour such as "
	second := "244B67"
	for name, test := range map[string]struct {
		kind   node.Type
		pixels map[uint16]int
		want   string
	}{
		"enough":                {node.VHCL, map[uint16]int{near(0): 9, near(1): 7}, player + hex(0)},
		"the most":              {node.VHCL, map[uint16]int{near(0): 7, near(1): 9}, player + hex(1)},
		"too few":               {node.VHCL, map[uint16]int{near(0): 8, near(1): 7}, ""},
		"one shade":             {node.VHCL, map[uint16]int{near(0): 20}, ""},
		"two players":           {node.VHCL, map[uint16]int{near(7): 8, near(8): 8}, ""},
		"second player":         {node.VHCL, map[uint16]int{near(8): 9, near(15): 7}, player + hex(8)},
		"a quarter of the rest": {node.VHCL, map[uint16]int{near(0): 8, near(1): 8, special(2): 64}, player + hex(0)},
		"less than a quarter":   {node.VHCL, map[uint16]int{near(0): 8, near(1): 8, special(2): 65}, ""},
		"of another player":     {node.VHCL, map[uint16]int{near(0): 8, near(1): 8, special(8): 650}, player + hex(0)},
		"nobody's":              {node.TREE, map[uint16]int{near(0): 8, near(1): 8}, ""},
		"light":                 {node.TREE, map[uint16]int{near(19): 64}, "64 pixels are nearly, but not quite, the light " + hex(19) + ", so they do not shine at night"},
		"few lights":            {node.TREE, map[uint16]int{near(19): 63}, ""},
		"a person's light":      {node.PASS, map[uint16]int{near(19): 640}, ""},
		"a symbol":              {node.SYMB, map[uint16]int{near(19): 640}, ""},
		"a menu":                {node.MENU, map[uint16]int{near(19): 640}, ""},
		"a pointer":             {node.CURS, map[uint16]int{near(19): 640}, ""},
		"ground":                {node.GRND, map[uint16]int{near(19): 640}, ""},
	} {
		l := &linter{object: painted(test.kind, test.pixels)}
		l.colours()
		switch {
		case test.want == "" && len(l.mistakes) != 0:
			t.Errorf(`%s: l.mistakes = %+v; want test.want not empty or empty l.mistakes`, name, l.mistakes)
		case test.want != "" && (len(l.mistakes) != 1 || l.mistakes[0].Key != FirstImage || len(l.mistakes[0].Message) < len(test.want) || l.mistakes[0].Message[:len(test.want)] != test.want):
			t.Errorf("%s: %+v, want %s", name, l.mistakes, test.want)
		}
	}
	if hex(0) != second {
		t.Errorf("the first shade is %s", hex(0))
	}
	for pixels, want := range map[int]int{19: 0, 20: 1} {
		l := &linter{object: painted(node.TREE, map[uint16]int{img.FromColor(img.SpecialColors[0]): 0, pale: pixels})}
		if l.colours(); len(l.mistakes) != want {
			t.Errorf("%d pale pixels: %+v", pixels, l.mistakes)
		}
	}
}

// pale is nearly the background.
var pale = drawing("p").Pix[0]

// season is a tile of a building with images in some seasons, at the back or in front.
func season(has ...string) *node.Node {
	full := painted(node.ROOT, map[uint16]int{1: 4}).Children[0]
	tile := &node.Node{Type: node.TILE}
	for _, h := range has {
		back, front := &node.Node{Type: node.IMG2}, &node.Node{Type: node.IMG2}
		switch h {
		case "back":
			back.Children = []*node.Node{full}
		case "front":
			front.Children = []*node.Node{full}
		}
		tile.Children = append(tile.Children, back, front)
	}
	return tile
}

// A tile that is seen in one season is to be seen in all. The game shows one season, two,
// four or five.
func TestSeasons(t *testing.T) {
	for _, test := range []struct {
		tiles []*node.Node
		want  []string
	}{
		{[]*node.Node{season("back"), season("front"), season("")}, nil},
		{[]*node.Node{season("back", "front"), season("", "")}, nil},
		{[]*node.Node{season("back", "front"), season("", "back"), season("front", "")}, []string{"tile 1 has no image in season 0", "tile 2 has no image in season 1"}},
		{[]*node.Node{season("back", "", "back", "", "back")}, []string{"tile 0 has no image in season 1, 3"}},
		{[]*node.Node{season("back"), season("back", "back", "back")}, []string{"of its 3 seasons the game never shows the third"}},
		{[]*node.Node{season("back", "back", "back", "back")}, nil},
		{[]*node.Node{season("back", "back", "back", "back", "back")}, nil},
		{[]*node.Node{season("back", "back", "back", "back", "back", "back")}, []string{"of its 6 seasons the game shows 5"}},
	} {
		l := &linter{building: &node.Node{Type: node.BUIL, Children: append([]*node.Node{{Type: node.TEXT}}, test.tiles...)}}
		l.seasons()
		var got []string
		for _, m := range l.mistakes {
			if got = append(got, m.Message); m.Key != "dims" || m.Suggestion == "" {
				t.Errorf(`m = %+v; want m.Key = "dims", m.Suggestion not empty`, m)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

// Vehicles and people need an image for each direction; the second list of a vehicle has
// its freight.
func TestDirections(t *testing.T) {
	full, none := painted(node.ROOT, map[uint16]int{1: 4}).Children[0], &node.Node{Type: node.IMG, Body: make([]byte, 10)}
	list := func(all, missing int) *node.Node {
		n := &node.Node{Type: node.IMG1}
		for i := range all {
			n.Children = append(n.Children, map[bool]*node.Node{true: none, false: full}[i < missing])
		}
		return n
	}
	for _, test := range []struct {
		kind  node.Type
		lists []*node.Node
		want  string
	}{
		{node.VHCL, []*node.Node{list(4, 0), list(8, 0)}, "[]"},
		{node.VHCL, []*node.Node{list(4, 0), list(8, 2)}, "[freightimage[s]: 2 of 8 directions have no image, so it is invisible there]"},
		{node.VHCL, []*node.Node{list(0, 0), list(8, 1)}, "[emptyimage[s]: 1 of 8 directions have no image, so it is invisible there]"},
		{node.VHCL, []*node.Node{list(5, 1)}, "[emptyimage[s]: it has images for 5 directions, so it is invisible in the others]"},
		{node.VHCL, []*node.Node{list(4, 4)}, "[emptyimage[s]: it has no image, so it is invisible]"},
		{node.CCAR, []*node.Node{list(8, 3)}, "[image[s]: 3 of 8 directions have no image, so it is invisible there]"},
		{node.PASS, []*node.Node{list(5, 0)}, "[]"}, {node.PASS, nil, "[image[s]: it has no image, so it is invisible]"}, {node.TREE, []*node.Node{list(8, 3)}, "[]"},
	} {
		l := &linter{object: &node.Node{Type: test.kind, Children: append([]*node.Node{{Type: node.TEXT}}, test.lists...)}}
		l.directions()
		var got []string
		for _, m := range l.mistakes {
			got = append(got, m.Key+": "+m.Message)
		}
		if fmt.Sprint(got) != test.want {
			t.Errorf("%v, want %s", got, test.want)
		}
	}
}
