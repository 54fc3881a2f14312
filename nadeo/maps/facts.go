package maps

import (
	"strings"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/internal/lib/styled"
	"pakbox/nadeo/internal/places"
)

// The facts of a map, with all places that state them. The body is trusted before the
// header, and in the body the chunk of the latest game.
var (
	mapName = places.Fact[string]{What: "map's name", Text: styled.Unmarked, Places: []places.Place[string]{
		places.InBody(func(c *game.Chunk0304301F) *string { return &c.MapName }),
		places.InBody(func(c *game.Chunk03043013) *string { return &c.MapName }),
		places.InBody(func(c *game.Chunk03043012) *string { return &c.MapName }),
		places.InHeader(func(c *game.Header03043003) *string { return &c.MapName }),
		places.InHeader(func(c *game.Header03043002) *string { return places.When(c.Version < 3, &c.MapName) }),
		places.InXML("ident", "name"),
	}}

	mapIdent = places.Fact[gbx.Ident]{Text: places.IdentText, None: places.NoIdent, Places: []places.Place[gbx.Ident]{
		places.InBody(func(c *game.Chunk0304301F) *gbx.Ident { return &c.MapInfo }),
		places.InBody(func(c *game.Chunk03043013) *gbx.Ident { return &c.MapInfo }),
		places.InBody(func(c *game.Chunk0304300F) *gbx.Ident { return &c.MapInfo }),
		places.InHeader(func(c *game.Header03043003) *gbx.Ident { return &c.MapInfo }),
		places.InHeader(func(c *game.Header03043002) *gbx.Ident { return places.When(c.Version < 3, &c.MapInfo) }),
	}}
	mapUID = places.Fact[gbx.ID]{What: "map's UID", Text: gbx.ID.String, None: gbx.NoID, Places: append(
		places.Within(mapIdent.Places, func(i *gbx.Ident) *gbx.ID { return &i.ID }),
		places.IDOf(places.InXML("ident", "uid")),
	)}
	mapAuthor = places.Fact[string]{What: "author's login", Text: styled.Unmarked, Places: append([]places.Place[string]{
		places.InBody(func(c *game.Chunk03043042) *string { return &c.AuthorLogin }),
		places.InHeader(func(c *game.Header03043008) *string { return &c.AuthorLogin }),
	}, append(
		places.Texts(places.Within(mapIdent.Places, func(i *gbx.Ident) *gbx.ID { return &i.Author })),
		places.InXML("ident", "author"),
	)...)}
	mapNick = places.Fact[string]{What: "author's nickname", Text: styled.Unmarked, Places: []places.Place[string]{
		places.InBody(func(c *game.Chunk03043042) *string { return &c.AuthorNick }),
		places.InHeader(func(c *game.Header03043008) *string { return &c.AuthorNick }),
	}}
	mapZone = places.Fact[string]{What: "author's zone", Text: styled.Unmarked, Places: []places.Place[string]{
		places.InBody(func(c *game.Chunk03043042) *string { return &c.AuthorZone }),
		places.InHeader(func(c *game.Header03043008) *string { return &c.AuthorZone }),
		places.InXML("ident", "authorzone"),
	}}

	mapDecoration = places.Fact[gbx.Ident]{Text: places.IdentText, None: places.NoIdent, Places: []places.Place[gbx.Ident]{
		places.InBody(func(c *game.Chunk0304301F) *gbx.Ident { return &c.Decoration }),
		places.InBody(func(c *game.Chunk03043013) *gbx.Ident { return &c.Decoration }),
		places.InBody(func(c *game.Chunk0304300F) *gbx.Ident { return &c.Decoration }),
		places.InHeader(func(c *game.Header03043003) *gbx.Ident { return places.When(c.Version >= 2, &c.Decoration) }),
	}}
	mapMood = places.Fact[string]{What: "mood", Text: strings.Clone, Places: []places.Place[string]{
		{Name: func() string { return "the decoration" }, Set: func(places.Site, string) {},
			Get: func(s places.Site) (string, bool) {
				mood := moodIn(mapDecoration.Read(s).ID.String())
				return mood, mood != ""
			}},
		moodInXML(),
	}}
	mapSize = places.Fact[gbx.Int3]{Places: []places.Place[gbx.Int3]{
		places.InBody(func(c *game.Chunk0304301F) *gbx.Int3 { return &c.Size }),
		places.InBody(func(c *game.Chunk03043013) *gbx.Int3 { return &c.Size }),
		places.InBody(func(c *game.Chunk0304300F) *gbx.Int3 { return &c.Size }),
	}}

	mapTitle = places.Fact[gbx.ID]{What: "title", Text: places.TitleText, None: gbx.NoID, Places: []places.Place[gbx.ID]{
		places.InBody(func(c *game.Chunk03043051) *gbx.ID { return &c.TitleID }),
		places.InHeader(func(c *game.Header03043003) *gbx.ID { return places.When(c.Version >= 11, &c.TitleID) }),
		places.IDOf(places.InXML("header", "title")),
	}}
	mapType = places.Fact[string]{What: "map type", Text: styled.Unmarked, Places: []places.Place[string]{
		inParameters(func(c *game.Chunk0305B00E) *string { return &c.MapType }),
		places.InHeader(func(c *game.Header03043003) *string { return places.When(c.Version >= 6, &c.MapType) }),
		places.InXML("desc", "maptype"),
	}}
	mapMode = places.Fact[game.CGameCtnChallengePlayMode]{What: "mode", Text: game.CGameCtnChallengePlayMode.String,
		None: game.CGameCtnChallengePlayModeRace, Places: []places.Place[game.CGameCtnChallengePlayMode]{
			places.InBody(func(c *game.Chunk0304301C) *game.CGameCtnChallengePlayMode { return &c.Mode }),
			places.InHeader(func(c *game.Header03043002) *game.CGameCtnChallengePlayMode {
				return places.When(c.Version >= 7, &c.Mode)
			}),
		}}
	mapLaps = places.Fact[uint32]{What: "number of laps", Text: places.NumberText[uint32], None: noLaps, Matters: isLapRace, Places: []places.Place[uint32]{
		places.InBody(func(c *game.Chunk03043018) *uint32 { return &c.NbLaps }),
		places.InHeader(func(c *game.Header03043002) *uint32 { return places.When(c.Version >= 13, &c.NbLaps) }),
		places.NumberInXML[uint32]("desc", "nblaps"),
	}}
	mapIsLapRace = places.Fact[gbx.Bool]{What: "answer whether the race has laps", Text: yesOrNo, Places: []places.Place[gbx.Bool]{
		places.InBody(func(c *game.Chunk03043018) *gbx.Bool { return &c.IsLapRace }),
		places.InHeader(func(c *game.Header03043002) *gbx.Bool { return places.When(c.Version >= 5, &c.IsLapRace) }),
	}}
	mapComments = places.Fact[string]{What: "author's comment", Text: styled.Unmarked, Places: []places.Place[string]{
		places.InBody(func(c *game.Chunk03043036) *string { return &c.Comments }),
		places.InBody(func(c *game.Chunk0304302D) *string { return &c.Comments }),
		places.InBody(func(c *game.Chunk03043028) *string { return &c.Comments }),
		places.InHeader(func(c *game.Header03043007) *string { return places.When(c.Version != 0, &c.Comments) }),
	}}
	// The oldest games store the password as plain text.
	mapPassword = places.Fact[string]{What: "password", Text: styled.Unmarked, Places: []places.Place[string]{
		places.InBody(func(c *game.Chunk03043014) *string { return places.When(c.Password != "", &c.Password) }),
		places.InHeader(func(c *game.Header03043003) *string { return places.When(c.Version >= 1, &c.Password) }),
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

// moodInXML is the mood in the header's XML, if the XML has one.
func moodInXML() places.Place[string] {
	p := places.InXML("desc", "mood")
	get := p.Get
	p.Get = func(s places.Site) (string, bool) {
		text, _ := get(s)
		mood := moodIn(text)
		return mood, mood != ""
	}
	return p
}

// moodIn returns the time of day in a name, such as "Night64" or "Day (no stadium)".
func moodIn(name string) string {
	name = strings.ToLower(name)
	for _, mood := range []string{"sunrise", "sunset", "night", "day"} {
		if strings.Contains(name, mood) {
			return mood
		}
	}
	return ""
}

// inParameters makes a place that is a field of the map's parameters, a separate node
// with the medals.
func inParameters[C gbx.Body, T any](field func(C) *T) places.Place[T] {
	return places.InChunk("chunk", func(s places.Site) (C, bool) { return gbx.Find[C](parameters(s.Node)) }, field)
}

// parameters returns the node with a map's medals, or nil.
func parameters(n *gbx.Node) *gbx.Node {
	if c, ok := gbx.Find[*game.Chunk03043011](n); ok {
		return c.ChallengeParameters.Node
	}
	return nil
}

// medal lists the places of a file that state the time of one medal.
func medal(what, attribute string, latest func(*game.Chunk0305B00A) *gbx.Time, old func(*game.Chunk0305B004) *gbx.Time,
	header func(*game.Header03043002) *gbx.Time) places.Fact[gbx.Time] {
	return places.Fact[gbx.Time]{What: what, Text: places.NumberText[gbx.Time], None: gbx.NoTime, Places: []places.Place[gbx.Time]{
		inParameters(latest),
		inParameters(old),
		places.InHeader(func(c *game.Header03043002) *gbx.Time { return places.When(c.Version >= 1, header(c)) }),
		places.NumberInXML[gbx.Time]("times", attribute),
	}}
}

// Contradictions lists the facts that a map states in two different ways.
func Contradictions(f *gbx.File) []string { return Facts.Conflicts(&Map{f}) }

// NameOf returns the name of a map; false if this file cannot hold a name.
func NameOf(f *gbx.File) (string, bool) { return mapName.Find(places.SiteOf(f)) }

// isLapRace reports whether the number of laps has a meaning. On other maps the games
// write any number.
func isLapRace(s places.Site) bool { return mapIsLapRace.Read(s).True() }

// noLaps is the number of laps if the map does not state it.
const noLaps = 0xFFFFFFFF

func yesOrNo(b gbx.Bool) string {
	if b.True() {
		return "yes"
	}
	return "no"
}
