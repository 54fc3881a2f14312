package maps

import (
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
)

// Models is what a map calls the models of its items and blocks.
type Models struct {
	known      map[string]gbx.Ident
	collection gbx.ID
}

// Models returns what the map calls models now: those on the map, and those that
// it brings along.
func (m *Map) Models() *Models {
	s := &Models{known: map[string]gbx.Ident{}, collection: m.Ident().Collection}
	for b := range m.EachBlock() {
		if b.Author != "" && IsOwnModel(b.Name, b.Author) {
			s.known[ModelKey(b.Name)] = gbx.Ident{ID: gbx.NewID(b.Name), Collection: s.collection, Author: gbx.NewID(b.Author)}
		}
	}
	if c, ok := find[*game.Chunk03043054](m); ok {
		for _, id := range c.EmbeddedItemModels {
			s.known[ModelKey(id.ID.String())] = id
		}
	}
	if c, ok := find[*game.Chunk03043040](m); ok {
		for _, r := range c.Items {
			if a, ok := gbx.Find[*game.Chunk03101002](r.Node); ok {
				s.known[ModelKey(a.ItemModel.ID.String())] = a.ItemModel
			}
		}
	}
	return s
}

// Named returns the model of an item or block. One that the map does not know
// comes with the game; if it is the name of a file, its author must be given,
// which otherwise may be "".
func (s *Models) Named(name, author string) (gbx.Ident, error) {
	id, ok := s.known[ModelKey(name)]
	if !ok {
		id = gbx.Ident{ID: gbx.NewID(name), Collection: s.collection, Author: gbx.NewID(nadeo)}
		if author == "" && IsOwnModel(name, "") {
			return id, fault.New(fault.BadEntry, "the map does not bring %s along: embed it before, or say its author", name)
		}
	}
	if author != "" {
		id.Author = gbx.NewID(author)
	}
	return id, nil
}

// BlockAuthor is who a block names as its author, who may be given: maps name
// that of what comes with the game only where there is a skin.
func (s *Models) BlockAuthor(name, author, skin string) (string, error) {
	id, err := s.Named(name, author)
	if author = id.Author.String(); author == nadeo && skin == "" {
		author = ""
	}
	return author, err
}
