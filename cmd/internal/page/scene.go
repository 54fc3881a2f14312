package page

import (
	"encoding/binary"
	"fmt"
	"math"

	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/question"
	"pakbox/gbx"
	"pakbox/nadeo/gbxarchive"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/maps/scene"
)

// columns are the blocks or items of the three-dimensional view. A map has tens of
// thousands; as JSON objects they would take seconds. So each column is sent as the
// little-endian bytes of its numbers.
type columns struct {
	Kind  []byte `json:"kind"`  // uint32: index in the list of kinds
	Index []byte `json:"index"` // uint32: the number on the map
	Turn  []byte `json:"turn"`  // uint32: index in the list of rotations
	At    []byte `json:"at"`    // three float32: the middle
}

// kind has the properties that many blocks or items share.
type kind struct {
	Name     string     `json:"name"`
	Surface  string     `json:"surface"`
	Waypoint string     `json:"waypoint,omitempty"`
	Color    int        `json:"color"` // as the player painted it
	Size     [3]float32 `json:"size"`
	Ground   bool       `json:"ground,omitempty"`
	Item     bool       `json:"item,omitempty"`
}

// tables are the lists to which the indices in columns refer.
type tables struct {
	kinds list[kind]
	turns list[scene.Turn]
}

// list gives equal values the same index.
type list[T comparable] struct {
	values []T
	number map[T]int
}

func (l *list[T]) of(v T) uint32 {
	n, ok := l.number[v]
	if !ok {
		if l.number == nil {
			l.number = map[T]int{}
		}
		n = len(l.values)
		l.number[v], l.values = n, append(l.values, v)
	}
	return uint32(n)
}

func (t *tables) columns(things []scene.Thing, item bool) columns {
	c := columns{Kind: make([]byte, 0, 4*len(things)), Index: make([]byte, 0, 4*len(things)), Turn: make([]byte, 0, 4*len(things)), At: make([]byte, 0, 12*len(things))}
	order := binary.LittleEndian
	for i := range things {
		b := &things[i]
		k := kind{b.Name, b.Surface, b.Way.String(), b.Color, triple(b.Extent), b.Kind == scene.Terrain, item}
		c.Kind = order.AppendUint32(c.Kind, t.kinds.of(k))
		c.Index = order.AppendUint32(c.Index, uint32(b.Index))
		c.Turn = order.AppendUint32(c.Turn, t.turns.of(b.Turn))
		c.At = appendFloats(c.At, b.Center.X, b.Center.Y, b.Center.Z)
	}
	return c
}

func appendFloats(to []byte, list ...float32) []byte {
	for _, v := range list {
		to = binary.LittleEndian.AppendUint32(to, math.Float32bits(v))
	}
	return to
}

// turnBytes encodes the rotations as four float32 each.
func (t *tables) turnBytes() []byte {
	out := make([]byte, 0, 16*len(t.turns.values))
	for _, turn := range t.turns.values {
		out = appendFloats(out, turn[:]...)
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
	at := s.at(c.param("path"))
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
	return nadeo.OpenMap(c.Context(), at, func(m *maps.Map) (any, error) { return sceneOf(at.Path, m) })
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
		for i := range k.Instances {
			matrix := k.Instances[i].Matrix()
			one.Items = append(one.Items, k.Instances[i].Item)
			one.Matrices = append(one.Matrices, matrix[:])
		}
		models = append(models, one)
	}
	var t tables
	boxes, items := t.columns(out.Blocks, false), t.columns(out.Items, true)
	o := question.NewObject("map.scene", name, "gbx").
		Add("kinds", append([]kind{}, t.kinds.values...)).Add("turns", t.turnBytes()).Add("boxes", boxes).Add("items", items).Add("models", models).
		Add("min", triple(out.Min)).Add("max", triple(out.Max)).Add("grid", gridOf(out)).
		Add("blocks", len(m.Blocks())).Add("left", left(out)).
		Add("note", fmt.Sprintf("Schematic: a block is drawn as slabs of at most %g x %g m. Its true shape is in the files of the game.", out.Cell.X, out.Cell.Z))
	return o, nil
}

// leftOut counts blocks that are not drawn, by reason.
type leftOut struct {
	Blocks int    `json:"blocks"`
	Why    string `json:"why"`
}

func left(s *scene.Scene) []leftOut {
	list := []leftOut{}
	for _, l := range s.Omissions {
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
