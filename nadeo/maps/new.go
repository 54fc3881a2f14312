package maps

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/internal/lib/styled"
	"pakbox/nadeo"
	"pakbox/nadeo/internal/chunks"
	"pakbox/nadeo/internal/places"
	"pakbox/nadeo/internal/scenery"
)

// Options describe a new map. Empty fields get the defaults of the games' editors.
type Options struct {
	Game        nadeo.Generation // default: Trackmania2020
	Environment string           // default: Stadium; the name of a collection, or the players' name for it
	Size        gbx.Int3         // default: the size of Decoration, or else the first size of the environment
	Mood        string           // Day (default), Sunrise, Sunset, Night
	// Decoration is the exact name of the surroundings, needed only if a size and a mood
	// leave a choice: 48x48Screen155Day.
	Decoration string

	Name   string // default: Unnamed
	Author nadeo.Player
	UID    string // default: random. With a UID, equal options give equal bytes
	Title  string // since ManiaPlanet
	Type   string // such as TrackMania\TM_Race
}

// New makes an empty map like those that the game's editor saves: with the chunks and
// values that every real map of that generation has. The result has not been tried in a
// game.
func New(o Options) (*Map, error) {
	n, err := newMap(o)
	if err != nil {
		return nil, err
	}
	n.thumbnail, err = plainThumbnail(n.Game)
	if err != nil {
		return nil, err
	}
	f := gbx.New(&gbx.Node{Class: classMap, Chunks: n.body()}, engine.Registry())
	f.RawUserData = nil
	f.Chunks = n.header()
	return Of(f)
}

// mapPlan holds the description of a new map while it is made.
type mapPlan struct {
	Options
	scenery    scenery.Scenery
	base       scenery.Base
	mood       string // in the spelling of the XML
	decoration string
	ident      gbx.Ident
	thumbnail  []byte
}

func newMap(o Options) (*mapPlan, error) {
	if o.Game == "" {
		o.Game = nadeo.Trackmania2020
	}
	n := &mapPlan{Options: o}
	if err := n.choose(); err != nil {
		return nil, err
	}
	n.Name, n.Author.Login = cmp.Or(n.Name, "Unnamed"), cmp.Or(n.Author.Login, "nobody")
	n.Author.Nick = cmp.Or(n.Author.Nick, n.Author.Login)
	n.Title, n.Type = cmp.Or(n.Title, n.scenery.Title), cmp.Or(n.Type, n.scenery.MapType)
	if n.UID == "" {
		n.UID = NewUID()
	}
	if n.Game == nadeo.Forever && (o.Title != "" || o.Type != "") {
		return nil, fault.New(fault.Unsupported, "maps of %s have neither a title nor a map type", n.Game)
	}
	for _, text := range []string{n.Name, n.Author.Login, n.Author.Nick, n.Author.Zone, n.UID, n.Title, n.Type} {
		if err := nadeo.CheckName(text); err != nil {
			return nil, err
		}
	}
	if !isUID(n.UID) {
		return nil, fault.New(fault.Unsupported, "%q is not a UID: expected %d letters, digits and underscores", n.UID, uidLength)
	}
	n.ident = gbx.Ident{ID: gbx.NewID(n.UID), Collection: n.scenery.Collection, Author: gbx.NewID(n.Author.Login)}
	return n, nil
}

// choose finds the requested environment, size and decoration.
func (n *mapPlan) choose() error {
	all, ok := scenery.All[n.Game]
	if !ok {
		return fault.New(fault.Unsupported, "new maps of %s cannot be made", n.Game)
	}
	if n.Environment == "" {
		n.Environment = all[0].Name
	}
	var known []string
	found := false
	for _, s := range all {
		known = append(known, nadeo.EnvironmentName(s.Name))
		if strings.EqualFold(s.Name, n.Environment) || strings.EqualFold(nadeo.EnvironmentName(s.Name), n.Environment) {
			n.scenery, found = s, true
		}
	}
	if !found {
		return fault.New(fault.Unsupported, "%s has no environment %q; it has %s", n.Game, n.Environment, strings.Join(known, ", "))
	}
	return n.chooseBase()
}

func (n *mapPlan) chooseBase() error {
	mood := n.Mood
	if mood == "" {
		mood = scenery.Moods[0]
	}
	var known []string
	for _, b := range n.scenery.Bases {
		for i, name := range b.Decorations {
			if name == "" {
				continue
			}
			known = append(known, fmt.Sprintf("%dx%dx%d %s (%q)", b.Size.X, b.Size.Y, b.Size.Z, scenery.Moods[i], name))
			fits := strings.EqualFold(scenery.Moods[i], mood)
			if n.Decoration != "" {
				fits = name == n.Decoration && (n.Mood == "" || fits)
			}
			if fits && (n.Size == gbx.Int3{} || n.Size == b.Size) {
				n.base, n.decoration, n.mood = b, name, scenery.Moods[i]+b.MoodSuffix
				if b.Ground != nil {
					n.scenery.Ground = *b.Ground
				}
				if n.Game == nadeo.Forever {
					n.mood = name
				}
				return nil
			}
		}
	}
	if n.Mood != "" && !slices.ContainsFunc(scenery.Moods[:], func(m string) bool { return strings.EqualFold(m, n.Mood) }) {
		return fault.New(fault.Unsupported, "unknown mood %q; expected one of %s", n.Mood, strings.Join(scenery.Moods[:], ", "))
	}
	return fault.New(fault.Unsupported, "no such map of %s in %s is known; there are %s", nadeo.EnvironmentName(n.scenery.Name), n.Game, strings.Join(known, ", "))
}

