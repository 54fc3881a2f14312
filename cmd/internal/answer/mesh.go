package answer

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"image"
	"path"
	"slices"
	"strings"

	"pakbox/cmd/internal/answer/nadeo"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/mesh"
	"pakbox/gbx/mesh/gltf"
	"pakbox/gbx/mesh/view"
	"pakbox/nadeo/items/library"
)

// CountVertices formats the numbers of vertices and triangles.
func CountVertices(vertices, triangles int) string {
	text := fmt.Sprintf("%d vertices", vertices)
	if vertices == 1 {
		text = "1 vertex"
	}
	return text + ", " + question.Count(triangles, "triangle")
}

// oneMesh describes one mesh of a scene.
type oneMesh struct {
	Name      string        `json:"name"`
	Kind      string        `json:"kind"`
	Role      string        `json:"role"`
	Level     int           `json:"level"`
	Vertices  int           `json:"vertices"`
	Triangles int           `json:"triangles"`
	Materials []string      `json:"materials"`
	Bounds    *nadeo.Bounds `json:"bounds"`
}

// Meshes is the answer about the meshes of a file.
type Meshes struct {
	VertexCount   int           `json:"vertex_count" doc:"number of vertices of all meshes"`
	TriangleCount int           `json:"triangle_count" doc:"number of triangles of all meshes"`
	Bounds        *nadeo.Bounds `json:"bounds" doc:"box around all meshes, in metres"`
	Meshes        []oneMesh     `json:"meshes" doc:"meshes in their places"`
	Outside       []string      `json:"outside" doc:"other files that hold geometry of this one"`

	Scene    *mesh.Scene `json:"-"`
	All      int         `json:"-"` // number of nodes without a choice
	HasItems bool        `json:"-"` // the file is a map with items of its own
}

type meshParams struct {
	Lods      bool `json:"lods" doc:"take all levels of detail, not only the finest"`
	Collision bool `json:"collision" doc:"take collision shapes and triggers too"`
}

// FileMesh is the question which meshes an item or model has.
var FileMesh = question.New(&room, "mesh", "the meshes of an item or model", func(ctx context.Context, at *question.At, p meshParams) (*Meshes, error) {
	return meshesAt(ctx, at, func(n *mesh.Node) bool { return (p.Lods || n.Level == 0) && (p.Collision || n.Role == mesh.Drawn) })
})

type meshFileParams struct {
	Level     int  `json:"level" doc:"level of detail, from 0 for the finest"`
	Collision bool `json:"collision" doc:"take collision shapes and triggers instead"`
}

// The question for the meshes as glTF. No command asks it: the page and programs do.
var _ = question.New(&room, "mesh.file", "the meshes of an item or model as binary glTF", func(ctx context.Context, at *question.At, p meshFileParams) (*question.File, error) {
	m, err := meshesAt(ctx, at, func(n *mesh.Node) bool {
		return p.Collision && n.Role != mesh.Drawn || !p.Collision && n.Role == mesh.Drawn && n.Level == p.Level
	})
	if err != nil {
		return nil, err
	}
	if len(m.Meshes) == 0 {
		return nil, fault.InFile(fault.New(fault.Unsupported, "mesh not found"), at.Path)
	}
	return m.GLB(at.Path)
})

type meshPictureParams struct {
	Width int `json:"width" doc:"width and height in pixels; 512 by default"`
}

// MeshPicture draws the meshes of an item or model.
var MeshPicture = question.New(&room, "mesh.picture", "a picture of an item or model, as PNG", func(ctx context.Context, at *question.At, p meshPictureParams) (*question.File, error) {
	side := cmp.Or(p.Width, 512)
	if side < 1 || side > view.MaxSide {
		return nil, fault.Usagef("width takes 1 to %d pixels, not %d", view.MaxSide, side)
	}
	m, err := meshesAt(ctx, at, func(*mesh.Node) bool { return true })
	if err != nil {
		return nil, err
	}
	if len(m.Meshes) == 0 {
		return nil, fault.InFile(fault.New(fault.Unsupported, "contains no mesh to draw"), at.Path)
	}
	return nadeo.DrawScene(ctx, Look(m.Scene), view.Options{Size: image.Pt(side, side), Tilt: 30})
})

// Look prepares a scene for a picture: its finest level, in the colours of its surfaces.
// If the file has only collision shapes, it shows those.
func Look(s *mesh.Scene) *mesh.Scene {
	seen := s.Select(func(n *mesh.Node) bool { return n.Role == mesh.Drawn && n.Level == 0 })
	if _, n := seen.Count(); n == 0 {
		seen = s
	}
	return colored(seen)
}

// colored returns a scene in which the materials have the colours of their surfaces.
func colored(s *mesh.Scene) *mesh.Scene {
	out := *s
	out.Materials = slices.Clone(s.Materials)
	for i := range out.Materials {
		m := &out.Materials[i]
		known := library.Find(cmp.Or(m.Link, m.Name))
		if m.Color[3] == 0 && known != nil {
			m.Color = library.SurfaceColor(known.Surface)
		}
	}
	return &out
}

func meshesAt(ctx context.Context, at *question.At, want func(n *mesh.Node) bool) (*Meshes, error) {
	return nadeo.OpenGBX(ctx, at, func(s *source.Source, f *gbx.File) (*Meshes, error) {
		all, err := mesh.Read(f, mesh.Options{})
		if err != nil {
			return nil, err
		}
		chosen := all.Select(want)
		m := &Meshes{Meshes: listMeshes(chosen), Bounds: nadeo.BoundsOf(chosen.Bounds()), Outside: append([]string{}, chosen.Outside...), Scene: chosen, All: len(all.Nodes)}
		m.VertexCount, m.TriangleCount = chosen.Count()
		info, err := s.Stat("items")
		m.HasItems = err == nil && info.IsDir()
		return m, nil
	})
}

// GLB returns the scene as binary glTF, in the colours of its surfaces.
func (m *Meshes) GLB(name string) (*question.File, error) {
	title := titleOf(name)
	var b bytes.Buffer
	err := gltf.Write(&b, colored(m.Scene), title)
	return &question.File{Name: title + ".glb", Data: b.Bytes(), Say: m}, err
}

// titleOf returns the name of a scene: the name of its file without extensions.
func titleOf(name string) string {
	title, _, _ := strings.Cut(path.Base(name), ".")
	return title
}

func listMeshes(s *mesh.Scene) []oneMesh {
	list := []oneMesh{}
	s.Visit(func(n *mesh.Node, t mesh.Transform) {
		if n.Mesh == nil {
			return
		}
		m := oneMesh{Name: n.Name, Kind: n.Mesh.Kind.String(), Role: n.Role.String(), Level: n.Level,
			Vertices: n.Mesh.Vertices(), Triangles: n.Mesh.Triangles(), Materials: []string{}}
		if m.Name == "" {
			m.Name = n.Mesh.Name
		}
		m.Bounds = nadeo.BoundsOf(n.Mesh.Bounds(t))
		for _, p := range n.Mesh.Parts {
			if p.Material >= 0 {
				m.Materials = append(m.Materials, s.Materials[p.Material].Name)
			}
		}
		list = append(list, m)
	})
	return list
}
