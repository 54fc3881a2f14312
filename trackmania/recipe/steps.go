package recipe

import (
	"slices"
	"strings"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/lib/pathname"
	"pakbox/trackmania/maps"
)

// verbs are the steps that there are.
var verbs = map[string]func(*fields) action{
	"place": readPlace, "delete": readDelete, "replace": readReplace, "move": readMove, "turn": readTurn, "mirror": readMirror,
	"crop": readCrop, "paste": readPaste, "embed": readEmbed, "skin": readSkin, "waypoint": readWaypoint, "color": readColor,
}

const verbList = "place, delete, replace, move, turn, mirror, crop, paste, embed, skin, waypoint and color"

// placeBlock puts a block on the map.
type placeBlock struct{ block maps.Block }

// placeItem puts an item on the map.
type placeItem struct {
	name, author string
	item         maps.Item
}

func readPlace(f *fields) action {
	color, skin, waypoint, order, author := f.whole("color"), f.text("skin"), f.text("waypoint"), f.whole("order"), f.text("author")
	if f.has("item") {
		a := &placeItem{name: f.needed("item"), author: author}
		f.needed("at")
		a.item = maps.Item{
			Position: f.vector("at"), YawPitchRoll: f.vector("turned"), Pivot: f.vector("pivot"), Scale: f.number("scale"), Flags: uint16(f.flags("flags", 16)),
			Skin: skin, Waypoint: waypoint, Order: order, Color: color,
		}
		return a
	}
	if !f.has("block") {
		f.fail("place what? say block= or item=")
	}
	b := maps.Block{Name: f.needed("block"), Flags: f.flags("flags", 32), Skin: skin, Waypoint: waypoint, Order: order, Author: author, Color: color}
	if b.Free = f.has("free"); b.Free {
		b.Position, b.YawPitchRoll = f.vector("free"), f.vector("turned")
	} else {
		b.Coord, b.Direction = f.cell("at"), f.way("facing")
	}
	if f.yes("ground") {
		b.SetGround(true)
	}
	if f.yes("ghost") {
		b.SetGhost(true)
	}
	return &placeBlock{b}
}

func (a *placeBlock) do(w *work) (touched, error) {
	b := a.block
	var err error
	if b.Author, err = w.models.BlockAuthor(b.Name, b.Author, b.Skin); err != nil {
		return touched{}, err
	}
	w.layout.Blocks = append(w.layout.Blocks, maps.PlacedBlock{Block: b})
	return touched{blocks: 1}, w.m.CheckBlock(&b)
}

func (a *placeItem) do(w *work) (touched, error) {
	it := a.item
	var err error
	if it.Model, err = w.models.Named(a.name, a.author); err != nil {
		return touched{}, err
	}
	w.layout.Items = append(w.layout.Items, maps.PlacedItem{Item: it})
	return touched{items: 1}, w.m.CheckItem(&it)
}

// deletion takes things off the map.
type deletion struct {
	which which
	not   bool // all but them
}

func readDelete(f *fields) action { return &deletion{which: f.some()} }

func readCrop(f *fields) action {
	f.needed("in")
	return &deletion{which: which{in: f.box("in")}, not: true}
}

func (a *deletion) do(w *work) (touched, error) {
	l := w.layout
	blocks, items := len(l.Blocks), len(l.Items)
	l.Blocks = slices.DeleteFunc(l.Blocks, func(b maps.PlacedBlock) bool { return a.which.hasBlockOf(w.frame, &b.Block) != a.not })
	l.Items = slices.DeleteFunc(l.Items, func(it maps.PlacedItem) bool { return a.which.hasItemOf(w.frame, &it.Item) != a.not })
	return touched{blocks - len(l.Blocks), items - len(l.Items)}, nil
}

// replacement gives things another model.
type replacement struct {
	which        which
	with, author string
}

func readReplace(f *fields) action {
	a := &replacement{which: f.which(), with: f.needed("with"), author: f.text("author")}
	if a.which.hasBlock == a.which.hasItem {
		f.fail("replace what? say block= or item=")
	}
	stars := strings.Count(string(a.which.block+a.which.item), "*")
	if n := strings.Count(a.with, "*"); n > 1 || n == 1 && stars != 1 {
		f.fail("with: %q can have a * if there is just one in what it replaces", a.with)
	}
	return a
}

func (a *replacement) do(w *work) (touched, error) {
	return w.each(&a.which, func(b *maps.Block) (err error) {
		b.Name = a.which.block.with(b.Name, a.with)
		b.Author, err = w.models.BlockAuthor(b.Name, a.author, b.Skin)
		return err
	}, func(it *maps.Item) (err error) {
		it.Model, err = w.models.Named(a.which.item.with(it.Model.ID.String(), a.with), a.author)
		return err
	})
}

// motion moves things.
type motion struct {
	which which
	by    gbx.Int3
}

func readMove(f *fields) action { return &motion{f.which(), f.cell("by")} }

func (a *motion) do(w *work) (touched, error) {
	return w.each(&a.which, func(b *maps.Block) error {
		w.frame.MoveBlock(b, a.by)
		return nil
	}, func(it *maps.Item) error {
		w.frame.MoveItem(it, a.by)
		return nil
	})
}

// turning turns things.
type turning struct {
	which which
	by    int
}

