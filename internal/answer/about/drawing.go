package about

import (
	"bytes"
	"cmp"

	"pakbox/internal/lib/hint"
	"pakbox/internal/question"
	"pakbox/trackmania/picture"
)

// pictureParams choose the kind of a drawing.
type PictureParams struct {
	Kind string `json:"kind" arg:"" doc:"png or svg; png if there is none"`
}

// drawn is what a command says about a drawing that it saved.
type Drawn struct {
	Ghost  *int   `json:"ghost,omitempty"`
	Runs   int    `json:"runs,omitempty"`
	Kind   string `json:"kind"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
}

// draw encodes a drawing. SVG comes without a type that browsers show: it holds
// names from files.
func Draw(c *picture.Canvas, kind string, say Drawn) (*question.File, error) {
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