const (
	uidLength = 27
	uidDigits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
)

// NewUID returns a new UID in the form of the games: a random number of 160 bits, as
// digits of base 63, lowest digit first.
func NewUID() string {
	var b [20]byte
	rand.Read(b[:])
	number, base := new(big.Int).SetBytes(b[:]), big.NewInt(int64(len(uidDigits)))
	uid := make([]byte, uidLength)
	digit := new(big.Int)
	for i := range uid {
		number.DivMod(number, base, digit)
		uid[i] = uidDigits[digit.Int64()]
	}
	return string(uid)
}

// isUID reports whether a text has the form of the games' UIDs. Those of a few old maps
// are one or two digits shorter.
func isUID(s string) bool {
	return len(s) >= uidLength-2 && len(s) <= uidLength &&
		!slices.ContainsFunc([]byte(s), func(b byte) bool { return strings.IndexByte(uidDigits, b) < 0 })
}

// header makes the chunks of the header.
func (n *mapPlan) header() []gbx.HeaderChunk {
	list := []gbx.HeaderChunk{
		{ID: 0x03043002, Body: n.description()},
		{ID: 0x03043003, IDVersion: chunks.IDVersion, Body: n.common()},
		{ID: 0x03043004, Body: &game.Header03043004{Version: 6}},
		{ID: 0x03043005, Heavy: true, Body: &game.Header03043005{XML: styled.Marked(n.xml())}},
		{ID: 0x03043007, Heavy: true, Body: &game.Header03043007{Version: 1, ThumbSize: uint32(len(n.thumbnail)), Thumbnail: n.thumbnail}},
	}
	if n.Game != nadeo.Forever {
		list = append(list, gbx.HeaderChunk{ID: 0x03043008, Body: &game.Header03043008{
			Version: 1, AuthorLogin: n.Author.Login, AuthorNick: styled.Marked(n.Author.Nick), AuthorZone: styled.Marked(n.Author.Zone),
		}})
	}
	return list
}

func (n *mapPlan) description() *game.Header03043002 {
	c := &game.Header03043002{
		Version: 13, BronzeTime: gbx.NoTime, SilverTime: gbx.NoTime, GoldTime: gbx.NoTime, AuthorTime: gbx.NoTime,
		Mode: n.mode(), AuthorScore: noScore(n.Game), NbCheckpoints: 1, NbLaps: 1,
	}
	if n.Game == nadeo.Forever {
		c.Version = 11
	}
	return c
}

// mode returns the play mode: Script for maps of ShootMania.
func (n *mapPlan) mode() game.CGameCtnChallengePlayMode {
	if strings.HasPrefix(n.Type, "ShootMania") {
		return game.CGameCtnChallengePlayModeScript
	}
	return game.CGameCtnChallengePlayModeRace
}

func (n *mapPlan) common() *game.Header03043003 {
	c := &game.Header03043003{
		Version: 5, MapInfo: n.ident, MapName: styled.Marked(n.Name), Kind: game.CGameCtnChallengeMapKindInProgress,
		Decoration: n.decorationIdent(), PackMask: n.scenery.PackMask,
	}
	if n.Game != nadeo.Forever {
		c.Version, c.MapType, c.TitleID = 11, n.Type, gbx.NewID(n.Title)
	}
	return c
}

func (n *mapPlan) decorationIdent() gbx.Ident {
	return gbx.Ident{ID: gbx.NewID(n.decoration), Collection: n.scenery.Collection, Author: gbx.NewID("Nadeo")}
}

// xml makes the header's XML, which web sites and servers read.
func (n *mapPlan) xml() string {
	name, author, zone, mood := places.XMLText.Replace(n.Name), places.XMLText.Replace(n.Author.Login), places.XMLText.Replace(n.Author.Zone), places.XMLText.Replace(n.mood)
	score := int32(noScore(n.Game))
	if n.Game == nadeo.Forever {
		return fmt.Sprintf(`<header type="challenge" version="TMc.6" exever="2.11.26"><ident uid="%s" name="%s" author="%s"/>`+
			`<desc envir="%s" mood="%s" type="Race" nblaps="0" price="0" />`+
			`<times bronze="-1" silver="-1" gold="-1" authortime="-1" authorscore="%d"/><deps></deps></header>`,
			n.UID, name, author, n.scenery.Name, mood, score)
	}
	return fmt.Sprintf(`<header type="map" exever="3.3.0" exebuild="%s" title="%s" lightmap="0"><ident uid="%s" name="%s" author="%s" authorzone="%s"/>`+
		`<desc envir="%s" mood="%s" type="%v" maptype="%s" mapstyle="" validated="0" nblaps="0" displaycost="0" mod="" hasghostblocks="0" />`+
		`<playermodel id=""/><times bronze="-1" silver="-1" gold="-1" authortime="-1" authorscore="%d"/><deps></deps></header>`,
		nadeo.OriginOfProgram(n.program()).Build, places.XMLText.Replace(n.Title), n.UID, name, author, zone,
		n.scenery.Name, mood, n.mode(), places.XMLText.Replace(n.Type), score)
}

// program returns the build of the game that the new map imitates.
func (n *mapPlan) program() string {
	if n.Game == nadeo.ManiaPlanet4 {
		return "date=2019-11-19_18_50 Svn=98046 GameVersion=3.3.0"
	}
	return "date=2022-11-16_12_57 git=115165-0f026e419dc GameVersion=3.3.0"
}
