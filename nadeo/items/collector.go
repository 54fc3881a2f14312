package items

import (
	"cmp"

	"pakbox/gbx"
	"pakbox/gbx/engine/gamedata"
	"pakbox/internal/lib/styled"
	"pakbox/nadeo"
	"pakbox/nadeo/internal/places"
)

// Collector is a file of an object in the editor's lists: an item, a block, a macroblock,
// a decoration.
type Collector struct {
	File *gbx.File
}

// The facts of a collector, with the places where they stand.
var (
	collectorName = places.Fact[string]{What: "name", Text: styled.Unmarked, Places: []places.Place[string]{
		places.InBody(func(c *gamedata.Chunk2E00100C) *string { return &c.Name }),
		places.InHeader(func(c *gamedata.Header2E001003) *string { return places.When(c.Version >= 7, &c.Name) }),
	}}
	collectorIdent = places.Fact[gbx.Ident]{Text: places.IdentText, None: places.NoIdent, Places: []places.Place[gbx.Ident]{
		places.InBody(func(c *gamedata.Chunk2E00100B) *gbx.Ident { return &c.Model }),
		places.InBody(func(c *gamedata.Chunk2E001002) *gbx.Ident { return &c.Model }),
		places.InHeader(func(c *gamedata.Header2E001003) *gbx.Ident { return &c.Model }),
	}}
	collectorAuthor = places.Fact[gbx.ID]{What: "author's login", Text: gbx.ID.String, None: gbx.NoID,
		Places: places.Within(collectorIdent.Places, func(i *gbx.Ident) *gbx.ID { return &i.Author })}
	collectorPage = places.Fact[string]{What: "page", Text: styled.Unmarked, Places: []places.Place[string]{
		places.InBody(func(c *gamedata.Chunk2E001009) *string { return &c.PageName }),
		places.InHeader(func(c *gamedata.Header2E001003) *string { return &c.PageName }),
	}}
	itemType = places.Fact[gamedata.CGameItemModelItemType]{What: "item type", Text: gamedata.CGameItemModelItemType.String,
		None: gamedata.CGameItemModelItemTypeUndefined, Places: []places.Place[gamedata.CGameItemModelItemType]{
			places.InBody(func(c *gamedata.Chunk2E002015) *gamedata.CGameItemModelItemType { return &c.ItemType }),
			places.InHeader(func(c *gamedata.Header2E002000) *gamedata.CGameItemModelItemType { return &c.ItemType }),
		}}
)

// Contradictions lists the facts that an item, or another collector, states in two
// different ways.
func Contradictions(f *gbx.File) []string {
	return places.Contradictions(places.SiteOf(f), &collectorName, &collectorAuthor, &collectorPage, &itemType)
}

// NameOf returns the name of an item, or another collector, as its author wrote it; false
// if this file cannot hold a name.
func NameOf(f *gbx.File) (string, bool) { return collectorName.Find(places.SiteOf(f)) }

// CollectorOf returns the collector in a file; false if the file has none.
func CollectorOf(f *gbx.File) (*Collector, bool) {
	_, ok := collectorIdent.Find(places.SiteOf(f))
	return &Collector{f}, ok
}

// Name returns the name, with its colour codes.
func (c *Collector) Name() string {
	return cmp.Or(collectorName.Read(places.SiteOf(c.File)), c.Ident().ID.String())
}

// Ident returns the identity of the object: its name, environment and author.
func (c *Collector) Ident() gbx.Ident { return collectorIdent.Read(places.SiteOf(c.File)) }

// Author returns the login of the author.
func (c *Collector) Author() string { return c.Ident().Author.String() }

// AuthorID returns the login of the author in the form of the file.
func (c *Collector) AuthorID() gbx.ID { return collectorAuthor.Read(places.SiteOf(c.File)) }

// SetAuthor writes another login to every place that states the author.
func (c *Collector) SetAuthor(login gbx.ID) { collectorAuthor.Set(places.SiteOf(c.File), login) }

// Collection returns the name of the environment.
func (c *Collector) Collection() string { return nadeo.CollectionName(c.Ident().Collection) }

// Page returns the folder of the object in the editor's list.
func (c *Collector) Page() string { return collectorPage.Read(places.SiteOf(c.File)) }

// Description returns what the author wrote about it.
func (c *Collector) Description() string {
	if d, ok := gbx.Find[*gamedata.Chunk2E00100D](c.File.Body); ok {
		return d.Description
	}
	return ""
}

// HasIcon reports whether the file contains an icon.
func (c *Collector) HasIcon() bool {
	i, ok := gbx.FindHeader[*gamedata.Header2E001004](&c.File.Header)
	return ok && (len(i.Pixels) > 0 || len(i.Webp) > 0)
}
