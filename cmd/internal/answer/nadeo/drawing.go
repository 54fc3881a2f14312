package nadeo

import (
	"bytes"
	"cmp"
	"context"
	"image/png"

	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/gbx/mesh"
	"pakbox/gbx/mesh/view"
	"pakbox/nadeo/picture"
)

// PictureParams choose the kind of a drawing.
type PictureParams struct {
	Kind string `json:"kind" request:"" doc:"png or svg; png by default"`
}

// Drawn describes a saved drawing, for the message of a command.
type Drawn struct {
	Ghost  *int   `json:"ghost,omitempty"`
	Runs   int    `json:"runs,omitempty"`
	Kind   string `json:"kind"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
}

// EncodeDrawing encodes a drawing. SVG gets no media type that browsers display, because it
// contains names from files.
func EncodeDrawing(c *picture.Canvas, kind string, say Drawn) (*question.File, error) {
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
		return nil, fault.Usagef("kind: %q is neither png nor svg", kind)
	}
	f.Data = b.Bytes()
	return f, err
}

// DrawScene draws a scene as PNG.
func DrawScene(ctx context.Context, s *mesh.Scene, o view.Options) (*question.File, error) {
	drawn, err := view.Draw(ctx, s, o)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = png.Encode(&b, drawn)
	return &question.File{Name: "picture.png", Type: "image/png", Data: b.Bytes(), Say: &Drawn{Kind: "png", Width: o.Size.X, Height: o.Size.Y}}, err
}
