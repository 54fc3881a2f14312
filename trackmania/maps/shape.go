package maps

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/trackmania"
	"pakbox/trackmania/internal/build"
)

//go:embed strict.txt
var shapeTable string

// shape are the chunks that all maps of a generation have.
type shape struct {
	header, body, parameters []chunkShape
}

// chunkShape is a line of the table.
type chunkShape struct {
	id       classid.ID
	marked   bool // skippable in a body, heavy in a header
	optional bool
	versions []uint64 // none: the chunk has no version
}

// shapes reads the table.
var shapes = sync.OnceValue(func() map[trackmania.Generation]*shape {
	all := map[trackmania.Generation]*shape{}
	var now *shape
	for line := range strings.Lines(shapeTable) {
		words := strings.Fields(line)
		if len(words) < 2 || words[0] == "#" {
			continue
		}
		if words[0] == "generation" {
			now = new(shape)
			all[trackmania.Generation(strings.Join(words[1:], " "))] = now
			continue
		}
		to := map[string]*[]chunkShape{"header": &now.header, "body": &now.body, "parameters": &now.parameters}[words[0]]
		*to = append(*to, parseChunkShape(words[1:]))
	}
	return all
})

func parseChunkShape(words []string) chunkShape {
	id, _ := strconv.ParseUint(words[0], 16, 32)
	c := chunkShape{id: classid.ID(id)}
	for i, word := range words[1:] {
		switch word {
		case "skippable", "heavy":
			c.marked = true
		case "optional":
			c.optional = true
		case "version":
			for _, v := range words[i+2:] {
				n, _ := strconv.ParseUint(v, 10, 32)
				c.versions = append(c.versions, n)
			}
		}
	}
	return c
}

// foundChunk is a chunk of a map, of its header or body.
type foundChunk struct {
	id     classid.ID
	marked bool
	body   gbx.Body
}

// compareChunks says what distinguishes chunks from those of real maps.
func compareChunks(where string, want []chunkShape, got []foundChunk) []string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	last := classid.ID(0)
	for i := range got {
		g := &got[i]
		at := slices.IndexFunc(want, func(w chunkShape) bool { return w.id == g.id })
		if at < 0 {
			if _, opaque := g.body.(*gbx.Opaque); !opaque && g.id>>12 == want[0].id>>12 {
				say("%s chunk %v is in no real map of this game", where, g.id)
			}
			continue // of a tool, or of a later build
		}
		if g.id <= last {
			say("%s chunk %v stands behind %v, in no real map so", where, g.id, last)
		}
		last = g.id
		if o, ok := g.body.(*gbx.Opaque); ok {
			say("%s chunk %v cannot be read: %s", where, g.id, o.Reason)
			continue
		}
		if g.marked != want[at].marked {
			say("%s chunk %v is marked in another way than in all real maps (skippable, heavy: %v)", where, g.id, g.marked)
		}
		if v, ok := build.ChunkVersion(g.body); ok && !slices.Contains(want[at].versions, v) {
			say("%s chunk %v has version %d; in real maps it has %v", where, g.id, v, want[at].versions)
		}
	}
	for _, w := range want {
		if !w.optional && !slices.ContainsFunc(got, func(g foundChunk) bool { return g.id == w.id }) {
			say("%s chunk %v is missing, which all real maps of this game have", where, w.id)
		}
	}
	return out
}
