package table

import (
	"path"
	"strconv"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/nadeo/maps"
)

// Result counts what [Table.Set] did.
type Result struct {
	Blocks, Items int // numbers on the map afterwards
	// Removed and Added count blocks and items.
	Removed, Added int
	// OtherRows is the number of rows for other maps.
	OtherRows int
}

// Set makes the blocks of a map those of the table, and its items too if they
// are wanted. If the table has rows of several maps, only the rows of the map
// with this name count.
//
// Each row is paired with a block or item on the map: one that agrees with the
// whole row, else one of the row's name at its place, else one of any name at its
// place, else one of its name elsewhere. The paired thing keeps all values that
// the row does not give, and all values that tables do not show. A row without a
// pair is a new thing, whose missing values are those that the game gives. A
// thing without a row is removed.
func (t *Table) Set(m *maps.Map, name string, items bool) (Result, error) {
	rows, err := t.of(name)
	if err != nil {
		return Result{}, err
	}
	s := setter{m: m, layout: m.Layout(), models: m.Models()}
	var blockRows, itemRows []*row
	for _, r := range rows {
		if r.Kind == Item {
			itemRows = append(itemRows, r)
		} else {
			blockRows = append(blockRows, r)
		}
	}
	if len(itemRows) > 0 && !items {
		return Result{}, badAt(itemRows[0].where, "this is an item: they are set with --items")
	}
	if err := s.setBlocks(blockRows); err != nil {
		return Result{}, err
	}
	if items {
		if err := s.setItems(itemRows); err != nil {
			return Result{}, err
		}
	}
	if err := s.layout.Apply(); err != nil {
		return Result{}, err
	}
	return Result{Blocks: m.BlockCount(), Items: m.ItemCount(), Removed: s.removed, Added: s.added, OtherRows: len(t.rows) - len(rows)}, nil
}

// of returns the rows for a map: those that name it, and those that name no map. A row
// may write the map's folder differently, so if no row has the whole path, the file name
// alone decides.
func (t *Table) of(name string) ([]*row, error) {
	if len(t.rows) == 0 {
		return nil, nil
	}
	for _, same := range []func(file string) bool{
		func(file string) bool { return file == name },
		func(file string) bool { return path.Base(file) == path.Base(name) },
	} {
		var rows []*row
		for i := range t.rows {
			if r := &t.rows[i]; r.file == "" || same(r.file) {
				rows = append(rows, r)
			}
		}
		if len(rows) > 0 {
			return rows, nil
		}
	}
	return nil, fault.New(fault.BadEntry, "all %d rows are for other maps than %s", len(t.rows), name)
}

// setter is a map while its blocks and items are set.
type setter struct {
	m      *maps.Map
	layout *maps.Layout
	models *maps.Models

	removed, added int
}

// pair is the function pair, and counts rows without a partner.
func (s *setter) pair(rows []*row, shown []storage) []int {
	from := pair(rows, shown)
	s.removed += len(shown)
	for _, i := range from {
		if i < 0 {
			s.added++
		} else {
			s.removed--
		}
	}
	return from
}

func (s *setter) setBlocks(rows []*row) error {
	old := s.layout.Blocks
	shown := make([]storage, len(old))
	for i := range old {
		shown[i].block(&old[i].Block, Block)
	}
	list := make([]maps.PlacedBlock, len(rows))
	for i, from := range s.pair(rows, shown) {
		r, was := rows[i], &Thing{}
		if from >= 0 {
			list[i], was = old[from], &shown[from].Thing
		}
		b := &list[i].Block
		before := *b
		err := r.changeBlock(b, was, s.models)
		if err == nil && (from < 0 || before != *b) {
			err = s.m.CheckBlock(b)
		}
		if err != nil {
			return at(r.where, err)
		}
	}
	s.layout.Blocks = list
	return nil
}

func (s *setter) setItems(rows []*row) error {
	old := s.layout.Items
	shown := make([]storage, len(old))
	for i := range old {
		shown[i].item(&old[i].Item)
	}
	list := make([]maps.PlacedItem, len(rows))
	for i, from := range s.pair(rows, shown) {
		r, was := rows[i], &Thing{}
		list[i].Scale = 1
		if from >= 0 {
			list[i], was = old[from], &shown[from].Thing
			if r.agrees(was) {
				continue
			}
		}
		err := r.changeItem(&list[i].Item, was, s.models)
		if err == nil {
			err = s.m.CheckItem(&list[i].Item)
		}
		if err != nil {
			return at(r.where, err)
		}
	}
	s.layout.Items = list
	return nil
}

// NewBlock makes a block. Missing values get the game's defaults.
func (t *Thing) NewBlock(models *maps.Models) (b maps.Block, err error) {
	return b, t.changeBlock(&b, &Thing{}, models)
}

