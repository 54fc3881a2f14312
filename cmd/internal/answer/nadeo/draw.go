package nadeo

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/nadeo"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/picture"
	"pakbox/nadeo/runs"
)

type runPictureParams struct {
	PictureParams
	ghostParams
	mapParams
	Width int `json:"width" value:"PIXELS" doc:"a picture PIXELS wide; 1400 by default"`
}

// Draw is the question for a picture of a run, on its map if the map is available. If the
// file has several runs, it draws the first.
var Draw = question.New(&room, "replay.picture", "the driven line, the speed and the inputs of a run, as PNG or SVG", func(ctx context.Context, at *question.At, p runPictureParams) (*question.File, error) {
	if err := checkWidth(p.Width); err != nil {
		return nil, err
	}
	return OpenRuns(ctx, at, func(f *gbx.File, ghosts []*runs.Ghost) (out *question.File, err error) {
		err = cmp.Or(p.Ghost, "0").Each(ghosts, func(i int, g *runs.Ghost) error {
			m, err := p.find(ctx, at, g.MapUID())
			if err != nil {
				return err
			}
			run, err := runOf(cmp.Or(m, MapOf(f)), g)
			if err != nil {
				return err
			}
			run.Width = p.Width
			out, err = EncodeDrawing(picture.DrawRun(run), p.Kind, Drawn{Ghost: &i})
			return err
		})
		return out, err
	})
})

// Draw draws a comparison as PNG or SVG. A width of 0 means the default.
func (c *Comparison) Draw(kind string, width int) (*question.File, error) {
	if err := checkWidth(width); err != nil {
		return nil, err
	}
	return EncodeDrawing(picture.DrawComparison(c.Of, c.Map, width), kind, Drawn{Runs: len(c.Runs)})
}

// checkWidth rejects a width that pictures of runs cannot have. 0 means the default.
func checkWidth(width int) error {
	if width != 0 && (width < picture.LeastWidth || width > picture.MostWidth) {
		return fault.Usagef("width takes %d to %d pixels, not %d", picture.LeastWidth, picture.MostWidth, width)
	}
	return nil
}

// runOf collects the data for a picture of a ghost. m is nil if its map is not available.
func runOf(m *maps.Map, g *runs.Ghost) (picture.Run, error) {
	lines, err := g.Telemetry()
	if err != nil && !errors.Is(err, runs.ErrNotRecorded) {
		return picture.Run{}, err
	}
	inputs, _ := g.Inputs() // the inputs before an error
	r := picture.Run{Time: g.Time(), Checkpoints: g.Checkpoints(), Lines: lines, Inputs: inputs, Map: m}
	if r.Time == gbx.NoTime {
		r.Time = g.FinishMark()
	}
	p := g.Player()
	r.Title = cmp.Or(nadeo.Plain(p.Nick), p.Login, "Unknown driver")
	place, car := g.MapUID(), ""
	if m != nil {
		place = cmp.Or(nadeo.Plain(m.Name()), place)
	}
	if id := g.Car().ID; !id.IsEmpty() {
		car = id.String()
	}
	var parts []string
	for _, part := range []string{place, car, p.Zone} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	r.Subtitle = strings.Join(parts, "  ·  ")
	return r, nil
}
