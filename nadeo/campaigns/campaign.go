// Package campaigns reads and makes lists of maps: the campaigns of the games, and the
// playlists of dedicated servers.
package campaigns

import (
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/internal/lib/styled"
	"pakbox/nadeo/internal/chunks"
	"pakbox/nadeo/internal/places"
)

const class classid.ID = 0x03090000

// Campaign is a file with groups of maps that are played in order.
type Campaign struct {
	ID     string // TMValley@nadeo
	Name   string
	Groups []Group
}

// Group is a named row of maps in a campaign.
type Group struct {
	Name string
	Maps []Map
}

// Map is a campaign's reference to a map.
type Map struct {
	Ident gbx.Ident // UID, environment and author of the map
	Path  string    // path of the map file for the game; "" before ManiaPlanet
}

var campaignName = places.Fact[string]{What: "campaign's name", Text: styled.Unmarked, Places: []places.Place[string]{
	places.InBody(func(c *game.Chunk0309000F) *string { return &c.Name }),
	places.InBody(func(c *game.Chunk03090004) *string { return &c.Name }),
	places.InBody(func(c *game.Chunk03090003) *string { return &c.Name }),
}}

var groupMaps = places.Fact[[]game.CGameCtnChallengeGroupMapInfo]{Places: []places.Place[[]game.CGameCtnChallengeGroupMapInfo]{
	places.InBody(func(c *game.Chunk0308F00B) *[]game.CGameCtnChallengeGroupMapInfo { return &c.MapInfos }),
	places.InBody(func(c *game.Chunk0308F00A) *[]game.CGameCtnChallengeGroupMapInfo { return &c.MapInfos }),
	places.InBody(func(c *game.Chunk0308F006) *[]game.CGameCtnChallengeGroupMapInfo { return &c.MapInfos }),
}}

// Of returns the campaign in a file.
func Of(f *gbx.File) (*Campaign, error) {
	if f.Class.Latest() != class {
		return nil, fault.New(fault.NotFormat, "the file is not a campaign")
	}
	c := &Campaign{}
	if id, ok := gbx.Find[*game.Chunk03090006](f.Body); ok {
		c.ID = id.CampaignID.String()
	}
	c.Name = styled.Unmarked(campaignName.Read(places.SiteOf(f)))
	if groups, ok := gbx.Find[*game.Chunk03090000](f.Body); ok {
		for _, ref := range groups.ChallengeGroups {
			if ref.Node != nil {
				c.Groups = append(c.Groups, groupOf(ref.Node))
			}
		}
	}
	return c, nil
}

func groupOf(n *gbx.Node) Group {
	var g Group
	if c, ok := gbx.Find[*game.Chunk0308F002](n); ok {
		g.Name = styled.Unmarked(c.Name)
	}
	infos := groupMaps.Read(places.Site{Node: n})
	for _, m := range infos {
		g.Maps = append(g.Maps, Map{m.Map, styled.Unmarked(m.FilePath)})
	}
	return g
}

// File writes the campaign as a new file, with the chunks and constant values of
// ManiaPlanet's own campaigns.
func (c *Campaign) File() *gbx.File {
	groups := &game.Chunk03090000{ChallengeGroupsListVersion: chunks.ListVersion}
	for _, g := range c.Groups {
		groups.ChallengeGroups = append(groups.ChallengeGroups, gbx.NewRef(g.node()))
	}
	var id gbx.ID = gbx.NoID
	if c.ID != "" {
		id = gbx.NewID(c.ID)
	}
	var l chunks.Chunks
	l.Add(groups, &game.Chunk03090006{CampaignID: id})
	l.Skippable(&game.Chunk03090009{U01: 1, CollectionID: gbx.NoID}, &game.Chunk0309000A{Index: 100},
		&game.Chunk0309000B{}, &game.Chunk0309000C{IconID: gbx.NoID})
	l.Add(&game.Chunk0309000D{UnlockType: game.CGameCtnCampaignUnlockTypeByColumn},
		&game.Chunk0309000E{RequiredPlayersCount: game.CGameCtnCampaignRequiredPlayersCountSoloOnly})
	l.Skippable(&game.Chunk0309000F{Name: styled.Marked(c.Name), U01: uint32(len(c.Groups)), Type: game.CGameCtnCampaignCampaignTypeRace})
	l.Add(&game.Chunk03090010{})
	l.Skippable(&game.Chunk03090012{Version: 1, ScoreContext: "0", OfficialRecordEnabled: 1})
	return gbx.New(&gbx.Node{Class: class, Chunks: l}, engine.Registry())
}

func (g *Group) node() *gbx.Node {
	maps := &game.Chunk0308F00B{Version: 1}
	for _, m := range g.Maps {
		maps.MapInfos = append(maps.MapInfos, game.CGameCtnChallengeGroupMapInfo{Map: m.Ident, FilePath: styled.Marked(m.Path)})
	}
	return chunks.Node(&game.Chunk0308F002{Name: styled.Marked(g.Name)}, maps)
}

// Contradictions lists disagreements between the places of a campaign file that state its
// name.
func Contradictions(f *gbx.File) []string {
	return places.Contradictions(places.SiteOf(f), &campaignName)
}

// NameOf returns the name of a campaign; false if this file cannot hold a name.
func NameOf(f *gbx.File) (string, bool) { return campaignName.Find(places.SiteOf(f)) }
