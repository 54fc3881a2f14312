package trackmania

import (
	"hash/crc32"
	"strings"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine/game"
)

// Classes of files that the package knows.
const (
	classMap    classid.ID = 0x03043000
	classReplay classid.ID = 0x03093000
	classGhost  classid.ID = 0x03092000
)

// noIdent is that of something whose file does not say what it is.
var noIdent = gbx.Ident{ID: gbx.NoId, Collection: gbx.NoId, Author: gbx.NoId}

// Map is a map: a challenge, a track.
type Map struct {
	File *gbx.File
}

// MapOf returns the map that a file is.
func MapOf(f *gbx.File) (*Map, error) {
	if f.Class.Latest() != classMap {
		return nil, fault.New(fault.NotFormat, "the file is no map")
	}
	return &Map{f}, nil
}

// find returns a chunk of the body.
func find[T gbx.Body](m *Map) (T, bool) { return gbx.Find[T](m.File.Body) }

// head returns a chunk of the header.
func head[T gbx.Body](m *Map) (T, bool) { return gbx.FindHeader[T](&m.File.Header) }

// Name returns the map's name, with its colour codes.
func (m *Map) Name() string {
	if c, ok := find[*game.Chunk0304301F](m); ok {
		return c.MapName
	}
	if c, ok := find[*game.Chunk03043013](m); ok {
		return c.MapName
	}
	if c, ok := find[*game.Chunk03043012](m); ok {
		return c.MapName
	}
	if c, ok := head[*game.Header03043003](m); ok {
		return c.MapName
	}
	if c, ok := head[*game.Header03043002](m); ok {
		return c.MapName
	}
	return ""
}

// Ident returns what the map is known by: its UID, environment and author.
func (m *Map) Ident() gbx.Ident {
	if c, ok := find[*game.Chunk0304301F](m); ok {
		return c.MapInfo
	}
	if c, ok := find[*game.Chunk03043013](m); ok {
		return c.MapInfo
	}
	if c, ok := find[*game.Chunk0304300F](m); ok {
		return c.MapInfo
	}
	if c, ok := head[*game.Header03043003](m); ok {
		return c.MapInfo
	}
	if c, ok := head[*game.Header03043002](m); ok && c.Version < 3 {
		return c.MapInfo
	}
	return noIdent
}

// headerUID is the UID that the header gives.
func (m *Map) headerUID() string {
	if c, ok := head[*game.Header03043003](m); ok {
		return c.MapInfo.ID.String()
	}
	return ""
}

// UID returns the map's unique name.
func (m *Map) UID() string { return m.Ident().ID.String() }

// Collection returns the name of the environment.
func (m *Map) Collection() string { return CollectionName(m.Ident().Collection) }

// Player is someone who made a map or drove a run.
type Player struct {
	Login string
	Nick  string // with colour codes
	Zone  string // World|Europe|…
}

// Author returns who made the map.
func (m *Map) Author() Player {
	if c, ok := find[*game.Chunk03043042](m); ok {
		return Player{c.AuthorLogin, c.AuthorNick, c.AuthorZone}
	}
	if c, ok := head[*game.Header03043008](m); ok {
		return Player{c.AuthorLogin, c.AuthorNick, c.AuthorZone}
	}
	return Player{Login: m.Ident().Author.String()}
}

// Decoration returns what surrounds the blocks; its name tells the mood, such
// as 48x48Day.
func (m *Map) Decoration() gbx.Ident {
	if c, ok := find[*game.Chunk0304301F](m); ok {
		return c.Decoration
	}
	if c, ok := find[*game.Chunk03043013](m); ok {
		return c.Decoration
	}
	if c, ok := find[*game.Chunk0304300F](m); ok {
		return c.Decoration
	}
	if c, ok := head[*game.Header03043003](m); ok && c.Version >= 2 {
		return c.Decoration
	}
	return noIdent
}

// Mood returns the time of day that the decoration's name begins or ends with,
// or "".
func (m *Map) Mood() string {
	name := strings.ToLower(m.Decoration().ID.String()) // TMUnited has 30x30sunset too
	for _, mood := range []string{"Sunrise", "Sunset", "Night", "Day"} {
		if lower := strings.ToLower(mood); strings.HasPrefix(name, lower) || strings.HasSuffix(name, lower) {
			return mood
		}
	}
	return ""
}

// Title returns the title pack the map was made in.
func (m *Map) Title() string {
	if c, ok := find[*game.Chunk03043051](m); ok {
		return c.TitleId.String()
	}
	if c, ok := head[*game.Header03043003](m); ok && c.Version >= 11 {
		return c.TitleId.String()
	}
	return ""
}

// Build returns the version of the program that saved the map, if it says so.
func (m *Map) Build() string {
	if c, ok := find[*game.Chunk03043051](m); ok {
		return c.BuildVersion
	}
	return ""
}

