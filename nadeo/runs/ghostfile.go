package runs

import (
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/nadeo/internal/chunks"
)

// File returns the ghost as a file, in the form that the games save: its values
// unchanged, in a container without header chunks. Before TMUnited the inputs are in the
// replay around the ghost; they are not copied.
func (g *Ghost) File() ([]byte, error) {
	node, err := chunks.Copy(g.Node)
	if err != nil {
		return nil, err
	}
	return gbx.New(node, engine.Registry()).Encode()
}
