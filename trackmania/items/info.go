package items

import (
	"pakbox/trackmania"
	"pakbox/trackmania/internal/places"
)

// Info is what people look for in an item.
type Info struct {
	Name           string  `json:"name"` // with colour codes
	AuthorLogin    string  `json:"author_login"`
	Collection     any     `json:"collection"` // as stored: a name, a number, or nil
	CollectionName string  `json:"collection_name"`
	Page           string  `json:"page"`
	ItemType       *string `json:"item_type,omitempty"` // nil for what is no item
}

// Info returns what people look for in an item, a block or the like. How much
// geometry it has, [Model.Mesh] tells.
func (c *Collector) Info() *Info {
	ident := c.Ident()
	i := &Info{
		Name: c.Name(), AuthorLogin: c.Author(), Collection: trackmania.IDValue(ident.Collection),
		CollectionName: trackmania.EnvironmentName(trackmania.CollectionName(ident.Collection)), Page: c.Page(),
	}
	if t, ok := itemType.Find(places.SiteOf(c.File)); ok {
		text := t.String()
		i.ItemType = &text
	}
	return i
}
