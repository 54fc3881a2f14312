package runs

import (
	"fmt"

	"pakbox/fact"
	"pakbox/gbx"
	"pakbox/nadeo"
)

// GhostFacts are the facts of recorded runs.
var GhostFacts = fact.NewTable("ghost", "A recorded run: a ghost, a run in a replay, or the validation of a map.", []fact.Row[*Ghost]{
	{Name: "nick", Label: "Driver", Kind: fact.Styled, Doc: "nickname of the driver, with colour codes", Also: []fact.Word{fact.Driver}, Search: fact.ByAuthor, Always: true,
		Get: func(g *Ghost) any { return g.Player().Nick }},
	{Name: "login", Label: "Login", Kind: fact.Login, Doc: "login of the driver", Also: []fact.Word{fact.Driver}, Search: fact.ByAuthor, Always: true,
		Get: func(g *Ghost) any { return g.Player().Login }, Words: func(g *Ghost) string { return nadeo.LoginWords(g.Player().Login) }},
	{Name: "zone", Label: "Zone", Kind: fact.Styled, Doc: "zone of the driver: World|Europe|…", Get: func(g *Ghost) any { return g.Player().Zone }},
	{Name: "account_id", Kind: fact.ID, Doc: "account of the driver, in Trackmania (2020)", Get: func(g *Ghost) any { return accountID(g.Player().Login) }},
	{Name: "race_time", Label: "Time", Kind: fact.Time, Doc: "time of the run; null if it was not finished", Also: []fact.Word{fact.RunTime}, Indexed: true,
		Get: func(g *Ghost) any { return timeOf(g.Time()) }, Words: func(g *Ghost) string { return timeWords(g.Time()) }},
	{Name: "respawns", Label: "Respawns", Kind: fact.Count, Doc: "number of respawns",
		Get: func(g *Ghost) any { n := g.Respawns(); return fact.Known(n, n >= 0) }, Shown: func(g *Ghost) bool { return g.Respawns() > 0 }},
	{Name: "checkpoints", Label: "Checkpoints", Kind: fact.Times, Doc: "time at each checkpoint; the last is the finish",
		Get: func(g *Ghost) any { return timesOf(g.Checkpoints()) }, Words: func(g *Ghost) string { return fmt.Sprint(g.CheckpointCount()) }},
	{Name: "car", Label: "Car", Kind: fact.ID, Doc: "name of the vehicle",
		Get: func(g *Ghost) any { return g.Car().ID.String() }},
	{Name: "map_uid", Label: "Map UID", Kind: fact.ID, Doc: "UID of the map, if the ghost or its replay states it", Also: []fact.Word{fact.UID}, Indexed: true,
		Get: func(g *Ghost) any { return g.MapUID() }},
	{Name: "stunt_score", Label: "Points", Kind: fact.Count, Doc: "points of a Stunts run", Always: true,
		Get: func(g *Ghost) any { return g.StuntScore() }, Shown: func(g *Ghost) bool { return g.StuntScore() > 0 }},
	{Name: "program", Label: "Program", Kind: fact.Text, Doc: "version of the game that the run was driven in", Get: func(g *Ghost) any { return g.Program() }},
	{Name: "driven", Kind: fact.Moment, Doc: "time at which the run began, where the game stores it",
		Get: func(g *Ghost) any { t := g.date(); return fact.Known(t.UnixMilli(), !t.IsZero()) }},
	{Name: "sample_count", Label: "Samples", Kind: fact.Count, Doc: "number of recorded places of the car", Always: true, Get: func(g *Ghost) any { return g.SampleCount() }},
	{Name: "input_count", Label: "Inputs", Kind: fact.Count, Doc: "number of recorded inputs", Always: true, Get: func(g *Ghost) any { return g.InputCount() }},
})

