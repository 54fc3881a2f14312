package lint

import (
	"fmt"
	"slices"
	"strings"

	"pakbox/finding"
	"pakbox/gbx"
	"pakbox/internal/lib/spell"
	"pakbox/nadeo/blocks"
	"pakbox/nadeo/maps"
)

// thingRules are rules about single blocks and items.
var thingRules = []Rule{
	{Name: "unknown_block", Fact: "M20", Severity: finding.Warning, Evidence: Tested, check: unknownBlocks,
		Means: "The catalogue of the environment has no block of this name, and the map does not embed it. Where the game does not have it either, Trackmania (2020) hangs while it loads the map.",
		Mend:  "Replace it by a block that the game has."},
	{Name: "foreign_block", Fact: "M20", Severity: finding.Warning, Evidence: Measured, check: foreignBlocks,
		Means: "The block belongs to another environment or another game than the map.",
		Mend:  "Replace the block."},
	{Name: "unknown_item", Fact: "E06", Severity: finding.Warning, Evidence: Tested, check: unknownItems,
		Means: "The game brings no item of this name along, as far as known. Upper and lower case count: an item that is written in another way is not shown.",
		Mend:  "Replace the item."},
	{Name: "foreign_item", Fact: "M21", Severity: finding.Error, Evidence: Tested, check: foreignItems,
		Means: "The item belongs to another environment. The editor shows it; in play the game reports \"Missing Items\".",
		Mend:  "Replace it with one of the environment."},
	{Name: "waypoint_tag", Fact: "M14", Severity: finding.Note, Evidence: Tested, check: waypointTags,
		Means: "A block or item is tagged as another waypoint than its model is. The model decides; the game ignores the tag.",
		Mend:  "Set the tag of the model."},
	{Name: "duplicates", Fact: "M16", Severity: finding.Note, Evidence: Tested, check: duplicates,
		Means: "Two blocks or two items of one model stand at the same place and are turned alike. The game keeps one.",
		Mend:  "Delete one."},
	{Name: "item_scale", Fact: "M17 I27", Severity: finding.Note, Evidence: Tested, check: itemScales,
		Means: "An item has another scale than 1, and is not made in the game's mesh modeler. The game ignores its scale.",
		Mend:  "Scale the mesh of the item."},
	{Name: "item_skin", Fact: "M18", Severity: finding.Note, Evidence: Tested, check: itemSkins,
		Means: "An item that the map embeds has a skin, and its model takes none. The game does not show the skin.",
		Mend:  "Take the skin off."},
	{Name: "stray_pieces", Severity: finding.Warning, Evidence: Tested, check: strayPieces,
		Means: "Posts or beams of a gate are on the map, and the gate is not near them. The game shows nothing there, and cars crash. Another program deleted or moved the gate alone.",
		Mend:  "Open the map in the editor of the game and save it, or place the gate there again and delete it with pakbox."},
	{Name: "off_map", Severity: finding.Warning, Evidence: Measured, check: offMap,
		Means: "A block stands outside of the map.",
		Mend:  "Move it, or make the map larger."},
	{Name: "overlap", Severity: finding.Note, Evidence: Measured, check: overlaps,
		Means: "Two blocks take the same cell, and neither was placed as a ghost block. The editors of the games allow it for few blocks.",
		Mend:  "Move one, or make it a ghost block."},
}

// named is a name, and how often it occurs.
type named struct {
	name  string
	count int
}

// counted turns counts into a list sorted by name.
func counted(counts map[string]int) []named {
	list := make([]named, 0, len(counts))
	for name, n := range counts {
		list = append(list, named{name, n})
	}
	slices.SortFunc(list, func(a, b named) int { return strings.Compare(a.name, b.name) })
	return list
}

// unknownNames lists the names that are not in the environment's catalogue.
func (c *checked) unknownNames(each func(yield func(string, int))) []named {
	if !blocks.Knows(c.environment()) {
		return nil
	}
	counts := map[string]int{}
	each(func(name string, n int) {
		if !maps.IsOwnModel(name, "") && blocks.Find(c.environment(), name) == nil {
			counts[name] += n
		}
	})
	return counted(counts)
}

