package nadeo

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"image"
	"strings"

	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/nadeo/picture"
)

// AnimateParams choose the runs of a film, and how it is drawn.
type AnimateParams struct {
	ghostParams
	mapParams
	With []string `json:"with" arg:"" paths:"" doc:"further files with runs"`
	Kind string   `json:"kind" request:"" doc:"apng or gif; apng by default"`
	Hz   float64  `json:"hz" value:"N" doc:"N pictures a second; 20 by default"`
	Size string   `json:"size" value:"WIDTHxHEIGHT" doc:"WIDTHxHEIGHT in pixels; 960x540 by default"`
}

// Filmed describes a saved film, for the message of a command.
type Filmed struct {
	Kind   string `json:"kind"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
	Frames int    `json:"frames"`
}

// Film prepares the film of runs.
func Film(ctx context.Context, at *question.At, p AnimateParams) (*picture.Film, *Filmed, error) {
	var size image.Point
	if n, err := fmt.Sscanf(cmp.Or(p.Size, "960x540")+" ", "%dx%d ", &size.X, &size.Y); n != 2 || err != nil {
		return nil, nil, fault.Usagef("size takes a width and a height such as 960x540, not %q", p.Size)
	}
	runs, err := gatherRuns(ctx, at, p.With, p.Ghost, p.mapParams)
	if err != nil {
		return nil, nil, err
	}
	at.Format = "gbx"
	film, err := picture.NewFilm(runs.Runs, runs.Map, size, cmp.Or(p.Hz, 20))
	if err != nil {
		return nil, nil, err
	}
	return film, &Filmed{cmp.Or(p.Kind, "apng"), size.X, size.Y, film.Frames()}, nil
}

// maxFilm limits the pixels of all pictures of a film for the HTTP service: two minutes
// of a film in the default size.
const maxFilm = 2400 * 960 * 540

// Animate is the question for runs as a film.
var Animate = question.New(&room, "replay.animate", "runs as a moving picture, as animated PNG or GIF", func(ctx context.Context, at *question.At, p AnimateParams) (*question.File, error) {
	film, told, err := Film(ctx, at, p)
	if err != nil {
		return nil, err
	}
	if pixels := told.Width * told.Height * told.Frames; at.Bounded() && pixels > maxFilm {
		return nil, fault.Usagef("a film of %d pictures of %dx%d is too large", told.Frames, told.Width, told.Height).Hint("ask for fewer pictures a second, or smaller ones")
	}
	write, known := map[string]func(context.Context, *bytes.Buffer) error{
		"apng": func(ctx context.Context, b *bytes.Buffer) error { return film.APNG(ctx, b, told.Progress(at)) },
		"gif":  func(ctx context.Context, b *bytes.Buffer) error { return film.GIF(ctx, b, told.Progress(at)) },
	}[told.Kind]
	if !known {
		return nil, fault.Usagef("kind: %q is neither apng nor gif", p.Kind)
	}
	var b bytes.Buffer
	err = write(ctx, &b)
	return &question.File{Name: "runs." + strings.Replace(told.Kind, "apng", "png", 1), Type: "image/" + told.Kind, Data: b.Bytes(), Say: told}, err
})

// Progress announces the number of pictures, and returns a function that reports the
// finished ones.
func (f *Filmed) Progress(at *question.At) picture.Progress {
	p := at.Opener.Progress
	if p == nil {
		return nil
	}
	bytes := int64(f.Width) * int64(f.Height) * 4
	p.Begin(int64(f.Frames) * bytes)
	return func(frames int) { p.Advance(int64(frames) * bytes) }
}
