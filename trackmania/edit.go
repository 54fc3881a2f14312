package trackmania

import (
	"unicode"
	"unicode/utf8"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
)

// Rename gives the map another name, which may hold colour codes.
func (m *Map) Rename(name string) error {
	if err := CheckName(name); err != nil {
		return err
	}
	mapName.set(m.site(), marked(name))
	return nil
}

// CheckName refuses a name that the header's XML cannot hold: one with control
// characters, or that is not UTF-8.
func CheckName(name string) error {
	if !utf8.ValidString(name) {
		return fault.New(fault.Unsupported, "the name %q is not UTF-8", name)
	}
	for _, r := range name {
		if unicode.IsControl(r) || r == 0xFFFE || r == 0xFFFF {
			return fault.New(fault.Unsupported, "the name %q holds the control character %U, which the map's XML cannot hold", name, r)
		}
	}
	return nil
}

// SetMedals changes what the medals take.
func (m *Map) SetMedals(s Medals) {
	mapAuthorTime.set(m.site(), s.Author)
	mapGold.set(m.site(), s.Gold)
	mapSilver.set(m.site(), s.Silver)
	mapBronze.set(m.site(), s.Bronze)
}

// setXML changes an attribute in the header's XML, if it is there.
func (m *Map) setXML(tag, attribute, value string) { inXML(tag, attribute).set(m.site(), value) }

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
	mapPassword.set(m.site(), "")
	if c, ok := find[*game.Chunk03043029](m); ok {
		c.PasswordHash = gbx.Hash128{}
		c.CRC32 = passwordCRC(c.PasswordHash, m.UID())
	}
	return was
}
