package trackmania

import (
	"cmp"

	"pakbox/gbx"
	"pakbox/gbx/engine/gamedata"
)

// Collector is a file of something that the editor lists: an item, a block, a
// macroblock, a decoration.
type Collector struct {
	File *gbx.File
}

// What a collector says about itself, and where.
var (
	collectorName = fact[string]{what: "name", text: unmarked, places: []place[string]{
		inBody(func(c *gamedata.Chunk2E00100C) *string { return &c.Name }),
		inHeader(func(c *gamedata.Header2E001003) *string { return when(c.Version >= 7, &c.Name) }),
	}}
	collectorIdent = fact[gbx.Ident]{text: identText, none: noIdent, places: []place[gbx.Ident]{
		inBody(func(c *gamedata.Chunk2E00100B) *gbx.Ident { return &c.Model }),
		inBody(func(c *gamedata.Chunk2E001002) *gbx.Ident { return &c.Model }),
		inHeader(func(c *gamedata.Header2E001003) *gbx.Ident { return &c.Model }),
	}}
	collectorAuthor = fact[gbx.ID]{what: "author's login", text: gbx.ID.String, none: gbx.NoID,
		places: within(collectorIdent.places, func(i *gbx.Ident) *gbx.ID { return &i.Author })}
	collectorPage = fact[string]{what: "page", text: unmarked, places: []place[string]{
		inBody(func(c *gamedata.Chunk2E001009) *string { return &c.PageName }),
		inHeader(func(c *gamedata.Header2E001003) *string { return &c.PageName }),
	}}
	itemType = fact[gamedata.CGameItemModelItemType]{what: "item type", text: gamedata.CGameItemModelItemType.String,
		none: gamedata.CGameItemModelItemTypeUndefined, places: []place[gamedata.CGameItemModelItemType]{
			inBody(func(c *gamedata.Chunk2E002015) *gamedata.CGameItemModelItemType { return &c.ItemType }),
			inHeader(func(c *gamedata.Header2E002000) *gamedata.CGameItemModelItemType { return &c.ItemType }),
		}}
)

// CollectorOf returns the collector that a file is; false if it says nothing
// of the kind.
func CollectorOf(f *gbx.File) (*Collector, bool) {
	_, ok := collectorIdent.find(siteOf(f))
	return &Collector{f}, ok
}

// Name returns the name, with its colour codes.
func (c *Collector) Name() string {
	return cmp.Or(collectorName.in(siteOf(c.File)), c.Ident().ID.String())
}

// Ident returns what the thing is known by: its name, environment and author.
func (c *Collector) Ident() gbx.Ident { return collectorIdent.in(siteOf(c.File)) }

// Author returns the login of who made it.
func (c *Collector) Author() string { return c.Ident().Author.String() }

// Collection returns the name of the environment.
func (c *Collector) Collection() string { return CollectionName(c.Ident().Collection) }

// Page returns the folder in the editor's list.
func (c *Collector) Page() string { return collectorPage.in(siteOf(c.File)) }

// Description returns what the author wrote about it.
func (c *Collector) Description() string {
	if d, ok := gbx.Find[*gamedata.Chunk2E00100D](c.File.Body); ok {
		return d.Description
	}
	return ""
}

// HasIcon reports whether the file brings its own icon along.
func (c *Collector) HasIcon() bool {
	i, ok := gbx.FindHeader[*gamedata.Header2E001004](&c.File.Header)
	return ok && (len(i.Pixels) > 0 || len(i.Webp) > 0)
}
