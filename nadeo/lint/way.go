package lint

import (
	"fmt"
	"math"
	"strings"

	"pakbox/finding"
	"pakbox/gbx"
	"pakbox/nadeo/blocks"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/route"
)

// wayRules are rules about the way from the start to the finish.
var wayRules = []Rule{
	{Name: "no_start", Severity: finding.Warning, Evidence: Measured, check: noStart,
		Means: "Nothing on the map is a start.",
		Mend:  "Place one, such as RoadTechStart."},
	{Name: "no_finish", Severity: finding.Warning, Evidence: Measured, check: noFinish,
		Means: "Nothing on the map is a finish, and the map is not a race of laps: no run ends.",
		Mend:  "Place one, such as RoadTechFinish."},
	{Name: "several_starts", Severity: finding.Note, Evidence: Guess, check: severalStarts,
		Means: "Several blocks or items are a start. In a race the game takes one of them.",
		Mend:  "Delete all but one, unless the mode of the map wants several."},
	{Name: "lonely_checkpoint", Severity: finding.Note, Evidence: Guess, check: lonelyCheckpoints,
		Means: "No road ends at a checkpoint, and no block or item stands beside it: only a jump reaches it.",
		Mend:  "Look at it, and join it to the track."},
	{Name: "road_gap", Severity: finding.Warning, Evidence: Measured, check: roadGaps,
		Means: "A road breaks off, and one block of the same surface would join it to the road behind. No road leads from the start to the finish. Real maps have no such gap.",
		Mend:  "Place the missing block."},
	{Name: "road_step", Severity: finding.Note, Evidence: Guess, check: roadStep,
		Means: "As far as the ends of roads are known, the road from the start breaks off and goes on higher or lower. Cars can fall down a step.",
		Mend:  "If it is not meant to be a jump, place a slope or move one side."},
}

// ways counts the blocks and items of each role: starts, checkpoints, finishes.
func (c *checked) ways() map[blocks.Role]int {
	n := map[blocks.Role]int{}
	for i := range c.blocks {
		n[c.role(&c.blocks[i])]++
	}
	for i := range c.items {
		n[tagRole(c.items[i].Waypoint)]++
	}
	return n
}

// role returns the role of a block in the race. For blocks that are not in the catalogue,
// it follows from the tag and the name.
func (c *checked) role(b *maps.Block) blocks.Role {
	if kind := c.kind(b); kind != nil && kind.Role != blocks.NoRole {
		return kind.Role
	}
	return tagRole(b.Waypoint)
}

func tagRole(tag string) blocks.Role {
	for _, r := range []blocks.Role{blocks.Start, blocks.Finish, blocks.StartFinish} {
		if tag == r.Waypoint() {
			return r
		}
	}
	if tag == "" {
		return blocks.NoRole
	}
	return blocks.Checkpoint
}

// isRace reports whether cars race on this map from a start to a finish, and whether the
// catalogue has all its blocks.
func (c *checked) isRace() bool {
	t := strings.ToLower(c.Type())
	return len(c.blocks)+len(c.items) > 0 && blocks.Knows(c.environment()) && (t == "" || strings.HasSuffix(t, `\race`) || strings.HasSuffix(t, "tm_race"))
}

// allKnown reports whether the catalogue has every block of the map.
func (c *checked) allKnown() bool {
	for i := range c.blocks {
		if c.kind(&c.blocks[i]) == nil {
			return false
		}
	}
	return true
}

func noStart(c *checked) {
	if n := c.ways(); c.isRace() && c.allKnown() && n[blocks.Start]+n[blocks.StartFinish] == 0 {
		c.say("nothing on the map is a start")
	}
}

func noFinish(c *checked) {
	if n := c.ways(); c.isRace() && c.allKnown() && n[blocks.Finish]+n[blocks.StartFinish] == 0 {
		c.say("nothing on the map is a finish")
	}
}

func severalStarts(c *checked) {
	if n := c.ways(); c.isRace() && n[blocks.Start]+n[blocks.StartFinish] > 1 {
		c.say("there are %d starts", n[blocks.Start]+n[blocks.StartFinish])
	}
}

func lonelyCheckpoints(c *checked) {
	taken := map[gbx.Int3]int{} // number of the block or item in each cell, from 1
	frame := c.Frame()
	for i := range c.blocks {
		b := &c.blocks[i]
		if b.Free {
			taken[frame.CellAt(b.Position)] = i + 1
			continue
		}
		for _, cell := range maps.CellsOf(c.kind(b), b) {
			taken[cell] = i + 1
		}
	}
	for i := range c.items {
		taken[frame.CellAt(c.items[i].Position)] = len(c.blocks) + i + 1
	}
	for i := range c.blocks {
		if b := &c.blocks[i]; !b.Free && c.role(b) == blocks.Checkpoint && !c.reached(i, taken) {
			c.say("%s at %d %d %d: nothing leads to it", b.Name, b.Coord.X, b.Coord.Y, b.Coord.Z)
		}
	}
}

func roadGaps(c *checked) {
	if !c.isRace() {
		return
	}
	for _, gap := range route.OfBlocks(c.Map, c.blocks).Gaps() {
		c.say("the road ends at %s and goes on at %s: %s is missing", standing(gap.Before), standing(gap.After), standing(&gap.Missing))
	}
}

func roadStep(c *checked) {
	if !c.isRace() {
		return
	}
	if s, ok := route.OfBlocks(c.Map, c.blocks).Step(); ok {
		direction := "higher"
		if s.Higher < 0 {
			direction = "lower"
		}
		c.say("the road ends at %s; the next piece, %s, is %.3g m %s", standing(s.Before), standing(s.After), math.Abs(s.Higher), direction)
	}
}

// standing names a block and its cell.
func standing(b *maps.Block) string {
	return fmt.Sprintf("%d %d %d (%s)", b.Coord.X, b.Coord.Y, b.Coord.Z, b.Name)
}

// reached reports whether something else stands beside a block, up to two cells higher or
// lower.
func (c *checked) reached(i int, taken map[gbx.Int3]int) bool {
	for _, cell := range c.Cells(&c.blocks[i]) {
		for dx := int32(-1); dx <= 1; dx++ {
			for dz := int32(-1); dz <= 1; dz++ {
				for dy := int32(-2); dy <= 2; dy++ {
					if by := taken[gbx.Int3{X: cell.X + dx, Y: cell.Y + dy, Z: cell.Z + dz}]; by != 0 && by != i+1 {
						return true
					}
				}
			}
		}
	}
	return false
}
