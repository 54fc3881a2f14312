package answer

import (
	"slices"
	"strconv"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/trackmania/maps"
)

// Set makes the blocks of a map those of the table, and its items too if they
// are wanted. Where the table tells of several maps, those of the one of that
// name count. It returns how many blocks and items the map has then.
//
// A row is the block or item that stands on the map just so; else the one of
// its name at its place, then any of its kind there, then one of its name. What
// the row does not say stays with that one, and so does what the map says about
// it that the table does not show. Other rows are new, and get what the game
// gives; what has no row goes.
func (t *PlacedTable) Set(m *maps.Map, name string, items bool) (*Object, error) {
	rows, err := t.of(name)
	if err != nil {
		return nil, err
	}
	s := placedSet{m: m, layout: m.Layout(), models: m.Models()}
	blockRows, itemRows := splitRows(rows)
	if len(itemRows) > 0 && !items {
		return nil, inRow(fault.New(fault.BadEntry, "this is an item: they are set with --items"), itemRows[0].where)
	}
	if err := s.setBlocks(blockRows); err != nil {
		return nil, err
	}
	if items {
		if err := s.setItems(itemRows); err != nil {
			return nil, err
		}
	}
	if err := s.layout.Apply(); err != nil {
		return nil, err
	}
	return new(Object).Add("block_count", m.BlockCount()).Add("item_count", m.ItemCount()), nil
}

// of returns the rows of a map.
func (t *PlacedTable) of(name string) ([]*placedRow, error) {
	var rows []*placedRow
	several := slices.ContainsFunc(t.rows, func(r placedRow) bool { return r.file != t.rows[0].file })
	for i := range t.rows {
		if r := &t.rows[i]; !several || r.file == name {
			rows = append(rows, r)
		}
	}
	if several && len(rows) == 0 {
		return nil, fault.New(fault.BadEntry, "it tells of several maps, and %s is none of them", name)
	}
	return rows, nil
}

func splitRows(rows []*placedRow) (blocks, items []*placedRow) {
	for _, r := range rows {
		if r.kind == itemKind {
			items = append(items, r)
		} else {
			blocks = append(blocks, r)
		}
	}
	return blocks, items
}

// placedSet is a map whose blocks and items are being set.
type placedSet struct {
	m      *maps.Map
	layout *maps.Layout
	models *maps.Models
}

func (s *placedSet) setBlocks(rows []*placedRow) error {
	old := s.layout.Blocks
	shown := make([]placing, len(old))
	for i := range old {
		shown[i].block(&old[i].Block, blockKind)
	}
	list := make([]maps.PlacedBlock, len(rows))
	for i, from := range pairRows(rows, shown) {
		r := rows[i]
		p := &placing{}
		if from >= 0 {
			list[i], p = old[from], &shown[from]
		}
		b := &list[i].Block
		was := *b
		err := s.changeBlock(b, r, &p.placed, from < 0)
		if err == nil && (from < 0 || was != *b) {
			err = s.m.CheckBlock(b)
		}
		if err != nil {
			return inRow(err, r.where)
		}
	}
	s.layout.Blocks = list
	return nil
}

// changeBlock makes of a block, which is shown as was, what a row says.
func (s *placedSet) changeBlock(b *maps.Block, r *placedRow, was *Placed, fresh bool) error {
	if r.name == "" && fresh {
		return fault.New(fault.BadEntry, "name is missing")
	}
	renamed := fresh || r.name != was.Name
	if renamed {
		b.Name = r.name
	}
	if fresh || r.spot() != was.rowSpot() {
		if b.Free = r.free; r.free {
			b.Position = vec3(r.at)
		} else {
			b.Coord = gbx.Int3{X: int32(r.at[0]), Y: int32(r.at[1]), Z: int32(r.at[2])}
		}
	}
	if r.free && r.rotation != nil && (was.Rotation == nil || *r.rotation != *was.Rotation) {
		b.YawPitchRoll = vec3(*r.rotation)
	}
	if !r.free {
		set(&b.Direction, r.direction, was.Direction)
	}
	if r.flags != nil && (was.Flags == nil || BlockFlags(*r.flags) != *was.Flags) {
		b.Flags = *r.flags
	}
	if r.ghost != nil && (fresh || *r.ghost != was.Ghost) {
		b.SetGhost(*r.ghost)
	}
	if r.ground != nil && (fresh || *r.ground != was.Ground) {
		b.SetGround(*r.ground)
	}
	r.changeCommon(&b.Color, &b.Order, &b.Skin, &b.Waypoint, was)
	switch {
	case r.author != nil && *r.author != orEmpty(was.Author):
		b.Author = *r.author
	case renamed && orEmpty(r.author) == "":
		author, err := s.models.BlockAuthor(r.name, "", b.Skin)
		b.Author = author
		return err
	}
	return nil
}

// set sets a value that a row gives and that differs from what was shown.
func set[T comparable](to, given, shown *T) {
	if given != nil && (shown == nil || *given != *shown) {
		*to = *given
	}
}

// changeCommon changes what blocks and items have. What is no waypoint has no
// order.
func (r *placedRow) changeCommon(color, order *int, skin, waypoint *string, was *Placed) {
	none := ""
	shown := func(s *string) *string {
		if s == nil {
			return &none
		}
		return s
	}
	set(color, r.color, was.Color)
	set(order, r.order, was.Order)
	set(skin, r.skin, shown(was.Skin))
	set(waypoint, r.waypoint, shown(was.Waypoint))
	if *waypoint == "" {
		*order = 0
	}
}

func vec3(v [3]float32) gbx.Vec3 { return gbx.Vec3{X: v[0], Y: v[1], Z: v[2]} }

