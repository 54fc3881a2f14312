package runs

import (
	"bytes"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/nadeo"
	"pakbox/nadeo/maps"
)

// Check compares the facts that a replay states with the map and the ghosts in it. The
// ghosts have their own checks.
func (r *Replay) Check() []Verdict {
	list := []Verdict{r.checkTime(), r.checkPlayer(), r.checkMap()}
	if made := r.Assembler(); made != "" {
		list = append(list, answer(AssemblyRule, Unknown, "the replay was %s: map and header prove nothing about a run", made))
	}
	return list
}

// AssemblyRule is the rule of the verdict for replays that a program put together. Other
// replays do not have this verdict.
const AssemblyRule = "made"

// checkTime looks for the ghost whose time the replay's header states.
func (r *Replay) checkTime() Verdict {
	ghosts := r.Ghosts()
	switch {
	case r.Time() == gbx.NoTime:
		return answer("header_time", Unknown, "the header declares no time")
	case len(ghosts) == 0:
		return answer("header_time", Unknown, "no ghost to compare")
	}
	best := gbx.NoTime
	for _, g := range ghosts {
		t := g.Time()
		if t == r.Time() {
			return answer("header_time", OK, "a ghost drove the time in the header, %s", nadeo.TimeText(t))
		}
		if t != gbx.NoTime && (best == gbx.NoTime || t < best) {
			best = t
		}
	}
	if best == gbx.NoTime {
		return answer("header_time", Unknown, "no ghost declares a time")
	}
	return answer("header_time", Suspect, "%s is in the header, but the best ghost drove %s", nadeo.TimeText(r.Time()), nadeo.TimeText(best))
}

func (r *Replay) checkPlayer() Verdict {
	login := r.Player().Login
	if login == "" {
		return answer("header_player", Unknown, "the header names no player")
	}
	other := ""
	for _, g := range r.Ghosts() {
		switch g.Player().Login {
		case login:
			return answer("header_player", OK, "a ghost is of the player in the header")
		case "":
		default:
			other = g.Player().Login
		}
	}
	if other == "" {
		return answer("header_player", Unknown, "no ghost names its player")
	}
	return answer("header_player", Suspect, "%s is in the header, but the ghost is of %s", login, other)
}

// checkMap compares the map that the header and the ghosts name with the map file inside.
func (r *Replay) checkMap() Verdict {
	uid := r.MapIdent().ID.String()
	if uid == "" {
		return answer("map", Unknown, "the header names no map")
	}
	for _, g := range r.Ghosts() {
		if other := g.MapUID(); other != "" && other != uid {
			return answer("map", Suspect, "%s is in the header, but a ghost was driven on %s", uid, other)
		}
	}
	inside, ok := mapInside(r.MapFile())
	switch {
	case !ok:
		return answer("map", Unknown, "the file contains no readable map")
	case inside != uid:
		return answer("map", Suspect, "%s is in the header, but the map inside is %s", uid, inside)
	}
	return answer("map", OK, "the map inside is the one in the header")
}

// mapInside returns the UID of a map file, from its header if the header has it.
func mapInside(data []byte) (string, bool) {
	if len(data) == 0 {
		return "", false
	}
	h, err := gbx.ReadHeader(bytes.NewReader(data), int64(len(data)), engine.Registry())
	if err != nil {
		return "", false
	}
	if m, err := maps.Of(&gbx.File{Header: *h}); err == nil && m.UID() != "" {
		return m.UID(), true
	}
	// ManiaPlanet 3 and later omit the header's chunks in such maps.
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		return "", false
	}
	m, err := maps.Of(f)
	if err != nil || m.UID() == "" {
		return "", false
	}
	return m.UID(), true
}
