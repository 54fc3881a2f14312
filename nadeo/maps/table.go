package maps

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"pakbox/fact"
	"pakbox/gbx"
	"pakbox/nadeo"
	"pakbox/nadeo/internal/places"
)

// Facts are the facts of maps.
var Facts = fact.NewTable("map", "A map of TrackMania or ManiaPlanet.", append([]fact.Row[*Map]{
	{Name: "name", Label: "Map", Kind: fact.Styled, Conflict: conflict(&mapName), Doc: "name with colour codes", Search: fact.ByName, Always: true,
		Set: setText(&mapName, notEmpty), Get: func(m *Map) any { return m.Name() }},
	{Name: "uid", Label: "UID", Kind: fact.ID, Conflict: conflict(&mapUID), Doc: "unique name of the map", Indexed: true, Always: true,
		Set: setUID, Get: func(m *Map) any { return m.UID() }},
	{Name: "author_login", Label: "Author", Kind: fact.Login, Conflict: conflict(&mapAuthor), Doc: "login of the author", Also: []fact.Word{fact.Author}, Search: fact.ByAuthor, Always: true,
		Set: setText(&mapAuthor, notEmpty), Get: func(m *Map) any { return m.Author().Login }, Words: func(m *Map) string { return nadeo.LoginWords(m.Author().Login) }},
	{Name: "author_nick", Label: "Nickname", Kind: fact.Styled, Conflict: conflict(&mapNick), Doc: "nickname of the author, with colour codes", Also: []fact.Word{fact.Author}, Search: fact.ByAuthor, Always: true,
		Set: setText(&mapNick, nil), Get: func(m *Map) any { return m.Author().Nick }},
	{Name: "author_zone", Label: "Zone", Kind: fact.Styled, Conflict: conflict(&mapZone), Doc: "zone of the author: World|Europe|…",
		Set: setText(&mapZone, nil), Get: func(m *Map) any { return stated(m.Author().Zone) }, Shown: func(m *Map) bool { return m.Author().Zone != "" }},
	{Name: "collection", Kind: fact.ID, Doc: "environment as stored: a name or a number",
		Get: func(m *Map) any { return nadeo.IDValue(m.Ident().Collection) }},
	{Name: "collection_name", Label: "Environment", Kind: fact.Text, Doc: "environment by name", Also: []fact.Word{fact.Environment}, Indexed: true, Always: true,
		Get: func(m *Map) any { return nadeo.EnvironmentName(m.Collection()) }},
	{Name: "decoration", Label: "Decoration", Kind: fact.ID, Doc: "surroundings of the blocks, such as 48x48Day",
		Set: setDecoration, Get: func(m *Map) any { return stated(m.Decoration().ID.String()) }, Shown: func(*Map) bool { return false }},
	{Name: "mood", Label: "Mood", Kind: fact.Text, Conflict: conflict(&mapMood), Doc: "Sunrise, Day, Sunset or Night, if the decoration determines it",
		Set: setMood, Get: func(m *Map) any { return stated(m.Mood()) }, Shown: func(m *Map) bool { return m.Mood() != "" }},
	sizeFact("x", func(s gbx.Int3) int32 { return s.X }),
	sizeFact("y", func(s gbx.Int3) int32 { return s.Y }),
	sizeFact("z", func(s gbx.Int3) int32 { return s.Z }),
	{Name: "title_id", Label: "Title", Kind: fact.ID, Conflict: conflict(&mapTitle), Doc: "title pack", Also: []fact.Word{fact.Title}, Always: true,
		Set: setTitle, Get: func(m *Map) any { return m.Title() }},
	{Name: "map_type", Label: "Map type", Kind: fact.ID, Conflict: conflict(&mapType), Doc: "script that decides how the map is played", Also: []fact.Word{{Name: "type", Doc: "map type"}}, Always: true,
		Set: setText(&mapType, checkType), Get: func(m *Map) any { return m.Type() }},
	{Name: "mode", Label: "Mode", Kind: fact.Text, Conflict: conflict(&mapMode), Doc: "Race, Platform, Stunts, …", Always: true,
		Set: setMode, Get: func(m *Map) any { return m.Mode().String() }, Shown: func(*Map) bool { return false }},
	{Name: "medals", Label: "Medals", Kind: fact.Group, Doc: "what the medals take", Words: medalWords},
	medalFact("author", "author_time", true, authorMedal{}, func(m Medals) gbx.Time { return m.Author }),
	medalFact("gold", "gold", false, &mapGold, func(m Medals) gbx.Time { return m.Gold }),
	medalFact("silver", "silver", false, &mapSilver, func(m Medals) gbx.Time { return m.Silver }),
	medalFact("bronze", "bronze", false, &mapBronze, func(m Medals) gbx.Time { return m.Bronze }),
	{Name: "laps", Label: "Laps", Kind: fact.Count, Conflict: conflict(&mapLaps), Doc: "number of laps as stored; without meaning unless is_lap_race",
		Set: setLaps, Get: func(m *Map) any { n, _ := m.Laps(); return fact.Known(n, n >= 0) }, Shown: lapRace},
	{Name: "is_lap_race", Kind: fact.Flag, Also: []fact.Word{{Name: "multilap", Doc: "whether the race has laps"}}, Conflict: conflict(&mapIsLapRace), Doc: "whether the race has laps", Always: true, Set: setLapRace, Get: func(m *Map) any { return lapRace(m) }},
	{Name: "checkpoints", Label: "Checkpoints", Kind: fact.Count, Doc: "number of checkpoints that the map states, without the finish",
		Get: func(m *Map) any { n := m.Checkpoints(); return fact.Known(n, n >= 0) }, Shown: func(m *Map) bool { return m.Checkpoints() >= 0 }},
	{Name: "checkpoints_stored", Kind: fact.Count, Doc: "number of checkpoints as stored: since ManiaPlanet it includes the finish",
		Get: func(m *Map) any { n := m.StoredCheckpoints(); return fact.Known(n, n >= 0) }},
	{Name: "block_count", Label: "Blocks", Kind: fact.Count, Doc: "number of blocks", Also: []fact.Word{{Name: "blocks", Doc: "number of blocks on a map"}}, Always: true,
		Get: func(m *Map) any { return m.BlockCount() }},
	{Name: "baked_block_count", Kind: fact.Count, Doc: "number of blocks that the game added", Always: true, Get: func(m *Map) any { return m.BakedBlockCount() }},
	{Name: "item_count", Label: "Items", Kind: fact.Count, Doc: "number of items", Also: []fact.Word{{Name: "items", Doc: "number of items on a map"}}, Always: true,
		Get: func(m *Map) any { return m.ItemCount() }},
	{Name: "embedded_items", Label: "Embedded", Kind: fact.List, Doc: "names of the files that the map embeds",
		Get: func(m *Map) any { return m.EmbeddedNames() }, Words: func(m *Map) string { return fmt.Sprint(len(m.EmbeddedNames())) },
		Shown: func(m *Map) bool { return len(m.EmbeddedZip()) > 0 && len(m.EmbeddedNames()) > 0 }},
	{Name: "thumbnail_sha256", Kind: fact.Hash, Doc: "SHA-256 of the thumbnail as stored", Get: func(m *Map) any {
		picture := m.StoredThumbnail()
		return fact.Known(fmt.Sprintf("%x", sha256.Sum256(picture)), len(picture) > 0)
	}},
	{Name: "thumbnail_size", Label: "Thumbnail", Kind: fact.Bytes, Doc: "size of the thumbnail", Omit: true,
		Get: func(m *Map) any { n := len(m.StoredThumbnail()); return fact.Known(n, n > 0) },
		Words: func(m *Map) string {
			return fmt.Sprintf("%d bytes, stored upside down", len(m.StoredThumbnail()))
		}},
	{Name: "has_lightmap", Kind: fact.Flag, Doc: "whether the shadows are computed", Also: []fact.Word{{Name: "lightmap", Doc: "whether the shadows are computed"}}, Always: true,
		Get: func(m *Map) any { return m.HasLightmap() }},
	{Name: "password", Label: "Password", Kind: fact.Flag, Conflict: conflict(&mapPassword), Doc: "whether a password is set", Always: true, Get: func(m *Map) any { return m.Password().Set }},
	{Name: "comments", Label: "Comments", Kind: fact.Styled, Conflict: conflict(&mapComments), Doc: "comment of the author", Also: []fact.Word{fact.Comment}, Search: fact.ByComment,
		Set: setComments, Get: func(m *Map) any { return stated(m.Comments()) }, Shown: func(m *Map) bool { return m.Comments() != "" }},
	{Name: "build", Kind: fact.Text, Doc: "version of the program that saved the map", Get: func(m *Map) any { return stated(m.Build()) }},
	{Name: "build_date", Kind: fact.Moment, Doc: "date of the program that saved the map: the map was saved later. No game stores the date of saving",
		Get: func(m *Map) any { t, ok := m.BuildDate(); return fact.Known(t.UnixMilli(), ok) }},
}, moreFacts...))

