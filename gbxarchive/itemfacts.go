package gbxarchive

import (
	"fmt"

	"pakbox/fact"
	"pakbox/gbx"
	"pakbox/gbx/mesh"
	"pakbox/trackmania"
)

// item is an item, a block or another thing of the editors' lists.
type item struct {
	*trackmania.Collector
	model *trackmania.ItemModel // nil unless it is an item
}

func itemOf(f *gbx.File) (*item, bool) {
	c, ok := trackmania.CollectorOf(f)
	if !ok {
		return nil, false
	}
	i := &item{Collector: c}
	if m, err := trackmania.ItemModelOf(f); err == nil {
		i.model = m
	}
	return i, true
}

// itemFacts are the facts of items, blocks and the like.
var itemFacts = fact.NewTable("item", "An item, a block or another thing of the editors' lists.", []fact.Row[*item]{
	{Name: "name", Label: "Called", Kind: fact.Styled, Doc: "name with colour codes", Search: fact.ByName, Always: true, Get: func(i *item) any { return i.Name() }},
	{Name: "author_login", Label: "Author", Kind: fact.Login, Doc: "login of the author", Also: []fact.Word{fact.Author}, Search: fact.ByAuthor, Always: true,
		Get: func(i *item) any { return i.Author() }, Words: func(i *item) string { return loginWords(i.Author()) }},
	{Name: "collection", Kind: fact.ID, Doc: "environment as stored: a name or a number", Get: func(i *item) any { return trackmania.IDValue(i.Ident().Collection) }},
	{Name: "collection_name", Label: "Environment", Kind: fact.Text, Doc: "environment by name", Also: []fact.Word{fact.Environment}, Always: true,
		Get: func(i *item) any {
			return trackmania.EnvironmentName(trackmania.CollectionName(i.Ident().Collection))
		}},
	{Name: "page", Label: "Page", Kind: fact.Text, Doc: "folder in the editor's list", Always: true, Get: func(i *item) any { return i.Page() }},
	{Name: "item_type", Label: "Item type", Kind: fact.Text, Doc: "type of the item: Ornament, PickUp, …", Omit: true, Get: func(i *item) any { return i.Info().ItemType }},
	{Name: "waypoint", Label: "Waypoint", Kind: fact.Text, Doc: "Start, Finish, Checkpoint, …", Omit: true,
		Get: func(i *item) any {
			return ofModel(i, func(m *trackmania.ItemModel) any { return stated(m.Waypoint().String()) })
		},
		Shown: func(i *item) bool { return i.model != nil && i.model.Waypoint().String() != "None" }},
	{Name: "description", Label: "Description", Kind: fact.Text, Doc: "text that the author wrote", Also: []fact.Word{fact.Comment}, Search: fact.ByComment, Omit: true,
		Get: func(i *item) any {
			return ofModel(i, func(m *trackmania.ItemModel) any { return stated(m.Description()) })
		}},
	{Name: "model", Kind: fact.ID, Doc: "class of what an item is made of", Omit: true,
		Get: func(i *item) any { return ofModel(i, func(m *trackmania.ItemModel) any { return stated(m.Model()) }) }},
	{Name: "has_icon", Kind: fact.Flag, Doc: "whether an item has an icon", Omit: true,
		Get: func(i *item) any { return ofModel(i, func(m *trackmania.ItemModel) any { return m.HasIcon() }) }},
	{Name: "files", Label: "Uses", Kind: fact.List, Doc: "files that an item uses", Omit: true,
		Get:   func(i *item) any { return ofModel(i, func(m *trackmania.ItemModel) any { return m.Files() }) },
		Shown: func(i *item) bool { return i.model != nil && len(i.model.Files()) > 0 }},
})

// ItemFactsOf reads the facts of a file, none if it is neither an item nor a
// block nor another thing of the editors' lists.
func ItemFactsOf(f *gbx.File) fact.Record {
	if i, ok := itemOf(f); ok {
		return itemFacts.Of(i)
	}
	return nil
}

// ofModel reads a fact that only items have.
func ofModel(i *item, get func(*trackmania.ItemModel) any) any {
	if i.model == nil {
		return nil
	}
	return get(i.model)
}

// geometry is the size of a scene.
type geometry struct{ vertices, triangles, collision int }

// meshFacts are the facts of files that store geometry.
var meshFacts = fact.NewTable("mesh", "The geometry of a file.", []fact.Row[*geometry]{
	{Name: "vertex_count", Label: "Mesh", Kind: fact.Count, Doc: "number of drawn vertices", Also: []fact.Word{{Name: "vertices", Doc: "number of vertices of an item or mesh"}}, Always: true,
		Get:   func(g *geometry) any { return g.vertices },
		Words: func(g *geometry) string { return fmt.Sprintf("%d vertices, %d triangles", g.vertices, g.triangles) },
		Shown: func(g *geometry) bool { return g.vertices > 0 || g.collision == 0 }},
	{Name: "triangle_count", Kind: fact.Count, Doc: "number of drawn triangles", Also: []fact.Word{{Name: "triangles", Doc: "number of triangles of an item or mesh"}}, Always: true,
		Get: func(g *geometry) any { return g.triangles }},
	{Name: "collision_triangle_count", Label: "Collision", Kind: fact.Count, Doc: "number of triangles that cars collide with", Always: true,
		Get: func(g *geometry) any { return g.collision }, Words: func(g *geometry) string { return fmt.Sprintf("%d triangles", g.collision) },
		Shown: func(g *geometry) bool { return g.collision > 0 }},
})

// MeshFactsOf reads the facts of a file's geometry, none if its class has none.
func MeshFactsOf(f *gbx.File) fact.Record {
	if g := geometryOf(f); g != nil {
		return meshFacts.Of(g)
	}
	return nil
}

// geometryOf measures the geometry of a file, nil if its class has none.
func geometryOf(f *gbx.File) *geometry {
	s, err := mesh.Read(f)
	if err != nil || len(s.Nodes) == 0 && f.Class.Latest() != classItem {
		return nil
	}
	vertices, triangles := s.Count()
	return &geometry{vertices, triangles, s.Collision()}
}
