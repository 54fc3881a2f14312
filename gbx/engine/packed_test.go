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

// A file read value by value, as a visitor has it, is the file read at once.
func TestReadWatched(t *testing.T) {
	files(t, func(path string, data []byte) {
		f, err := gbx.Trace(data, engine.Registry(), blind{})
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if body, err := f.EncodeBody(); err != nil || !bytes.Equal(body, f.BodyBytes()) {
			t.Errorf("%s: read before a visitor, the body differs when coded: %v", path, err)
		}
	})
}

// blind is a visitor that looks at nothing.
type blind struct{}

func (blind) Value(string, any)               {}
func (blind) Coded(string, any, int64, int64) {}
func (blind) Begin(string, any, int64)        {}
func (blind) End(int64)                       {}