func (s *placedSet) setItems(rows []*placedRow) error {
	old := s.layout.Items
	shown := make([]placing, len(old))
	for i := range old {
		shown[i].item(&old[i].Item)
	}
	list := make([]maps.PlacedItem, len(rows))
	for i, from := range pairRows(rows, shown) {
		r := rows[i]
		p := &placing{}
		list[i].Scale = 1
		if from >= 0 {
			list[i], p = old[from], &shown[from]
		}
		it := &list[i].Item
		changed, err := s.changeItem(it, r, &p.placed, from < 0)
		if err == nil && changed {
			err = s.m.CheckItem(it)
		}
		if err != nil {
			return inRow(err, r.where)
		}
	}
	s.layout.Items = list
	return nil
}

// changeItem makes of an item, which is shown as was, what a row says; it
// reports whether it did anything.
func (s *placedSet) changeItem(it *maps.Item, r *placedRow, was *Placed, fresh bool) (bool, error) {
	if !fresh && r.is(was) {
		return false, nil
	}
	if r.name == "" && fresh {
		return false, fault.New(fault.BadEntry, "name is missing")
	}
	if err := s.changeModel(it, r, was, fresh); err != nil {
		return false, err
	}
	if fresh || r.spot() != was.rowSpot() {
		it.Position = vec3(r.at)
	}
	if r.rotation != nil && (fresh || *r.rotation != *was.Rotation) {
		it.YawPitchRoll = vec3(*r.rotation)
	}
	if r.pivot != nil && (fresh || *r.pivot != *was.Pivot) {
		it.Pivot = vec3(*r.pivot)
	}
	set(&it.Scale, r.scale, was.Scale)
	if r.flags != nil && (fresh || BlockFlags(*r.flags) != *was.Flags) {
		it.Flags = uint16(*r.flags)
	}
	r.changeCommon(&it.Color, &it.Order, &it.Skin, &it.Waypoint, was)
	return true, nil
}

// changeModel gives an item the model that a row names.
func (s *placedSet) changeModel(it *maps.Item, r *placedRow, was *Placed, fresh bool) error {
	author, collection := orEmpty(r.author), orEmpty(r.collection)
	if fresh || r.name != was.Name {
		id, err := s.models.Named(r.name, author)
		if err != nil {
			return err
		}
		it.Model = id
	} else if author != "" && author != orEmpty(was.Author) {
		it.Model.Author = gbx.NewID(author)
	}
	if collection != "" && (fresh || collection != *was.Collection) {
		it.Model.Collection = collectionID(collection)
	}
	return nil
}

// collectionID is a collection by its number or its name.
func collectionID(text string) gbx.ID {
	if n, err := strconv.ParseUint(text, 10, 30); err == nil {
		return gbx.NumberID(uint32(n))
	}
	return gbx.NewID(text)
}

// rowSpot is a place that something stands at.
type rowSpot struct {
	free bool
	at   [3]float32
}

func (r *placedRow) spot() rowSpot { return rowSpot{r.free, r.at} }

func (p *Placed) rowSpot() rowSpot {
	if p.Coord != nil {
		return rowSpot{at: [3]float32{float32(p.Coord[0]), float32(p.Coord[1]), float32(p.Coord[2])}}
	}
	return rowSpot{true, *p.Position}
}

// is reports whether something is all that the row says.
func (r *placedRow) is(p *Placed) bool {
	agree := r.name == p.Name && r.spot() == p.rowSpot() &&
		agrees(r.color, p.Color) && agrees(r.order, p.Order) && agrees(r.scale, p.Scale) && agrees(r.pivot, p.Pivot) &&
		(r.free || agrees(r.direction, p.Direction)) && (!r.free || agrees(r.rotation, p.Rotation))
	for _, text := range []struct{ said, shown *string }{{r.skin, p.Skin}, {r.waypoint, p.Waypoint}, {r.author, p.Author}, {r.collection, p.Collection}} {
		agree = agree && (text.said == nil || *text.said == orEmpty(text.shown))
	}
	if r.flags != nil {
		agree = agree && p.Flags != nil && BlockFlags(*r.flags) == *p.Flags
	}
	return agree && agrees(r.ghost, &p.Ghost) && agrees(r.ground, &p.Ground)
}

// agrees reports whether what is said, if anything, is what is shown.
func agrees[T comparable](said, shown *T) bool {
	return said == nil || shown != nil && *said == *shown
}

// pairRows finds for each row the thing that it is about: its index, or -1 for
// a new one.
func pairRows(rows []*placedRow, shown []placing) []int {
	from := make([]int, len(rows))
	for i := range from {
		from[i] = -1
	}
	taken := make([]bool, len(shown))
	type key struct {
		name string
		spot rowSpot
	}
	here := func(name string, spot rowSpot) key { return key{name, spot} }
	for _, pass := range []struct {
		exact bool
		key   func(name string, spot rowSpot) key
	}{
		{true, here}, {false, here},
		{false, func(_ string, spot rowSpot) key { return key{spot: spot} }},
		{false, func(name string, _ rowSpot) key { return key{name: name} }},
	} {
		left := map[key][]int{}
		for i := range shown {
			if p := &shown[i].placed; !taken[i] {
				k := pass.key(p.Name, p.rowSpot())
				left[k] = append(left[k], i)
			}
		}
		for i, r := range rows {
			if from[i] >= 0 {
				continue
			}
			k := pass.key(r.name, r.spot())
			for n, j := range left[k][:min(len(left[k]), enough)] {
				if !pass.exact || r.is(&shown[j].placed) {
					from[i], taken[j] = j, true
					copy(left[k][1:n+1], left[k][:n])
					left[k] = left[k][1:]
					break
				}
			}
		}
	}
	return from
}

// enough is how many things of one name at one place are looked at: real maps
// have a few, and a made one shall not take for ever.
const enough = 64
