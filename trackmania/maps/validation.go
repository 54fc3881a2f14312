package maps

import (
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/engine/script"
	"pakbox/trackmania"
	"pakbox/trackmania/internal/places"
)

// Validation is what a map says about the run that proved that it can be
// finished.
type Validation struct {
	Marked bool     // the map is called validated, or no longer in progress
	Ghost  bool     // the run is in the map
	Time   gbx.Time // of the author; NoTime for none
}

// Any reports whether the map says anything.
func (v Validation) Any() bool { return v.Marked || v.Ghost || v.Time != gbx.NoTime }

// mapValidated is the mark of ManiaPlanet and later. Maps before go by their kind.
var mapValidated = places.Of[gbx.Bool]{What: "answer whether the map is validated", Text: yesOrNo, Places: []places.Place[gbx.Bool]{
	inParameters(func(c *game.Chunk0305B00E) *gbx.Bool { return &c.IsValidated }),
	places.NumberInXML[gbx.Bool]("desc", "validated"),
}}

// mapKind is InProgress for a map that was not finished yet, and Multi or
// another kind for the others. ManiaPlanet keeps it right in the header only.
var mapKind = places.Of[game.CGameCtnChallengeMapKind]{What: "kind", Text: game.CGameCtnChallengeMapKind.String,
	None: game.CGameCtnChallengeMapKindInProgress, Places: []places.Place[game.CGameCtnChallengeMapKind]{
		places.InHeader(func(c *game.Header03043003) *game.CGameCtnChallengeMapKind { return &c.Kind }),
		places.InBody(func(c *game.Chunk03043011) *game.CGameCtnChallengeMapKind { return &c.Kind }),
	}}

// ValidationGhost is the place of the run in the map's parameters, or nil.
func (m *Map) ValidationGhost() *gbx.Ref {
	if c, ok := gbx.Find[*game.Chunk0305B00D](m.Parameters()); ok && c.RaceValidateGhost != (gbx.Ref{}) {
		return &c.RaceValidateGhost
	}
	if c, ok := gbx.Find[*game.Chunk0305B00F](m.Parameters()); ok && c.RaceValidateGhost != (gbx.Ref{}) {
		return &c.RaceValidateGhost
	}
	return nil
}

// Validation returns what the map says about its validation.
func (m *Map) Validation() Validation {
	v := Validation{Ghost: m.ValidationGhost() != nil, Time: mapAuthorTime.Read(m.site())}
	if _, has := mapValidated.Find(m.site()); has {
		v.Marked = mapValidated.Read(m.site()).True()
	} else {
		v.Marked = mapKind.Read(m.site()) != game.CGameCtnChallengeMapKindInProgress
	}
	return v
}

// RemoveValidation makes the map one that nobody has finished yet, as the
// editors do when a block is changed: mark, kind, run, author time and author
// score go wherever they stand. It returns what the map said before.
func (m *Map) RemoveValidation() Validation {
	was := m.Validation()
	if !was.Any() {
		return was
	}
	mapValidated.Set(m.site(), 0)
	mapKind.Set(m.site(), game.CGameCtnChallengeMapKindInProgress)
	mapAuthorTime.Set(m.site(), gbx.NoTime)
	mapScore.Set(m.site(), noScore(m.Generation()))
	if ghost := m.ValidationGhost(); ghost != nil {
		*ghost = gbx.Ref{}
	}
	if c, ok := gbx.Find[*game.Chunk0305B00F](m.Parameters()); ok && was.Ghost {
		c.Encapsulated.IDVersion = 0 // nothing with a name is left in the chunk
	}
	return was
}

// noScore is the author's score of a map that was not driven.
func noScore(g trackmania.Generation) uint32 {
	if g == trackmania.Trackmania2020 {
		return 0
	}
	return 0xFFFFFFFF
}

// SetUID gives the map another UID, and renews what is made from it: the
// header, its XML, the checksum of the password, and texts of scripts that hold
// the UID alone. Runs in the map keep the UID of the map that they were driven on.
func (m *Map) SetUID(uid string) error {
	if !isUID(uid) {
		return fault.New(fault.Unsupported, "%q is no UID: those have %d letters, digits and underscores", uid, uidLength)
	}
	old := m.UID()
	mapUID.Set(m.site(), gbx.NewID(uid))
	if c, ok := find[*game.Chunk03043029](m); ok {
		c.CRC32 = passwordCRC(c.PasswordHash, uid)
	}
	if t := m.traits(); t != nil && old != "" {
		for i := range t.Traits.Traits {
			if v := &t.Traits.Traits[i]; v.Type.Kind == script.Text && v.Value.Text == old {
				v.Value.Text = uid
			}
		}
	}
	return nil
}

// Renew makes the map another one than the file it comes from: with a fresh
// UID and without a validation. Servers and games know maps by UID, and a run
// proves nothing about blocks that were changed since.
func (m *Map) Renew() (Validation, error) {
	err := m.SetUID(NewUID())
	return m.RemoveValidation(), err
}
