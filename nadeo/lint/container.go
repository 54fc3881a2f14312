package lint

import (
	"pakbox/finding"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine/game"
	"pakbox/nadeo"
)

const saveInEditor = "Open the map in the editor of the game and save it, or make it anew with pakbox."

// containerRules are rules about how the file is stored.
var containerRules = []Rule{
	{Name: "uncompressed_map", Fact: "M01", Severity: finding.Error, Evidence: Tested, check: uncompressed,
		Means: "The body of the map is not compressed. The dedicated server of Trackmania (2020) does not load such a map; ghosts and replays may be so.",
		Mend:  saveInEditor},
	{Name: "node_count", Fact: "M02", Severity: finding.Error, Evidence: Tested, check: nodeCount,
		Means: "The header states another number of nodes than the body has. The dedicated server of Trackmania (2020) refuses such a map.",
		Mend:  saveInEditor},
	{Name: "unreadable_chunk", Fact: "M03 M04 M06 M23", Severity: finding.Error, Evidence: Tested, check: unreadable,
		Means: "A chunk of the map does not fit its own form: an index of a name that is not there, an inner size that is not that of the chunk, a list that ends too early. Servers refuse such a map.",
		Mend:  saveInEditor},
	{Name: "columns", Fact: "M05 M06", Severity: finding.Error, Evidence: Tested, check: columns,
		Means: "A chunk with one value for each block or item has more or fewer than there are. Trackmania (2020) does not load such a map.",
		Mend:  saveInEditor},
	{Name: "cut_chunk", Fact: "M07", Severity: finding.Note, Evidence: Guess, check: cutChunk,
		Means: "The last chunk declares more bytes than the map has, as maps inside replays sometimes do. The game reads it; pakbox carries it along untouched.",
		Mend:  "Nothing: do not repair it."},
	{Name: "empty_without_light", Fact: "M08", Severity: finding.Error, Evidence: Tested, check: emptyWithoutLight,
		Means: "The map has no blocks and no chunk 0304305B. The editor of Trackmania (2020) crashes on it.",
		Mend:  "Place a block, or make the map anew."},
	{Name: "free_block_cell", Fact: "M15", Severity: finding.Note, Evidence: Tested, check: freeCells,
		Means: "A block that stands free has a cell, too. The game takes its place in metres and ignores the cell: editing the cell has no effect.",
		Mend:  "Move the block."},
}

func (c *checked) is2020() bool { return c.Generation() == nadeo.Trackmania2020 }

func uncompressed(c *checked) {
	if c.is2020() && len(c.File.Chunks) > 0 && !c.File.IsCompressed() {
		c.say("the body of the file is not compressed")
	}
}

func nodeCount(c *checked) {
	if have, want := int64(c.File.NumNodes), int64(c.File.MinNumNodes()); want > have {
		c.say("the header counts %d nodes, and the body has %d", have, want)
	}
}

// eachChunk visits the chunks of the map and of its parameters.
func (c *checked) eachChunk(visit func(id classid.ID, body gbx.Body)) {
	for _, n := range []*gbx.Node{c.File.Body, c.Parameters()} {
		if n == nil {
			continue
		}
		for i := range n.Chunks {
			visit(n.Chunks[i].ID, n.Chunks[i].Body)
		}
	}
}

func unreadable(c *checked) {
	c.eachChunk(func(id classid.ID, body gbx.Body) {
		if o, ok := body.(*gbx.Opaque); ok && o.Cause != gbx.UnknownChunk {
			c.say("chunk %v cannot be read: %s", id, o.Reason)
		}
	})
}

func columns(c *checked) {
	for _, column := range c.Columns() {
		if column.Have != column.Want {
			c.say("there are %d %s, and %d are needed", column.Have, column.Name, column.Want)
		}
	}
}

func cutChunk(c *checked) {
	if tail := c.File.Body.Tail; tail != nil && len(c.File.Chunks) == 0 {
		c.say("%d bytes at the end of the map cannot be read: %s", len(tail.Bytes), tail.Reason)
	}
}

func emptyWithoutLight(c *checked) {
	_, light := gbx.Find[*game.Chunk0304305B](c.File.Body)
	if c.is2020() && !light && len(c.blocks) == 0 {
		c.say("the map has neither blocks nor chunk 0304305B")
	}
}

func freeCells(c *checked) {
	n := 0
	for i := range c.blocks {
		if b := &c.blocks[i]; b.Free && b.Coord != (gbx.Int3{X: -1, Z: -1}) && b.Coord != (gbx.Int3{}) {
			n++
		}
	}
	if n > 0 {
		c.say("%d free blocks have a cell, which the game ignores", n)
	}
}
