package picture

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"pakbox/simutrans/decompile"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

// Axis is one choice between views of an object, with its possible values: a bus can be
// seen from eight sides, a church in summer and winter.
type Axis struct {
	Name   string  `json:"name"`
	Values []Value `json:"values"`
}

// Value is a value of an axis, and its label for people.
type Value struct {
	Value string `json:"value"`
	Label string `json:"label"`
}

// Axes, in the order of listing.
const (
	axisShow      = "show"      // the object itself, or an image of its menu: cursor, icon
	axisPart      = "part"      // the piece of a way, a bridge, a tunnel: image[ns], ramp[n]
	axisState     = "state"     // whether a crossing is open or closed
	axisDirection = "direction" // direction of travel
	axisLayout    = "layout"    // rotation of a building
	axisLoad      = "load"      // empty, or a kind of freight
	axisLivery    = "livery"    // livery of a vehicle in Extended
	axisAge       = "age"       // age of a tree
	axisImage     = "image"     // number of an image without another name
	axisSeason    = "season"
	axisFrame     = "frame" // frame of an animation
)

var axisOrder = []string{axisShow, axisPart, axisState, axisDirection, axisLayout, axisLoad, axisLivery, axisAge, axisImage, axisSeason, axisFrame}

// compass is the usual order of directions.
var compass = []string{"n", "ne", "e", "se", "s", "sw", "w", "nw", "ns", "ew"}

// sprite is one image of an object, with its axes and its position.
type sprite struct {
	node   *node.Node
	key    string
	axes   map[string]string
	layer  int // higher layers are in front
	x, y   int // position of the tile in a building
	storey int
}

// views returns the images of an object as sprites.
func views(n *node.Node) []sprite {
	var list []sprite
	for _, m := range decompile.Images(n) {
		if len(m.Node.Body) > 10 {
			list = append(list, newSprite(n, m))
		}
	}
	if slices.ContainsFunc(list, func(s sprite) bool { return s.axes[axisShow] == "" }) {
		for i := range list {
			if list[i].axes[axisShow] == "" {
				list[i].axes[axisShow] = "object"
			}
		}
	}
	return list
}

// newSprite finds the axes and the position of an image from its key.
func newSprite(n *node.Node, m decompile.NamedImage) sprite {
	stem, indices := splitKey(m.Key)
	s := sprite{node: m.Node, key: m.Key, axes: map[string]string{}}
	if stem == "cursor" || stem == "icon" {
		s.axes[axisShow] = stem
		return s
	}
	if len(indices) == 0 {
		return s
	}
	if front := strings.TrimPrefix(strings.TrimPrefix(stem, "front"), "_"); front != stem {
		s.layer, stem = 1, front
	}
	stem = strings.TrimPrefix(stem, "back")
	names := indexNames(n.Type, indices)
	for i, value := range indices {
		name := axisImage
		if i < len(names) {
			name = names[i]
		}
		number, _ := strconv.Atoi(value)
		switch name {
		case "y":
			s.y = number
		case "x":
			s.x = number
		case "storey":
			s.storey = number
		case axisPart:
			s.axes[axisPart] = stem + "[" + value + "]"
		default:
			s.axes[name] = value
		}
	}
	switch {
	case n.Type == node.VHCL && stem == "emptyimage":
		s.axes[axisLoad] = "empty"
	case n.Type == node.VHCL && s.axes[axisLoad] == "":
		s.axes[axisLoad] = "loaded"
	case n.Type == node.CRSS:
		s.axes[axisState] = strings.TrimSuffix(stem, "image")
	}
	return s
}

// indexNames are the axes of the indices of a key.
func indexNames(t node.Type, indices []string) []string {
	axes := object.Axes(t)
	if t == node.VHCL && !slices.Contains(compass, indices[0]) {
		return append([]string{axisLoad}, axes...) // the first index is a kind of freight
	}
	return axes
}

// Axes lists the axes of an object, such as direction or season, with more than one
// value. The first value is the default.
func Axes(n *node.Node) []Axis { return axesOf(n, views(n)) }

func axesOf(n *node.Node, list []sprite) []Axis {
	axes := []Axis{}
	for _, name := range axisOrder {
		axis := Axis{Name: name}
		for _, s := range list {
			value, ok := s.axes[name]
			if ok && !slices.ContainsFunc(axis.Values, func(v Value) bool { return v.Value == value }) {
				axis.Values = append(axis.Values, Value{Value: value})
			}
		}
		if len(axis.Values) < 2 {
			continue
		}
		axis.sort()
		for i := range axis.Values {
			axis.Values[i].Label = label(n, name, axis.Values[i].Value, len(axis.Values))
		}
		axes = append(axes, axis)
	}
	return axes
}

// sort puts numbers and directions in their usual order. The object itself, and an empty
// load, come first.
func (a *Axis) sort() {
	rank := func(v Value) int {
		if n, err := strconv.Atoi(v.Value); err == nil {
			return n
		}
		if a.Name == axisDirection {
			return slices.Index(compass, v.Value)
		}
		if v.Value == "object" || v.Value == "empty" {
			return -1
		}
		return 0
	}
	slices.SortStableFunc(a.Values, func(v, w Value) int { return cmp.Compare(rank(v), rank(w)) })
}

// seasonNames are the names of seasons for objects with four seasons; a fifth is snow.
var seasonNames = []string{"summer", "autumn", "winter", "spring", "snow"}

// label is the name of a value for people.
func label(n *node.Node, axis, value string, choices int) string {
	number, err := strconv.Atoi(value)
	if err != nil {
		return value
	}
	switch {
	case axis == axisSeason && choices == 2:
		return []string{"summer", "snow"}[min(number, 1)]
	case axis == axisSeason && number < len(seasonNames):
		return seasonNames[number]
	case axis == axisLivery:
		if liveries := liveryNames(n); number < len(liveries) {
			return liveries[number]
		}
	case axis == axisLoad:
		if goods := freightGoods(n); number < len(goods) {
			return goods[number]
		}
	}
	return value
}

// liveryNames are the names of a vehicle's liveries: its last texts, without the very
// last.
func liveryNames(n *node.Node) (names []string) {
	for _, c := range n.Children {
		if c.Type == node.TEXT {
			names = append(names, node.Display(c.Text()))
		}
	}
	d, err := object.Decode(n)
	if err != nil {
		return nil
	}
	count := int(d.Int("liveries"))
	if count == 0 || count+1 > len(names) {
		return nil
	}
	return names[len(names)-1-count : len(names)-1]
}

// freightGoods are the goods for which a vehicle has images: the references after the
// carried good. The last one repeats the carried good.
func freightGoods(n *node.Node) (goods []string) {
	for _, c := range n.Children {
		if x, ok := c.Xref(); ok && x.Type == node.GOOD {
			goods = append(goods, node.Display(x.Name))
		}
	}
	if len(goods) < 2 {
		return nil
	}
	return goods[1:]
}
