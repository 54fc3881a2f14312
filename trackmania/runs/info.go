package runs

import (
	"pakbox/trackmania"
	"pakbox/trackmania/internal/places"
)

// GhostInfo is what people look for in a recorded race.
type GhostInfo struct {
	RaceTime    *int64   `json:"race_time"`   // nil if it was not finished
	Respawns    *int     `json:"respawns"`    // nil where the ghost does not say
	Checkpoints []*int64 `json:"checkpoints"` // nil for one that was not passed
	Login       string   `json:"login"`
	Nick        string   `json:"nick"` // with colour codes
	Zone        string   `json:"zone"`
	AccountID   *string  `json:"account_id"` // of Trackmania (2020)
	Car         string   `json:"car"`
	MapUID      string   `json:"map_uid"`
	StuntScore  int      `json:"stunt_score"`
	Program     string   `json:"program"` // the game it was driven in
	SampleCount int      `json:"sample_count"`
	InputCount  int      `json:"input_count"`
}

// Info returns what people look for in the ghost.
func (g *Ghost) Info() *GhostInfo {
	p := g.Player()
	i := &GhostInfo{
		RaceTime: places.Known(g.Time()), Respawns: places.Counted(g.Respawns()), Checkpoints: []*int64{},
		Login: p.Login, Nick: p.Nick, Zone: p.Zone, AccountID: account(p.Login), Car: g.Car().ID.String(), MapUID: g.MapUID(),
		StuntScore: g.StuntScore(), Program: g.Program(), SampleCount: g.SampleCount(), InputCount: g.InputCount(),
	}
	for _, t := range g.Checkpoints() {
		i.Checkpoints = append(i.Checkpoints, places.Known(t))
	}
	return i
}

// ReplayInfo is what people look for in a replay.
type ReplayInfo struct {
	Time       *int64       `json:"time"` // nil where the replay does not say
	Login      string       `json:"login"`
	Nick       string       `json:"nick"` // with colour codes
	AccountID  *string      `json:"account_id"`
	MapUID     string       `json:"map_uid"`
	MapAuthor  string       `json:"map_author"`
	Collection string       `json:"collection"`
	MapSize    int          `json:"map_size"` // of the map inside, in bytes
	Ghosts     []*GhostInfo `json:"ghosts"`
}

// Info returns what people look for in the replay.
func (r *Replay) Info() *ReplayInfo {
	p, m := r.Player(), r.MapIdent()
	return &ReplayInfo{
		Time: places.Known(r.Time()), Login: p.Login, Nick: p.Nick, AccountID: account(p.Login),
		MapUID: m.ID.String(), MapAuthor: m.Author.String(), Collection: trackmania.CollectionName(m.Collection),
		MapSize: len(r.MapFile()), Ghosts: GhostInfos(r.Ghosts()),
	}
}

// GhostInfos returns what people look for in several ghosts.
func GhostInfos(ghosts []*Ghost) []*GhostInfo {
	list := make([]*GhostInfo, len(ghosts))
	for i, g := range ghosts {
		list[i] = g.Info()
	}
	return list
}

func account(login string) *string {
	if id, ok := trackmania.AccountID(login); ok {
		return &id
	}
	return nil
}
