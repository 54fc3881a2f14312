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

// noIdent stands for an ident that a file does not hold: its three parts are
// empty.
var noIdent = gbx.Ident{ID: gbx.NoID, Collection: gbx.NoID, Author: gbx.NoID}

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

func (m *Map) site() site { return siteOf(m.File) }

// Name returns the map's name, with its colour codes.
func (m *Map) Name() string { return mapName.in(m.site()) }

// Ident returns what the map is known by: its UID, environment and author.
func (m *Map) Ident() gbx.Ident { return mapIdent.in(m.site()) }

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
	return Player{Login: mapAuthor.in(m.site()), Nick: mapNick.in(m.site()), Zone: mapZone.in(m.site())}
}

// Decoration returns what surrounds the blocks; its name tells the mood, such
// as 48x48Day.
func (m *Map) Decoration() gbx.Ident { return mapDecoration.in(m.site()) }

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
func (m *Map) Title() string { return titleText(mapTitle.in(m.site())) }

// Build returns the version of the program that saved the map, if it says so.
func (m *Map) Build() string {
	if c, ok := find[*game.Chunk03043051](m); ok {
		return c.BuildVersion
	}
	return ""
}

// Type returns the script that decides how the map is played, such as
// TrackMania\TM_Race.
func (m *Map) Type() string { return mapType.in(m.site()) }

// Mode returns how the map is played: Race, Platform, Puzzle, Crazy,
// Shortcut, Stunts or Script. What medals mean depends on it.
func (m *Map) Mode() game.CGameCtnChallengePlayMode { return mapMode.in(m.site()) }

// Laps returns how many laps a race has, and whether it is a race of laps at
// all; other maps store a number that means nothing, or none, which is -1.
func (m *Map) Laps() (n int, isLapRace bool) {
	return int(int32(mapLaps.in(m.site()))), mapIsLapRace.in(m.site()).True()
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
func (m *Map) Size() gbx.Int3 { return mapSize.in(m.site()) }

// Comments returns what the author wrote about the map.
func (m *Map) Comments() string { return mapComments.in(m.site()) }

// Ghosts returns the runs in the map, each once: its validation first, then
// those that its clips show.
func (m *Map) Ghosts() []*Ghost {
	var out []*Ghost
	seen := map[*gbx.Node]bool{}
	add := func(g *Ghost) {
		if !seen[g.Node] {
			seen[g.Node] = true
			out = append(out, g)
		}
	}
	if g := m.ValidationGhost(); g != nil {
		add(g)
	}
	for _, c := range m.Clips() {
		for _, g := range c.Ghosts() {
			add(g)
		}
	}
	return out
}

// ValidationGhost returns the run that proves the map can be finished, or
// nil.
func (m *Map) ValidationGhost() *Ghost {
	if c, ok := gbx.Find[*game.Chunk0305B00D](parameters(m.File.Body)); ok && c.RaceValidateGhost.Node != nil {
		return &Ghost{Node: c.RaceValidateGhost.Node}
	}
	if c, ok := gbx.Find[*game.Chunk0305B00F](parameters(m.File.Body)); ok && c.RaceValidateGhost.Node != nil {
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
	p := Password{Legacy: mapPassword.in(m.site())}
	p.Set = p.Legacy != ""
	if c, ok := find[*game.Chunk03043029](m); ok {
		p.Set = p.Set || c.PasswordHash != gbx.Hash128{}
		p.CRC, p.WantCRC, p.HasCRC = c.CRC32, passwordCRC(c.PasswordHash, m.UID()), true
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
