package answer

import (
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/trackmania"
	"pakbox/trackmania/maps"
	"pakbox/trackmania/runs"
)

// PersonalIn lists what tells about people in a map, a replay or a ghost.
func PersonalIn(f *gbx.File) ([]maps.Personal, error) {
	if m, err := maps.Of(f); err == nil {
		return m.Personal(engine.Registry())
	}
	ghosts := runs.GhostsOf(f)
	r, err := runs.ReplayOf(f)
	if err != nil && len(ghosts) == 0 {
		return nil, fault.New(fault.NotFormat, "is no map, replay or ghost")
	}
	var list []maps.Personal
	seen := map[maps.Personal]bool{}
	add := func(where string, p trackmania.Player) {
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

// PersonalObject is what tells about people, as JSON.
func PersonalObject(name string, list []maps.Personal) *Object {
	return New("map.scrub", name, "gbx").Add("personal", append([]maps.Personal{}, list...))
}
