package engine_test

import (
	"bytes"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
)

// Lists that are kept packed hold all that their unpacked forms hold, in the
// form a file has it.
func TestPackedLists(t *testing.T) {
	blocks, genealogies := 0, 0
	files(t, func(path string, data []byte) {
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if c, ok := gbx.Find[*game.Chunk0304301F](f.Body); ok {
			c.Blocks.Blocks = game.PackBlocks(c.Blocks.Unpack())
			blocks += c.Blocks.Len()
		}
		if c, ok := gbx.Find[*game.Chunk03043048](f.Body); ok {
			c.BakedBlocks = game.PackBlocks(c.BakedBlocks.Unpack())
			blocks += c.BakedBlocks.Len()
		}
		if c, ok := gbx.Find[*game.Chunk03043043](f.Body); ok {
			c.ZoneGenealogies = game.PackGenealogies(c.ZoneGenealogies.Unpack())
			genealogies += c.ZoneGenealogies.Len()
		}
		if body, err := f.EncodeBody(); err != nil || !bytes.Equal(body, f.BodyBytes()) {
			t.Errorf("%s: coded from lists packed anew, the body differs: %v", path, err)
		}
	})
	t.Logf("%d blocks, %d genealogies", blocks, genealogies)
}
