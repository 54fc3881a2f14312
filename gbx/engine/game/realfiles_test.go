package game_test

import (
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/testkit/corpus"
)

// Chunks that hold a value for each block, item or event say nowhere how many they
// are. Where a count was wrong, what follows would not be understood, or what is
// coded from the values would differ.
func TestCountsOfRealFiles(t *testing.T) {
	looked := map[string]int{}
	for path, data := range corpus.GBX(t, "03043000", "03092000", "03093000", "03079000") {
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		c := f.Coverage()
		for _, o := range c.Opaque {
			if o.Cause != gbx.UnknownChunk && o.Cause != gbx.AfterMainNode {
				t.Errorf("%s: chunk %v: %s", path, o.Chunk, o.Reason)
			}
		}
		for _, i := range c.Inexact {
			t.Errorf("%s: chunk %v: %s", path, i.Chunk, i.Reason)
		}
		for _, k := range c.Chunks {
			looked[k.ID.String()]++
		}
	}
	for _, id := range []string{"0304301F", "03043043", "03043048", "0304305F", "03043062", "03043068", "03092025", "03092028"} {
		if looked[id] < 3 {
			t.Errorf("chunk %s was looked at %d times", id, looked[id])
		}
	}
}
