package picture

import (
	"cmp"
	"fmt"
	"image"
	"maps"
	"slices"
	"strconv"

	"pakbox/fault"
	"pakbox/simutrans/decompile"
	"pakbox/simutrans/img"
	"pakbox/simutrans/node"
)

// Sprite draws one view of an object on a transparent background: all its tiles, with the
// images behind and in front. choice has values by the names of axes; an axis without a
// value has its first one. The picture is large enough for all views, so that an
// animation of views does not jump.
func Sprite(n *node.Node, choice map[string]string, opts Options) (*image.NRGBA, error) {
	opts.Scale = max(opts.Scale, 1)
	list := views(n)
	choice, err := complete(axesOf(n, list), choice)
	if err != nil {
		return nil, err
	}
	tile := opts.Cell
	if tile == 0 {
		tile = decompile.CellSize(n)
	}
	placed, box, err := place(list, tile, choice[axisShow], choice[axisLayout])
	if err != nil {
		return nil, err
	}
	if int64(box.Dx())*int64(box.Dy())*int64(opts.Scale)*int64(opts.Scale) > room(len(list), min(opts.Scale, 16)) {
		return nil, fault.New(fault.Limit, "a picture of %d × %d pixels is too large", box.Dx()*opts.Scale, box.Dy()*opts.Scale)
	}
	s := &canvas{NRGBA: image.NewNRGBA(image.Rect(0, 0, max(box.Dx(), 1)*opts.Scale, max(box.Dy(), 1)*opts.Scale)), palette: newPalette(opts), scale: opts.Scale}
	for _, p := range chosen(placed, choice) {
		b, err := p.image.Bitmap()
		if err != nil {
			return nil, fault.InEntry(err, p.key)
		}
		s.image((p.at.X-box.Min.X)*opts.Scale, (p.at.Y-box.Min.Y)*opts.Scale, b)
	}
	return s.NRGBA, nil
}

// complete gives every axis a value, and returns an error for an unknown axis or value.
func complete(axes []Axis, choice map[string]string) (map[string]string, error) {
	full := map[string]string{}
	for _, axis := range axes {
		full[axis.Name] = axis.Values[0].Value
	}
	for _, name := range slices.Sorted(maps.Keys(choice)) {
		if _, ok := full[name]; !ok {
			return nil, fault.New(fault.BadEntry, "there is nothing to choose as %s", name)
		}
		full[name] = choice[name]
	}
	for _, axis := range axes {
		if !slices.ContainsFunc(axis.Values, func(v Value) bool { return v.Value == full[axis.Name] }) {
			return nil, fault.New(fault.BadEntry, "unknown %s %q", axis.Name, full[axis.Name])
		}
	}
	return full, nil
}

// placedSprite is an image with its place on the picture.
type placedSprite struct {
	sprite
	image *img.Image
	at    image.Point
}

// place finds the positions of images. Tiles are diamonds half as high as wide, and a
// storey is as high as a tile is wide. Images of another layout, or of a menu, are left
// out.
func place(list []sprite, tile int, show, layout string) (placed []placedSprite, box image.Rectangle, err error) {
	for _, s := range list {
		if show != "" && s.axes[axisShow] != show || s.axes[axisLayout] != "" && layout != "" && s.axes[axisLayout] != layout {
			continue
		}
		m, err := img.Parse(s.node.Body, s.node.BodyOffset())
		if err != nil {
			return nil, box, fault.InEntry(err, s.key)
		}
		at := image.Pt(m.X+(s.x-s.y)*tile/2, m.Y+(s.x+s.y)*tile/4-s.storey*tile)
		placed = append(placed, placedSprite{s, m, at})
		box = box.Union(image.Rect(at.X, at.Y, at.X+m.W, at.Y+m.H))
	}
	slices.SortStableFunc(placed, func(a, b placedSprite) int {
		return cmp.Or(cmp.Compare(a.x+a.y, b.x+b.y), cmp.Compare(a.layer, b.layer), cmp.Compare(a.storey, b.storey))
	})
	return placed, box, nil
}

// chosen are the images of one view. As in the game, an image with fewer seasons uses its
// last season, and an image with fewer frames repeats them.
func chosen(placed []placedSprite, choice map[string]string) (list []placedSprite) {
	byPlace := map[string][]placedSprite{}
	var order []string
	for _, p := range placed {
		fits := true
		for name, value := range p.axes {
			if want, ok := choice[name]; ok && name != axisSeason && name != axisFrame && value != want {
				fits = false
			}
		}
		if !fits {
			continue
		}
		at := fmt.Sprint(p.layer, p.x, p.y, p.storey)
		if byPlace[at] == nil {
			order = append(order, at)
		}
		byPlace[at] = append(byPlace[at], p)
	}
	for _, at := range order {
		group := ofSeason(byPlace[at], number(choice[axisSeason]))
		frame := number(choice[axisFrame]) % len(group)
		list = append(list, group[frame])
	}
	return list
}

// ofSeason returns the images of a season, or of the last season before it.
func ofSeason(group []placedSprite, season int) (kept []placedSprite) {
	last := 0
	for _, p := range group {
		if s := number(p.axes[axisSeason]); s <= season {
			last = max(last, s)
		}
	}
	for _, p := range group {
		if number(p.axes[axisSeason]) == last {
			kept = append(kept, p)
		}
	}
	if len(kept) == 0 {
		return group[:1]
	}
	return kept
}

func number(s string) int {
	n, _ := strconv.Atoi(s)
	return max(n, 0)
}
