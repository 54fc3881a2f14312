package lint

import (
	"fmt"
	"testing"
	"time"

	"pakbox/nadeo/maps"
)

// A map can have tens of thousands of different unknown names. Similar names must be looked
// for only for the few that are reported.
func TestManyUnknownNames(t *testing.T) {
	c := &checked{collection: "Stadium2020", collections: true, rule: ruleNamed("unknown_block")}
	for i := range 10_000 {
		c.blocks = append(c.blocks, maps.Block{Name: fmt.Sprintf("PlatformTechBaze%d", i)})
	}
	start := time.Now()
	unknownBlocks(c)
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("10,000 unknown names took %v", took)
	}
	if len(c.found) != most {
		t.Errorf("unknownBlocks reported %d findings, want %d", len(c.found), most)
	}
}
