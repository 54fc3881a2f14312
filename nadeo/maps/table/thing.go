// Package table writes the blocks and items of a map as rows for spreadsheets and as
// JSON, and sets the blocks and items of a map from edited rows.
package table

import (
	"encoding/json"
	"iter"
	"slices"
	"strconv"
	"strings"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/nadeo/maps"
)

// The kinds of things.
const (
	Block = "block"
	Baked = "baked" // a block that the game adds by itself
	Item  = "item"
)

// Thing is a block or item on a map. A nil field has no value; in an edited row it means
// that the value is not given.
type Thing struct {
	Name      string  `json:"name"`
	Kind      string  `json:"kind"`
	Coord     *Cell   `json:"coord"`          // nil for a thing off the grid
	Direction *int    `json:"direction"`      // nil for a thing off the grid
	Position  *Vector `json:"position"`       // in metres; nil for a thing on the grid
	Rotation  *Vector `json:"yaw_pitch_roll"` // in radians; nil on the grid
	Ghost     *bool   `json:"ghost"`
	Ground    *bool   `json:"ground"`
	Color     *int    `json:"color"`
	Skin      *string `json:"skin"`
	Waypoint  *string `json:"waypoint"`
	Flags     *Flags  `json:"flags"`
	Order     *int    `json:"order"` // of a waypoint
	Author    *string `json:"author"`
	// Items only:
	Collection *string  `json:"collection"`
	Scale      *float32 `json:"scale"`
	Pivot      *Vector  `json:"pivot"`
}

// Cell is a place on the grid, in blocks.
type Cell [3]int32

// Vector is a place in metres, or angles in radians.
type Vector [3]float32

// UnmarshalJSON reads a list of three whole numbers.
func (c *Cell) UnmarshalJSON(data []byte) error { return three((*[3]int32)(c), data) }

// UnmarshalJSON reads a list of three numbers.
func (v *Vector) UnmarshalJSON(data []byte) error { return three((*[3]float32)(v), data) }

func three[T any](to *[3]T, data []byte) error {
	var list []T
	if err := json.Unmarshal(data, &list); err != nil {
		return err
	}
	if len(list) != len(to) {
		return fault.New(fault.BadEntry, "%s is not a list of three numbers", data)
	}
	*to = [3]T(list)
	return nil
}

func (v *Vector) vec3() gbx.Vec3 { return gbx.Vec3{X: v[0], Y: v[1], Z: v[2]} }

// Flags are the flags of a block or item as the map stores them. In JSON they are eight
// hexadecimal digits.
type Flags uint32

// MarshalText writes eight digits.
func (f Flags) MarshalText() ([]byte, error) { return f.append(nil), nil }

// UnmarshalText reads up to eight digits.
func (f *Flags) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 16, 32)
	if err != nil {
		return fault.New(fault.BadEntry, "flags: %q is not a hexadecimal number", text)
	}
	*f = Flags(n)
	return nil
}

func (f Flags) append(b []byte) []byte {
	const digits = "0123456789ABCDEF"
	for shift := 28; shift >= 0; shift -= 4 {
		b = append(b, digits[f>>shift&0xF])
	}
	return b
}

// Holder is a map or a macroblock.
type Holder interface {
	EachBlock() iter.Seq[*maps.Block]
	EachBakedBlock() iter.Seq[*maps.Block]
	BlockCount() int
	Items() []maps.Item
}

// On lists the things on a map. baked includes the blocks that the game added; items
// includes the items.
func On(m Holder, baked, items bool) []Thing {
	list := make([]Thing, 0, m.BlockCount())
	for t := range Each(m, baked, items) {
		list = append(list, t.clone())
	}
	return list
}

func (t *Thing) clone() Thing {
	c := *t
	c.Coord, c.Position, c.Rotation = clone(t.Coord), clone(t.Position), clone(t.Rotation)
	c.Direction, c.Ghost, c.Ground, c.Color, c.Flags = clone(t.Direction), clone(t.Ghost), clone(t.Ground), clone(t.Color), clone(t.Flags)
	c.Skin, c.Waypoint, c.Order, c.Author = clone(t.Skin), clone(t.Waypoint), clone(t.Order), clone(t.Author)
	c.Collection, c.Scale, c.Pivot = clone(t.Collection), clone(t.Scale), clone(t.Pivot)
	return c
}