func (c *checked) unknownBlockNames() []named {
	return c.unknownNames(func(yield func(string, int)) {
		for i := range c.blocks {
			yield(c.blocks[i].Name, 1)
		}
	})
}

// didYouMean suggests names that are similar to an unknown one. It looks for them only when
// it is printed: a map can have very many unknown names, and few of them are reported.
type didYouMean struct {
	name  string
	names func(collection string) []string
	in    string // the collection
}

func (d didYouMean) String() string {
	if near := spell.Near(d.name, d.names(d.in), 2); len(near) > 0 {
		return "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return ""
}

// complete lists the environments for which the catalogue has all blocks, taken from
// lists of the games themselves. For the other environments the blocks were collected
// from maps.
var complete = []string{"Stadium2020", "Stadium", "Desert", "Speed", "Snow", "Alpine", "Rally", "Island", "Bay", "Coast"}

// doubt returns the severity of a block that is not in the catalogue. It is only a note
// if the catalogue may be incomplete, or if the map's title pack may provide the block.
func (c *checked) doubt() finding.Severity {
	if !slices.Contains(complete, c.environment()) || c.Map != nil && ownTitle(c.Title()) {
		return finding.Note
	}
	return finding.Warning
}

// ownTitle reports whether a title pack was made by players. Such packs may provide
// blocks and items of their own.
func ownTitle(title string) bool {
	return strings.Contains(title, "@") && !strings.HasSuffix(strings.ToLower(title), "@nadeo")
}

func unknownBlocks(c *checked) {
	for _, u := range c.unknownBlockNames() {
		if len(blocks.EnvironmentsWith(u.name)) == 0 {
			c.sayAs(c.doubt(), "%s (%d) is not known%s", u.name, u.count, didYouMean{u.name, blocks.Names, c.environment()})
		}
	}
}

func foreignBlocks(c *checked) {
	for _, u := range c.unknownBlockNames() {
		if others := blocks.EnvironmentsWith(u.name); len(others) > 0 {
			c.sayAs(c.doubt(), "%s (%d) belongs to %s, not to %s", u.name, u.count, strings.Join(others, ", "), c.environment())
		}
	}
}

// stockItems counts the items that are neither embedded nor in the environment's
// catalogue.
func (c *checked) stockItems() []named {
	if len(blocks.ItemNames(c.environment())) < 100 {
		return nil // the catalogue of this environment is not complete
	}
	counts := map[string]int{}
	for i := range c.items {
		model := &c.items[i].Model
		if name := model.ID.String(); !maps.IsOwnModel(name, "") && name != "" && blocks.FindItem(c.environment(), name) == nil {
			counts[name]++
		}
	}
	return counted(counts)
}

func unknownItems(c *checked) {
	for _, u := range c.stockItems() {
		if blocks.ItemEnvironment(u.name) == "" {
			c.say("%s (%d) is not known%s", u.name, u.count, didYouMean{u.name, blocks.ItemNames, c.environment()})
		}
	}
}

func foreignItems(c *checked) {
	for _, u := range c.stockItems() {
		if other := blocks.ItemEnvironment(u.name); other != "" {
			c.say("%s (%d) belongs to %s, not to %s", u.name, u.count, other, c.environment())
		}
	}
}

func waypointTags(c *checked) {
	wrong := map[string]int{}
	compare := func(name, tag string, role blocks.Role) {
		want := role.Waypoint()
		if tag != "" && tag != want && !(tag == "LinkedCheckpoint" && want == "Checkpoint") {
			wrong[fmt.Sprintf("%s is tagged %s, and its model is %s", name, tag, role)]++
		}
	}
	for i := range c.blocks {
		if b := &c.blocks[i]; b.Waypoint != "" {
			if kind := c.kind(b); kind != nil && kind.Environment == "Stadium2020" {
				compare(b.Name, b.Waypoint, kind.Role)
			}
		}
	}
	for i := range c.items {
		it := &c.items[i]
		if stock := blocks.FindItem(c.environment(), it.Model.ID.String()); stock != nil && it.Waypoint != "" && stock.Role != blocks.NoRole {
			compare(stock.Name, it.Waypoint, stock.Role)
		}
	}
	for _, w := range counted(wrong) {
		c.say("%s (%d)", w.name, w.count)
	}
}

func duplicates(c *checked) {
	type place struct {
		name      string
		at        gbx.Int3
		direction int
		flags     uint32
		metres    gbx.Vec3
		turned    gbx.Vec3
	}
	seen, twice := map[place]bool{}, map[string]int{}
	add := func(p place, name string) {
		if seen[p] {
			twice[name]++
		}
		seen[p] = true
	}
	for i := range c.blocks {
		b := &c.blocks[i]
		p := place{name: "block " + b.Name, metres: b.Position, turned: b.YawPitchRoll}
		if !b.Free {
			p.at, p.direction, p.flags = b.Coord, b.Direction, b.Flags
		}
		add(p, b.Name)
	}
	for i := range c.items {
		it := &c.items[i]
		add(place{name: "item " + it.Model.ID.String(), metres: it.Position, turned: it.YawPitchRoll, flags: uint32(it.Flags), at: gbx.Int3{}}, it.Model.ID.String())
	}
	for _, t := range counted(twice) {
		c.say("%s stands %d times where another one stands", t.name, t.count)
	}
}

func itemScales(c *checked) {
	if !c.is2020() {
		return
	}
	scaled := map[string]int{}
	for i := range c.items {
		it := &c.items[i]
		if it.Scale == 1 {
			continue
		}
		if m := c.model(it.Model.ID.String()); m == nil && !maps.IsOwnModel(it.Model.ID.String(), "") || m != nil && !m.crystal {
			scaled[it.Model.ID.String()]++
		}
	}
	for _, s := range counted(scaled) {
		c.say("%s (%d) is scaled, which the game ignores", s.name, s.count)
	}
}

func itemSkins(c *checked) {
	if !c.is2020() {
		return
	}
	dressed := map[string]int{}
	for i := range c.items {
		it := &c.items[i]
		if m := c.model(it.Model.ID.String()); m != nil && !m.skinned && it.Skin != "" {
			dressed[it.Model.ID.String()]++
		}
	}
	for _, s := range counted(dressed) {
		c.say("%s (%d) has a skin, which the game does not show", s.name, s.count)
	}
}

func strayPieces(c *checked) {
	pieces := map[string]int{}
	for _, b := range c.StrayPieces() {
		pieces[b.Name]++
	}
	for _, p := range counted(pieces) {
		c.say("%s (%d) belongs to a gate that is not there", p.name, p.count)
	}
}

func offMap(c *checked) {
	off := map[string]int{}
	for i := range c.blocks {
		if b := &c.blocks[i]; !b.Pillar() && !c.OnMap(b) {
			off[b.Name]++
		}
	}
	for _, o := range counted(off) {
		c.say("%s (%d) stands outside of the map", o.name, o.count)
	}
}

func overlaps(c *checked) {
	pairs, _, _ := Overlaps(c.Map)
	for _, p := range counted(pairs) {
		c.say("%s take the same cell (%d)", p.name, p.count)
	}
}

// Overlaps counts the cells that two blocks share, by the names of both, and returns the
// number of shared cells and of all cells. It ignores free blocks, ghost blocks, pillars,
// parts of the ground and blocks of unknown size.
func Overlaps(m *maps.Map) (pairs map[string]int, twice, cells int) {
	taken := map[gbx.Int3]string{}
	pairs = map[string]int{}
	for b := range m.EachBareBlock() {
		if b.Free || b.Ghost() || b.Pillar() {
			continue
		}
		kind := m.Kind(b)
		if kind == nil || !kind.Ground.Known() || kind.Has("terrain") || kind.Has("water") && kind.Ground.Size.Y == 1 ||
			kind.Has("clip") || kind.Has("pillar") {
			continue
		}
		for _, cell := range maps.CellsOf(kind, b) {
			cells++
			if other, ok := taken[cell]; ok {
				twice++
				names := []string{b.Name, other}
				slices.Sort(names)
				pairs[strings.Join(names, " and ")]++
			}
			taken[cell] = b.Name
		}
	}
	return pairs, twice, cells
}
