package runs

import (
	"bytes"
	"context"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/nadeo"
	"pakbox/nadeo/clips"
	"pakbox/nadeo/internal/disk"
	"pakbox/nadeo/internal/places"
	"pakbox/nadeo/maps"
)

// OpenReplay reads a replay from a path.
func OpenReplay(ctx context.Context, path string) (*Replay, error) {
	return disk.Open(ctx, path, ReplayOf)
}

const classReplay classid.ID = 0x03093000

// Replay is a map with ghosts that drove on it.
type Replay struct {
	File *gbx.File
}

// ReplayOf returns the replay in a file.
func ReplayOf(f *gbx.File) (*Replay, error) {
	if f.Class.Latest() != classReplay {
		return nil, fault.New(fault.NotFormat, "the file is not a replay")
	}
	return &Replay{f}, nil
}

// Time returns the time that the replay declares.
func (r *Replay) Time() gbx.Time {
	if t := replayTime.Read(places.SiteOf(r.File)); t != 0 {
		return t
	}
	return gbx.NoTime
}

// Player returns the driver that the replay names.
func (r *Replay) Player() nadeo.Player {
	return nadeo.Player{Login: replayLogin.Read(places.SiteOf(r.File)), Nick: replayNick.Read(places.SiteOf(r.File))}
}

// MapIdent returns the UID, environment and author of the map.
func (r *Replay) MapIdent() gbx.Ident { return replayMap.Read(places.SiteOf(r.File)) }

// Environment returns the environment of the map, by the name that players use.
func (r *Replay) Environment() string {
	return nadeo.EnvironmentName(nadeo.CollectionName(r.MapIdent().Collection))
}

// MapFile returns the map file inside the replay.
func (r *Replay) MapFile() []byte {
	if c, ok := gbx.Find[*game.Chunk03093002](r.File.Body); ok {
		return c.Map
	}
	return nil
}

// Ghosts returns the runs in the replay.
func (r *Replay) Ghosts() []*Ghost {
	var refs []gbx.Ref
	if c, ok := gbx.Find[*game.Chunk03093014](r.File.Body); ok {
		refs = c.Ghosts
	} else if c, ok := gbx.Find[*game.Chunk03093004](r.File.Body); ok {
		refs = c.Ghosts
	}
	var out []*Ghost
	for _, ref := range refs {
		if ref.Node != nil {
			out = append(out, &Ghost{Node: ref.Node, replay: r, first: len(out) == 0})
		}
	}
	return out
}

// Made returns the mark of a replay that [NewReplay] made, "" for a replay that a game
// saved.
func (r *Replay) Assembler() string {
	made, _ := replayMade.Get(places.SiteOf(r.File))
	return made
}

// Clip returns the MediaTracker clip of the replay, nil if none exists.
func (r *Replay) Clip() *clips.Clip {
	if c, ok := gbx.Find[*game.Chunk03093015](r.File.Body); ok && c.Clip.Node != nil {
		return &clips.Clip{Node: c.Clip.Node}
	}
	return nil
}

// MapName returns the name of the map, from the header's XML or from the header of the
// map inside; "" if neither states it.
func (r *Replay) MapName() string {
	if name, ok := replayMapName.Get(places.SiteOf(r.File)); ok && name != "" {
		return name
	}
	data := r.MapFile()
	if len(data) == 0 {
		return ""
	}
	h, err := gbx.ReadHeader(bytes.NewReader(data), int64(len(data)), engine.Registry())
	if err != nil {
		return ""
	}
	name, _ := maps.NameOf(&gbx.File{Header: *h})
	return name
}
