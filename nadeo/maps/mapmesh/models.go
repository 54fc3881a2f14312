package mapmesh

import (
	"io"
	"path"
	"strings"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/mesh"
	"pakbox/nadeo/maps"
)

// origin is the source of a model: the map or the game.
type origin int

const (
	embedded origin = iota
	game
)

// model is a mesh, and where it comes from. The mesh is nil if the model has no visible
// part.
type model struct {
	mesh      *mesh.Mesh
	materials []mesh.Material
	box       mesh.Bounds
	from      origin
	merged    bool // the parts already refer to the materials of the scene
}

// modelKey identifies a model.
type modelKey struct {
	block   bool
	name    string
	variant int
}

// models finds the models of a map, and reads each once.
type models struct {
	embedding *maps.Embedding
	library   mesh.Library
	known     map[modelKey]*model
	files     map[*maps.EmbeddedFile]*gbx.File
	used      [2]int // number of models, by origin
	bytes     int64  // total size of the embedded files
	vertices  int    // total number of vertices
}

// Limits for all models together. A map with its embedded files has some megabytes.
const (
	maxBytes    = 512 << 20
	maxVertices = 1 << 24
)

func newModels(m *maps.Map, library mesh.Library) *models {
	e, err := m.EmbeddedFiles()
	if err != nil {
		e = &maps.Embedding{} // blocks and items are then shown as boxes
	}
	return &models{embedding: e, library: library, known: map[modelKey]*model{}, files: map[*maps.EmbeddedFile]*gbx.File{}}
}

// block returns the model of a block, nil if none is available.
func (s *models) block(b *maps.Block) *model {
	return s.find(modelKey{true, b.Name, b.Variant()})
}

// item returns the model of an item, nil if none is available.
func (s *models) item(it *maps.Item) *model {
	return s.find(modelKey{false, it.Model.ID.String(), it.Variant()})
}

func (s *models) find(k modelKey) *model {
	m, ok := s.known[k]
	if !ok {
		m = s.read(k)
		s.known[k] = m
		if m != nil {
			s.used[m.from]++
		}
	}
	return m
}

// read reads a model from an embedded file, or from the game.
func (s *models) read(k modelKey) *model {
	if e := s.embedding.Model(k.name); e != nil {
		if f := s.file(e); f != nil {
			return s.meshOf(k, f, s.opener(e), embedded)
		}
		return nil
	}
	if s.library == nil {
		return nil
	}
	find := s.library.Item
	if k.block {
		find = s.library.Block
	}
	if f, open := find(k.name); f != nil {
		return s.meshOf(k, f, open, game)
	}
	return nil
}

// meshOf reads the visible part of a model in its finest level of detail.
func (s *models) meshOf(k modelKey, f *gbx.File, open mesh.Opener, from origin) *model {
	all, err := mesh.Read(f, mesh.Options{Outside: open, Variant: func(n int) bool { return n == k.variant }})
	if err != nil {
		return nil
	}
	drawn := all.Select(func(n *mesh.Node) bool { return n.Level == 0 && n.Role == mesh.Drawn })
	if len(drawn.Nodes) == 0 {
		// A file that has this variant and needs no other file, but shows nothing, hides
		// the game's block on purpose. In other cases a part of the model is missing.
		if len(all.Variants) > 0 && len(all.Outside) == 0 {
			return &model{from: from}
		}
		return nil
	}
	one, err := drawn.Flat(strings.TrimSuffix(k.name, "_CustomBlock"), maxVertices-s.vertices)
	if err != nil {
		return nil
	}
	for _, p := range one.Parts {
		s.vertices += len(p.Positions)
	}
	return &model{mesh: one, materials: drawn.Materials, box: drawn.Bounds(), from: from}
}

// file reads an embedded file. It returns nil if the file cannot be read.
func (s *models) file(e *maps.EmbeddedFile) *gbx.File {
	f, ok := s.files[e]
	if !ok {
		f = s.parse(e)
		s.files[e] = f
	}
	return f
}

func (s *models) parse(e *maps.EmbeddedFile) *gbx.File {
	left := maxBytes - s.bytes
	in, err := e.Open()
	if err != nil {
		return nil
	}
	defer in.Close()
	if e.Size > left {
		return nil
	}
	data, err := io.ReadAll(io.LimitReader(in, left+1))
	if s.bytes += int64(len(data)); err != nil || s.bytes > maxBytes {
		return nil
	}
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		return nil
	}
	return f
}

// opener opens the files that an embedded file refers to. These are embedded too.
func (s *models) opener(e *maps.EmbeddedFile) mesh.Opener {
	return func(name string) (*gbx.File, mesh.Opener) {
		if !strings.HasPrefix(name, "/") {
			name = path.Join(path.Dir(e.UserPath()), name)
		}
		other := s.embedding.Path(strings.TrimPrefix(path.Clean(name), "/"))
		if other == nil {
			return nil, nil
		}
		f := s.file(other)
		if f == nil {
			return nil, nil
		}
		return f, s.opener(other)
	}
}
