package maps

import (
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/engine/script"
	"pakbox/nadeo"
	"pakbox/nadeo/internal/places"
)

// Validation reports whether somebody proved by a run that the map can be finished.
type Validation struct {
	Marked bool     // the map is marked as validated, or no longer in progress
	Ghost  bool     // the map contains the run
	Time   gbx.Time // of the author; NoTime for none
}

// Any reports whether there is any sign of a validation.
func (v Validation) Any() bool { return v.Marked || v.Ghost || v.Time != gbx.NoTime }

// mapValidated is the mark of maps since ManiaPlanet. Older maps have only mapKind.
var mapValidated = places.Fact[gbx.Bool]{What: "answer whether the map is validated", Text: yesOrNo, Places: []places.Place[gbx.Bool]{
	inParameters(func(c *game.Chunk0305B00E) *gbx.Bool { return &c.IsValidated }),
	places.NumberInXML[gbx.Bool]("desc", "validated"),
}}

// mapKind is InProgress for a map that is not finished, otherwise Multi or another kind.
// ManiaPlanet keeps only the value in the header correct.
var mapKind = places.Fact[game.CGameCtnChallengeMapKind]{What: "kind", Text: game.CGameCtnChallengeMapKind.String,
	None: game.CGameCtnChallengeMapKindInProgress, Places: []places.Place[game.CGameCtnChallengeMapKind]{
		places.InHeader(func(c *game.Header03043003) *game.CGameCtnChallengeMapKind { return &c.Kind }),
		places.InBody(func(c *game.Chunk03043011) *game.CGameCtnChallengeMapKind { return &c.Kind }),
	}}

// ValidationGhost returns the reference to the validation run in the map's parameters, or
// nil.
func (m *Map) ValidationGhost() *gbx.Ref {
	if c, ok := gbx.Find[*game.Chunk0305B00D](m.Parameters()); ok && c.RaceValidateGhost != (gbx.Ref{}) {
		return &c.RaceValidateGhost
	}
	if c, ok := gbx.Find[*game.Chunk0305B00F](m.Parameters()); ok && c.RaceValidateGhost != (gbx.Ref{}) {
		return &c.RaceValidateGhost
	}
	return nil
}

// Validation returns the state of the map's validation.
func (m *Map) Validation() Validation {
	v := Validation{Ghost: m.ValidationGhost() != nil, Time: mapAuthorTime.Read(m.site())}
	if _, has := mapValidated.Find(m.site()); has {
		v.Marked = mapValidated.Read(m.site()).True()
	} else {
		v.Marked = mapKind.Read(m.site()) != game.CGameCtnChallengeMapKindInProgress
	}
	return v
}

// RemoveValidation makes the map unvalidated, as the editors do when a block changes. It
// removes mark, kind, run, author time and author score from all places, and returns the
// old state.
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
		c.Encapsulated.IDVersion = 0 // no names are left in the chunk
	}
	return was
}

// noScore returns the author's score of a map that nobody has driven.
func noScore(g nadeo.Generation) uint32 {
	if g == nadeo.Trackmania2020 {
		return 0
	}
	return 0xFFFFFFFF
}

// SetUID changes the UID, and everything that depends on it: the header, its XML, the
// checksum of the password, and script texts that consist of the UID. Runs in the map
// keep the UID of the map on which they were driven.
func (m *Map) SetUID(uid string) error {
	if !isUID(uid) {
		return fault.New(fault.Unsupported, "%q is not a UID: expected %d letters, digits and underscores", uid, uidLength)
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

// Renew turns an edited map into a new one: without a validation, because a run proves
// nothing about blocks that changed after it, and with a new UID, by which servers and
// games identify maps. A test version of a map may keep its UID.
func (m *Map) Renew(keepUID bool) (Validation, error) {
	if !keepUID {
		if err := m.SetUID(NewUID()); err != nil {
			return Validation{}, err
		}
	}
	return m.RemoveValidation(), nil
}
