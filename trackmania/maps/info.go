package maps

import (
	"crypto/sha256"
	"fmt"

	"pakbox/trackmania"
	"pakbox/trackmania/internal/places"
)

// The facts that people look for first, as `info --json` has them. A command,
// a page and a row of an index all take them from here.

// Info is what people look for in a map.
type Info struct {
	Name            string     `json:"name"` // with colour codes
	UID             string     `json:"uid"`
	AuthorLogin     string     `json:"author_login"`
	AuthorNick      string     `json:"author_nick"`
	Collection      any        `json:"collection"` // as stored: a name, a number, or nil
	CollectionName  string     `json:"collection_name"`
	TitleID         string     `json:"title_id"`
	MapType         string     `json:"map_type"`
	Medals          MedalsInfo `json:"medals"`
	Laps            *int       `json:"laps"`        // nil where the map does not say
	Checkpoints     *int       `json:"checkpoints"` // nil where the map does not say
	BlockCount      int        `json:"block_count"`
	BakedBlockCount int        `json:"baked_block_count"`
	ItemCount       int        `json:"item_count"`
	EmbeddedItems   []string   `json:"embedded_items"`
	ThumbnailSHA256 *string    `json:"thumbnail_sha256"` // nil where there is no thumbnail
	ThumbnailSize   int        `json:"thumbnail_size"`
	Password        bool       `json:"password"`
}

// MedalsInfo is what a map's medals take: milliseconds, or what
// [Map.Scoring] says; nil for none.
type MedalsInfo struct {
	Author *int64 `json:"author"`
	Gold   *int64 `json:"gold"`
	Silver *int64 `json:"silver"`
	Bronze *int64 `json:"bronze"`
}

// Info returns what people look for in the map.
func (m *Map) Info() *Info {
	author, ident, medals, laps := m.Author(), m.Ident(), m.Medals(), 0
	i := &Info{
		Name: m.Name(), UID: m.UID(), AuthorLogin: author.Login, AuthorNick: author.Nick,
		Collection: trackmania.IDValue(ident.Collection), CollectionName: trackmania.EnvironmentName(trackmania.CollectionName(ident.Collection)),
		TitleID: m.Title(), MapType: m.Type(),
		Medals:     MedalsInfo{places.Known(medals.Author), places.Known(medals.Gold), places.Known(medals.Silver), places.Known(medals.Bronze)},
		BlockCount: m.BlockCount(), BakedBlockCount: m.BakedBlockCount(), ItemCount: m.ItemCount(),
		EmbeddedItems: m.EmbeddedNames(), Password: m.Password().Set,
	}
	laps, _ = m.Laps()
	i.Laps, i.Checkpoints = places.Counted(laps), places.Counted(m.Checkpoints())
	if picture := m.StoredThumbnail(); len(picture) > 0 {
		hash := fmt.Sprintf("%x", sha256.Sum256(picture))
		i.ThumbnailSHA256, i.ThumbnailSize = &hash, len(picture)
	}
	return i
}
