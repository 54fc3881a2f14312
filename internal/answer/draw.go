package answer

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"strings"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/internal/lib/hint"
	"pakbox/internal/question"
	"pakbox/trackmania"
	"pakbox/trackmania/maps"
	"pakbox/trackmania/picture"
	"pakbox/trackmania/runs"
)

// pictureParams choose the kind of a drawing.
type pictureParams struct {
	Kind string `json:"kind" arg:"" doc:"png or svg; png if there is none"`
}

// drawn is what a command says about a drawing that it saved.
type drawn struct {
	Ghost  *int   `json:"ghost,omitempty"`
	Runs   int    `json:"runs,omitempty"`
	Kind   string `json:"kind"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
}

// MapPicture draws a map.
var MapPicture = question.New("map.picture", "a map from above, as PNG or SVG", func(ctx context.Context, at *question.At, p pictureParams) (*question.File, error) {
	return atMap(ctx, at, func(m *maps.Map) (*question.File, error) { return draw(picture.Map(m), p.Kind, drawn{}) })
})

type thumbnailParams struct {
	Size    int    `json:"size" value:"PIXELS" doc:"make the longer side so many PIXELS"`
	Quality int    `json:"quality" value:"N" doc:"quality of a JPEG, 1 to 100; 95 if there is none"`
	Format  string `json:"format" doc:"jpg or png; jpg if there is none"`
}

// Form is how the thumbnail is written.
func (p thumbnailParams) Form() maps.ThumbnailForm {
	return maps.ThumbnailForm{Size: p.Size, Quality: p.Quality, Format: p.Format}
}

// MapThumbnail asks for the picture that a map brings along. Maps store it on its
// head; the answer is upright.
var MapThumbnail = question.New("map.thumbnail", "the picture that a map brings along, as JPEG or PNG", func(ctx context.Context, at *question.At, p thumbnailParams) (*question.File, error) {
	return atMap(ctx, at, func(m *maps.Map) (*question.File, error) {
		data, err := m.Thumbnail(p.Form())
		if err == nil && data == nil {
			err = fault.New(fault.Unsupported, "the map has no thumbnail")
		}
		if p.Format == "png" {
			return &question.File{Name: "thumbnail.png", Type: "image/png", Data: data}, err
		}
		return &question.File{Name: "thumbnail.jpg", Type: "image/jpeg", Data: data}, err
	})
})

type runPictureParams struct {
	pictureParams
	ghostParams
	mapParams
	Width int `json:"width" value:"PIXELS" doc:"a picture PIXELS wide; 1400 if there is none"`
}

// ReplayPicture draws a run on its map, if the map is at hand. Of several runs in a
// file the first is drawn.
var ReplayPicture = question.New("replay.picture", "the driven line, the speed and the inputs of a run, as PNG or SVG", func(ctx context.Context, at *question.At, p runPictureParams) (*question.File, error) {
	if err := checkWidth(p.Width); err != nil {
		return nil, err
	}
	return atRuns(ctx, at, func(f *gbx.File, ghosts []*runs.Ghost) (out *question.File, err error) {
		err = cmp.Or(p.Ghost, "0").Each(ghosts, func(i int, g *runs.Ghost) error {
			m, err := p.find(ctx, at, g.MapUID())
			if err != nil {
				return err
			}
			run, err := runOf(cmp.Or(m, mapOf(f)), g)
			if err != nil {
				return err
			}
			run.Width = p.Width
			out, err = draw(picture.DrawRun(run), p.Kind, drawn{Ghost: &i})
			return err
		})
		return out, err
	})
})

// Draw draws a comparison as PNG or SVG. A width of 0 is the usual one.
func (c *Comparison) Draw(kind string, width int) (*question.File, error) {
	if err := checkWidth(width); err != nil {
		return nil, err
	}
	return draw(picture.DrawComparison(c.Of, c.Map, width), kind, drawn{Runs: len(c.Runs)})
}

// checkWidth refuses a width that pictures of runs cannot have. 0 is the usual one.
func checkWidth(width int) error {
	if width != 0 && (width < picture.LeastWidth || width > picture.MostWidth) {
		return hint.Usagef("width takes %d to %d pixels, not %d", picture.LeastWidth, picture.MostWidth, width)
	}
	return nil
}

// draw encodes a drawing. SVG comes without a type that browsers show: it holds
// names from files.
func draw(c *picture.Canvas, kind string, say drawn) (*question.File, error) {
	say.Kind, say.Width, say.Height = cmp.Or(kind, "png"), c.Width, c.Height
	var b bytes.Buffer
	f := &question.File{Name: "picture." + say.Kind, Say: &say}
	var err error
	switch say.Kind {
	case "png":
		f.Type, err = "image/png", c.PNG(&b)
	case "svg":
		err = c.SVG(&b)
	default:
		return nil, hint.Usagef("kind: %q is neither png nor svg", kind)
	}
	f.Data = b.Bytes()
	return f, err
}

// runOf gathers what a picture of a ghost shows; m is nil if its map is not at hand.
func runOf(m *maps.Map, g *runs.Ghost) (picture.Run, error) {
	lines, err := g.Telemetry()
	if err != nil && !errors.Is(err, runs.ErrNotRecorded) {
		return picture.Run{}, err
	}
	inputs, _ := g.Inputs() // those before an error are drawn
	r := picture.Run{Time: g.Time(), Checkpoints: g.Checkpoints(), Lines: lines, Inputs: inputs, Map: m}
	if r.Time == gbx.NoTime {
		r.Time = g.FinishMark()
	}
	p := g.Player()
	r.Title = cmp.Or(trackmania.Plain(p.Nick), p.Login, "Unknown driver")
	place, car := g.MapUID(), ""
	if m != nil {
		place = cmp.Or(trackmania.Plain(m.Name()), place)
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
