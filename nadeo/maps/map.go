// Package maps reads, checks, changes and makes maps: their names and medals, the blocks
// and items on them, their embedded files, pictures and clips.
package maps

import (
	"context"
	"hash/crc32"
	"strings"
	"time"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine/game"
	"pakbox/internal/lib/styled"
	"pakbox/nadeo"
	"pakbox/nadeo/internal/disk"
	"pakbox/nadeo/internal/places"
)

// Generation returns the generation of the map, from its header, from the program that
// saved its body, or else from its chunks. It is "" if unknown or another one.
func (m *Map) Generation() nadeo.Generation {
	name := nadeo.OriginOf(&m.File.Header).Game()
	if name == "" {
		name = nadeo.OriginOfProgram(m.Build()).Game()
	}
	if name == "" {
		_, forever := find[*game.Chunk03043029](m)
		_, later := find[*game.Chunk03043034](m)
		if forever && !later { // decided by the chunks of these games
			return nadeo.Forever
		}
	}
	switch g := nadeo.Generation(name); g {
	case nadeo.Forever, nadeo.ManiaPlanet4, nadeo.Trackmania2020:
		return g
	}
	return ""
}

const classMap classid.ID = 0x03043000

// Map is a map (in older games called challenge or track).
type Map struct {
	File *gbx.File
}

// Of returns the map in a file.
func Of(f *gbx.File) (*Map, error) {
	if f.Class.Latest() != classMap {
		return nil, fault.New(fault.NotFormat, "the file is not a map")
	}
	return &Map{f}, nil
}

// find returns a chunk of the body.
func find[T gbx.Body](m *Map) (T, bool) { return gbx.Find[T](m.File.Body) }

// value returns a field of a chunk in the body, the zero value if the map lacks the
// chunk.
func value[C gbx.Body, T any](m *Map, field func(C) T) (v T) {
	if c, ok := find[C](m); ok {
		return field(c)
	}
	return v
}

// head returns a chunk of the header.
func head[T gbx.Body](m *Map) (T, bool) { return gbx.FindHeader[T](&m.File.Header) }

func (m *Map) site() places.Site { return places.SiteOf(m.File) }

// Name returns the map's name, with its colour codes.
func (m *Map) Name() string { return mapName.Read(m.site()) }

// Ident returns the identity of the map: its UID, environment and author.
func (m *Map) Ident() gbx.Ident { return mapIdent.Read(m.site()) }

// UID returns the map's unique ID.
func (m *Map) UID() string { return m.Ident().ID.String() }

// Collection returns the name of the environment.
func (m *Map) Collection() string { return nadeo.CollectionName(m.Ident().Collection) }

// Author returns the person who made the map.
func (m *Map) Author() nadeo.Player {
	return nadeo.Player{Login: mapAuthor.Read(m.site()), Nick: mapNick.Read(m.site()), Zone: mapZone.Read(m.site())}
}

// Decoration returns the surroundings of the blocks. Its name includes the mood, such as
// 48x48Day.
func (m *Map) Decoration() gbx.Ident { return mapDecoration.Read(m.site()) }

// Mood returns the time of day at the beginning or end of the decoration's name. Names of
// the first games have no word for the day. The mood of an unknown decoration is "".
func (m *Map) Mood() string {
	name := m.Decoration().ID.String()
	if mood := moodOf(name); mood != "" {
		return mood
	}
	for _, d := range m.decorations() {
		if strings.EqualFold(d.name, name) {
			return d.mood
		}
	}
	return ""
}

// moodOf returns the mood at the beginning or end of a decoration's name, or "".
func moodOf(decoration string) string {
	name := strings.ToLower(decoration) // TMUnited has 30x30sunset too
	for _, mood := range []string{"Sunrise", "Sunset", "Night", "Day"} {
		if lower := strings.ToLower(mood); strings.HasPrefix(name, lower) || strings.HasSuffix(name, lower) {
			return mood
		}
	}
	return ""
}

// Title returns the title pack in which the map was made.
func (m *Map) Title() string { return places.TitleText(mapTitle.Read(m.site())) }

// Build returns the version of the program that saved the map, if the map states it.
func (m *Map) Build() string {
	return value(m, func(c *game.Chunk03043051) string { return c.BuildVersion })
}

// BuildDate returns the build date of the program that saved the map, if stated. The time
// of day has no time zone.
func (m *Map) BuildDate() (time.Time, bool) {
	at := strings.Index(strings.ToLower(m.Build()), "date=")
	if at < 0 {
		return time.Time{}, false
	}
	word, _, _ := strings.Cut(m.Build()[at+len("date="):], " ")
	t, err := time.Parse("2006-01-02_15_04", word)
	return t, err == nil
}

