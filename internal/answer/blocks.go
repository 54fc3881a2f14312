package answer

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"pakbox/fact"
	"pakbox/gbx"
	"pakbox/trackmania/maps"
)

// Placed is a block or item on a map in JSON.
type Placed struct {
	Name      string      `json:"name"`
	Kind      string      `json:"kind"`           // block, baked, item
	Coord     *[3]int32   `json:"coord"`          // null off the grid
	Direction *int        `json:"direction"`      // null off the grid
	Position  *[3]float32 `json:"position"`       // in metres; null on the grid
	Rotation  *[3]float32 `json:"yaw_pitch_roll"` // in radians; null on the grid
	Ghost     bool        `json:"ghost"`
	Ground    bool        `json:"ground"`
	Color     *int        `json:"color"`
	Skin      *string     `json:"skin"`
	Waypoint  *string     `json:"waypoint"`
	Flags     *BlockFlags `json:"flags"`
	Order     *int        `json:"order"` // of a waypoint
	Author    *string     `json:"author"`
	// Only of items:
	Collection *string     `json:"collection"`
	Scale      *float32    `json:"scale"`
	Pivot      *[3]float32 `json:"pivot"`
}

// PlacedOn lists what stands on a map.
func PlacedOn(m *maps.Map, baked, items bool) []Placed {
	list := make([]Placed, 0, m.BlockCount())
	for p := range EachPlaced(m, baked, items) {
		list = append(list, *p)
		last := &list[len(list)-1]
		last.Coord, last.Position, last.Rotation = clone(p.Coord), clone(p.Position), clone(p.Rotation)
		last.Direction, last.Color, last.Flags = clone(p.Direction), clone(p.Color), clone(p.Flags)
		last.Skin, last.Waypoint, last.Order, last.Author = clone(p.Skin), clone(p.Waypoint), clone(p.Order), clone(p.Author)
		last.Collection, last.Scale, last.Pivot = clone(p.Collection), clone(p.Scale), clone(p.Pivot)
	}
	return list
}

func clone[T any](p *T) *T {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}

// EachPlaced goes through what stands on a map without making a list: a thing
// is there until the next one takes its place.
func EachPlaced(m *maps.Map, baked, items bool) iter.Seq[*Placed] {
	return func(yield func(*Placed) bool) {
		var p placing
		for b := range m.EachBlock() {
			if !yield(p.block(b, "block")) {
				return
			}
		}
		if baked {
			for b := range m.EachBakedBlock() {
				if !yield(p.block(b, "baked")) {
					return
				}
			}
		}
		if items {
			for _, it := range m.Items() {
				if !yield(p.item(&it)) {
					return
				}
			}
		}
	}
}

// placing is a thing with room for all that it may have.
type placing struct {
	placed                             Placed
	coord                              [3]int32
	position, rotation, pivot          [3]float32
	scale                              float32
	direction, color, order            int
	skin, waypoint, author, collection string
	flags                              BlockFlags
}

func (p *placing) block(b *maps.Block, kind string) *Placed {
	p.flags = BlockFlags(b.Flags)
	p.placed = Placed{Name: b.Name, Kind: kind, Ghost: b.Ghost(), Ground: b.Ground(), Flags: &p.flags}
	p.common(b.Waypoint, b.Order, b.Color, b.Skin, b.Author)
	if b.Free {
		p.place(b.Position, b.YawPitchRoll)
	} else {
		p.coord, p.direction = [3]int32{b.Coord.X, b.Coord.Y, b.Coord.Z}, b.Direction
		p.placed.Coord, p.placed.Direction = &p.coord, &p.direction
	}
	return &p.placed
}

func (p *placing) item(it *maps.Item) *Placed {
	p.flags, p.collection, p.scale, p.pivot = BlockFlags(it.Flags), it.Model.Collection.String(), jsonFloat(it.Scale), floats(it.Pivot)
	p.placed = Placed{Name: it.Model.ID.String(), Kind: "item", Flags: &p.flags, Collection: &p.collection, Scale: &p.scale, Pivot: &p.pivot}
	p.common(it.Waypoint, it.Order, it.Color, it.Skin, it.Model.Author.String())
	p.place(it.Position, it.YawPitchRoll)
	return &p.placed
}