func clone[T any](p *T) *T {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}

// Each iterates over the things on a map without making a list. A thing is valid until
// the next one.
func Each(m Holder, baked, items bool) iter.Seq[*Thing] {
	return func(yield func(*Thing) bool) {
		var s storage
		for b := range m.EachBlock() {
			if !yield(s.block(b, Block)) {
				return
			}
		}
		if baked {
			for b := range m.EachBakedBlock() {
				if !yield(s.block(b, Baked)) {
					return
				}
			}
		}
		if items {
			for _, it := range m.Items() {
				if !yield(s.item(&it)) {
					return
				}
			}
		}
	}
}

// storage is a thing together with the values that its pointer fields point to, so that
// it needs one allocation at most.
type storage struct {
	Thing
	coord                              Cell
	position, rotation, pivot          Vector
	scale                              float32
	direction, color, order            int
	ghost, ground                      bool
	skin, waypoint, author, collection string
	flags                              Flags
}

func (s *storage) block(b *maps.Block, kind string) *Thing {
	s.flags, s.ghost, s.ground = Flags(b.Flags), b.Ghost(), b.Ground()
	s.Thing = Thing{Name: b.Name, Kind: kind, Ghost: &s.ghost, Ground: &s.ground, Flags: &s.flags}
	s.common(b.Waypoint, b.Order, b.Color, b.Skin, b.Author)
	if b.Free {
		s.offGrid(b.Position, b.YawPitchRoll)
	} else {
		s.coord, s.direction = Cell{b.Coord.X, b.Coord.Y, b.Coord.Z}, b.Direction
		s.Coord, s.Direction = &s.coord, &s.direction
	}
	return &s.Thing
}

func (s *storage) item(it *maps.Item) *Thing {
	s.flags, s.collection, s.scale, s.pivot = Flags(it.Flags), it.Model.Collection.String(), finite(it.Scale), vector(it.Pivot)
	s.ghost, s.ground = false, false
	s.Thing = Thing{
		Name: it.Model.ID.String(), Kind: Item, Ghost: &s.ghost, Ground: &s.ground, Flags: &s.flags,
		Collection: &s.collection, Scale: &s.scale, Pivot: &s.pivot,
	}
	s.common(it.Waypoint, it.Order, it.Color, it.Skin, it.Model.Author.String())
	s.offGrid(it.Position, it.YawPitchRoll)
	return &s.Thing
}

// common sets the fields that both blocks and items have.
func (s *storage) common(waypoint string, order, color int, skin, author string) {
	if s.waypoint, s.order = waypoint, order; waypoint != "" {
		s.Waypoint, s.Order = &s.waypoint, &s.order
	}
	if s.skin = skin; skin != "" {
		s.Skin = &s.skin
	}
	if s.author = author; author != "" {
		s.Author = &s.author
	}
	if s.color = color; color >= 0 {
		s.Color = &s.color
	}
}

// offGrid sets the place of a thing that does not stand on the grid.
func (s *storage) offGrid(position, rotation gbx.Vec3) {
	s.position, s.rotation = vector(position), vector(rotation)
	s.Position, s.Rotation = &s.position, &s.rotation
}

func vector(v gbx.Vec3) Vector { return Vector{finite(v.X), finite(v.Y), finite(v.Z)} }

// finite replaces numbers that JSON cannot express by zero.
func finite(f float32) float32 {
	if f-f != 0 {
		return 0
	}
	return f
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// NameCount is the number of things with one kind and name.
type NameCount struct {
	Name  string `json:"name" doc:"name of the block or item"`
	Kind  string `json:"kind" doc:"block, free block, baked block or item"`
	Count int    `json:"count" doc:"number of them"`
}

// Count counts things by kind and name, most frequent first.
func Count(list []Thing) []NameCount {
	at := map[[2]string]int{}
	counts := []NameCount{}
	for i := range list {
		key := [2]string{list[i].Kind, list[i].Name}
		if _, ok := at[key]; !ok {
			at[key] = len(counts)
			counts = append(counts, NameCount{Name: list[i].Name, Kind: list[i].Kind})
		}
		counts[at[key]].Count++
	}
	slices.SortStableFunc(counts, func(x, y NameCount) int {
		if d := y.Count - x.Count; d != 0 {
			return d
		}
		return strings.Compare(x.Name, y.Name)
	})
	return counts
}
