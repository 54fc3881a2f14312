package nadeo

import (
	"pakbox/gbx"
	"pakbox/internal/answer"
	"pakbox/trackmania"
)

// itemsObject is what a map brings along, and lacks, as JSON.
func itemsObject(name string, m *trackmania.Map, e *trackmania.Embedding) *answer.Object {
	list := make([]*answer.Object, len(e.Files))
	for i, f := range e.Files {
		list[i] = new(answer.Object).Add("name", f.Name).Add("size", f.Size).Add("stored_size", f.Packed).
			Add("model", answer.NonEmpty(f.Model)).Add("listed", f.Listed).Add("used", f.Used)
	}
	missing := append([]string{}, e.Missing...)
	return answer.New("map.items", name, "gbx").Add("item_count", len(m.Items())).Add("embedded", list).Add("missing", missing)
}

// lightmapObject is the list of the pictures of computed light as JSON.
func lightmapObject(name string, pictures []trackmania.Picture) *answer.Object {
	list := make([]*answer.Object, len(pictures))
	for i, p := range pictures {
		list[i] = new(answer.Object).Add("name", p.Name).Add("size", len(p.Data))
	}
	return answer.New("map.lightmap", name, "gbx").Add("pictures", list)
}

// metaObject is what scripts stored in a map, as JSON.
func metaObject(name string, values []trackmania.MetaValue) *answer.Object {
	list := make([]*answer.Object, len(values))
	for i, v := range values {
		list[i] = new(answer.Object).Add("name", v.Name).Add("type", v.Type).Add("value", v.Value)
	}
	return answer.New("map.meta", name, "gbx").Add("values", list)
}

// passwordObject is whether a password protects a map, as JSON.
func passwordObject(name string, p trackmania.Password) *answer.Object {
	return answer.New("map.password", name, "gbx").Add("password", p.Set).Add("crc_ok", !p.HasCRC || p.CRC == p.WantCRC)
}

// medalNames are those of the flags, best first.
var medalNames = [4]string{"author", "gold", "silver", "bronze"}

// medalList gives the medals in the order of their names.
func medalList(m *trackmania.Medals) [4]*gbx.Time {
	return [4]*gbx.Time{&m.Author, &m.Gold, &m.Silver, &m.Bronze}
}

func medalsObject(m trackmania.Medals) *answer.Object {
	o := new(answer.Object)
	for i, t := range medalList(&m) {
		if *t == gbx.NoTime {
			o.Add(medalNames[i], nil)
		} else {
			o.Add(medalNames[i], int32(*t))
		}
	}
	return o
}

// medalObject is what the medals of a map take, as JSON.
func medalObject(name string, m *trackmania.Map) *answer.Object {
	medals := m.Medals()
	return answer.New("map.medals", name, "gbx").Add("mode", m.Mode().String()).Add("medals", medalsObject(medals)).
		Add("in_order", medals.InOrder(m.Scoring()))
}

// partJSON is a part of a map in JSON.
type partJSON struct {
	Name   string     `json:"name"`
	ID     *string    `json:"id"` // of a chunk or class
	Count  int        `json:"count"`
	Bytes  int64      `json:"bytes"`        // before compression
	Stored *int64     `json:"stored_bytes"` // an estimate, of the parts of the file
	Parts  []partJSON `json:"parts"`
}

func partObjects(parts []*trackmania.Part, least int64) []partJSON {
	out := []partJSON{}
	for _, p := range parts {
		if p.Bytes < least {
			continue
		}
		j := partJSON{Name: p.Name, Count: p.Count, Bytes: p.Bytes, Parts: partObjects(p.Parts, least)}
		if p.ID != 0 {
			id := p.ID.String()
			j.ID = &id
		}
		if p.Stored > 0 {
			j.Stored = &p.Stored
		}
		out = append(out, j)
	}
	return out
}

// sizeObject is what takes the bytes of a map, as JSON. Parts of fewer bytes
// than least are left out.
func sizeObject(name string, parts *trackmania.Part, least int64) *answer.Object {
	return answer.New("map.size", name, "gbx").Add("size", parts.Stored).
		Add("limits", new(answer.Object).Add("maniaplanet", trackmania.ManiaPlanetLimit).Add("trackmania", trackmania.TrackmaniaLimit)).
		Add("within_maniaplanet", parts.Stored <= trackmania.ManiaPlanetLimit).Add("within_trackmania", parts.Stored <= trackmania.TrackmaniaLimit).
		Add("parts", partObjects(parts.Parts, least))
}
