// Package build has what all new files need: a list of chunks that grows, and
// the versions that all games write.
package build

import (
	"reflect"

	"pakbox/gbx"
	"pakbox/gbx/classid"
)

// ListVersion is the number before old lists, the same in every file seen.
const ListVersion = 10

// IDVersion is the version of IDs since 2003.
const IDVersion = 3

// Chunks is the list of chunks of a new node.
type Chunks []gbx.Chunk

// Add appends a chunk that every reader has to know.
func (l *Chunks) Add(id classid.ID, b gbx.Body) { *l = append(*l, gbx.Chunk{ID: id, Body: b}) }

// Skippable appends a chunk that readers may skip.
func (l *Chunks) Skippable(id classid.ID, b gbx.Body) {
	*l = append(*l, gbx.Chunk{ID: id, Skip: true, Body: b})
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