// common is what blocks and items have.
func (p *placing) common(waypoint string, order, color int, skin, author string) {
	if p.waypoint, p.order = waypoint, order; waypoint != "" {
		p.placed.Waypoint, p.placed.Order = &p.waypoint, &p.order
	}
	if p.skin = skin; skin != "" {
		p.placed.Skin = &p.skin
	}
	if p.author = author; author != "" {
		p.placed.Author = &p.author
	}
	if p.color = color; color >= 0 {
		p.placed.Color = &p.color
	}
}

// place is where something stands that is off the grid.
func (p *placing) place(position, rotation gbx.Vec3) {
	p.position, p.rotation = floats(position), floats(rotation)
	p.placed.Position, p.placed.Rotation = &p.position, &p.rotation
}

// BlockFlags are the flags of a block or item as they are stored; JSON has them
// in hexadecimal.
type BlockFlags uint32

// MarshalText gives eight digits.
func (f BlockFlags) MarshalText() ([]byte, error) { return f.append(nil), nil }

func (f BlockFlags) append(b []byte) []byte {
	const digits = "0123456789ABCDEF"
	for shift := 28; shift >= 0; shift -= 4 {
		b = append(b, digits[f>>shift&0xF])
	}
	return b
}

func floats(v gbx.Vec3) [3]float32 {
	return [3]float32{jsonFloat(v.X), jsonFloat(v.Y), jsonFloat(v.Z)}
}

// jsonFloat replaces what JSON cannot say by zero.
func jsonFloat(f float32) float32 {
	if f-f != 0 {
		return 0
	}
	return f
}

// BlockColumns are the columns of blocks in a table.
var BlockColumns = []string{"name", "kind", "x", "y", "z", "direction", "unit", "yaw", "pitch", "roll", "ghost", "ground", "color", "skin", "waypoint", "flags",
	"order", "author", "collection", "scale", "pivot_x", "pivot_y", "pivot_z"}

// Row is a block or item as a row of a table.
func (p *Placed) Row() []string {
	row := make([]string, 0, len(BlockColumns))
	p.cells(nil, func(b []byte, s string) []byte { return append(b, s...) }, func(b []byte) []byte {
		row = append(row, string(b))
		return b[:0]
	})
	return row
}

// AppendCSV appends a block or item as the rest of a line of CSV, behind the
// name of its file: the columns are those of PlacedColumns.
func (p *Placed) AppendCSV(b []byte) []byte {
	b = p.cells(append(b, ','), AppendCSVText, func(b []byte) []byte { return append(b, ',') })
	b[len(b)-1] = '\n'
	return b
}

// AppendCSVText appends a text, in quotes where CSV asks for them.
func AppendCSVText(b []byte, s string) []byte {
	if s == "" || s[0] != ' ' && !needsQuotes(s) && s != `\.` {
		return append(b, s...)
	}
	return append(append(append(b, '"'), strings.ReplaceAll(s, `"`, `""`)...), '"')
}

func needsQuotes(s string) bool {
	for i := range len(s) {
		switch s[i] {
		case '"', '\r', '\n', ',':
			return true
		}
	}
	return false
}

