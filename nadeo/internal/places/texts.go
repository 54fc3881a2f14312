package places

import (
	"fmt"

	"pakbox/gbx"
)

// IdentText joins the three parts of an ident into one text.
func IdentText(i gbx.Ident) string {
	return TitleText(i.ID) + i.Collection.String() + i.Author.String()
}

// IdentOf turns a place of a name into a place of an ident that has only this name.
func IdentOf(p Place[string]) Place[gbx.Ident] {
	return Place[gbx.Ident]{
		Name: p.Name,
		Get: func(s Site) (gbx.Ident, bool) {
			name, ok := p.Get(s)
			return gbx.Ident{ID: gbx.NewID(name), Collection: gbx.NoID, Author: gbx.NoID}, ok
		},
		Set: func(s Site, v gbx.Ident) { p.Set(s, v.ID.String()) },
	}
}

// NoIdent is the ident with three empty parts.
var NoIdent = gbx.Ident{ID: gbx.NoID, Collection: gbx.NoID, Author: gbx.NoID}

// TitleText returns the name of a title pack. The header's XML has Unassigned for a
// missing one; this returns "" for it.
func TitleText(id gbx.ID) string {
	if name := id.String(); name != "Unassigned" {
		return name
	}
	return ""
}

// NumberText returns a number as text.
func NumberText[T ~int32 | ~uint32](v T) string { return fmt.Sprint(int64(v)) }
