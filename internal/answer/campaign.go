package answer

import (
	"pakbox/gbx"
	"pakbox/trackmania"
	"pakbox/trackmania/maps"
)

// MapFile is a map at hand, by its header.
type MapFile struct {
	Path  string // below the folder that was searched, with slashes
	Name  string
	Ident gbx.Ident
}

// CampaignObject is a campaign as JSON. Known are the maps at hand by UID; nil
// if nobody looked.
func CampaignObject(name string, c *maps.Campaign, known map[string]MapFile) *Object {
	total := 0
	groups := []*Object{}
	for _, g := range c.Groups {
		maps := []*Object{}
		for _, m := range g.Maps {
			total++
			uid := m.Ident.ID.String()
			o := new(Object).Add("uid", uid).Add("collection", trackmania.CollectionName(m.Ident.Collection)).
				Add("author_login", m.Ident.Author.String()).Add("map_path", m.Path)
			if known != nil {
				at, ok := known[uid]
				o.Add("found", ok).Add("name", at.Name).Add("file", at.Path)
			}
			maps = append(maps, o)
		}
		groups = append(groups, new(Object).Add("name", g.Name).Add("maps", maps))
	}
	return New("campaign.ls", name, "gbx").Add("id", c.ID).Add("name", c.Name).Add("map_count", total).Add("groups", groups)
}
