package recipe

import (
	"slices"
	"strings"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/internal/lib/pathname"
	"pakbox/nadeo/lint"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/maps/table"
)

// verbs are the known steps.
var verbs = map[string]func(*fields) action{
	"place": readPlace, "delete": readDelete, "replace": readReplace, "move": readMove, "turn": readTurn, "mirror": readMirror,
	"crop": readCrop, "paste": readPaste, "embed": readEmbed, "skin": readSkin, "waypoint": readWaypoint, "color": readColor,
	roadVerb: readRoad,
}

const verbList = "place, delete, replace, move, turn, mirror, crop, paste, embed, skin, waypoint, color and road"

// placement adds a new block or item to the map.
type placement struct{ thing table.Thing }

func readPlace(f *fields) action {
	t := table.Thing{
		Kind: table.Block, Color: f.Integer("color"), Order: f.Integer("order"), Flags: f.Flags("flags"),
		Skin: f.Text("skin"), Waypoint: f.Text("waypoint"), Author: f.Text("author"),
	}
	if f.has("item") {
		t.Kind, t.Name = table.Item, f.needed("item")
		f.needed("at")
		t.Position, t.Rotation, t.Pivot, t.Scale = f.Vector("at"), f.Vector("turned"), f.Vector("pivot"), f.Number("scale")
	} else {
		if !f.has("block") {
			f.Fail("place what? say block= or item=")
		}
		t.Name, t.Ground, t.Ghost = f.needed("block"), f.Flag("ground"), f.Flag("ghost")
		if t.Position = f.Vector("free"); t.Position != nil {
			t.Rotation = f.Vector("turned")
		} else {
			at := f.cell("at")
			t.Coord, t.Direction = &at, f.way("facing")
		}
	}
	if err := t.Check(); err != nil && f.Err == nil {
		f.Err = err
	}
	return &placement{t}
}

func (a *placement) do(w *work) (touched, error) {
	if a.thing.Kind == table.Item {
		it, err := a.thing.NewItem(w.models)
		if err != nil {
			return touched{}, err
		}
		w.layout.Items = append(w.layout.Items, maps.PlacedItem{Item: it})
		return touched{items: 1}, w.m.CheckItem(&it)
	}
	b, err := a.thing.NewBlock(w.models)
	if err != nil {
		return touched{}, err
	}
	a.complete(w, &b)
	if !w.m.OnMap(&b) {
		return touched{}, fault.New(fault.Limit, "%s does not lie on the map: it would stand at %d %d %d", b.Name, b.Coord.X, b.Coord.Y, b.Coord.Z)
	}
	w.layout.Blocks = append(w.layout.Blocks, maps.PlacedBlock{Block: b})
	return touched{blocks: 1}, w.m.CheckBlock(&b)
}

// complete fills in the values of a new block that the recipe does not give, as the game
// would: the waypoint of its role, and whether it stands on the ground.
func (a *placement) complete(w *work, b *maps.Block) {
	kind := w.m.Kind(b)
	if kind == nil || a.thing.Flags != nil {
		return
	}
	if a.thing.Waypoint == nil && w.m.Title() != "" { // older maps need no tag: the name is enough
		b.Waypoint = kind.Role.Waypoint()
	}
	if level, ok := w.m.GroundLevel(); ok && a.thing.Ground == nil && !b.Free && b.Coord.Y == level {
		b.SetGround(true)
	}
}