// Type returns the script that decides how the map is played, such as
// TrackMania\TM_Race.
func (m *Map) Type() string {
	if c, ok := gbx.Find[*game.Chunk0305B00E](m.parameters()); ok {
		return c.MapType
	}
	if c, ok := head[*game.Header03043003](m); ok && c.Version >= 6 {
		return c.MapType
	}
	return ""
}

// Mode returns how the map is played: Race, Platform, Puzzle, Crazy,
// Shortcut, Stunts or Script. What medals mean depends on it.
func (m *Map) Mode() game.CGameCtnChallengePlayMode {
	if c, ok := find[*game.Chunk0304301C](m); ok {
		return c.Mode
	}
	if c, ok := head[*game.Header03043002](m); ok && c.Version >= 7 {
		return c.Mode
	}
	return game.CGameCtnChallengePlayModeRace
}

// parameters returns the node that holds the medals.
func (m *Map) parameters() *gbx.Node {
	if c, ok := find[*game.Chunk03043011](m); ok {
		return c.ChallengeParameters.Node
	}
	return nil
}

// Laps returns how many laps a race has, and whether it is a race of laps at
// all; other maps store a number that means nothing, or none, which is -1.
func (m *Map) Laps() (n int, isLapRace bool) {
	if c, ok := find[*game.Chunk03043018](m); ok {
		return int(c.NbLaps), c.IsLapRace.True()
	}
	if c, ok := head[*game.Header03043002](m); ok && c.Version >= 5 {
		return int(c.NbLaps), c.IsLapRace.True()
	}
	return -1, false
}

// Checkpoints returns how many checkpoints the map says it has; -1 if it does
// not say. Maps of ManiaPlanet and later count the finish too.
func (m *Map) Checkpoints() int {
	if c, ok := head[*game.Header03043002](m); ok && c.Version >= 13 {
		return int(c.NbCheckpoints)
	}
	if c, ok := find[*game.Chunk03043017](m); ok {
		return len(c.Checkpoints)
	}
	return -1
}

// Size returns the map's size in blocks.
func (m *Map) Size() gbx.Int3 {
	if c, ok := find[*game.Chunk0304301F](m); ok {
		return c.Size
	}
	if c, ok := find[*game.Chunk03043013](m); ok {
		return c.Size
	}
	if c, ok := find[*game.Chunk0304300F](m); ok {
		return c.Size
	}
	return gbx.Int3{}
}

// Comments returns what the author wrote about the map.
func (m *Map) Comments() string {
	if c, ok := find[*game.Chunk03043036](m); ok {
		return c.Comments
	}
	if c, ok := find[*game.Chunk0304302D](m); ok {
		return c.Comments
	}
	if c, ok := find[*game.Chunk03043028](m); ok {
		return c.Comments
	}
	if c, ok := head[*game.Header03043007](m); ok {
		return c.Comments
	}
	return ""
}

// ValidationGhost returns the run that proves the map can be finished, or
// nil.
func (m *Map) ValidationGhost() *Ghost {
	if c, ok := gbx.Find[*game.Chunk0305B00D](m.parameters()); ok && c.RaceValidateGhost.Node != nil {
		return &Ghost{Node: c.RaceValidateGhost.Node}
	}
	if c, ok := gbx.Find[*game.Chunk0305B00F](m.parameters()); ok && c.RaceValidateGhost.Node != nil {
		return &Ghost{Node: c.RaceValidateGhost.Node}
	}
	return nil
}

// Password tells how a map is protected.
type Password struct {
	Set     bool   // a password is needed to edit the map
	Legacy  string // the password of the oldest games, which store it readable
	CRC     uint32 // as stored
	WantCRC uint32 // as it should be, of the password's hash and the UID
	HasCRC  bool
}

// Password returns whether and how a password protects the map.
func (m *Map) Password() Password {
	var p Password
	if c, ok := head[*game.Header03043003](m); ok && c.Version >= 1 {
		p.Legacy = c.Password
	}
	if c, ok := find[*game.Chunk03043014](m); ok && c.Password != "" {
		p.Legacy = c.Password
	}
	p.Set = p.Legacy != ""
	if c, ok := find[*game.Chunk03043029](m); ok {
		p.Set = p.Set || c.PasswordHash != gbx.Hash128{}
		p.CRC, p.WantCRC, p.HasCRC = c.Crc32, passwordCRC(c.PasswordHash, m.UID()), true
	}
	return p
}

// passwordCRC binds a password to a map: the CRC-32 of the hash, last byte
// first, and the UID.
func passwordCRC(hash gbx.Hash128, uid string) uint32 {
	const digits = "0123456789ABCDEF"
	b := []byte("0x")
	for i := len(hash) - 1; i >= 0; i-- {
		b = append(b, digits[hash[i]>>4], digits[hash[i]&15])
	}
	return crc32.ChecksumIEEE(append(append(b, "???"...), uid...))
}
