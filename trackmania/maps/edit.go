package maps

import (
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/internal/lib/styled"
	"pakbox/trackmania"
	"pakbox/trackmania/internal/places"
)

// Rename gives the map another name, which may hold colour codes.
func (m *Map) Rename(name string) error {
	if err := trackmania.CheckName(name); err != nil {
		return err
	}
	mapName.Set(m.site(), styled.Marked(name))
	return nil
}

// SetMedals changes what the medals take.
func (m *Map) SetMedals(s Medals) {
	mapAuthorTime.Set(m.site(), s.Author)
	mapGold.Set(m.site(), s.Gold)
	mapSilver.Set(m.site(), s.Silver)
	mapBronze.Set(m.site(), s.Bronze)
}

// setXML changes an attribute in the header's XML, if it is there.
func (m *Map) setXML(tag, attribute, value string) { places.InXML(tag, attribute).Set(m.site(), value) }

// StripLightmap removes the computed shadows; the game computes them again. It
// reports whether there were any.
func (m *Map) StripLightmap() bool {
	if !m.HasLightmap() {
		return false
	}
	if c, ok := find[*game.Chunk0304305B](m); ok {
		c.Lightmaps = noLight(c.Lightmaps.Version)
	}
	if c, ok := find[*game.Chunk0304303D](m); ok {
		c.Lightmaps = noLight(c.Lightmaps.Version)
	}
	if c, ok := head[*game.Header03043003](m); ok && c.Version >= 9 {
		c.LightmapVersion = 0
		m.setXML("header", "lightmap", "0")
	}
	return true
}

// noLight is the lightmap of a map whose shadows are not computed. The chunk says
// that there is one, in every real map; it has no frames and no pictures.
func noLight(version uint32) game.CGameCtnChallengeLightmaps {
	return game.CGameCtnChallengeLightmaps{Version: version}
}

// RemovePassword makes the map free to edit. It reports whether a password
// was set.
func (m *Map) RemovePassword() bool {
	was := m.Password().Set
	mapPassword.Set(m.site(), "")
	if c, ok := find[*game.Chunk03043029](m); ok {
		c.PasswordHash = gbx.Hash128{}
		c.CRC32 = passwordCRC(c.PasswordHash, m.UID())
	}
	return was
}
