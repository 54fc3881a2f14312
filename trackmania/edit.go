package trackmania

import (
	"net/url"
	"strconv"
	"strings"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
)

// A name and the medals stand in up to four places: the two descriptions in
// the header, the XML there, and the body. All of them are changed together,
// so that no game and no site sees the old ones.

// Rename gives the map another name, which may hold colour codes.
func (m *Map) Rename(name string) {
	name = marked(name)
	if c, ok := head[*game.Header03043002](m); ok && c.Version < 3 {
		c.MapName = name
	}
	if c, ok := head[*game.Header03043003](m); ok {
		c.MapName = name
	}
	if c, ok := find[*game.Chunk0304301F](m); ok {
		c.MapName = name
	}
	if c, ok := find[*game.Chunk03043013](m); ok {
		c.MapName = name
	}
	if c, ok := find[*game.Chunk03043012](m); ok {
		c.MapName = name
	}
	m.setXML("ident", "name", unmarked(name))
}

// SetMedals changes what the medals take.
func (m *Map) SetMedals(s Medals) {
	if c, ok := head[*game.Header03043002](m); ok && c.Version >= 1 {
		c.AuthorTime, c.GoldTime, c.SilverTime, c.BronzeTime = s.Author, s.Gold, s.Silver, s.Bronze
	}
	if p, ok := gbx.Find[*game.Chunk0305B004](m.parameters()); ok {
		p.AuthorTime, p.GoldTime, p.SilverTime, p.BronzeTime = s.Author, s.Gold, s.Silver, s.Bronze
	}
	if p, ok := gbx.Find[*game.Chunk0305B00A](m.parameters()); ok {
		p.AuthorTime, p.GoldTime, p.SilverTime, p.BronzeTime = s.Author, s.Gold, s.Silver, s.Bronze
	}
	for _, t := range []struct {
		attr string
		time gbx.Time
	}{{"authortime", s.Author}, {"gold", s.Gold}, {"silver", s.Silver}, {"bronze", s.Bronze}} {
		m.setXML("times", t.attr, strconv.Itoa(int(t.time)))
	}
}

// setXML changes an attribute in the header's XML, if it is there.
func (m *Map) setXML(tag, attr, value string) {
	c, ok := head[*game.Header03043005](m)
	if !ok {
		return
	}
	start := strings.Index(c.Xml, "<"+tag+" ")
	if start < 0 {
		return
	}
	end := start + strings.IndexByte(c.Xml[start:], '>')
	at := strings.Index(c.Xml[start:max(start, end)], " "+attr+`="`)
	if at < 0 {
		return
	}
	from := start + at + len(attr) + 3
	to := from + strings.IndexByte(c.Xml[from:], '"')
	if to < from {
		return
	}
	c.Xml = c.Xml[:from] + escapeXML(value, c.Xml) + c.Xml[to:]
}

// xmlText are the characters that XML has its own words for.
var xmlText = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;")

// escapeXML writes a text as the game does that wrote the XML: those before
// TrackMania Forever, whose versions begin with 0, encode texts as in web
// addresses.
func escapeXML(value, all string) string {
	if strings.Contains(all, `exever="0.`) {
		return url.QueryEscape(value)
	}
	return xmlText.Replace(value)
}

// StripLightmap takes the computed shadows out of the map; the game computes
// them again. It reports whether there were any.
func (m *Map) StripLightmap() bool {
	had := m.HasLightmap()
	if c, ok := find[*game.Chunk0304305B](m); ok {
		c.HasLightmaps, c.Lightmaps = gbx.False, game.CGameCtnChallengeLightmaps{}
	}
	if c, ok := find[*game.Chunk0304303D](m); ok {
		c.HasLightmaps, c.Lightmaps = gbx.False, game.CGameCtnChallengeLightmaps{}
	}
	if c, ok := head[*game.Header03043003](m); ok && c.Version >= 9 && had {
		c.LightmapVersion = 0
		m.setXML("header", "lightmap", "0")
	}
	return had
}

// RemovePassword makes the map free to edit. It reports whether a password
// was set.
func (m *Map) RemovePassword() bool {
	was := m.Password().Set
	if c, ok := head[*game.Header03043003](m); ok {
		c.Password = ""
	}
	if c, ok := find[*game.Chunk03043014](m); ok {
		c.Password = ""
	}
	if c, ok := find[*game.Chunk03043029](m); ok {
		c.PasswordHash = gbx.Hash128{}
		c.Crc32 = passwordCRC(c.PasswordHash, m.UID())
	}
	return was
}