// sizeFact makes the fact for the size of a map along one axis.
func sizeFact(axis string, get func(gbx.Int3) int32) fact.Row[*Map] {
	return fact.Row[*Map]{Name: "size_" + axis, Kind: fact.Count, Doc: "size in blocks along the axis " + axis,
		Get: func(m *Map) any { s := m.Size(); return fact.Known(int64(get(s)), s != gbx.Int3{}) }}
}

// conflict makes a function that compares the places of a map that state a fact.
func conflict(stated places.Agreeing) func(*Map) string {
	return func(m *Map) string { return stated.Contradiction(m.site()) }
}

// stated returns a text, or nil if it is empty.
func stated(s string) any { return fact.Known(s, s != "") }

func lapRace(m *Map) bool {
	_, is := m.Laps()
	return is
}

// medalFact makes the fact for one medal. Its unit is milliseconds, or the unit of the
// map's mode.
func medalFact(name, word string, indexed bool, stated places.Agreeing, medal func(Medals) gbx.Time) fact.Row[*Map] {
	return fact.Row[*Map]{
		Name: "medals." + name, Kind: fact.Time, Doc: name + " medal: a time, or points in Stunts and respawns in Platform",
		Also: []fact.Word{{Name: word, Doc: name + " medal"}}, Indexed: indexed, Conflict: conflict(stated), Set: setMedal(name),
		Get: func(m *Map) any { t := medal(m.Medals()); return fact.Known(int64(t), t != gbx.NoTime) },
		Words: func(m *Map) string {
			unit := m.Scoring().Others
			if name == "author" {
				unit = m.Scoring().Author
			}
			if t := medal(m.Medals()); unit != Times && t != gbx.NoTime {
				return unit.text(t)
			}
			return ""
		},
	}
}

// medalWords makes the line about all medals on the card.
func medalWords(m *Map) string {
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
