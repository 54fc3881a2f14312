package answer

import (
	"pakbox/finding"
	"pakbox/gbx"
	"pakbox/trackmania/maps"
	"pakbox/trackmania/table"
)

// ItemsObject is what a map brings along, and lacks, as JSON.
func ItemsObject(name string, m *maps.Map, e *maps.Embedding) *Object {
	list := make([]*Object, len(e.Files))
	for i, f := range e.Files {
		list[i] = new(Object).Add("name", f.Name).Add("size", f.Size).Add("stored_size", f.Packed).
			Add("model", NonEmpty(f.Model)).Add("listed", f.Listed).Add("used", f.Used)
	}
	missing := append([]string{}, e.Missing...)
	return New("map.items", name, "gbx").Add("item_count", len(m.Items())).Add("embedded", list).Add("missing", missing)
}

// LightmapObject is the list of the pictures of computed light as JSON.
func LightmapObject(name string, pictures []maps.Picture) *Object {
	list := make([]*Object, len(pictures))
	for i, p := range pictures {
		list[i] = new(Object).Add("name", p.Name).Add("size", len(p.Data))
	}
	return New("map.lightmap", name, "gbx").Add("pictures", list)
}

// MetaObject is what scripts stored in a map, as JSON.
func MetaObject(name string, values []maps.MetaValue) *Object {
	list := make([]*Object, len(values))
	for i, v := range values {
		list[i] = new(Object).Add("name", v.Name).Add("type", v.Type).Add("value", v.Value)
	}
	return New("map.meta", name, "gbx").Add("values", list)
}

// PasswordObject is whether a password protects a map, as JSON.
func PasswordObject(name string, p maps.Password) *Object {
	return New("map.password", name, "gbx").Add("password", p.Set).Add("crc_ok", !p.HasCRC || p.CRC == p.WantCRC)
}

// MedalNames are those of the flags, best first.
var MedalNames = [4]string{"author", "gold", "silver", "bronze"}

// MedalList gives the medals in the order of their names.
func MedalList(m *maps.Medals) [4]*gbx.Time {
	return [4]*gbx.Time{&m.Author, &m.Gold, &m.Silver, &m.Bronze}
}

// MedalsObject is medals as JSON has them.
func MedalsObject(m maps.Medals) *Object {
	o := new(Object)
	for i, t := range MedalList(&m) {
		if *t == gbx.NoTime {
			o.Add(MedalNames[i], nil)
		} else {
			o.Add(MedalNames[i], int32(*t))
		}
	}
	return o
}

// MedalObject is what the medals of a map take, as JSON.
func MedalObject(name string, m *maps.Map) *Object {
	medals := m.Medals()
	return New("map.medals", name, "gbx").Add("mode", m.Mode().String()).Add("medals", MedalsObject(medals)).
		Add("in_order", medals.InOrder(m.Scoring()))
}

// part is a part of a map in JSON.
type part struct {
	Name   string  `json:"name"`
	ID     *string `json:"id"` // of a chunk or class
	Count  int     `json:"count"`
	Bytes  int64   `json:"bytes"`        // before compression
	Stored *int64  `json:"stored_bytes"` // an estimate, of the parts of the file
	Parts  []part  `json:"parts"`
}

func partObjects(parts []*maps.Part, least int64) []part {
	out := []part{}
	for _, p := range parts {
		if p.Bytes < least {
			continue
		}
		j := part{Name: p.Name, Count: p.Count, Bytes: p.Bytes, Parts: partObjects(p.Parts, least)}
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

// SizeObject is what takes the bytes of a map, as JSON. Parts of fewer bytes
// than least are left out.
func SizeObject(name string, parts *maps.Part, least int64) *Object {
	return New("map.size", name, "gbx").Add("size", parts.Stored).
		Add("limits", new(Object).Add("maniaplanet", maps.ManiaPlanetLimit).Add("trackmania", maps.TrackmaniaLimit)).
		Add("within_maniaplanet", parts.Stored <= maps.ManiaPlanetLimit).Add("within_trackmania", parts.Stored <= maps.TrackmaniaLimit).
		Add("parts", partObjects(parts.Parts, least))
}

// LintObject is what lint found, as JSON.
func LintObject(name string, findings []finding.Finding) *Object {
	return New("map.lint", name, "gbx").Add("findings", findings)
}

// CountObject is the count of things as JSON.
func CountObject(name string, total int, counts []table.NameCount) *Object {
	return New("map.blocks", name, "gbx").Add("count", total).Add("by_name", counts)
}

// BlocksObject is the list of things as JSON.
func BlocksObject(name string, list []table.Thing) *Object {
	return New("map.blocks", name, "gbx").Add("blocks", list)
}
