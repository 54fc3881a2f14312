package items

import (
	"pakbox/fact"
	"pakbox/gbx"
	"pakbox/nadeo"
	"pakbox/nadeo/internal/places"
)

// item is an item, a block or another object of the editors' lists.
type item struct {
	*Collector
	model *Model // nil if it is not an item
}

// FactsOf reads the facts of a file. It returns none if the file is not an item, a block
// or another object of the editors' lists.
func FactsOf(f *gbx.File) fact.Record {
	if i, ok := itemOf(f); ok {
		return Facts.Of(i)
	}
	return nil
}

func itemOf(f *gbx.File) (*item, bool) {
	c, ok := CollectorOf(f)
	if !ok {
		return nil, false
	}
	i := &item{Collector: c}
	if m, err := ModelOf(f); err == nil {
		i.model = m
	}
	return i, true
}

// itemType returns the type of an item, nil for other objects.
func (i *item) itemType() any {
	t, ok := itemType.Find(places.SiteOf(i.File))
	return fact.Known(t.String(), ok)
}

// Facts are the facts of items, blocks and other objects of the editors' lists.
var Facts = fact.NewTable("item", "An item, a block or another thing of the editors' lists.", []fact.Row[*item]{
	{Name: "name", Label: "Called", Kind: fact.Styled, Doc: "name with colour codes", Search: fact.ByName, Always: true, Get: func(i *item) any { return i.Name() }},
	{Name: "author_login", Label: "Author", Kind: fact.Login, Doc: "login of the author", Also: []fact.Word{fact.Author}, Search: fact.ByAuthor, Always: true,
		Get: func(i *item) any { return i.Author() }, Words: func(i *item) string { return nadeo.LoginWords(i.Author()) }},
	{Name: "collection", Kind: fact.ID, Doc: "environment as stored: a name or a number", Get: func(i *item) any { return nadeo.IDValue(i.Ident().Collection) }},
	{Name: "collection_name", Label: "Environment", Kind: fact.Text, Doc: "environment by name", Also: []fact.Word{fact.Environment}, Indexed: true, Always: true,
		Get: func(i *item) any {
			return nadeo.EnvironmentName(nadeo.CollectionName(i.Ident().Collection))
		}},
	{Name: "page", Label: "Page", Kind: fact.Text, Doc: "folder in the editor's list", Always: true, Get: func(i *item) any { return i.Page() }},
	{Name: "item_type", Label: "Item type", Kind: fact.Text, Doc: "type of the item: Ornament, PickUp, …", Omit: true, Get: func(i *item) any { return i.itemType() }},
	{Name: "waypoint", Label: "Waypoint", Kind: fact.Text, Doc: "Start, Finish, Checkpoint, …", Omit: true,
		Get: func(i *item) any {
			return ofModel(i, func(m *Model) any { return stated(m.Waypoint().String()) })
		},
		Shown: func(i *item) bool { return i.model != nil && i.model.Waypoint().String() != "None" }},
	{Name: "description", Label: "Description", Kind: fact.Text, Doc: "text that the author wrote", Also: []fact.Word{fact.Comment}, Search: fact.ByComment, Omit: true,
		Get: func(i *item) any {
			return ofModel(i, func(m *Model) any { return stated(m.Description()) })
		}},
	{Name: "model", Kind: fact.ID, Doc: "class of what an item is made of", Omit: true,
		Get: func(i *item) any { return ofModel(i, func(m *Model) any { return stated(m.Model()) }) }},
	{Name: "has_icon", Kind: fact.Flag, Doc: "whether an item has an icon", Omit: true,
		Get: func(i *item) any { return ofModel(i, func(m *Model) any { return m.HasIcon() }) }},
	{Name: "files", Label: "Uses", Kind: fact.List, Doc: "files that an item uses", Omit: true,
		Get:   func(i *item) any { return ofModel(i, func(m *Model) any { return m.Files() }) },
		Shown: func(i *item) bool { return i.model != nil && len(i.model.Files()) > 0 }},
})

// ofModel reads a fact that only items have.
func ofModel(i *item, get func(*Model) any) any {
	if i.model == nil {
		return nil
	}
	return get(i.model)
}

// stated returns a text, or nil if it is empty.
func stated(s string) any { return fact.Known(s, s != "") }
