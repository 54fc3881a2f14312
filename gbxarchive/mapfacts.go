package gbxarchive

import (
	"fmt"
	"strings"

	"pakbox/gbx"
	"pakbox/trackmania/maps"
)

// medalTexts tell what the map's medals take.
func medalTexts(m *maps.Map) string {
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

func (a *Archive) mapFacts(f *facts) {
	m, err := maps.Of(a.file)
	if err != nil {
		return // the class was looked at before
	}
	i := m.Info()
	f.text("name", "Map", i.Name)
	f.add("uid", "UID", i.UID, "")
	f.login("author_login", "Author", i.AuthorLogin)
	f.text("author_nick", "Nickname", i.AuthorNick)
	f.collection(i.Collection, i.CollectionName)
	f.add("title_id", "Title", i.TitleID, "")
	f.add("map_type", "Map type", i.MapType, "")
	f.add("medals", "Medals", &i.Medals, medalTexts(m))
	_, isLapRace := m.Laps()
	f.add("laps", shown("Laps", isLapRace), count(i.Laps), "")
	f.add("checkpoints", shown("Checkpoints", i.Checkpoints != nil), count(i.Checkpoints), "")
	f.add("block_count", "Blocks", i.BlockCount, "")
	f.add("baked_block_count", "", i.BakedBlockCount, "")
	f.add("item_count", "Items", i.ItemCount, "")
	f.add("embedded_items", shown("Embedded", len(i.EmbeddedItems) > 0), i.EmbeddedItems, fmt.Sprint(len(i.EmbeddedItems)))
	f.add("thumbnail_sha256", "", i.ThumbnailSHA256, "")
	if i.ThumbnailSize > 0 {
		f.add("thumbnail_size", "Thumbnail", i.ThumbnailSize, fmt.Sprintf("%d bytes, stored upside down", i.ThumbnailSize))
	}
	f.add("password", "Password", i.Password, "")
}

// shown is a label, or none for a fact that says nothing to people.
func shown(label string, show bool) string {
	if show {
		return label
	}
	return ""
}

// count is a number, or nothing at all.
func count(n *int) any {
	if n == nil {
		return nil
	}
	return *n
}
