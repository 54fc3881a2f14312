package explore

import (
	"bytes"
	"path"
	"strings"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/mesh"
	"pakbox/gbx/mesh/gltf"
	"pakbox/internal/answer"
	"pakbox/trackmania/mapmesh"
	"pakbox/trackmania/maps"
	"pakbox/trackmania/picture"
	"pakbox/trackmania/table"
)

// withGBX calls look with the GBX file that is asked about.
func (s *Explorer) withGBX(c *call, look func(name string, f *gbx.File) (any, error)) (any, error) {
	name := c.param("path")
	f, done, err := s.open.get(c.Context(), name)
	if err != nil {
		return nil, err
	}
	defer done()
	file := f.gbx()
	if file == nil {
		return nil, fault.InFile(fault.New(fault.NotFormat, "is no GBX file"), name)
	}
	value, err := look(name, file)
	return value, fault.InFile(err, name)
}

// withMap calls look with the map that is asked about.
func (s *Explorer) withMap(c *call, look func(name string, m *maps.Map) (any, error)) (any, error) {
	return s.withGBX(c, func(name string, f *gbx.File) (any, error) {
		m, err := maps.Of(f)
		if err != nil {
			return nil, err
		}
		return look(name, m)
	})
}

// mapBlock is one block, or one item, of a map as map blocks lists it.
func (s *Explorer) mapBlock(c *call) (any, error) {
	index, err := c.number("index", 0, 0)
	if err != nil {
		return nil, err
	}
	kind := "block"
	if c.param("item") == "true" {
		kind = "item"
	}
	return s.withMap(c, func(_ string, m *maps.Map) (any, error) {
		for p := range table.Each(m, false, kind == "item") {
			if p.Kind != kind {
				continue
			}
			if index == 0 {
				return *p, nil
			}
			index--
		}
		return nil, usage("the map has no such %s", kind)
	})
}

// mapMesh is a whole map as one file of glTF, with the meshes of a game if its
// folder is named.
func (s *Explorer) mapMesh(c *call) (any, error) {
	return s.withGame(c.Context(), c.param("game"), func(library mapmesh.Library) (any, error) {
		return s.withGBX(c, func(name string, f *gbx.File) (any, error) {
			made, err := answer.MakeMapMesh(c.Context(), s.opener.WithoutAsking(), f, meshTitle(name), library, nil)
			if err != nil {
				return nil, err
			}
			a := bytesAnswer(OK, octets, made.GLB)
			a.File = meshTitle(name) + ".glb"
			return a, nil
		})
	})
}

// meshTitle is what a scene is called: its file without what follows the point.
func meshTitle(name string) string {
	title, _, _ := strings.Cut(path.Base(name), ".")
	return title
}

func (s *Explorer) mapPicture(c *call) (any, error) {
	return s.withMap(c, func(_ string, m *maps.Map) (any, error) {
		return writeSVG(picture.Map(m))
	})
}

// writeSVG writes a drawing. It is made by us, but holds names from files; the
// page shows it as a picture, where nothing in it can run.
func writeSVG(drawing *picture.Canvas) (any, error) {
	var b bytes.Buffer
	if err := drawing.SVG(&b); err != nil {
		return nil, err
	}
	return bytesAnswer(OK, octets, b.Bytes()), nil
}

// chosenMeshes are those that a page asks for.
func chosenMeshes(c *call, f *gbx.File) (*mesh.Scene, error) {
	level, err := c.number("level", 0, 0)
	if err != nil {
		return nil, err
	}
	all, err := mesh.Read(f, mesh.Options{})
	if err != nil {
		return nil, err
	}
	collision := c.param("collision") == "true"
	return all.Select(func(n *mesh.Node) bool {
		if collision {
			return n.Role != mesh.Drawn
		}
		return n.Role == mesh.Drawn && n.Level == int(level)
	}), nil
}

// mesh is the geometry of a file as glTF.
func (s *Explorer) mesh(c *call) (any, error) {
	return s.withGBX(c, func(name string, f *gbx.File) (any, error) {
		chosen, err := chosenMeshes(c, f)
		if err != nil {
			return nil, err
		}
		if len(chosen.Nodes) == 0 {
			return nil, fault.New(fault.Unsupported, "there is no such mesh")
		}
		var b bytes.Buffer
		if err := gltf.Write(&b, chosen, meshTitle(name)); err != nil {
			return nil, err
		}
		return bytesAnswer(OK, octets, b.Bytes()), nil
	})
}

// meshList lists all meshes of a file.
func (s *Explorer) meshList(c *call) (any, error) {
	return s.withGBX(c, func(name string, f *gbx.File) (any, error) {
		all, err := mesh.Read(f, mesh.Options{})
		if err != nil {
			return nil, err
		}
		return answer.MeshObject(name, all), nil
	})
}
