package nadeo

import (
	"context"

	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/nadeo"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/runs"
)

// Personal is the answer about texts in a file that reveal something about people.
type Personal struct {
	Personal []maps.Personal `json:"personal" doc:"paths of computers, and logins of people: kind, where, value, new" method:"result"`
}

// MapScrub is the question what a map, a replay or a ghost reveals about people.
var MapScrub = question.New(&room, "map.scrub", "personal data in a file", func(ctx context.Context, at *question.At, _ question.NoParams) (*Personal, error) {
	return OpenGBX(ctx, at, func(_ *source.Source, f *gbx.File) (*Personal, error) {
		list, err := personalIn(f)
		return &Personal{append([]maps.Personal{}, list...)}, err
	})
})

// personalIn lists the texts that reveal something about people.
func personalIn(f *gbx.File) ([]maps.Personal, error) {
	if m, err := maps.Of(f); err == nil {
		return m.Personal()
	}
	ghosts := runs.GhostsOf(f)
	r, err := runs.ReplayOf(f)
	if err != nil && len(ghosts) == 0 {
		return nil, fault.New(fault.NotFormat, "is not a map, replay or ghost")
	}
	var list []maps.Personal
	seen := map[maps.Personal]bool{}
	add := func(where string, p nadeo.Player) {
		for _, fact := range []maps.Personal{
			{Kind: "login", Where: where, Value: p.Login}, {Kind: "nick", Where: where, Value: p.Nick}, {Kind: "zone", Where: where, Value: p.Zone},
		} {
			if fact.Value != "" && !seen[fact] {
				seen[fact] = true
				list = append(list, fact)
			}
		}
	}
	if err == nil {
		add("replay", r.Player())
	}
	for _, g := range ghosts {
		add("ghost", g.Player())
	}
	return list, nil
}
