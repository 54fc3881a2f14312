package runs

import (
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/internal/lib/styled"
	"pakbox/nadeo/internal/places"
)

// The facts of a ghost, with all places that state them.
var (
	ghostTime = places.Fact[gbx.Time]{Text: places.NumberText[gbx.Time], None: gbx.NoTime, Places: []places.Place[gbx.Time]{
		places.InBody(func(c *game.Chunk03092005) *gbx.Time { return &c.RaceTime }),
		places.InBody(func(c *game.Chunk0309202B) *gbx.Time { return &c.RaceTime }),
		places.InBody(func(c *game.Chunk0309201B) *gbx.Time { return places.When(c.RaceTime != 0, &c.RaceTime) }),
	}}
	ghostRespawns = places.Fact[int32]{Text: places.NumberText[int32], None: -1, Places: []places.Place[int32]{
		places.InBody(func(c *game.Chunk03092008) *int32 { return &c.Respawns }),
		places.InBody(func(c *game.Chunk0309202B) *int32 { return &c.Respawns }),
	}}
	ghostLogin = places.Fact[string]{Text: styled.Unmarked, Places: []places.Place[string]{
		places.InBody(func(c *game.Chunk0309200F) *string { return &c.GhostLogin }),
	}}
	ghostNick = places.Fact[string]{Text: styled.Unmarked, Places: []places.Place[string]{
		places.InBody(func(c *game.Chunk03092000) *string { return &c.GhostNickname }),
		places.InBody(func(c *game.Chunk03092017) *string { return &c.GhostNickname }),
		places.InBody(func(c *game.Chunk0309200D) *string { return &c.GhostNickname }),
		places.InBody(func(c *game.Chunk03092006) *string { return &c.GhostNickname }),
		places.InBody(func(c *game.Chunk03092003) *string { return &c.GhostNickname }),
	}}
	ghostZone = places.Fact[string]{Text: styled.Unmarked, Places: []places.Place[string]{
		places.InBody(func(c *game.Chunk03092000) *string { return &c.GhostZone }),
	}}
	ghostCar = places.Fact[gbx.Ident]{Text: places.IdentText, None: places.NoIdent, Places: []places.Place[gbx.Ident]{
		places.InBody(func(c *game.Chunk03092000) *gbx.Ident { return &c.PlayerModel }),
		places.InBody(func(c *game.Chunk03092018) *gbx.Ident { return &c.PlayerModel }),
		places.InBody(func(c *game.Chunk0309200D) *gbx.Ident { return &c.PlayerModel }),
		places.InBody(func(c *game.Chunk03092006) *gbx.Ident { return &c.PlayerModel }),
		places.InBody(func(c *game.Chunk03092003) *gbx.Ident { return &c.PlayerModel }),
	}}
	ghostMap = places.Fact[gbx.ID]{Text: gbx.ID.String, None: gbx.NoID, Places: []places.Place[gbx.ID]{
		places.InBody(func(c *game.Chunk03092010) *gbx.ID { return &c.ChallengeUID }),
	}}
	ghostPoints = places.Fact[int32]{Text: places.NumberText[int32], Places: []places.Place[int32]{
		places.InBody(func(c *game.Chunk0309200A) *int32 { return &c.StuntScore }),
	}}
)

// The facts of a replay about its race. If it names no driver, the person who saved it
// counts as the driver. In the header's XML a time of 0 means none, and the word
// Unassigned means no UID.
var (
	replayTime = places.Fact[gbx.Time]{Text: timeNumber, None: gbx.NoTime, Places: []places.Place[gbx.Time]{
		places.InHeader(func(c *game.Header03093000) *gbx.Time { return places.When(hasContent(c), &c.Time) }),
		places.NumberInXML[gbx.Time]("times", "best"),
	}}
	replayNick = places.Fact[string]{Text: styled.Unmarked, Places: []places.Place[string]{
		places.InHeader(func(c *game.Header03093000) *string { return places.When(hasContent(c), &c.PlayerNickname) }),
		places.InBody(func(c *game.Chunk03093018) *string { return &c.AuthorNick }),
		places.InHeader(func(c *game.Header03093002) *string { return &c.AuthorNick }),
	}}
	replayLogin = places.Fact[string]{Text: styled.Unmarked, Places: []places.Place[string]{
		places.InHeader(func(c *game.Header03093000) *string { return places.When(hasContent(c), &c.PlayerLogin) }),
		places.InBody(func(c *game.Chunk03093018) *string { return &c.AuthorLogin }),
		places.InHeader(func(c *game.Header03093002) *string { return &c.AuthorLogin }),
	}}
	replayMap = places.Fact[gbx.Ident]{Text: places.IdentText, None: places.NoIdent, Places: []places.Place[gbx.Ident]{
		places.InHeader(func(c *game.Header03093000) *gbx.Ident { return places.When(hasContent(c), &c.MapInfo) }),
		places.IdentOf(places.InXML("map", "uid")),
		places.IdentOf(places.InXML("challenge", "uid")),
	}}
)

// hasContent reports whether the chunk in a replay's header has any content.
func hasContent(c *game.Header03093000) bool { return c.Version >= 2 && !c.MapInfo.ID.IsEmpty() }

func timeNumber(t gbx.Time) string {
	if t == 0 {
		t = gbx.NoTime
	}
	return places.NumberText(t)
}

// replayMapName is the place of the map's name in a replay's header XML.
var replayMapName = places.InXML("map", "name")

// replayMade is the place of the mark in the header XML of a replay that no game saved.
var replayMade = places.InXML("header", "made")
