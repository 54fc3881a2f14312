package gbxarchive

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"pakbox/gbx"
	"pakbox/trackmania"
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

// medalFacts tell what the map's medals take.
func medalFacts(f *facts, m *trackmania.Map) {
	s := m.Medals()
	var parts []string
	for i, text := range s.Texts(m.Scoring()) {
		if [...]gbx.Time{s.Author, s.Gold, s.Silver, s.Bronze}[i] != gbx.NoTime {
			parts = append(parts, [...]string{"author ", "gold ", "silver ", "bronze "}[i]+text)
		}
	}
	if parts == nil {
		parts = []string{"none"}
	}
	value := &medals{known(s.Author), known(s.Gold), known(s.Silver), known(s.Bronze)}
	f.add("medals", "Medals", value, strings.Join(parts, ", "))
}

func (a *Archive) mapFacts(f *facts) {
	m, err := trackmania.MapOf(a.file)
	if err != nil {
		return // the class was looked at before
	}
	f.text("name", "Map", m.Name())
	f.add("uid", "UID", m.UID(), "")
	author := m.Author()
	f.login("author_login", "Author", author.Login)
	f.text("author_nick", "Nickname", author.Nick)
	f.collection(m.Ident().Collection)
	f.add("title_id", "Title", m.Title(), "")
	f.add("map_type", "Map type", m.Type(), "")
	medalFacts(f, m)
	laps, isLapRace := m.Laps()
	f.count("laps", "Laps", laps, isLapRace)
	checkpoints := m.Checkpoints()
	f.count("checkpoints", "Checkpoints", checkpoints, checkpoints >= 0)
	a.contentFacts(f, m)
}

// contentFacts count what stands on the map and what it brings along.
func (a *Archive) contentFacts(f *facts, m *trackmania.Map) {
	f.add("block_count", "Blocks", len(m.Blocks()), "")
	f.add("baked_block_count", "", len(m.BakedBlocks()), "")
	f.add("item_count", "Items", len(m.Items()), "")
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
	if picture := m.StoredThumbnail(); len(picture) > 0 {
		f.add("thumbnail_sha256", "", fmt.Sprintf("%x", sha256.Sum256(picture)), "")
		f.add("thumbnail_size", "Thumbnail", len(picture), fmt.Sprintf("%d bytes, stored upside down", len(picture)))
	} else {
		f.add("thumbnail_sha256", "", nil, "")
	}
	f.add("password", "Password", m.Password().Set, "")
}
