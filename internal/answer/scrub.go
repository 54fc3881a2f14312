package answer

import (
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/trackmania"
)

// PersonalIn lists what tells about people in a map, a replay or a ghost.
func PersonalIn(f *gbx.File) ([]trackmania.Personal, error) {
	if m, err := trackmania.MapOf(f); err == nil {
		return m.Personal(engine.Registry())
	}
	ghosts := trackmania.GhostsOf(f)
	r, err := trackmania.ReplayOf(f)
	if err != nil && len(ghosts) == 0 {
		return nil, fault.New(fault.NotFormat, "is no map, replay or ghost")
	}
	var list []trackmania.Personal
	seen := map[trackmania.Personal]bool{}
	add := func(where string, p trackmania.Player) {
		for _, fact := range []trackmania.Personal{
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
func PersonalObject(name string, list []trackmania.Personal) *Object {
	return New("map.scrub", name, "gbx").Add("personal", append([]trackmania.Personal{}, list...))
}
