package static

import (
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/plug"
	"pakbox/nadeo/internal/chunks"
)

// File makes a file of the solid, Name.Mesh.gbx.
func (s *Solid) File() (*gbx.File, error) { return s.file(trackmania2020) }

// ManiaPlanetFile makes a file of the solid in the form of ManiaPlanet, Name.Mesh.gbx.
func (s *Solid) ManiaPlanetFile() (*gbx.File, error) { return s.file(maniaPlanet) }

func (s *Solid) file(by writer) (*gbx.File, error) {
	n, err := s.node(by)
	if err != nil {
		return nil, err
	}
	f := gbx.New(n, engine.Registry())
	f.RawUserData = nil
	f.Chunks = []gbx.HeaderChunk{chunks.Header(&plug.Header090BB000{FileVersion: 5}, false)}
	return f, nil
}

// File makes a file of the surface, Name.Shape.gbx. It has no header chunks.
func (s *Surface) File() *gbx.File { return gbx.New(s.Node(), engine.Registry()) }