// ReplayFacts are the facts of replays.
var ReplayFacts = fact.NewTable("replay", "A replay: runs with their map.", []fact.Row[*Replay]{
	{Name: "time", Label: "Time", Kind: fact.Time, Doc: "time that the replay states", Indexed: true,
		Get: func(r *Replay) any { return timeOf(r.Time()) }, Words: func(r *Replay) string { return timeWords(r.Time()) },
		Shown: func(r *Replay) bool {
			return r.Time() != gbx.NoTime || r.Player().Login != "" || r.MapIdent().ID.String() != ""
		}},
	{Name: "nick", Label: "Driver", Kind: fact.Styled, Doc: "nickname of the driver, with colour codes", Also: []fact.Word{fact.Driver}, Search: fact.ByAuthor, Always: true,
		Get: func(r *Replay) any { return r.Player().Nick }},
	{Name: "login", Label: "Login", Kind: fact.Login, Doc: "login of the driver", Also: []fact.Word{fact.Driver}, Search: fact.ByAuthor, Always: true,
		Get: func(r *Replay) any { return r.Player().Login }, Words: func(r *Replay) string { return nadeo.LoginWords(r.Player().Login) }},
	{Name: "account_id", Kind: fact.ID, Doc: "account of the driver, in Trackmania (2020)", Get: func(r *Replay) any { return accountID(r.Player().Login) }},
	{Name: "map_uid", Label: "Map UID", Kind: fact.ID, Doc: "UID of the map", Also: []fact.Word{fact.UID}, Indexed: true, Always: true,
		Get: func(r *Replay) any { return r.MapIdent().ID.String() }},
	{Name: "map_name", Label: "Map", Kind: fact.Styled, Doc: "name of the map inside, with colour codes",
		Get: func(r *Replay) any { return stated(r.MapName()) }, Shown: func(r *Replay) bool { return r.MapName() != "" }},
	{Name: "map_author", Label: "Map author", Kind: fact.Login, Doc: "login of the map's author", Get: func(r *Replay) any { return r.MapIdent().Author.String() },
		Words: func(r *Replay) string { return nadeo.LoginWords(r.MapIdent().Author.String()) }},
	{Name: "collection", Kind: fact.Text, Doc: "environment of the map as the games' files call it, such as Stadium2020",
		Get: func(r *Replay) any { return nadeo.CollectionName(r.MapIdent().Collection) }},
	{Name: "collection_name", Label: "Environment", Kind: fact.Text, Doc: "environment of the map by name", Also: []fact.Word{fact.Environment}, Indexed: true,
		Get: func(r *Replay) any { return r.Environment() }},
	{Name: "map_size", Label: "Map inside", Kind: fact.Bytes, Doc: "size of the map inside", Always: true,
		Get: func(r *Replay) any { return len(r.MapFile()) }, Shown: func(r *Replay) bool { return len(r.MapFile()) > 0 }},
	{Name: "made", Label: "Made", Kind: fact.Text, Doc: "note of a replay that was put together; null if a game saved it",
		Get: func(r *Replay) any { return stated(r.Assembler()) }, Shown: func(r *Replay) bool { return r.Assembler() != "" }},
	{Name: "ghosts", Label: "Ghosts", Kind: fact.Object, Doc: "recorded runs",
		Get: func(r *Replay) any { return GhostRecords(r.Ghosts()) }, Words: func(r *Replay) string { return fmt.Sprint(len(r.Ghosts())) }},
})

// GhostRecords reads the facts of several runs.
func GhostRecords(ghosts []*Ghost) []fact.Record {
	list := make([]fact.Record, len(ghosts))
	for i, g := range ghosts {
		list[i] = GhostFacts.Of(g)
	}
	return list
}

func timeOf(t gbx.Time) any { return fact.Known(int64(t), t != gbx.NoTime) }

// timeWords returns the text for a time on a card, also for a missing time.
func timeWords(t gbx.Time) string {
	if t == gbx.NoTime {
		return "none"
	}
	return ""
}

func timesOf(times []gbx.Time) []*int64 {
	list := make([]*int64, len(times))
	for i, t := range times {
		if t != gbx.NoTime {
			ms := int64(t)
			list[i] = &ms
		}
	}
	return list
}

// stated returns a text, or nil if it is empty.
func stated(s string) any { return fact.Known(s, s != "") }

// accountID returns the account of a login, nil for logins without one.
func accountID(login string) any {
	id, ok := nadeo.AccountID(login)
	return fact.Known(id, ok)
}
