package explore

import (
	"path"
	"strings"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/internal/answer/track"
	"pakbox/internal/form"
	"pakbox/trackmania"
	"pakbox/trackmania/mapmesh"
	"pakbox/trackmania/maps"
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

// mapMesh is a whole map as one file of glTF, with the meshes of a game if its
// folder is named.
func (s *Explorer) mapMesh(c *call) (any, error) {
	return s.withGame(c.Context(), c.param("game"), func(library mapmesh.Library) (any, error) {
		return s.withGBX(c, func(name string, f *gbx.File) (any, error) {
			title, _, _ := strings.Cut(path.Base(name), ".")
			made, err := track.MakeMapMesh(c.Context(), s.opener.WithoutAsking(), f, title, library, nil)
			if err != nil {
				return nil, err
			}
			a := bytesAnswer(OK, octets, made.GLB)
			a.File = title + ".glb"
			return a, nil
		})
	})
}

// spans gives names as stretches of one colour, for pages that draw names.
func (s *Explorer) spans(c *call) (any, error) {
	list := [][]trackmania.Span{}
	for _, name := range c.Params["text"] {
		list = append(list, trackmania.Spans(name))
	}
	return new(form.Object).Add("spans", list), nil
}
