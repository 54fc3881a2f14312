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
	mapUID = fact[gbx.ID]{what: "map's UID", text: gbx.ID.String, none: gbx.NoID, places: append(
		within(mapIdent.places, func(i *gbx.Ident) *gbx.ID { return &i.ID }),
		idOf(inXML("ident", "uid")),
	)}
	mapAuthor = fact[string]{what: "author's login", text: unmarked, places: append([]place[string]{
		inBody(func(c *game.Chunk03043042) *string { return &c.AuthorLogin }),
		inHeader(func(c *game.Header03043008) *string { return &c.AuthorLogin }),
	}, append(
		texts(within(mapIdent.places, func(i *gbx.Ident) *gbx.ID { return &i.Author })),
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

	mapTitle = fact[gbx.ID]{what: "title", text: titleText, none: gbx.NoID, places: []place[gbx.ID]{
		inBody(func(c *game.Chunk03043051) *gbx.ID { return &c.TitleID }),
		inHeader(func(c *game.Header03043003) *gbx.ID { return when(c.Version >= 11, &c.TitleID) }),
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

// contradictable are the facts whose places have to agree.
var contradictable = []interface{ contradiction(site) string }{
	&mapName, &mapUID, &mapAuthor, &mapNick, &mapZone, &mapTitle, &mapType, &mapMode, &mapIsLapRace, &mapLaps, &mapComments, &mapPassword,
	&mapBronze, &mapSilver, &mapGold, &mapAuthorTime,
	&collectorName, &collectorAuthor, &collectorPage, &itemType,
	&clipName, &campaignName,
}

// Contradictions lists what a file says in two ways: sentences such as "the
// map's name is "A" in chunk 0304301F, but "B" in the header's XML". The games
// write all places alike; an edit of one leaves the others as they are.
func Contradictions(f *gbx.File) []string {
	var list []string
	for _, c := range contradictable {
		if sentence := c.contradiction(siteOf(f)); sentence != "" {
			list = append(list, sentence)
		}
	}
	return list
}

// isLapRace tells whether a map's number of laps means anything: the games
// write any number on others.
func isLapRace(s site) bool { return mapIsLapRace.in(s).True() }

// titleText is the name of a title; the XML has a word for none.
func titleText(id gbx.ID) string {
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
