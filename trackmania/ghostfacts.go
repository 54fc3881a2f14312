package trackmania

import (
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
)

// What a ghost says about itself, and every place where it does.
var (
	ghostTime = fact[gbx.Time]{text: number32[gbx.Time], none: gbx.NoTime, places: []place[gbx.Time]{
		inBody(func(c *game.Chunk03092005) *gbx.Time { return &c.RaceTime }),
		inBody(func(c *game.Chunk0309202B) *gbx.Time { return &c.RaceTime }),
		inBody(func(c *game.Chunk0309201B) *gbx.Time { return when(c.RaceTime != 0, &c.RaceTime) }),
	}}
	ghostRespawns = fact[int32]{text: number32[int32], none: -1, places: []place[int32]{
		inBody(func(c *game.Chunk03092008) *int32 { return &c.Respawns }),
		inBody(func(c *game.Chunk0309202B) *int32 { return &c.Respawns }),
	}}
	ghostLogin = fact[string]{text: unmarked, places: []place[string]{
		inBody(func(c *game.Chunk0309200F) *string { return &c.GhostLogin }),
	}}
	ghostNick = fact[string]{text: unmarked, places: []place[string]{
		inBody(func(c *game.Chunk03092000) *string { return &c.GhostNickname }),
		inBody(func(c *game.Chunk03092017) *string { return &c.GhostNickname }),
		inBody(func(c *game.Chunk0309200D) *string { return &c.GhostNickname }),
		inBody(func(c *game.Chunk03092006) *string { return &c.GhostNickname }),
		inBody(func(c *game.Chunk03092003) *string { return &c.GhostNickname }),
	}}
	ghostZone = fact[string]{text: unmarked, places: []place[string]{
		inBody(func(c *game.Chunk03092000) *string { return &c.GhostZone }),
	}}
	ghostCar = fact[gbx.Ident]{text: identText, none: noIdent, places: []place[gbx.Ident]{
		inBody(func(c *game.Chunk03092000) *gbx.Ident { return &c.PlayerModel }),
		inBody(func(c *game.Chunk03092018) *gbx.Ident { return &c.PlayerModel }),
		inBody(func(c *game.Chunk0309200D) *gbx.Ident { return &c.PlayerModel }),
		inBody(func(c *game.Chunk03092006) *gbx.Ident { return &c.PlayerModel }),
		inBody(func(c *game.Chunk03092003) *gbx.Ident { return &c.PlayerModel }),
	}}
	ghostMap = fact[gbx.ID]{text: gbx.ID.String, none: gbx.NoID, places: []place[gbx.ID]{
		inBody(func(c *game.Chunk03092010) *gbx.ID { return &c.ChallengeUID }),
	}}
	ghostPoints = fact[int32]{text: number32[int32], places: []place[int32]{
		inBody(func(c *game.Chunk0309200A) *int32 { return &c.StuntScore }),
	}}
)

// What a replay says about the race that it shows. Where it names no driver,
// whoever saved it is taken for the driver. In the header's XML a time of 0 is
// none, and the word Unassigned is no UID.
var (
	replayTime = fact[gbx.Time]{text: timeNumber, none: gbx.NoTime, places: []place[gbx.Time]{
		inHeader(func(c *game.Header03093000) *gbx.Time { return when(says(c), &c.Time) }),
		numberInXML[gbx.Time]("times", "best"),
	}}
	replayNick = fact[string]{text: unmarked, places: []place[string]{
		inHeader(func(c *game.Header03093000) *string { return when(says(c), &c.PlayerNickname) }),
		inBody(func(c *game.Chunk03093018) *string { return &c.AuthorNick }),
		inHeader(func(c *game.Header03093002) *string { return &c.AuthorNick }),
	}}
	replayLogin = fact[string]{text: unmarked, places: []place[string]{
		inHeader(func(c *game.Header03093000) *string { return when(says(c), &c.PlayerLogin) }),
		inBody(func(c *game.Chunk03093018) *string { return &c.AuthorLogin }),
		inHeader(func(c *game.Header03093002) *string { return &c.AuthorLogin }),
	}}
	replayMap = fact[gbx.Ident]{text: identText, none: noIdent, places: []place[gbx.Ident]{
		inHeader(func(c *game.Header03093000) *gbx.Ident { return when(says(c), &c.MapInfo) }),
		identOf(inXML("map", "uid")),
		identOf(inXML("challenge", "uid")),
	}}
)

// says reports whether the header of a replay says anything.
func says(c *game.Header03093000) bool { return c.Version >= 2 && !c.MapInfo.ID.IsEmpty() }

func timeNumber(t gbx.Time) string {
	if t == 0 {
		t = gbx.NoTime
	}
	return number32(t)
}

// identText is all that an ident says. The XML has a word for no name.
func identText(i gbx.Ident) string {
	return titleText(i.ID) + i.Collection.String() + i.Author.String()
}

// identOf is a place that holds only the name of an ident.
func identOf(p place[string]) place[gbx.Ident] {
	return place[gbx.Ident]{
		name: p.name,
		get: func(s site) (gbx.Ident, bool) {
			name, ok := p.get(s)
			return gbx.Ident{ID: gbx.NewID(name), Collection: gbx.NoID, Author: gbx.NoID}, ok
		},
		set: func(s site, v gbx.Ident) { p.set(s, v.ID.String()) },
	}
}
