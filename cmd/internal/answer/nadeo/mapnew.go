package nadeo

import (
	"cmp"
	"context"
	"fmt"

	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/nadeo"
	"pakbox/nadeo/maps"
)

// NewMap are the parameters of a new map.
type NewMap struct {
	Game       string `json:"game" value:"GAME" doc:"the GAME: tmf, mp4 or tm2020"`
	Env        string `json:"env" value:"NAME" doc:"the environment's NAME (default Stadium); Trackmania of 2020 also has BlueBay, GreenCoast, RedIsland and WhiteShore"`
	Size       string `json:"size" value:"XxYxZ" doc:"the size in cells, XxYxZ (default the environment's usual one)"`
	Mood       string `json:"mood" value:"MOOD" doc:"the MOOD: Day, Sunrise, Sunset or Night (default Day)"`
	Decoration string `json:"decoration" value:"NAME" doc:"the exact NAME of what surrounds the map, such as 48x48Screen155Day"`
	Name       string `json:"name" value:"NAME" doc:"the map's NAME, with colour codes (default Unnamed)"`
	Author     string `json:"author" value:"LOGIN" doc:"the author's LOGIN (default nobody)"`
	Nick       string `json:"nick" value:"NAME" doc:"the author's NAME (default the login)"`
	UID        string `json:"uid" value:"UID" doc:"the map's UID (default a fresh one)"`
	Title      string `json:"title" value:"ID" doc:"the ID of the title pack, such as TMStadium"`
	Type       string `json:"type" value:"SCRIPT" doc:"the SCRIPT that decides how it is played, such as TrackMania\\TM_Race"`
}

// MapReport is the report about a new map.
type MapReport struct {
	Name       string   `json:"name" doc:"name of the map"`
	UID        string   `json:"uid" doc:"UID of the map"`
	Game       string   `json:"game" doc:"game of the map"`
	Collection string   `json:"collection_name" doc:"environment of the map"`
	Decoration string   `json:"decoration" doc:"decoration of the map"`
	Size       [3]int32 `json:"map_size" doc:"size of the map in blocks: x, y and z"`
}

// CreateMap is the question for an empty map.
var CreateMap = question.New(&room, "map.create", "an empty map", func(_ context.Context, at *question.At, p NewMap) (*question.File, error) {
	at.Format = "gbx"
	o := maps.Options{Environment: p.Env, Mood: p.Mood, Decoration: p.Decoration, Name: p.Name, UID: p.UID, Title: p.Title, Type: p.Type}
	o.Author.Login, o.Author.Nick = p.Author, p.Nick
	var err error
	if o.Game, err = nadeo.GenerationOf(cmp.Or(p.Game, "tm2020")); err != nil {
		return nil, fault.Usagef("%v", err)
	}
	if p.Size != "" {
		var s gbx.Int3
		var more string
		if n, _ := fmt.Sscanf(p.Size+" ", "%dx%dx%d%s", &s.X, &s.Y, &s.Z, &more); n != 3 {
			return nil, fault.Usagef("%q is not a size", p.Size).Hint("sizes are written as 48x40x48")
		}
		o.Size = s
	}
	m, err := maps.New(o)
	if err != nil {
		return nil, fault.Usagef("%v", err)
	}
	data, err := m.File.Encode()
	s := m.Size()
	return &question.File{Name: "New.Map.Gbx", Data: data, Say: &MapReport{
		m.Name(), m.UID(), string(o.Game), nadeo.EnvironmentName(m.Collection()), m.Decoration().ID.String(), [3]int32{s.X, s.Y, s.Z}}}, err
}).AboutNoFile()
