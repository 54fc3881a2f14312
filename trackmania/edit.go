package trackmania

import (
	"encoding/xml"
	"net/url"
	"strconv"
	"strings"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
)

// A name and the medals stand in up to four places: the two descriptions in
// the header, the XML there, and the body. All of them are changed together,
// so that no game and no site sees the old ones.

// Rename gives the map another name, which may hold colour codes.
func (m *Map) Rename(name string) {
	if strings.HasPrefix(m.Name(), byteOrderMark) && !isASCII(name) {
		name = byteOrderMark + name
	}
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
	m.setXML("ident", "name", strings.TrimPrefix(name, byteOrderMark))
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
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
	c.Xml = c.Xml[:from] + escapeXML(value, c.Xml[from:to]) + c.Xml[to:]
}

// escapeXML writes a value the way the old one is written. The oldest games
// encode texts in XML as in web addresses.
func escapeXML(value, old string) string {
	if plain, err := url.QueryUnescape(old); err == nil && plain != old {
		return url.QueryEscape(value)
	}
	var b strings.Builder
	xml.EscapeText(&b, []byte(value)) // to memory: cannot fail
	return b.String()
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

// placed returns the list of blocks where it can be edited.
func (m *Map) placed() (*game.Chunk0304301F, error) {
	c, ok := find[*game.Chunk0304301F](m)
	if !ok {
		return nil, fault.New(fault.Unsupported, "blocks of this old kind of map cannot be edited")
	}
	for i := range m.File.Body.Chunks {
		if m.File.Body.Chunks[i].ID>>12 == 0x3F001 {
			return nil, fault.New(fault.Unsupported, "the blocks of a TMUnlimiter map cannot be edited")
		}
	}
	return c, nil
}

// DeleteBlock removes block i of [Map.Blocks], and what other chunks say
// about it.
func (m *Map) DeleteBlock(i int) error {
	c, err := m.placed()
	if err != nil {
		return err
	}
	at, free := storedBlock(c, i)
	if at < 0 {
		return fault.New(fault.Unsupported, "there is no block %d", i)
	}
	wasFree := isFree(c.Blocks.Blocks[at].Flags)
	c.Blocks.Blocks = cut(c.Blocks.Blocks, at)
	if f, ok := find[*game.Chunk0304305F](m); ok && wasFree {
		f.FreeBlocks = cut(f.FreeBlocks, free)
	}
	if f, ok := find[*game.Chunk03043062](m); ok {
		f.Colors = cut(f.Colors, at)
	}
	if f, ok := find[*game.Chunk03043068](m); ok {
		f.LightmapQualities = cut(f.LightmapQualities, at)
	}
	if f, ok := find[*game.Chunk03043069](m); ok {
		f.MacroblockIndices = cut(f.MacroblockIndices, at)
	}
	if f, ok := find[*game.Chunk03043040](m); ok {
		dropIndex(f.SnappedBlocks, at)
	}
	return nil
}

// storedBlock finds block i in the stored list, which also holds stand-ins,
// and how many free blocks stand before it.
func storedBlock(c *game.Chunk0304301F, i int) (at, free int) {
	for at := range c.Blocks.Blocks {
		flags := c.Blocks.Blocks[at].Flags
		if flags == standIn {
			continue
		}
		if i == 0 {
			return at, free
		}
		i--
		if isFree(flags) {
			free++
		}
	}
	return -1, 0
}

// cut returns a list without one element; the old one is left alone.
func cut[T any](list []T, i int) []T {
	if i >= len(list) {
		return list
	}
	return append(append(make([]T, 0, len(list)-1), list[:i]...), list[i+1:]...)
}

// insert returns a list with one more element.
func insert[T any](list []T, i int, v T) []T {
	i = min(i, len(list))
	return append(append(append(make([]T, 0, len(list)+1), list[:i]...), v), list[i:]...)
}

// dropIndex renumbers a column of indices after element i went.
func dropIndex(column []int32, i int) {
	for k, v := range column {
		switch {
		case int(v) == i:
			column[k] = -1
		case int(v) > i:
			column[k]--
		}
	}
}

// AddBlock puts a block on the grid, behind all others in the list.
func (m *Map) AddBlock(name string, at gbx.Int3, direction int, ground bool) error {
	c, err := m.placed()
	if err != nil {
		return err
	}
	offset := int32(0)
	if c.Version >= gridVersion {
		offset = 1
	}
	x, z := at.X+offset, at.Z+offset
	if x < 0 || x > 255 || z < 0 || z > 255 || at.Y < 0 || at.Y > 255 || direction < 0 || direction > 3 {
		return fault.New(fault.Unsupported, "a block cannot stand at %d %d %d facing %d", at.X, at.Y, at.Z, direction)
	}
	b := game.CGameCtnChallengeBlock{
		Name: gbx.NewId(name), Direction: uint8(direction), Coord: gbx.Byte3{X: uint8(x), Y: uint8(at.Y), Z: uint8(z)},
	}
	if ground {
		b.Flags = flagGround
	}
	end := len(c.Blocks.Blocks)
	c.Blocks.Blocks = append(c.Blocks.Blocks[:end:end], b)
	if f, ok := find[*game.Chunk03043062](m); ok {
		f.Colors = insert(f.Colors, end, 0)
	}
	if f, ok := find[*game.Chunk03043068](m); ok {
		f.LightmapQualities = insert(f.LightmapQualities, end, 0)
	}
	if f, ok := find[*game.Chunk03043069](m); ok {
		f.MacroblockIndices = insert(f.MacroblockIndices, end, -1)
	}
	return nil
}
