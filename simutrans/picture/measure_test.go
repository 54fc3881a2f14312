package picture

import (
	"fmt"
	"image"
	"slices"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/simutrans/decompile"
	"pakbox/simutrans/img"
	"pakbox/simutrans/node"
)

// bitmapAt is an image of w by 1 pixels at any place.
func bitmapAt(x, y, w int) *node.Node {
	b := img.NewBitmap(w, 1)
	for i := range b.Pix {
		b.Pix[i] = 31 << 10
	}
	return &node.Node{Type: node.IMG, Body: img.Encode(b, x, y).Append(nil)}
}

// A sheet has room for four million pixels, and for a large cell for each image; there is
// an end to that.
func TestRoom(t *testing.T) {
	for _, test := range []struct {
		images, scale int
		want          int64
	}{{0, 1, 4 << 20}, {1, 1, 4<<20 + 512*512}, {3, 1, 4<<20 + 3*512*512}, {3, 2, 4<<20 + 12*512*512}, {240, 1, 64 << 20}, {241, 1, 64 << 20}, {1000, 16, 64 << 20}} {
		if got := room(test.images, test.scale); got != test.want {
			t.Errorf("%d images at %d: %d, want %d", test.images, test.scale, got, test.want)
		}
	}
}

// A picture exactly as large as the limit is drawn. One pixel more is an error with the
// size.
func TestLimits(t *testing.T) {
	far := func(x, y int) *node.Node { return symbol(bitmapAt(0, 0, 1), bitmapAt(x-1, y-1, 1)) }
	sprite := func(n *node.Node, scale int) (*image.NRGBA, error) {
		return Sprite(n, nil, Options{Scale: scale, Cell: 64})
	}
	sheet := func(n *node.Node, scale int) (*image.NRGBA, error) { return Sheet(n, Options{Scale: scale}) }
	for _, test := range []struct {
		draw        func(*node.Node, int) (*image.NRGBA, error)
		w, h, scale int
		want        string
	}{
		{sprite, 2048, 2304, 1, "2048 × 2304"}, {sprite, 2049, 2304, 1, "!a picture of 2049 × 2304 pixels is too large"},
		{sprite, 1024, 1536, 2, "2048 × 3072"}, {sprite, 1024, 1537, 2, "!a picture of 2048 × 3074 pixels is too large"},
		{sheet, 1009, 2232, 1, "2048 × 2304"}, {sheet, 1009, 2233, 1, "!a sheet of 2048 × 2305 pixels is too large"},
		{sheet, 1000, 1500, 2, "!a sheet of 4030 × 3072 pixels is too large"},
	} {
		m, err := test.draw(far(test.w, test.h), test.scale)
		got := ""
		if err != nil {
			got = "!" + err.Error()
			if fault.KindOf(err) != fault.Limit {
				t.Errorf("%v is not a limit", err)
			}
		} else {
			got = fmt.Sprintf("%d × %d", m.Rect.Dx(), m.Rect.Dy())
		}
		if !strings.HasPrefix(got, test.want) {
			t.Errorf("%d × %d at %d: %s, want %s", test.w, test.h, test.scale, got, test.want)
		}
	}
}

// Images without pixels are neither on a sheet nor choices, and an object that has no
// others is shown as one transparent pixel.
func TestEmptyImages(t *testing.T) {
	empty := &node.Node{Type: node.IMG, Body: img.Encode(img.NewBitmap(0, 0), 0, 0).Append(nil)}
	for scale := range 3 {
		m, err := Sprite(symbol(empty), nil, Options{Scale: scale})
		if err != nil || m.Rect != image.Rect(0, 0, max(scale, 1), max(scale, 1)) || slices.Max(m.Pix) != 0 {
			t.Errorf("an empty picture at %d: %v, %v", scale, m.Rect, err)
		}
	}
	if list := views(symbol(empty, bitmapAt(1, 2, 1))); len(list) != 1 || list[0].key != "image[1]" {
		t.Errorf("%d views: %v", len(list), list)
	}
	m, err := Sheet(symbol(empty), Options{})
	if err != nil || m.Rect.Dy() != 2*margin+lineHeight || m.Rect.Dx() != 2*margin+textWidth("symbol a by me") {
		t.Errorf("a sheet without images: %v, %v", m.Rect, err)
	}
	nobody := symbol(empty)
	nobody.Children[1] = node.NewText("")
	if m, err := Sheet(nobody, Options{}); err != nil || m.Rect.Dx() != 2*margin+textWidth("symbol a") {
		t.Errorf("of nobody: %v, %v", m.Rect, err)
	}
	broken := bitmapAt(0, 0, 2)
	broken.Body = broken.Body[:len(broken.Body)-2]
	for name, err := range map[string]error{"sprite": second(Sprite(symbol(broken), nil, Options{Cell: 64})), "sheet": second(Sheet(symbol(broken), Options{}))} {
		if err == nil || !strings.Contains(err.Error(), "image[0]") {
			t.Errorf("%s: %v does not say which image", name, err)
		}
	}
}

