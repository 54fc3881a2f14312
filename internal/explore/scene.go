package explore

import (
	"fmt"

	"pakbox/gbx"
	"pakbox/gbxarchive"
	"pakbox/internal/answer/about"
	"pakbox/internal/form"
	"pakbox/internal/question"
	"pakbox/trackmania/maps"
	"pakbox/trackmania/scene"
)

// box is a block or item in the view of three dimensions.
type box struct {
	Name      string     `json:"name"`
	Index     int        `json:"index"`
	Surface   string     `json:"surface"`
	Waypoint  string     `json:"waypoint,omitempty"`
	Cell      *[3]int32  `json:"cell,omitempty"`
	Direction *int       `json:"direction,omitempty"`
	Color     int        `json:"color"`
	At        [3]float32 `json:"at"`
	Size      [3]float32 `json:"size"`
	Turn      scene.Turn `json:"turn"`
}

// model is a mesh of an embedded item and where it stands.
type model struct {
	Path     string      `json:"path"`
	Items    []int       `json:"items"`
	Matrices [][]float32 `json:"matrices"`
}

// mapScene is a map in three dimensions.
func (s *Explorer) mapScene(c *call) (any, error) {
	at := &question.At{Path: c.param("path"), Opener: s.opener.WithoutAsking(), Kept: s.kept}
	return about.Map(c.Context(), at, func(m *maps.Map) (any, error) {
		out := scene.Of(m)
		models := []model{}
		for _, k := range out.Models {
			one := model{Path: gbxarchive.EmbeddedName(k.Name)}
			for i := range k.Placed {
				matrix := k.Placed[i].Matrix()
				one.Items = append(one.Items, k.Placed[i].Item)
				one.Matrices = append(one.Matrices, matrix[:])
			}
			models = append(models, one)
		}
		o := form.New("map.scene", at.Path, "gbx").
			Add("boxes", boxes(out.Blocks)).Add("items", boxes(out.Items)).Add("models", models).
			Add("min", triple(out.Min)).Add("max", triple(out.Max)).Add("grid", gridOf(out)).
			Add("blocks", len(m.Blocks())).Add("left", left(out)).
			Add("note", fmt.Sprintf("Schematic: a block is a slab of %g x %g m in each cell that is known to be its; the true shapes are in the game's files.", out.Cell.X, out.Cell.Z))
		return o, nil
	})
}

// leftOut are blocks that are not drawn, and why.
type leftOut struct {
	Blocks int    `json:"blocks"`
	Why    string `json:"why"`
}

func left(s *scene.Scene) []leftOut {
	list := []leftOut{}
	for _, l := range s.Left {
		list = append(list, leftOut(l))
	}
	return list
}

func boxes(list []scene.Thing) []box {
	out := make([]box, 0, len(list))
	for i := range list {
		t := &list[i]
		b := box{Name: t.Name, Index: t.Index, Surface: t.Surface, Waypoint: t.Way.String(), Color: t.Color, At: triple(t.At), Size: triple(t.Extent), Turn: t.Turn}
		if t.Cell != nil {
			b.Cell, b.Direction = &[3]int32{t.Cell.X, t.Cell.Y, t.Cell.Z}, &t.Direction
		}
		out = append(out, b)
	}
	return out
}

// ground is the grid that the view draws below everything.
type ground struct {
	Size   float32    `json:"size"` // of the whole in metres
	Step   float32    `json:"step"`
	Y      float32    `json:"y"`
	Centre [2]float32 `json:"centre"`
}

// gridOf is a grid of cells about what is on the map.
func gridOf(s *scene.Scene) ground {
	step := s.Cell.X
	cells := min(2+max(s.Max.X-s.Min.X, s.Max.Z-s.Min.Z)/step, 256)
	return ground{
		Size: step * float32(2*int(cells/2)+2), Step: step, Y: s.Min.Y,
		Centre: [2]float32{step * float32(int((s.Min.X+s.Max.X)/2/step)), step * float32(int((s.Min.Z+s.Max.Z)/2/step))},
	}
}

func triple(v gbx.Vec3) [3]float32 { return [3]float32{v.X, v.Y, v.Z} }
