package gbxarchive

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/tree"
)

// medals are the times, or points, that a map's medals take.
type medals struct {
	Author *int64 `json:"author"`
	Gold   *int64 `json:"gold"`
	Silver *int64 `json:"silver"`
	Bronze *int64 `json:"bronze"`
}

func known(t gbx.Time) *int64 {
	if t == gbx.NoTime {
		return nil
	}
	n := int64(t)
	return &n
}

func medalTimes(author, gold, silver, bronze gbx.Time) *medals {
	return &medals{known(author), known(gold), known(silver), known(bronze)}
}

// mapMedals returns the medals of a map: those of its parameters, else those
// of its header.
func (a *Archive) mapMedals() *medals {
	if c, ok := gbx.Find[*game.Chunk03043011](a.file.Body); ok {
		params := c.ChallengeParameters.Node
		if p, ok := gbx.Find[*game.Chunk0305B00A](params); ok {
			return medalTimes(p.AuthorTime, p.GoldTime, p.SilverTime, p.BronzeTime)
		}
		if p, ok := gbx.Find[*game.Chunk0305B004](params); ok {
			return medalTimes(p.AuthorTime, p.GoldTime, p.SilverTime, p.BronzeTime)
		}
	}
	if h, ok := gbx.FindHeader[*game.Header03043002](&a.file.Header); ok && h.Version >= 1 {
		return medalTimes(h.AuthorTime, h.GoldTime, h.SilverTime, h.BronzeTime)
	}
	return &medals{}
}

func (m *medals) text() string {
	var parts []string
	for _, p := range []struct {
		name string
		t    *int64
	}{{"author", m.Author}, {"gold", m.Gold}, {"silver", m.Silver}, {"bronze", m.Bronze}} {
		if p.t != nil {
			parts = append(parts, p.name+" "+tree.TimeText(gbx.Time(*p.t)))
		}
	}
	return strings.Join(parts, ", ")
}

// mapName returns a map's name and its uid, collection and author.
func (a *Archive) mapName() (string, gbx.Ident) {
	if c, ok := gbx.FindHeader[*game.Header03043003](&a.file.Header); ok {
		return c.MapName, c.MapInfo
	}
	if c, ok := gbx.Find[*game.Chunk0304301F](a.file.Body); ok {
		return c.MapName, c.MapInfo
	}
	if c, ok := gbx.FindHeader[*game.Header03043002](&a.file.Header); ok && c.Version < 3 {
		return c.MapName, c.MapInfo
	}
	if c, ok := gbx.Find[*game.Chunk03043012](a.file.Body); ok {
		return c.MapName, gbx.Ident{ID: gbx.NoId, Collection: gbx.NoId, Author: gbx.NoId}
	}
	return "", gbx.Ident{ID: gbx.NoId, Collection: gbx.NoId, Author: gbx.NoId}
}

func (a *Archive) mapFacts(f *facts) {
	name, info := a.mapName()
	f.text("name", "Map", name)
	f.add("uid", "UID", info.ID.String(), "")
	login, nick := info.Author.String(), ""
	if c, ok := gbx.FindHeader[*game.Header03043008](&a.file.Header); ok {
		login, nick = c.AuthorLogin, c.AuthorNick
	}
	f.add("author_login", "Author", login, "")
	f.text("author_nick", "Nickname", nick)
	f.add("collection", "Collection", idValue(info.Collection), "")
	title, kind := "", ""
	if c, ok := gbx.FindHeader[*game.Header03043003](&a.file.Header); ok {
		kind = c.MapType
		if c.Version >= 11 {
			title = c.TitleId.String()
		}
	}
	f.add("title_id", "Title", title, "")
	f.add("map_type", "Map type", kind, "")
	m := a.mapMedals()
	f.add("medals", "Medals", m, m.text())
	a.lapFacts(f)
	a.contentFacts(f)
}

func (a *Archive) lapFacts(f *facts) {
	var laps, checkpoints any
	if c, ok := gbx.Find[*game.Chunk03043018](a.file.Body); ok {
		laps = c.NbLaps
	}
	if c, ok := gbx.FindHeader[*game.Header03043002](&a.file.Header); ok && c.Version >= 13 {
		checkpoints = c.NbCheckpoints
		if laps == nil {
			laps = c.NbLaps
		}
	}
	label := func(v any, l string) string {
		if v == nil {
			return ""
		}
		return l
	}
	f.add("laps", label(laps, "Laps"), laps, "")
	f.add("checkpoints", label(checkpoints, "Checkpoints"), checkpoints, "")
}

// contentFacts count what stands on the map and what it brings along.
func (a *Archive) contentFacts(f *facts) {
	f.add("block_count", "Blocks", a.blockCount(), "")
	baked := 0
	if c, ok := gbx.Find[*game.Chunk03043048](a.file.Body); ok {
		baked = len(c.BakedBlocks)
	}
	f.add("baked_block_count", "", baked, "")
	items := 0
	if c, ok := gbx.Find[*game.Chunk03043040](a.file.Body); ok {
		items = len(c.Items)
	}
	f.add("item_count", "Items", items, "")
	embedded := []string{}
	for _, e := range a.Entries() {
		if name, ok := strings.CutPrefix(e.Name, "items/"); ok {
			embedded = append(embedded, name)
		}
	}
	label := ""
	if len(embedded) > 0 {
		label = "Embedded"
	}
	f.add("embedded_items", label, embedded, fmt.Sprint(len(embedded)))
	if c, ok := gbx.FindHeader[*game.Header03043007](&a.file.Header); ok && len(c.Thumbnail) > 0 {
		f.add("thumbnail_sha256", "", fmt.Sprintf("%x", sha256.Sum256(c.Thumbnail)), "")
		f.add("thumbnail_size", "Thumbnail", len(c.Thumbnail), fmt.Sprintf("%d bytes", len(c.Thumbnail)))
	} else {
		f.add("thumbnail_sha256", "", nil, "")
	}
	locked := false
	if c, ok := gbx.Find[*game.Chunk03043029](a.file.Body); ok {
		locked = c.PasswordHash != gbx.Hash128{}
	}
	f.add("password", "Password", locked, "")
}

// standIn are the flags of a block that does not count.
const standIn = 0xFFFFFFFF

func (a *Archive) blockCount() int {
	if c, ok := gbx.Find[*game.Chunk0304301F](a.file.Body); ok {
		n := 0
		for i := range c.Blocks.Blocks {
			if c.Version < 2 || c.Blocks.Blocks[i].Flags != standIn {
				n++
			}
		}
		return n
	}
	if c, ok := gbx.Find[*game.Chunk03043013](a.file.Body); ok {
		return len(c.Blocks)
	}
	if c, ok := gbx.Find[*game.Chunk0304300F](a.file.Body); ok {
		return len(c.Blocks)
	}
	return 0
}