// cells appends the cells of a row. Text appends one that may hold anything,
// end ends each.
func (p *Placed) cells(b []byte, text func([]byte, string) []byte, end func([]byte) []byte) []byte {
	b = end(text(b, p.Name))
	b = end(append(b, p.Kind...))
	if p.Coord != nil {
		for _, c := range p.Coord {
			b = end(strconv.AppendInt(b, int64(c), 10))
		}
		b = end(strconv.AppendInt(b, int64(*p.Direction), 10))
		b = end(append(b, "block"...))
		b = end(end(end(b)))
	} else {
		for _, c := range p.Position {
			b = end(appendFloat(b, c))
		}
		b = end(append(end(b), "metre"...))
		for _, c := range p.Rotation {
			b = end(appendFloat(b, c))
		}
	}
	b = end(strconv.AppendBool(b, p.Ghost))
	b = end(strconv.AppendBool(b, p.Ground))
	if p.Color != nil {
		b = strconv.AppendInt(b, int64(*p.Color), 10)
	}
	b = end(text(end(b), orEmpty(p.Skin)))
	b = end(text(b, orEmpty(p.Waypoint)))
	if p.Flags != nil {
		b = p.Flags.append(b)
	}
	b = end(b)
	if p.Order != nil {
		b = strconv.AppendInt(b, int64(*p.Order), 10)
	}
	b = end(text(end(b), orEmpty(p.Author)))
	b = end(text(b, orEmpty(p.Collection)))
	if p.Scale == nil {
		return end(end(end(end(b))))
	}
	b = end(appendFloat(b, *p.Scale))
	for _, c := range p.Pivot {
		b = end(appendFloat(b, c))
	}
	return b
}

// appendFloat appends a number with as many digits as it takes to read the same
// one back.
func appendFloat(b []byte, f float32) []byte { return appendNumber(b, float64(f), -1, 32) }

// PlacedFacts are the columns of a table of blocks and items on several maps.
var PlacedFacts = placedFacts()

func placedFacts() []*fact.Fact {
	kinds := map[string]fact.Kind{
		"x": fact.Number, "y": fact.Number, "z": fact.Number, "direction": fact.Count, "yaw": fact.Number, "pitch": fact.Number, "roll": fact.Number,
		"ghost": fact.Flag, "ground": fact.Flag, "color": fact.Count, "order": fact.Count, "scale": fact.Number,
		"pivot_x": fact.Number, "pivot_y": fact.Number, "pivot_z": fact.Number,
	}
	list := []*fact.Fact{{Name: "file", Kind: fact.Text}}
	for _, name := range BlockColumns {
		kind := kinds[name]
		if kind == "" {
			kind = fact.Text
		}
		list = append(list, &fact.Fact{Name: name, Kind: kind})
	}
	return list
}

// TableRow is a block or item as a row of a table.
func (p *Placed) TableRow(file string) fact.Record {
	cells := []any{file, p.Name, p.Kind}
	if p.Coord != nil {
		for _, c := range p.Coord {
			cells = append(cells, int(c))
		}
		cells = append(cells, *p.Direction, "block", nil, nil, nil)
	} else {
		for _, c := range p.Position {
			cells = append(cells, c)
		}
		cells = append(cells, nil, "metre")
		for _, c := range p.Rotation {
			cells = append(cells, c)
		}
	}
	var color, flags, order, scale, pivotX, pivotY, pivotZ any
	if p.Order != nil {
		order = *p.Order
	}
	if p.Scale != nil {
		scale, pivotX, pivotY, pivotZ = *p.Scale, p.Pivot[0], p.Pivot[1], p.Pivot[2]
	}
	if p.Flags != nil {
		flags = string(p.Flags.append(nil))
	}
	if p.Color != nil {
		color = *p.Color
	}
	return fact.Cells(PlacedFacts, append(cells, p.Ghost, p.Ground, color, orEmpty(p.Skin), orEmpty(p.Waypoint), flags,
		order, orEmpty(p.Author), orEmpty(p.Collection), scale, pivotX, pivotY, pivotZ)...)
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// NameCount is how often something stands on a map.
type NameCount struct {
	Name  string `json:"name"`
	Kind  string `json:"kind"`
	Count int    `json:"count"`
}

// CountPlaced counts things by their kinds and names, most first.
func CountPlaced(list []Placed) []NameCount {
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

// CountObject is the count of things as JSON.
func CountObject(name string, total int, counts []NameCount) *Object {
	return New("map.blocks", name, "gbx").Add("count", total).Add("by_name", counts)
}

// BlocksObject is the list of things as JSON.
func BlocksObject(name string, list []Placed) *Object {
	return New("map.blocks", name, "gbx").Add("blocks", list)
}
