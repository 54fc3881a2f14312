package trackmania

import (
	"fmt"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
)

// What a map says about itself, and every place where it does. The body is
// believed before the header, and of the body the chunk of the latest game.
var (
	mapName = fact[string]{what: "map's name", text: unmarked, places: []place[string]{
		inBody(func(c *game.Chunk0304301F) *string { return &c.MapName }),
		inBody(func(c *game.Chunk03043013) *string { return &c.MapName }),
		inBody(func(c *game.Chunk03043012) *string { return &c.MapName }),
		inHeader(func(c *game.Header03043003) *string { return &c.MapName }),
		inHeader(func(c *game.Header03043002) *string { return when(c.Version < 3, &c.MapName) }),
		inXML("ident", "name"),
	}}

	mapIdent = fact[gbx.Ident]{text: identText, none: noIdent, places: []place[gbx.Ident]{
		inBody(func(c *game.Chunk0304301F) *gbx.Ident { return &c.MapInfo }),
		inBody(func(c *game.Chunk03043013) *gbx.Ident { return &c.MapInfo }),
		inBody(func(c *game.Chunk0304300F) *gbx.Ident { return &c.MapInfo }),
		inHeader(func(c *game.Header03043003) *gbx.Ident { return &c.MapInfo }),
		inHeader(func(c *game.Header03043002) *gbx.Ident { return when(c.Version < 3, &c.MapInfo) }),
	}}
	mapUID = fact[gbx.Id]{what: "map's UID", text: gbx.Id.String, none: gbx.NoId, places: append(
		within(mapIdent.places, func(i *gbx.Ident) *gbx.Id { return &i.ID }),
		idOf(inXML("ident", "uid")),
	)}
	mapAuthor = fact[string]{what: "author's login", text: unmarked, places: append([]place[string]{
		inBody(func(c *game.Chunk03043042) *string { return &c.AuthorLogin }),
		inHeader(func(c *game.Header03043008) *string { return &c.AuthorLogin }),
	}, append(
		texts(within(mapIdent.places, func(i *gbx.Ident) *gbx.Id { return &i.Author })),
		inXML("ident", "author"),
	)...)}
	mapNick = fact[string]{what: "author's nickname", text: unmarked, places: []place[string]{
		inBody(func(c *game.Chunk03043042) *string { return &c.AuthorNick }),
		inHeader(func(c *game.Header03043008) *string { return &c.AuthorNick }),
	}}
	mapZone = fact[string]{what: "author's zone", text: unmarked, places: []place[string]{
		inBody(func(c *game.Chunk03043042) *string { return &c.AuthorZone }),
		inHeader(func(c *game.Header03043008) *string { return &c.AuthorZone }),
		inXML("ident", "authorzone"),
	}}

	mapDecoration = fact[gbx.Ident]{text: identText, none: noIdent, places: []place[gbx.Ident]{
		inBody(func(c *game.Chunk0304301F) *gbx.Ident { return &c.Decoration }),
		inBody(func(c *game.Chunk03043013) *gbx.Ident { return &c.Decoration }),
		inBody(func(c *game.Chunk0304300F) *gbx.Ident { return &c.Decoration }),
		inHeader(func(c *game.Header03043003) *gbx.Ident { return when(c.Version >= 2, &c.Decoration) }),
	}}
	mapSize = fact[gbx.Int3]{places: []place[gbx.Int3]{
		inBody(func(c *game.Chunk0304301F) *gbx.Int3 { return &c.Size }),
		inBody(func(c *game.Chunk03043013) *gbx.Int3 { return &c.Size }),
		inBody(func(c *game.Chunk0304300F) *gbx.Int3 { return &c.Size }),
	}}

	mapTitle = fact[gbx.Id]{what: "title", text: titleText, none: gbx.NoId, places: []place[gbx.Id]{
		inBody(func(c *game.Chunk03043051) *gbx.Id { return &c.TitleId }),
		inHeader(func(c *game.Header03043003) *gbx.Id { return when(c.Version >= 11, &c.TitleId) }),
		idOf(inXML("header", "title")),
	}}
	mapType = fact[string]{what: "map type", text: unmarked, places: []place[string]{
		inParameters(func(c *game.Chunk0305B00E) *string { return &c.MapType }),
		inHeader(func(c *game.Header03043003) *string { return when(c.Version >= 6, &c.MapType) }),
		inXML("desc", "maptype"),
	}}
	mapMode = fact[game.CGameCtnChallengePlayMode]{what: "mode", text: game.CGameCtnChallengePlayMode.String,
		none: game.CGameCtnChallengePlayModeRace, places: []place[game.CGameCtnChallengePlayMode]{
			inBody(func(c *game.Chunk0304301C) *game.CGameCtnChallengePlayMode { return &c.Mode }),
			inHeader(func(c *game.Header03043002) *game.CGameCtnChallengePlayMode { return when(c.Version >= 7, &c.Mode) }),
		}}
	mapLaps = fact[uint32]{what: "number of laps", text: number32[uint32], none: noLaps, matters: isLapRace, places: []place[uint32]{
		inBody(func(c *game.Chunk03043018) *uint32 { return &c.NbLaps }),
		inHeader(func(c *game.Header03043002) *uint32 { return when(c.Version >= 13, &c.NbLaps) }),
		numberInXML[uint32]("desc", "nblaps"),
	}}
	mapIsLapRace = fact[gbx.Bool]{what: "answer whether the race has laps", text: yesOrNo, places: []place[gbx.Bool]{
		inBody(func(c *game.Chunk03043018) *gbx.Bool { return &c.IsLapRace }),
		inHeader(func(c *game.Header03043002) *gbx.Bool { return when(c.Version >= 5, &c.IsLapRace) }),
	}}
	mapComments = fact[string]{what: "author's comment", text: unmarked, places: []place[string]{
		inBody(func(c *game.Chunk03043036) *string { return &c.Comments }),
		inBody(func(c *game.Chunk0304302D) *string { return &c.Comments }),
		inBody(func(c *game.Chunk03043028) *string { return &c.Comments }),
		inHeader(func(c *game.Header03043007) *string { return when(c.Version != 0, &c.Comments) }),
	}}
	// The oldest games store the password readable.
	mapPassword = fact[string]{what: "password", text: unmarked, places: []place[string]{
		inBody(func(c *game.Chunk03043014) *string { return when(c.Password != "", &c.Password) }),
		inHeader(func(c *game.Header03043003) *string { return when(c.Version >= 1, &c.Password) }),
	}}

	mapBronze = medal("bronze time", "bronze",
		func(c *game.Chunk0305B00A) *gbx.Time { return &c.BronzeTime },
		func(c *game.Chunk0305B004) *gbx.Time { return &c.BronzeTime },
		func(c *game.Header03043002) *gbx.Time { return &c.BronzeTime })
	mapSilver = medal("silver time", "silver",
		func(c *game.Chunk0305B00A) *gbx.Time { return &c.SilverTime },
		func(c *game.Chunk0305B004) *gbx.Time { return &c.SilverTime },
		func(c *game.Header03043002) *gbx.Time { return &c.SilverTime })
	mapGold = medal("gold time", "gold",
		func(c *game.Chunk0305B00A) *gbx.Time { return &c.GoldTime },
		func(c *game.Chunk0305B004) *gbx.Time { return &c.GoldTime },
		func(c *game.Header03043002) *gbx.Time { return &c.GoldTime })
	mapAuthorTime = medal("author's time", "authortime",
		func(c *game.Chunk0305B00A) *gbx.Time { return &c.AuthorTime },
		func(c *game.Chunk0305B004) *gbx.Time { return &c.AuthorTime },
		func(c *game.Header03043002) *gbx.Time { return &c.AuthorTime })
)