// deletion removes blocks and items from the map.
type deletion struct {
	which which
	not   bool // remove all the others instead
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

// replacement gives blocks and items another model.
type replacement struct {
	which        which
	with, author string
}

func readReplace(f *fields) action {
	a := &replacement{which: f.which(), with: f.needed("with"), author: f.text("author")}
	if a.which.hasBlock == a.which.hasItem {
		f.Fail("replace what? say block= or item=")
	}
	stars := strings.Count(string(a.which.block+a.which.item), "*")
	if n := strings.Count(a.with, "*"); n > 1 || n == 1 && stars != 1 {
		f.Fail("with: %q can have a * if there is just one in what it replaces", a.with)
	}
	return a
}

func (a *replacement) do(w *work) (touched, error) {
	return w.each(&a.which, func(b *maps.Block) (err error) {
		b.Name = a.which.block.with(b.Name, a.with)
		b.Author, err = w.models.BlockAuthor(b.Name, a.author, b.Skin)
		return err
	}, func(it *maps.Item) (err error) {
		it.Model, err = w.models.Ident(a.which.item.with(it.Model.ID.String(), a.with), a.author)
		return err
	})
}

func int3(c table.Cell) gbx.Int3 { return gbx.Int3{X: c[0], Y: c[1], Z: c[2]} }

// motion moves blocks and items.
type motion struct {
	which which
	by    gbx.Int3
}

func readMove(f *fields) action { return &motion{f.which(), int3(f.cell("by"))} }

func (a *motion) do(w *work) (touched, error) {
	return w.each(&a.which, func(b *maps.Block) error {
		w.frame.MoveBlock(b, a.by)
		return nil
	}, func(it *maps.Item) error {
		w.frame.MoveItem(it, a.by)
		return nil
	})
}

// turning turns blocks and items.
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
	if whole && a.by%4 != 0 {
		if err := w.known(&a.which, "turn", w.frame.Turnable); err != nil {
			return touched{}, err
		}
	}
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

// mirroring mirrors blocks and items.
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
		f.Fail("along: %q is neither x nor z", v)
	}
	return a
}

func (a *mirroring) do(w *work) (touched, error) {
	box := a.which.in.on(w.m)
	if err := w.known(&a.which, "mirror", w.frame.Mirrorable); err != nil {
		return touched{}, err
	}
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
	a := &pasting{file: f.needed("macroblock"), at: int3(f.cell("at"))}
	if way := f.way("facing"); way != nil {
		a.facing = *way
	}
	return a
}

func (a *pasting) do(w *work) (t touched, err error) {
	macro, err := w.macroblock(a.file)
	if err != nil {
		return t, err
	}
	for _, f := range lint.Macroblock(macro, w.m.Collection()) {
		if f.Rule == "foreign_macroblock" && !w.allowUnknown {
			return t, fault.New(fault.Unsupported, "the macroblock is of another game: %s", f.Message)
		}
	}
	blocks, items := len(w.layout.Blocks), len(w.layout.Items)
	if err := w.layout.Paste(w.frame, macro, a.at, a.facing); err != nil {
		return t, err
	}
	for i := range w.layout.Blocks[blocks:] {
		b := &w.layout.Blocks[blocks+i].Block
		if !w.m.OnMap(b) {
			return t, fault.New(fault.Limit, "%s of the macroblock does not lie on the map: it would stand at %d %d %d", b.Name, b.Coord.X, b.Coord.Y, b.Coord.Z)
		}
		if err := w.m.CheckBlock(b); err != nil {
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

// embedding embeds a file in the map.
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
	if err := w.m.AddEmbedded(a.as, data); err != nil {
		return touched{}, fault.InFile(err, a.file)
	}
	w.models, w.embedded = w.m.Models(), a.as
	return touched{}, nil
}

// dressing sets the skin of blocks and items.
type dressing struct {
	which which
	skin  string
}

func readSkin(f *fields) action {
	if !f.has("to") {
		f.Fail("to is missing")
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

// marking sets the waypoint or the order of blocks and items.
type marking struct {
	which     which
	kind      string
	order     int
	all       bool // change those without a waypoint too
	reordered bool
}

func readWaypoint(f *fields) action {
	a := &marking{which: f.some(), kind: f.text("to"), order: f.whole("order"), all: f.has("to"), reordered: f.has("order")}
	if !a.all && !a.reordered {
		f.Fail("say to= or order=")
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

// painting sets the colour of blocks and items.
type painting struct {
	which which
	color int
}

func readColor(f *fields) action {
	f.needed("to")
	a := &painting{f.which(), f.whole("to")}
	if a.color < 0 {
		f.Fail("to: colour %d is out of range; expected 0 or more", a.color)
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
