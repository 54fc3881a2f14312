package nadeo

import (
	"context"

	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	media "pakbox/nadeo/clips"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/runs"
)

// Clips lists the clips of a file.
type Clips struct {
	Clips []clip `json:"clips" method:"result"`
}

type clip struct {
	Use    string      `json:"use" doc:"use of the clip: intro, in game and others of a map, replay, or file"`
	Name   string      `json:"name"`
	Length float32     `json:"length" doc:"end of the last block in seconds"`
	Tracks []clipTrack `json:"tracks"`
}

type clipTrack struct {
	Name        string      `json:"name"`
	KeepPlaying bool        `json:"keep_playing" doc:"whether the track goes on when the clip has ended"`
	Cycling     bool        `json:"cycling" doc:"whether the track begins again at its end"`
	Blocks      []clipBlock `json:"blocks"`
}

type clipBlock struct {
	Kind  string  `json:"kind" doc:"class without CGameCtnMediaBlock: CameraCustom, Text, Ghost"`
	Start float32 `json:"start" doc:"start in seconds"`
	End   float32 `json:"end" doc:"end in seconds"`
	Text  string  `json:"text,omitempty" doc:"text that is shown"`
}

// ClipList is the question which clips a clip file, a replay or a map has.
var ClipList = question.New(&room, "clip.ls", "tracks and blocks of clips of the media tracker", func(ctx context.Context, at *question.At, _ question.NoParams) (*Clips, error) {
	return OpenGBX(ctx, at, func(_ *source.Source, f *gbx.File) (*Clips, error) {
		out := &Clips{Clips: []clip{}}
		add := func(use string, c *media.Clip) {
			out.Clips = append(out.Clips, clip{use, c.Name(), c.Length(), clipTracks(c)})
		}
		if c, err := media.ClipOf(f); err == nil {
			add("file", c)
			return out, nil
		}
		if m, err := maps.Of(f); err == nil {
			for _, c := range m.Clips() {
				add(c.Use, &c.Clip)
			}
			return out, nil
		}
		if r, err := runs.ReplayOf(f); err == nil {
			if c := r.Clip(); c != nil {
				add("replay", c)
			}
			return out, nil
		}
		return nil, fault.New(fault.NotFormat, "the file is not a clip, map or replay")
	})
})

func clipTracks(c *media.Clip) []clipTrack {
	out := []clipTrack{}
	for _, t := range c.Tracks() {
		one := clipTrack{t.Name, t.KeepPlaying, t.Cycling, []clipBlock{}}
		for _, b := range t.Blocks {
			block := clipBlock{Kind: b.Kind, Start: b.Start, End: b.End}
			if text, ok := b.Content.(media.Text); ok {
				block.Text = text.Text
			}
			one.Blocks = append(one.Blocks, block)
		}
		out = append(out, one)
	}
	return out
}

// withParams name further files.
type withParams struct {
	With []string `json:"with" arg:"" paths:"" doc:"further files"`
}

type clipParams struct {
	ghostParams
	withParams
	Name        string `json:"name" value:"NAME" doc:"the clip's NAME"`
	Inputs      bool   `json:"inputs" doc:"show what the first driver pressed"`
	Checkpoints bool   `json:"checkpoints" doc:"show the times of the first run at checkpoints, with the gaps to the second"`
	NoGhosts    bool   `json:"no-ghosts" doc:"leave the cars out"`
}

// joined describes a file made from several runs or clips, for the message of a command.
type joined struct {
	Runs   int `json:"runs,omitempty"`
	Clips  int `json:"clips,omitempty"`
	Tracks int `json:"tracks,omitempty"`
}

// MakeClip is the question for a clip that shows runs.
var MakeClip = question.New(&room, "replay.clip", "a clip of the media tracker that shows runs", func(ctx context.Context, at *question.At, p clipParams) (*question.File, error) {
	ghosts, err := ghostsOf(ctx, at, append([]string{at.Path}, p.With...), p.Ghost)
	if err != nil {
		return nil, err
	}
	c, err := runs.NewClip(p.Name, ghosts, runs.ClipParts{Ghosts: !p.NoGhosts, Inputs: p.Inputs, Checkpoints: p.Checkpoints})
	if err != nil {
		return nil, err
	}
	return clipFile(c, joined{Runs: len(ghosts), Tracks: len(c.Tracks())})
})

func clipFile(c *media.Clip, say joined) (*question.File, error) {
	data, err := c.File()
	return &question.File{Name: "clip.Clip.Gbx", Data: data, Say: &say}, err
}

// ClipCombine is the question for one clip made from several.
var ClipCombine = question.New(&room, "clip.combine", "one clip with the tracks of several", func(ctx context.Context, at *question.At, p withParams) (*question.File, error) {
	if len(p.With) == 0 {
		return nil, fault.Usagef("there is one clip, and combining takes two")
	}
	var clips []*media.Clip
	for _, name := range append([]string{at.Path}, p.With...) {
		c, err := OpenGBX(ctx, at.For(name), func(_ *source.Source, f *gbx.File) (*media.Clip, error) {
			c, err := media.ClipOf(f)
			if err != nil {
				return nil, err
			}
			return media.Combine(c) // a copy, because the file will be closed
		})
		if err != nil {
			return nil, err
		}
		clips = append(clips, c)
	}
	at.Format = "gbx"
	c, err := media.Combine(clips...)
	if err != nil {
		return nil, err
	}
	return clipFile(c, joined{Clips: len(clips), Tracks: len(c.Tracks())})
})

// Create is the question for a replay made from a map and runs.
var Create = question.New(&room, "replay.create", "a replay of a map and of runs on it, marked as put together", func(ctx context.Context, at *question.At, p withParams) (*question.File, error) {
	if len(p.With) == 0 {
		return nil, fault.Usagef("a replay takes a map and at least one file with a run")
	}
	ghosts, err := ghostsOf(ctx, at, p.With, "")
	if err != nil {
		return nil, err
	}
	return OpenGBX(ctx, at, func(_ *source.Source, f *gbx.File) (*question.File, error) {
		mapFile, err := f.Encode() // an unchanged file, byte for byte
		if err != nil {
			return nil, err
		}
		data, err := runs.NewReplay(mapFile, ghosts)
		return &question.File{Name: "runs.Replay.Gbx", Data: data, Say: &joined{Runs: len(ghosts)}}, err
	})
})

// maxJoined limits the number of files for the HTTP service.
const maxJoined = 100

// ghostsOf reads the runs of files. From each file it takes the first run, or the chosen
// one; from a single file it takes all.
func ghostsOf(ctx context.Context, at *question.At, names []string, choice GhostChoice) (all []*runs.Ghost, err error) {
	if at.Bounded() && len(names) > maxJoined {
		return nil, fault.Usagef("%d files are put together at most", maxJoined)
	}
	for _, name := range names {
		_, err := OpenRuns(ctx, at.For(name), func(_ *gbx.File, ghosts []*runs.Ghost) (None, error) {
			if len(names) > 1 && choice == "" && len(ghosts) > 1 {
				ghosts = ghosts[:1]
			}
			return None{}, choice.Each(ghosts, func(_ int, g *runs.Ghost) error {
				data, err := g.File()
				if err != nil {
					return err
				}
				f, err := gbx.Parse(data, engine.Registry())
				if err != nil {
					return err
				}
				own, err := runs.GhostOf(f)
				all = append(all, own)
				return err
			})
		})
		if err != nil {
			return nil, err
		}
	}
	at.Format = "gbx"
	return all, nil
}
