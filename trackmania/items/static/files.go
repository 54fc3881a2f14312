package static

import (
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/plug"
	"pakbox/trackmania/internal/build"
)

// File is the solid as a file of its own, Name.Mesh.gbx.
func (s *Solid) File() (*gbx.File, error) { return s.file(trackmania2020) }

// ManiaPlanetFile is the solid as ManiaPlanet's Name.Mesh.gbx.
func (s *Solid) ManiaPlanetFile() (*gbx.File, error) { return s.file(maniaPlanet) }

func (s *Solid) file(by writer) (*gbx.File, error) {
	n, err := s.node(by)
	if err != nil {
		return nil, err
	}
	f := gbx.New(n, engine.Registry())
	f.RawUserData = nil
	f.Chunks = []gbx.HeaderChunk{build.Header(&plug.Header090BB000{FileVersion: 5}, false)}
	return f, nil
}

// File is the surface as a file of its own, Name.Shape.gbx. It has no header chunks.
func (s *Surface) File() *gbx.File { return gbx.New(s.Node(), engine.Registry()) }