func second(_ *image.NRGBA, err error) error { return err }

// The choices, the layer and the tile of an image follow from its key.
func TestViewsByKey(t *testing.T) {
	for _, test := range []struct {
		kind      node.Type
		key, want string
	}{
		{node.SYMB, "cursor", "map[show:cursor] 0 0,0,0"}, {node.BUIL, "icon", "map[show:icon] 0 0,0,0"},
		{node.VHCL, "0/1/2", "map[] 0 0,0,0"}, {node.SYMB, "image[3]", "map[image:3] 0 0,0,0"}, {node.SYMB, "image[3][4]", "map[image:4] 0 0,0,0"},
		{node.BUIL, "backimage[1][2][3][4][5][6]", "map[frame:5 layout:1 season:6] 0 3,2,4"}, {node.BUIL, "frontimage[0][1][0][2][0][0]", "map[frame:0 layout:0 season:0] 1 0,1,2"},
		{node.VHCL, "emptyimage[ne]", "map[direction:ne load:empty] 0 0,0,0"}, {node.VHCL, "freightimage[ne]", "map[direction:ne load:loaded] 0 0,0,0"},
		{node.VHCL, "freightimage[2][ne]", "map[direction:ne load:2] 0 0,0,0"}, {node.VHCL, "freightimage[2][ne][1]", "map[direction:ne livery:1 load:2] 0 0,0,0"},
		{node.WAY, "image[ns][1]", "map[part:image[ns] season:1] 0 0,0,0"}, {node.WAY, "frontimage[ns][1]", "map[part:image[ns] season:1] 1 0,0,0"},
		{node.BRDG, "backramp[n][0]", "map[part:ramp[n] season:0] 0 0,0,0"}, {node.BRDG, "frontramp[n][0]", "map[part:ramp[n] season:0] 1 0,0,0"},
		{node.WYOB, "front_diagonal[sw]", "map[part:diagonal[sw]] 1 0,0,0"},
		{node.CRSS, "openimage[ns][0]", "map[direction:ns frame:0 state:open] 0 0,0,0"}, {node.CRSS, "front_closedimage[ew][1]", "map[direction:ew frame:1 state:closed] 1 0,0,0"},
		{node.TREE, "image[2][1]", "map[age:2 season:1] 0 0,0,0"},
	} {
		s := newSprite(&node.Node{Type: test.kind}, decompile.NamedImage{Key: test.key, Node: &node.Node{}})
		if got := fmt.Sprintf("%v %d %d,%d,%d", s.axes, s.layer, s.x, s.y, s.storey); got != test.want || s.key != test.key {
			t.Errorf("%v %s: %s, want %s", test.kind, test.key, got, test.want)
		}
	}
}

// An image with fewer seasons shows the last of them, one with fewer frames repeats them,
// and an invalid number counts as 0.
func TestSeasonsAndFrames(t *testing.T) {
	list := func(keys ...string) (out []placedSprite) { // season, frame
		for _, key := range keys {
			season, frame, _ := strings.Cut(key, ".")
			out = append(out, placedSprite{sprite: sprite{key: key, axes: map[string]string{axisSeason: season, axisFrame: frame}}})
		}
		return out
	}
	all := list("0.0", "0.1", "0.2", "1.0", "1.1", "4.0")
	for choice, want := range map[string]string{
		"": "0.0", "0.1": "0.1", "0.2": "0.2", "0.3": "0.0", "0.5": "0.2", "1.0": "1.0", "1.3": "1.1", "3.1": "1.1", "4.0": "4.0", "9.7": "4.0", "-1.-1": "0.0", "x.1": "0.1",
	} {
		season, frame, _ := strings.Cut(choice, ".")
		got := chosen(all, map[string]string{axisSeason: season, axisFrame: frame})
		if len(got) != 1 || got[0].key != want {
			t.Errorf("of %q: %v, want %s", choice, got, want)
		}
	}
	if got := chosen(list("3.0", "3.1"), map[string]string{axisSeason: "1"}); len(got) != 1 || got[0].key != "3.0" {
		t.Errorf("before the first season: %v", got)
	}
}