// NewItem makes an item. Missing values get the game's defaults.
func (t *Thing) NewItem(models *maps.Models) (maps.Item, error) {
	it := maps.Item{Scale: 1}
	return it, t.changeItem(&it, &Thing{}, models)
}

// fresh reports whether the thing has no place. That marks the empty thing, which stands
// for "not on the map before".
func (t *Thing) fresh() bool { return t.Coord == nil && t.Position == nil }

// checkName rejects a row without a name, unless the thing on the map has no name either.
func (t *Thing) checkName(was *Thing) error {
	if t.Name == "" && (was.fresh() || was.Name != "") {
		return fault.New(fault.BadEntry, "name is missing")
	}
	return nil
}

// changeBlock changes a block whose old values are was to the values of t. A new block
// has an empty was.
func (t *Thing) changeBlock(b *maps.Block, was *Thing, models *maps.Models) error {
	if err := t.checkName(was); err != nil {
		return err
	}
	renamed := was.fresh() || t.Name != was.Name
	if renamed {
		b.Name = t.Name
	}
	free := t.Position != nil
	if was.fresh() || t.spot() != was.spot() {
		if b.Free = free; free {
			b.Position = t.Position.vec3()
		} else {
			b.Coord = gbx.Int3{X: t.Coord[0], Y: t.Coord[1], Z: t.Coord[2]}
		}
	}
	if free && differs(t.Rotation, was.Rotation) {
		b.YawPitchRoll = t.Rotation.vec3()
	}
	if !free {
		set(&b.Direction, t.Direction, was.Direction)
	}
	if differs(t.Flags, was.Flags) {
		b.Flags = uint32(*t.Flags)
	}
	if differs(t.Ghost, was.Ghost) {
		b.SetGhost(*t.Ghost)
	}
	if differs(t.Ground, was.Ground) {
		b.SetGround(*t.Ground)
	}
	t.changeCommon(&b.Color, &b.Order, &b.Skin, &b.Waypoint, was)
	switch {
	case t.Author != nil && *t.Author != orEmpty(was.Author):
		b.Author = *t.Author
	case renamed && orEmpty(t.Author) == "":
		author, err := models.BlockAuthor(t.Name, "", b.Skin)
		b.Author = author
		return err
	}
	return nil
}

// changeItem changes an item whose old values are was to the values of t. A new item has
// an empty was.
func (t *Thing) changeItem(it *maps.Item, was *Thing, models *maps.Models) error {
	if err := t.checkName(was); err != nil {
		return err
	}
	if err := t.changeModel(it, was, models); err != nil {
		return err
	}
	if was.fresh() || t.spot() != was.spot() {
		it.Position = t.Position.vec3()
	}
	if differs(t.Rotation, was.Rotation) {
		it.YawPitchRoll = t.Rotation.vec3()
	}
	if differs(t.Pivot, was.Pivot) {
		it.Pivot = t.Pivot.vec3()
	}
	set(&it.Scale, t.Scale, was.Scale)
	if differs(t.Flags, was.Flags) {
		it.Flags = uint16(*t.Flags)
	}
	t.changeCommon(&it.Color, &it.Order, &it.Skin, &it.Waypoint, was)
	return nil
}

// changeModel gives an item the model that t names.
func (t *Thing) changeModel(it *maps.Item, was *Thing, models *maps.Models) error {
	author := orEmpty(t.Author)
	if was.fresh() || t.Name != was.Name {
		id, err := models.Ident(t.Name, author)
		if err != nil {
			return err
		}
		it.Model = id
	} else if author != "" && author != orEmpty(was.Author) {
		it.Model.Author = gbx.NewID(author)
	}
	if collection := orEmpty(t.Collection); collection != "" && collection != orEmpty(was.Collection) {
		it.Model.Collection = collectionID(collection)
	}
	return nil
}

// collectionID returns the ID of a collection, given its number or its name.
func collectionID(text string) gbx.ID {
	if n, err := strconv.ParseUint(text, 10, 30); err == nil {
		return gbx.NumberID(uint32(n))
	}
	return gbx.NewID(text)
}

// changeCommon changes the values that both blocks and items have. A thing that stops
// being a waypoint loses its order.
func (t *Thing) changeCommon(color, order *int, skin, waypoint *string, was *Thing) {
	oldSkin, oldWaypoint := orEmpty(was.Skin), orEmpty(was.Waypoint)
	set(color, t.Color, was.Color)
	set(order, t.Order, was.Order)
	set(skin, t.Skin, &oldSkin)
	set(waypoint, t.Waypoint, &oldWaypoint)
	if oldWaypoint != "" && *waypoint == "" {
		*order = 0
	}
}

// differs reports whether a value is given and differs from the old one.
func differs[T comparable](given, shown *T) bool {
	return given != nil && (shown == nil || *given != *shown)
}

// set changes a value if the given one differs from the old one.
func set[T comparable](to, given, shown *T) {
	if differs(given, shown) {
		*to = *given
	}
}
