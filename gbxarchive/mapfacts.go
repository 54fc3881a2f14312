package gbxarchive

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"pakbox/fact"
	"pakbox/gbx"
	"pakbox/trackmania"
	"pakbox/trackmania/maps"
)

// MapFacts are the facts of maps.
var MapFacts = fact.NewTable("map", "A map of TrackMania or ManiaPlanet.", []fact.Row[*maps.Map]{
	{Name: "name", Label: "Map", Kind: fact.Styled, Doc: "name with colour codes", Search: fact.ByName, Always: true,
		Get: func(m *maps.Map) any { return m.Name() }},
	{Name: "uid", Label: "UID", Kind: fact.ID, Doc: "unique name of the map", Indexed: true, Always: true,
		Get: func(m *maps.Map) any { return m.UID() }},
	{Name: "author_login", Label: "Author", Kind: fact.Login, Doc: "login of the author", Also: []fact.Word{fact.Author}, Search: fact.ByAuthor, Always: true,
		Get: func(m *maps.Map) any { return m.Author().Login }, Words: func(m *maps.Map) string { return loginWords(m.Author().Login) }},
	{Name: "author_nick", Label: "Nickname", Kind: fact.Styled, Doc: "nickname of the author, with colour codes", Also: []fact.Word{fact.Author}, Search: fact.ByAuthor, Always: true,
		Get: func(m *maps.Map) any { return m.Author().Nick }},
	{Name: "author_zone", Label: "Zone", Kind: fact.Styled, Doc: "zone of the author: World|Europe|…",
		Get: func(m *maps.Map) any { return stated(m.Author().Zone) }, Shown: func(m *maps.Map) bool { return m.Author().Zone != "" }},
	{Name: "collection", Kind: fact.ID, Doc: "environment as stored: a name or a number",
		Get: func(m *maps.Map) any { return trackmania.IDValue(m.Ident().Collection) }},
	{Name: "collection_name", Label: "Environment", Kind: fact.Text, Doc: "environment by name", Also: []fact.Word{fact.Environment}, Always: true,
		Get: func(m *maps.Map) any { return trackmania.EnvironmentName(m.Collection()) }},
	{Name: "decoration", Label: "Decoration", Kind: fact.ID, Doc: "surroundings of the blocks, such as 48x48Day",
		Get: func(m *maps.Map) any { return stated(m.Decoration().ID.String()) }, Shown: func(*maps.Map) bool { return false }},
	{Name: "mood", Label: "Mood", Kind: fact.Text, Doc: "Sunrise, Day, Sunset or Night, if the decoration tells",
		Get: func(m *maps.Map) any { return stated(m.Mood()) }, Shown: func(m *maps.Map) bool { return m.Mood() != "" }},
	{Name: "title_id", Label: "Title", Kind: fact.ID, Doc: "title pack", Also: []fact.Word{fact.Title}, Always: true,
		Get: func(m *maps.Map) any { return m.Title() }},
	{Name: "map_type", Label: "Map type", Kind: fact.ID, Doc: "script that decides how the map is played", Also: []fact.Word{{Name: "type", Doc: "map type"}}, Always: true,
		Get: func(m *maps.Map) any { return m.Type() }},
	{Name: "mode", Label: "Mode", Kind: fact.Text, Doc: "Race, Platform, Stunts, …", Always: true,
		Get: func(m *maps.Map) any { return m.Mode().String() }, Shown: func(*maps.Map) bool { return false }},
	{Name: "medals", Label: "Medals", Kind: fact.Group, Doc: "what the medals take", Words: medalWords},
	medalFact("author", "author_time", true, func(m maps.Medals) gbx.Time { return m.Author }),
	medalFact("gold", "gold", false, func(m maps.Medals) gbx.Time { return m.Gold }),
	medalFact("silver", "silver", false, func(m maps.Medals) gbx.Time { return m.Silver }),
	medalFact("bronze", "bronze", false, func(m maps.Medals) gbx.Time { return m.Bronze }),
	{Name: "laps", Label: "Laps", Kind: fact.Count, Doc: "number of laps as stored; without meaning unless is_lap_race",
		Get: func(m *maps.Map) any { n, _ := m.Laps(); return fact.Known(n, n >= 0) }, Shown: isLapRace},
	{Name: "is_lap_race", Kind: fact.Flag, Doc: "whether the race has laps", Always: true, Get: func(m *maps.Map) any { return isLapRace(m) }},
	{Name: "checkpoints", Label: "Checkpoints", Kind: fact.Count, Doc: "number of checkpoints that the map states",
		Get: func(m *maps.Map) any { n := m.Checkpoints(); return fact.Known(n, n >= 0) }, Shown: func(m *maps.Map) bool { return m.Checkpoints() >= 0 }},
	{Name: "block_count", Label: "Blocks", Kind: fact.Count, Doc: "number of blocks", Also: []fact.Word{{Name: "blocks", Doc: "number of blocks on a map"}}, Always: true,
		Get: func(m *maps.Map) any { return m.BlockCount() }},
	{Name: "baked_block_count", Kind: fact.Count, Doc: "number of blocks that the game added", Always: true, Get: func(m *maps.Map) any { return m.BakedBlockCount() }},
	{Name: "item_count", Label: "Items", Kind: fact.Count, Doc: "number of items", Also: []fact.Word{{Name: "items", Doc: "number of items on a map"}}, Always: true,
		Get: func(m *maps.Map) any { return m.ItemCount() }},
	{Name: "embedded_items", Label: "Embedded", Kind: fact.List, Doc: "names of the files that the map brings along",
		Get: func(m *maps.Map) any { return m.EmbeddedNames() }, Words: func(m *maps.Map) string { return fmt.Sprint(len(m.EmbeddedNames())) },
		Shown: func(m *maps.Map) bool { return len(m.EmbeddedZip()) > 0 && len(m.EmbeddedNames()) > 0 }},
	{Name: "thumbnail_sha256", Kind: fact.Hash, Doc: "SHA-256 of the thumbnail as stored", Get: func(m *maps.Map) any {
		picture := m.StoredThumbnail()
		return fact.Known(fmt.Sprintf("%x", sha256.Sum256(picture)), len(picture) > 0)
	}},
	{Name: "thumbnail_size", Label: "Thumbnail", Kind: fact.Bytes, Doc: "size of the thumbnail", Omit: true,
		Get: func(m *maps.Map) any { n := len(m.StoredThumbnail()); return fact.Known(n, n > 0) },
		Words: func(m *maps.Map) string {
			return fmt.Sprintf("%d bytes, stored upside down", len(m.StoredThumbnail()))
		}},
	{Name: "has_lightmap", Kind: fact.Flag, Doc: "whether the shadows are computed", Also: []fact.Word{{Name: "lightmap", Doc: "whether the shadows are computed"}}, Always: true,
		Get: func(m *maps.Map) any { return m.HasLightmap() }},
	{Name: "password", Label: "Password", Kind: fact.Flag, Doc: "whether a password is set", Always: true, Get: func(m *maps.Map) any { return m.Password().Set }},
	{Name: "comments", Label: "Comments", Kind: fact.Styled, Doc: "comment of the author", Also: []fact.Word{fact.Comment}, Search: fact.ByComment,
		Get: func(m *maps.Map) any { return stated(m.Comments()) }, Shown: func(m *maps.Map) bool { return m.Comments() != "" }},
	{Name: "build", Kind: fact.Text, Doc: "version of the program that saved the map", Get: func(m *maps.Map) any { return stated(m.Build()) }},
})