// Type returns the script that decides how the map is played, such as
// TrackMania\TM_Race.
func (m *Map) Type() string { return mapType.Read(m.site()) }

// Mode returns the kind of game: Race, Platform, Puzzle, Crazy, Shortcut, Stunts or
// Script. It decides what medals mean.
func (m *Map) Mode() game.CGameCtnChallengePlayMode { return mapMode.Read(m.site()) }

// Laps returns the number of laps, and whether the map is a lap race. On other maps the
// number is meaningless, or -1 if none exists.
func (m *Map) Laps() (n int, isLapRace bool) {
	return int(int32(mapLaps.Read(m.site()))), mapIsLapRace.Read(m.site()).True()
}

// Checkpoints returns the number of checkpoints without the finish, -1 if the map does not
// state it.
func (m *Map) Checkpoints() int {
	n := m.StoredCheckpoints()
	if c, ok := head[*game.Header03043002](m); ok && c.Version >= 13 {
		return max(0, n-1)
	}
	return n
}

// StoredCheckpoints returns the number of checkpoints as the map stores it, -1 if it does
// not. Maps since ManiaPlanet also count the finish.
func (m *Map) StoredCheckpoints() int {
	if c, ok := head[*game.Header03043002](m); ok && c.Version >= 13 {
		return int(c.NbCheckpoints)
	}
	if c, ok := find[*game.Chunk03043017](m); ok {
		return len(c.Checkpoints)
	}
	return -1
}

// Size returns the map's size in blocks.
func (m *Map) Size() gbx.Int3 { return mapSize.Read(m.site()) }

// Parameters returns the node with the medals and the validation, or nil.
func (m *Map) Parameters() *gbx.Node { return parameters(m.File.Body) }

// Comments returns what the author wrote about the map.
func (m *Map) Comments() string { return mapComments.Read(m.site()) }

// Password describes the protection of a map.
type Password struct {
	Set     bool   // a password is needed to edit the map
	Legacy  string // the password in the oldest games, which store it as plain text
	CRC     uint32 // as stored
	WantCRC uint32 // the correct value, from the password's hash and the UID
	HasCRC  bool
}

// Password returns how a password protects the map, if one does.
func (m *Map) Password() Password {
	p := Password{Legacy: mapPassword.Read(m.site())}
	p.Set = p.Legacy != ""
	if c, ok := find[*game.Chunk03043029](m); ok {
		p.Set = p.Set || c.PasswordHash != gbx.Hash128{}
		p.CRC, p.WantCRC, p.HasCRC = c.CRC32, passwordCRC(c.PasswordHash, m.UID()), true
	}
	return p
}

// passwordCRC binds a password to a map. It is the CRC-32 of the hash in reverse order,
// and the UID.
func passwordCRC(hash gbx.Hash128, uid string) uint32 {
	const digits = "0123456789ABCDEF"
	b := []byte("0x")
	for i := len(hash) - 1; i >= 0; i-- {
		b = append(b, digits[hash[i]>>4], digits[hash[i]&15])
	}
	return crc32.ChecksumIEEE(append(append(b, "???"...), uid...))
}

// Open reads a map from a path. For a map in an archive or in memory, call [Of] with the
// result of [gbx.Parse].
func Open(ctx context.Context, path string) (*Map, error) { return disk.Open(ctx, path, Of) }

// Save writes the map to path. An existing file is replaced in one step, so that after a
// crash either the old or the new file is there.
func (m *Map) Save(path string) error { return disk.Save(m.File, path) }

// Rename changes the map's name, which may contain colour codes.
func (m *Map) Rename(name string) error {
	if err := nadeo.CheckName(name); err != nil {
		return err
	}
	mapName.Set(m.site(), styled.Marked(name))
	return nil
}

// setXML changes an attribute in the header's XML, if it exists.
func (m *Map) setXML(tag, attribute, value string) { places.InXML(tag, attribute).Set(m.site(), value) }

// RemovePassword removes the protection. It reports whether a password was set.
func (m *Map) RemovePassword() bool {
	was := m.Password().Set
	mapPassword.Set(m.site(), "")
	if c, ok := find[*game.Chunk03043029](m); ok {
		c.PasswordHash = gbx.Hash128{}
		c.CRC32 = passwordCRC(c.PasswordHash, m.UID())
	}
	return was
}