// inParameters is a field of a chunk of a map's parameters, a node of its own
// that holds the medals.
func inParameters[C gbx.Body, T any](field func(C) *T) place[T] {
	return inChunk("chunk", func(s site) (C, bool) { return gbx.Find[C](parameters(s.node)) }, field)
}

// parameters returns the node that holds a map's medals, or nil.
func parameters(n *gbx.Node) *gbx.Node {
	if c, ok := gbx.Find[*game.Chunk03043011](n); ok {
		return c.ChallengeParameters.Node
	}
	return nil
}

// medal is what one of a map's medals takes.
func medal(what, attribute string, latest func(*game.Chunk0305B00A) *gbx.Time, old func(*game.Chunk0305B004) *gbx.Time,
	header func(*game.Header03043002) *gbx.Time) fact[gbx.Time] {
	return fact[gbx.Time]{what: what, text: number32[gbx.Time], none: gbx.NoTime, places: []place[gbx.Time]{
		inParameters(latest),
		inParameters(old),
		inHeader(func(c *game.Header03043002) *gbx.Time { return when(c.Version >= 1, header(c)) }),
		numberInXML[gbx.Time]("times", attribute),
	}}
}

// stated are the facts of maps whose places have to agree.
var stated = []agreeing{
	&mapName, &mapUID, &mapAuthor, &mapNick, &mapZone, &mapTitle, &mapType, &mapMode, &mapIsLapRace, &mapLaps, &mapComments, &mapPassword,
	&mapBronze, &mapSilver, &mapGold, &mapAuthorTime, &campaignName,
}

// MapContradictions lists where a map or a campaign states one fact in two
// ways.
func MapContradictions(f *gbx.File) []string { return disagreements(siteOf(f), stated...) }

// NameOfMap returns the name of a map or a campaign; false where a file has no
// place for one.
func NameOfMap(f *gbx.File) (string, bool) {
	name, ok := mapName.find(siteOf(f))
	if name == "" {
		other, there := campaignName.find(siteOf(f))
		return other, ok || there
	}
	return name, ok
}

// isLapRace tells whether a map's number of laps means anything: the games
// write any number on others.
func isLapRace(s site) bool { return mapIsLapRace.in(s).True() }

// titleText is the name of a title; the XML has a word for none.
func titleText(id gbx.Id) string {
	if name := id.String(); name != "Unassigned" {
		return name
	}
	return ""
}

// noLaps is the number of laps of a map that does not say.
const noLaps = 0xFFFFFFFF

func number32[T ~int32 | ~uint32](v T) string { return fmt.Sprint(int64(v)) }

func yesOrNo(b gbx.Bool) string {
	if b.True() {
		return "yes"
	}
	return "no"
}
