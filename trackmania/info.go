package trackmania

import (
	"crypto/sha256"
	"fmt"

	"pakbox/gbx"
)

// The facts that people look for first, as `info --json` has them. A command,
// a page and a row of an index all take them from here.

// MapInfo is what people look for in a map.
type MapInfo struct {
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
func (m *Map) Info() *MapInfo {
	author, ident, medals, laps := m.Author(), m.Ident(), m.Medals(), 0
	i := &MapInfo{
		Name: m.Name(), UID: m.UID(), AuthorLogin: author.Login, AuthorNick: author.Nick,
		Collection: IDValue(ident.Collection), CollectionName: EnvironmentName(CollectionName(ident.Collection)),
		TitleID: m.Title(), MapType: m.Type(),
		Medals:     MedalsInfo{known(medals.Author), known(medals.Gold), known(medals.Silver), known(medals.Bronze)},
		BlockCount: m.BlockCount(), BakedBlockCount: m.BakedBlockCount(), ItemCount: m.ItemCount(),
		EmbeddedItems: m.embeddedNames(), Password: m.Password().Set,
	}
	laps, _ = m.Laps()
	i.Laps, i.Checkpoints = counted(laps), counted(m.Checkpoints())
	if picture := m.StoredThumbnail(); len(picture) > 0 {
		hash := fmt.Sprintf("%x", sha256.Sum256(picture))
		i.ThumbnailSHA256, i.ThumbnailSize = &hash, len(picture)
	}
	return i
}

// GhostInfo is what people look for in a recorded race.
type GhostInfo struct {
	RaceTime    *int64   `json:"race_time"`   // nil if it was not finished
	Respawns    *int     `json:"respawns"`    // nil where the ghost does not say
	Checkpoints []*int64 `json:"checkpoints"` // nil for one that was not passed
	Login       string   `json:"login"`
	Nick        string   `json:"nick"` // with colour codes
	Zone        string   `json:"zone"`
	AccountID   *string  `json:"account_id"` // of Trackmania (2020)
	Car         string   `json:"car"`
	MapUID      string   `json:"map_uid"`
	StuntScore  int      `json:"stunt_score"`
	Program     string   `json:"program"` // the game it was driven in
	SampleCount int      `json:"sample_count"`
	InputCount  int      `json:"input_count"`
}

// Info returns what people look for in the ghost.
func (g *Ghost) Info() *GhostInfo {
	p := g.Player()
	i := &GhostInfo{
		RaceTime: known(g.Time()), Respawns: counted(g.Respawns()), Checkpoints: []*int64{},
		Login: p.Login, Nick: p.Nick, Zone: p.Zone, AccountID: account(p.Login), Car: g.Car().ID.String(), MapUID: g.MapUID(),
		StuntScore: g.StuntScore(), Program: g.Program(), SampleCount: g.SampleCount(), InputCount: g.InputCount(),
	}
	for _, t := range g.Checkpoints() {
		i.Checkpoints = append(i.Checkpoints, known(t))
	}
	return i
}

// ReplayInfo is what people look for in a replay.
type ReplayInfo struct {
	Time       *int64       `json:"time"` // nil where the replay does not say
	Login      string       `json:"login"`
	Nick       string       `json:"nick"` // with colour codes
	AccountID  *string      `json:"account_id"`
	MapUID     string       `json:"map_uid"`
	MapAuthor  string       `json:"map_author"`
	Collection string       `json:"collection"`
	MapSize    int          `json:"map_size"` // of the map inside, in bytes
	Ghosts     []*GhostInfo `json:"ghosts"`
}

// Info returns what people look for in the replay.
func (r *Replay) Info() *ReplayInfo {
	p, m := r.Player(), r.MapIdent()
	return &ReplayInfo{
		Time: known(r.Time()), Login: p.Login, Nick: p.Nick, AccountID: account(p.Login),
		MapUID: m.ID.String(), MapAuthor: m.Author.String(), Collection: CollectionName(m.Collection),
		MapSize: len(r.MapFile()), Ghosts: GhostInfos(r.Ghosts()),
	}
}

// GhostInfos returns what people look for in several ghosts.
func GhostInfos(ghosts []*Ghost) []*GhostInfo {
	list := make([]*GhostInfo, len(ghosts))
	for i, g := range ghosts {
		list[i] = g.Info()
	}
	return list
}

// ItemInfo is what people look for in an item.
type ItemInfo struct {
	Name           string  `json:"name"` // with colour codes
	AuthorLogin    string  `json:"author_login"`
	Collection     any     `json:"collection"` // as stored: a name, a number, or nil
	CollectionName string  `json:"collection_name"`
	Page           string  `json:"page"`
	ItemType       *string `json:"item_type,omitempty"` // nil for what is no item
}

// Info returns what people look for in an item, a block or the like. How much
// geometry it has, [ItemModel.Mesh] tells.
func (c *Collector) Info() *ItemInfo {
	ident := c.Ident()
	i := &ItemInfo{
		Name: c.Name(), AuthorLogin: c.Author(), Collection: IDValue(ident.Collection),
		CollectionName: EnvironmentName(CollectionName(ident.Collection)), Page: c.Page(),
	}
	if t, ok := itemType.find(siteOf(c.File)); ok {
		text := t.String()
		i.ItemType = &text
	}
	return i
}

// IDValue is an ID as JSON has it: a name, a number, or nil.
func IDValue(id gbx.ID) any {
	if n, ok := id.Number(); ok {
		return n
	}
	if id.IsEmpty() {
		return nil
	}
	return id.String()
}

// known is a time in milliseconds, nil for none.
func known(t gbx.Time) *int64 {
	if t == gbx.NoTime {
		return nil
	}
	n := int64(t)
	return &n
}

// counted is a number that is negative where it is not known.
func counted(n int) *int {
	if n < 0 {
		return nil
	}
	return &n
}

func account(login string) *string {
	if id, ok := AccountID(login); ok {
		return &id
	}
	return nil
}