func readTurn(f *fields) action {
	f.needed("by")
	return &turning{f.which(), f.whole("by")}
}

func (a *turning) do(w *work) (touched, error) {
	box, whole := a.which.in.on(w.m), a.which.in.given
	return w.each(&a.which, func(b *maps.Block) error {
		if whole {
			w.frame.TurnBlock(b, box, a.by)
		} else {
			w.frame.SpinBlock(b, a.by)
		}
		return nil
	}, func(it *maps.Item) error {
		if whole {
			w.frame.TurnItem(it, box, a.by)
		} else {
			w.frame.SpinItem(it, a.by)
		}
		return nil
	})
}

// mirroring mirrors things.
type mirroring struct {
	which which
	along maps.Axis
}

func readMirror(f *fields) action {
	f.needed("in")
	a := &mirroring{which: f.which()}
	switch v := f.needed("along"); v {
	case "x":
		a.along = maps.AxisX
	case "z":
		a.along = maps.AxisZ
	default:
		f.fail("along: %q is neither x nor z", v)
	}
	return a
}

func (a *mirroring) do(w *work) (touched, error) {
	box := a.which.in.on(w.m)
	return w.each(&a.which, func(b *maps.Block) error {
		w.frame.MirrorBlock(b, box, a.along)
		return nil
	}, func(it *maps.Item) error {
		w.frame.MirrorItem(it, box, a.along)
		return nil
	})
}

// pasting pastes a macroblock.
type pasting struct {
	file   string
	at     gbx.Int3
	facing int
}

func readPaste(f *fields) action {
	return &pasting{f.needed("macroblock"), f.cell("at"), f.way("facing")}
}

func (a *pasting) do(w *work) (t touched, err error) {
	macro, err := w.macroblock(a.file)
	if err != nil {
		return t, err
	}
	blocks, items := len(w.layout.Blocks), len(w.layout.Items)
	if err := w.layout.Paste(w.frame, macro, a.at, a.facing); err != nil {
		return t, err
	}
	for i := range w.layout.Blocks[blocks:] {
		if err := w.m.CheckBlock(&w.layout.Blocks[blocks+i].Block); err != nil {
			return t, err
		}
	}
	for i := range w.layout.Items[items:] {
		if err := w.m.CheckItem(&w.layout.Items[items+i].Item); err != nil {
			return t, err
		}
	}
	return touched{len(w.layout.Blocks) - blocks, len(w.layout.Items) - items}, nil
}

// embedding makes the map bring a file along.
type embedding struct{ file, as string }

func readEmbed(f *fields) action {
	a := &embedding{f.needed("file"), f.text("as")}
	if a.as == "" {
		a.as = maps.EmbedName(a.file)
	}
	return a
}

func (a *embedding) do(w *work) (touched, error) {
	if err := pathname.Check(a.as); err != nil {
		return touched{}, err
	}
	data, err := w.file(a.file)
	if err != nil {
		return touched{}, err
	}
	if err := w.m.AddEmbedded(a.as, data, engine.Registry()); err != nil {
		return touched{}, fault.InFile(err, a.file)
	}
	w.models, w.embedded = w.m.Models(), a.as
	return touched{}, nil
}

// dressing gives things a skin.
type dressing struct {
	which which
	skin  string
}

func readSkin(f *fields) action {
	if !f.has("to") {
		f.fail("to is missing")
	}
	return &dressing{f.some(), f.text("to")}
}

func (a *dressing) do(w *work) (touched, error) {
	return w.each(&a.which, func(b *maps.Block) (err error) {
		b.Skin = a.skin
		b.Author, err = w.models.BlockAuthor(b.Name, b.Author, b.Skin)
		return err
	}, func(it *maps.Item) error {
		it.Skin = a.skin
		return nil
	})
}

// marking makes waypoints.
type marking struct {
	which     which
	kind      string
	order     int
	all       bool // also those that are none yet
	reordered bool
}

func readWaypoint(f *fields) action {
	a := &marking{which: f.some(), kind: f.text("to"), order: f.whole("order"), all: f.has("to"), reordered: f.has("order")}
	if !a.all && !a.reordered {
		f.fail("say to= or order=")
	}
	return a
}

func (a *marking) do(w *work) (t touched, err error) {
	mark := func(waypoint *string, order *int) bool {
		if !a.all && *waypoint == "" {
			return false
		}
		if a.all {
			*waypoint = a.kind
		}
		if a.reordered {
			*order = a.order
		}
		if *waypoint == "" {
			*order = 0
		}
		return true
	}
	n := touched{}
	_, err = w.each(&a.which, func(b *maps.Block) error {
		if mark(&b.Waypoint, &b.Order) {
			n.blocks++
		}
		return nil
	}, func(it *maps.Item) error {
		if mark(&it.Waypoint, &it.Order) {
			n.items++
		}
		return nil
	})
	return n, err
}

// painting gives things a colour.
type painting struct {
	which which
	color int
}

func readColor(f *fields) action {
	f.needed("to")
	a := &painting{f.which(), f.whole("to")}
	if a.color < 0 {
		f.fail("to: there is no colour %d", a.color)
	}
	return a
}

func (a *painting) do(w *work) (touched, error) {
	return w.each(&a.which, func(b *maps.Block) error {
		b.Color = a.color
		return nil
	}, func(it *maps.Item) error {
		it.Color = a.color
		return nil
	})
}
