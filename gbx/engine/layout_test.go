package engine_test

import (
	"testing"

	"pakbox/gbx/engine"
)

// Every class with a sheet has a layout, with the chunks that the code made from
// the sheet reads.
func TestLayouts(t *testing.T) {
	sheets := 0
	for _, c := range engine.Registry().Classes() {
		l, ok := engine.LayoutOf(c.Name)
		if !ok {
			t.Errorf("%s has no layout", c.Name)
			continue
		}
		sheets++
		known := map[string]bool{}
		for _, chunk := range l.Chunks {
			known[chunk.ID] = true
		}
		for _, chunk := range c.Chunks {
			if !known[chunk.ID.String()] {
				t.Errorf("%s: the layout lacks the chunk %s", c.Name, chunk.ID)
			}
		}
	}
	if sheets < 300 {
		t.Errorf("only %d layouts", sheets)
	}
	ghost, _ := engine.LayoutOf("CGameCtnGhost")
	for _, c := range ghost.Chunks {
		if c.ID == "03092005" && (len(c.Steps) != 1 || c.Steps[0].Name != "raceTime" || c.Steps[0].Type != "time" || !c.Skippable) {
			t.Errorf("03092005 is %+v", c)
		}
	}
}
