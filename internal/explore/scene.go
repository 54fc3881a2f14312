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

// row is a block or item in the three-dimensional view: indices of its name, surface, waypoint,
// size and rotation in the tables, its own number, its painted colour, its middle, and 1 for
// ground. A map has tens of thousands of rows, so they are sent as plain numbers.
type row [11]float32

// tables are the lists that rows refer to.
type tables struct {
	names, surfaces, waypoints list[string]
	sizes                      list[[3]float32]
	turns                      list[scene.Turn]
}

// list gives equal values the same index.
type list[T comparable] struct {
	values []T
	number map[T]int
}

func (l *list[T]) of(v T) float32 {
	n, ok := l.number[v]
	if !ok {
		if l.number == nil {
			l.number = map[T]int{}
		}
		n = len(l.values)
		l.number[v], l.values = n, append(l.values, v)
	}
	return float32(n)
}

func (t *tables) rows(things []scene.Thing) []row {
	out := make([]row, 0, len(things))
	for i := range things {
		b, ground := &things[i], float32(0)
		if b.Kind == scene.Terrain {
			ground = 1
		}
		out = append(out, row{
			t.names.of(b.Name), float32(b.Index), t.surfaces.of(b.Surface), t.waypoints.of(b.Way.String()), float32(b.Color),
			t.sizes.of(triple(b.Extent)), t.turns.of(b.Turn), b.At.X, b.At.Y, b.At.Z, ground,
		})
	}
	return out
}

// model is the mesh of an embedded item, and its places.
type model struct {
	Path     string      `json:"path"`
	Items    []int       `json:"items"`
	Matrices [][]float32 `json:"matrices"`
}

// mapScene returns a map, or a macroblock on an empty map, for the three-dimensional
// view.
func (s *Explorer) mapScene(c *call) (any, error) {
	at := &question.At{Path: c.param("path"), Opener: s.opener.WithoutAsking(), Kept: s.kept}
	if f, done, err := s.open.get(c.ctx, at.Path); err == nil {
		defer done()
		if file := f.gbx(); file != nil {
			if macro, err := maps.MacroblockOf(file); err == nil {
				m, err := pasted(macro)
				if err != nil {
					return nil, err
				}
				return sceneOf(at.Path, m)
			}
		}
	}
	return about.Map(c.Context(), at, func(m *maps.Map) (any, error) { return sceneOf(at.Path, m) })
}

// pasted makes an empty map with a macroblock in its middle.
func pasted(macro *maps.Macroblock) (*maps.Map, error) {
	m, err := maps.New(maps.Options{UID: "macroblock00000000000000000"})
	if err != nil {
		return nil, err
	}
	return m, m.PasteMacroblock(macro, gbx.Int3{X: 10, Y: 9, Z: 10}, 0)
}

func sceneOf(name string, m *maps.Map) (any, error) {
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
	var t tables
	boxes, items := t.rows(out.Blocks), t.rows(out.Items)
	o := form.New("map.scene", name, "gbx").
		Add("names", t.names.values).Add("surfaces", t.surfaces.values).Add("waypoints", t.waypoints.values).Add("sizes", t.sizes.values).Add("turns", t.turns.values).
		Add("boxes", boxes).Add("items", items).Add("models", models).
		Add("min", triple(out.Min)).Add("max", triple(out.Max)).Add("grid", gridOf(out)).
		Add("blocks", len(m.Blocks())).Add("left", left(out)).
		Add("note", fmt.Sprintf("Schematic: a block is a slab of %g x %g m in each cell that is known to be its; the true shapes are in the game's files.", out.Cell.X, out.Cell.Z))
	return o, nil
}

// leftOut counts blocks that are not drawn, by reason.
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

// ground is the grid that the view draws below everything.
type ground struct {
	Size   float32    `json:"size"` // of the whole in metres
	Step   float32    `json:"step"`
	Y      float32    `json:"y"`
	Centre [2]float32 `json:"centre"`
}

// gridOf makes a grid of cells around the things on the map.
func gridOf(s *scene.Scene) ground {
	step := s.Cell.X
	cells := min(2+max(s.Max.X-s.Min.X, s.Max.Z-s.Min.Z)/step, 256)
	return ground{
		Size: step * float32(2*int(cells/2)+2), Step: step, Y: s.Min.Y,
		Centre: [2]float32{step * float32(int((s.Min.X+s.Max.X)/2/step)), step * float32(int((s.Min.Z+s.Max.Z)/2/step))},
	}
}

func triple(v gbx.Vec3) [3]float32 { return [3]float32{v.X, v.Y, v.Z} }
