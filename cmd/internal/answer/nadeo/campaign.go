package nadeo

import (
	"context"

	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/gbx"
	"pakbox/nadeo"
	"pakbox/nadeo/campaigns"
)

// MapFile is a map file that was found, with facts from its header.
type MapFile struct {
	Path  string // relative to the searched folder, with slashes
	Name  string
	Ident gbx.Ident

	file string // path that the asker can open
}

// Campaign is the answer about the maps of a campaign.
type Campaign struct {
	ID       string          `json:"id"`
	Name     string          `json:"name"`
	MapCount int             `json:"map_count" doc:"number of maps in all groups"`
	Groups   []campaignGroup `json:"groups"`
}

type campaignGroup struct {
	Name string        `json:"name"`
	Maps []campaignMap `json:"maps"`
}

type campaignMap struct {
	UID        string  `json:"uid"`
	Collection string  `json:"collection"`
	Author     string  `json:"author_login"`
	Path       string  `json:"map_path" doc:"path in the game"`
	Found      *bool   `json:"found,omitempty" doc:"whether the map is at hand; missing if nobody looked"`
	Title      *string `json:"name,omitempty"`
	File       *string `json:"file,omitempty" doc:"the map at hand"`
}

type campaignParams struct {
	// Known are the maps that were found, by UID; nil if nobody searched.
	Known map[string]MapFile `json:"-"`
}

// CampaignList is the question which maps a campaign has.
var CampaignList = question.New(&room, "campaign.ls", "the maps of a campaign by group", func(ctx context.Context, at *question.At, p campaignParams) (*Campaign, error) {
	return OpenGBX(ctx, at, func(_ *source.Source, f *gbx.File) (*Campaign, error) {
		c, err := campaigns.Of(f)
		if err != nil {
			return nil, err
		}
		out := &Campaign{ID: c.ID, Name: c.Name, Groups: []campaignGroup{}}
		for _, g := range c.Groups {
			group := campaignGroup{g.Name, []campaignMap{}}
			for _, m := range g.Maps {
				one := campaignMap{UID: m.Ident.ID.String(), Collection: nadeo.CollectionName(m.Ident.Collection), Author: m.Ident.Author.String(), Path: m.Path}
				if p.Known != nil {
					at, ok := p.Known[one.UID]
					one.Found, one.Title, one.File = &ok, &at.Name, &at.Path
				}
				group.Maps = append(group.Maps, one)
			}
			out.MapCount += len(g.Maps)
			out.Groups = append(out.Groups, group)
		}
		return out, nil
	})
})
