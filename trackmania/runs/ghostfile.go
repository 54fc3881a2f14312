package runs

import (
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
)

// File returns the ghost as a file of its own, as the games save one: its
// values as they are, in a container without a header of chunks. Before
// TMUnited the inputs stand in the replay around the ghost, and stay there.
func (g *Ghost) File() ([]byte, error) {
	data, err := gbx.New(g.Node, engine.Registry()).Encode()
	if err != nil {
		return nil, err
	}
	// The nodes below the ghost still have the numbers of the replay. In a
	// copy they can get new ones.
	made, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		return nil, err
	}
	made.NumNodes = 1
	if c, ok := gbx.Find[*game.Chunk03092000](made.Body); ok && c.RecordData.Node != nil {
		c.RecordData = gbx.NewRef(c.RecordData.Node)
	}
	return made.Encode()
}
