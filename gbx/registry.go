package gbx

import (
	"fmt"

	"pakbox/gbx/classid"
)

// Registry holds the known classes and chunks. It never changes.
type Registry struct {
	chunks  map[classid.ID]*ChunkInfo
	headers map[classid.ID]*ChunkInfo
	classes map[classid.ID]*ClassInfo
}

// ChunkInfo describes one chunk.
type ChunkInfo struct {
	ID     classid.ID // the latest ID
	Header bool       // it is a chunk of the header
	Name   string     // the engine's name of the chunk, "" if unknown
	// New makes an empty content of the chunk: a pointer to a struct.
	New func() Body
}

// ClassInfo describes one class.
type ClassInfo struct {
	ID     classid.ID // the latest ID
	Name   string
	Parent string
	// Plain makes the content of a class without chunks and end mark; nil for
	// others.
	Plain  func() Body
	Chunks []ChunkInfo
}

// NewRegistry returns a registry of classes. The lists must not change afterwards. It
// panics if two classes have the same chunk.
func NewRegistry(engines ...[]ClassInfo) *Registry {
	chunks, classes := 0, 0
	for _, list := range engines {
		classes += len(list)
		for i := range list {
			chunks += len(list[i].Chunks)
		}
	}
	r := &Registry{
		chunks:  make(map[classid.ID]*ChunkInfo, chunks),
		headers: map[classid.ID]*ChunkInfo{},
		classes: make(map[classid.ID]*ClassInfo, classes),
	}
	for _, list := range engines {
		for i := range list {
			class := &list[i]
			register(r.classes, class.ID, class, "class")
			for k := range class.Chunks {
				if c := &class.Chunks[k]; c.Header {
					register(r.headers, c.ID, c, "header chunk")
				} else {
					register(r.chunks, c.ID, c, "chunk")
				}
			}
		}
	}
	return r
}

func register[T any](m map[classid.ID]*T, id classid.ID, info *T, what string) {
	n := len(m)
	if m[id] = info; len(m) == n {
		panic(fmt.Sprintf("gbx: %s %v registered twice", what, id))
	}
}

func (r *Registry) chunk(id classid.ID) *ChunkInfo {
	if c := r.chunks[id]; c != nil {
		return c
	}
	return r.chunks[id.Latest()]
}

// plain reports whether the class has no chunks and no end mark.
func (r *Registry) plain(class classid.ID) bool {
	info := r.class(class)
	return info != nil && info.Plain != nil
}

func (r *Registry) header(id classid.ID) *ChunkInfo {
	if c := r.headers[id]; c != nil {
		return c
	}
	return r.headers[id.Latest()]
}

func (r *Registry) class(id classid.ID) *ClassInfo {
	if c := r.classes[id]; c != nil {
		return c
	}
	return r.classes[id.Class().Latest()]
}

// Class returns the description of a class. The ID may be old or new.
func (r *Registry) Class(id classid.ID) (ClassInfo, bool) {
	if c := r.class(id); c != nil {
		return *c, true
	}
	return ClassInfo{}, false
}

// ClassName returns the name of a class, or its ID if the name is unknown. Files
// that were made in memory may have no registry.
func (r *Registry) ClassName(id classid.ID) string {
	if r != nil {
		if c := r.class(id); c != nil {
			return c.Name
		}
	}
	if c, ok := classid.Lookup(id); ok {
		return c.Name
	}
	return id.String()
}

// Classes returns all classes, in no particular order.
func (r *Registry) Classes() []ClassInfo {
	list := make([]ClassInfo, 0, len(r.classes))
	for _, c := range r.classes {
		list = append(list, *c)
	}
	return list
}
