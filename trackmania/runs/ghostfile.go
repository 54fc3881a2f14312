package runs

import (
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/trackmania/internal/build"
)

// File returns the ghost as a file of its own, as the games save one: its
// values as they are, in a container without a header of chunks. Before
// TMUnited the inputs stand in the replay around the ghost, and stay there.
func (g *Ghost) File() ([]byte, error) {
	node, err := build.Copy(g.Node)
	if err != nil {
		return nil, err
	}
	return gbx.New(node, engine.Registry()).Encode()
}
