// Package build helps to make new files: lists of chunks, and version numbers that all
// games write.
package chunks

import (
	"reflect"
	"strconv"

	"pakbox/gbx"
	"pakbox/gbx/classid"
)

// ListVersion is the number in front of lists of an old form. It is the same in every
// known file.
const ListVersion = 10

// IDVersion is the version of IDs that all games since 2003 write.
const IDVersion = 3

// Chunks is the list of chunks of a new node.
type Chunks []gbx.Chunk

// Add appends chunks that readers may not skip.
func (l *Chunks) Add(bodies ...gbx.Body) { l.add(false, bodies) }

// Skippable appends chunks that readers may skip.
func (l *Chunks) Skippable(bodies ...gbx.Body) { l.add(true, bodies) }

func (l *Chunks) add(skip bool, bodies []gbx.Body) {
	for _, b := range bodies {
		*l = append(*l, gbx.Chunk{ID: ChunkID(b), Skip: skip, Body: b})
	}
}

// Node makes a node from chunks that readers may not skip. The class follows from the
// chunks.
func Node(bodies ...gbx.Body) *gbx.Node {
	var l Chunks
	l.Add(bodies...)
	return &gbx.Node{Class: l[0].ID &^ 0xFFF, Chunks: l}
}

// Header makes a chunk of a header.
func Header(b gbx.Body, heavy bool) gbx.HeaderChunk {
	return gbx.HeaderChunk{ID: ChunkID(b), Heavy: heavy, Body: b}
}

// ChunkID returns the number of a chunk, taken from the name of its Go type:
// *game.Chunk03043011.
func ChunkID(b gbx.Body) classid.ID {
	name := reflect.TypeOf(b).Elem().Name()
	n, _ := strconv.ParseUint(name[max(0, len(name)-8):], 16, 32)
	return classid.ID(n)
}

// ChunkVersion returns the field Version of a chunk, if it has one.
func ChunkVersion(b gbx.Body) (uint64, bool) {
	v := reflect.ValueOf(b)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		return 0, false
	}
	f := v.Elem().FieldByName("Version")
	if !f.IsValid() || !f.CanUint() {
		return 0, false
	}
	return f.Uint(), true
}
