package plug_test

import (
	"bytes"
	"testing"

	"pakbox/archive"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/tree"
	"pakbox/internal/testkit/corpus"
)

// Crystals, visuals and surfaces say how many values a list has in other chunks, or
// in the class of the node. Where that was taken wrongly, what follows would not be
// understood, or what is coded would differ, from the values and from a document.
func TestCountsOfRealFiles(t *testing.T) {
	looked := map[string]int{}
	for path, data := range corpus.GBX(t) {
		if len(data) > 60_000 {
			continue
		}
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		c := f.Coverage()
		for _, o := range c.Opaque {
			if o.Cause == gbx.NotDecoded {
				t.Errorf("%s: chunk %v: %s", path, o.Chunk, o.Reason)
			}
		}
		for _, i := range c.Inexact {
			t.Errorf("%s: chunk %v: %s", path, i.Chunk, i.Reason)
		}
		plugs := 0
		for _, k := range c.Chunks {
			if id := k.ID.String(); id[:2] == "09" {
				looked[id]++
				plugs++
			}
		}
		if plugs == 0 || len(data) > 20_000 {
			continue
		}
		document := bytes.NewBufferString("{")
		if err := tree.WriteJSON(document, f, archive.Everything); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		document.WriteByte('}')
		again, err := tree.ReadJSON(document.Bytes(), engine.Registry())
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if saved, err := again.Encode(); err != nil || !bytes.Equal(saved, data) {
			t.Errorf("%s: a document is another file (%v)", path, err)
		}
	}
	for _, id := range []string{"09003000", "09003003", "09003005", "0900600F", "0911F000"} {
		if looked[id] < 3 {
			t.Errorf("chunk %s was looked at %d times", id, looked[id])
		}
	}
}