// stated is a text, or nil for an empty one.
func stated(s string) any { return fact.Known(s, s != "") }

func isLapRace(m *maps.Map) bool {
	_, is := m.Laps()
	return is
}

// medalFact is the fact of one medal. Its unit is milliseconds, or what the
// map's mode counts.
func medalFact(name, word string, indexed bool, medal func(maps.Medals) gbx.Time) fact.Row[*maps.Map] {
	return fact.Row[*maps.Map]{
		Name: "medals." + name, Kind: fact.Time, Doc: name + " medal: a time, or points in Stunts and respawns in Platform",
		Also: []fact.Word{{Name: word, Doc: name + " medal"}}, Indexed: indexed,
		Get: func(m *maps.Map) any { t := medal(m.Medals()); return fact.Known(int64(t), t != gbx.NoTime) },
	}
}

// medalWords is the card's line about all medals.
func medalWords(m *maps.Map) string {
	s := m.Medals()
	var parts []string
	for i, text := range s.Texts(m.Scoring()) {
		if [...]gbx.Time{s.Author, s.Gold, s.Silver, s.Bronze}[i] != gbx.NoTime {
			parts = append(parts, [...]string{"author ", "gold ", "silver ", "bronze "}[i]+text)
		}
	}
	if parts == nil {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// loginWords adds the account to a login of Trackmania (2020), because players
// know the account by its ID.
func loginWords(login string) string {
	if id, ok := trackmania.AccountID(login); ok {
		return fmt.Sprintf("%s (account %s)", login, id)
	}
	return ""
}
