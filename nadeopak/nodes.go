package nadeopak

import (
	"encoding/binary"
	"errors"
	"io"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/classid"
)

// GBXNodes returns a walker that finds nodes with the chunks of a registry. A
// class or chunk the registry does not know ends the walk, unless nothing
// behind it depends on what it holds.
func GBXNodes(reg *gbx.Registry) NodeWalker {
	return func(r io.Reader, size int64, version uint32, node func(class classid.ID) error) (int64, error) {
		w := &gbxWalk{reg: reg, version: version, r: r, node: node, file: make([]byte, size)}
		if err := w.locate(); err != nil {
			return 0, err
		}
		end := w.trace()
		for w.more() {
		}
		w.tell()
		return end, w.problem
	}
}

// gbxWalk is the walk through one GBX.
//
// The parser of package gbx is given the whole file, of which only the
// beginning is there yet. It asks for every byte before it looks at it, and
// then all nodes it has come to so far are told of and the next page is read.
type gbxWalk struct {
	reg     *gbx.Registry
	version uint32
	r       io.Reader
	node    func(class classid.ID) error
	file    []byte
	certain int64  // bytes of file that are decoded
	view    []byte // file without its user data, which holds no nodes
	bodyAt  int64  // where the body begins in file

	skips   []chunk // skippable chunks that are not inside another
	found   []start // nodes that nobody has been told of yet
	problem error
}

// start is where a node's content begins.
type start struct {
	class  classid.ID
	offset int64
}

// chunk is where a skippable chunk's content is.
type chunk struct{ start, end int64 }

// more reads as much as can be decoded without knowing of further nodes. It
// reports false at the end and when something is wrong.
func (w *gbxWalk) more() bool {
	if w.problem != nil || w.certain == int64(len(w.file)) {
		return false
	}
	if w.tell(); w.problem != nil {
		return false
	}
	// A read gives what is decoded and no more.
	n, err := w.r.Read(w.file[w.certain:])
	w.certain += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		w.problem = err
	}
	return n > 0 || err == nil
}

// tell tells of the nodes that were found. A problem with one of them comes
// before any that was found behind it.
func (w *gbxWalk) tell() {
	for _, n := range w.found {
		err := w.node(n.class)
		if err == nil {
			continue
		}
		if e, ok := err.(*fault.Error); ok {
			at := *e
			at.Offset = n.offset
			err = &at
		}
		w.problem = err
		break
	}
	w.found = w.found[:0]
}

// locate finds out where the body begins.
func (w *gbxWalk) locate() error {
	for w.more() {
		if w.view == nil && !w.dropUserData() {
			continue
		}
		const compressionAt = 7 // of the body: behind magic, version and two letters
		if w.view[compressionAt] == 'C' {
			return fault.New(fault.UnknownClass, "the body is compressed, which no GBX in a pack is known to be")
		}
		cut := int64(len(w.file) - len(w.view))
		f, err := gbx.Parse(w.view, noChunks)
		var bad *fault.Error
		switch {
		case errors.As(err, &bad) && cut+bad.Offset+8 > w.certain:
			continue // it may be what is missing that is wrong
		case err != nil:
			return err
		}
		if w.bodyAt = int64(len(w.file) - len(f.BodyBytes())); w.bodyAt <= w.certain {
			return w.problem
		}
	}
	if w.problem != nil {
		return w.problem
	}
	return fault.New(fault.UnknownClass, "the file ends before its body")
}

// trace parses the body and returns where it ends. What cannot be understood is
// a problem only where nodes may hide in it.
func (w *gbxWalk) trace() (end int64) {
	f, err := gbx.Trace(w.view, w.reg, w)
	if err != nil {
		if w.problem == nil {
			w.problem = err
		}
		return 0
	}
	return int64(len(w.file) - len(f.Rest))
}

// Need is part of [gbx.Feeder].
func (w *gbxWalk) Need(end int64) int64 {
	for w.certain < w.bodyAt+end && w.more() {
	}
	return w.certain - w.bodyAt
}

// Lost is part of [gbx.Feeder].
func (w *gbxWalk) Lost(o *gbx.Opaque, size int) {
	if w.problem != nil || size == 0 { // nothing can hide in nothing, as at the end of a file cut short
		return
	}
	// From version 18 on, a skippable chunk is copied to memory before it is
	// parsed, and the nodes in it are no longer read from the stream.
	if w.version >= 18 && w.skipped(o.Offset) {
		return
	}
	w.problem = fault.At(fault.UnknownClass, w.bodyAt+o.Offset, "", "%s", o.Reason)
}

// dropUserData makes the view: the fixed beginning of the file, moved up to
// the end of the user data, and all behind. It reports false while the user
// data is not complete.
func (w *gbxWalk) dropUserData() bool {
	const sizeAt = 13 // version 6: behind magic, version, letters and class
	if w.certain < sizeAt+4 {
		return false
	}
	n := int64(0)
	if version := binary.LittleEndian.Uint16(w.file[3:]); version >= 6 {
		n = int64(binary.LittleEndian.Uint32(w.file[sizeAt:]))
	}
	if n > w.certain-sizeAt-4 {
		return false
	}
	w.view = w.file[n:]
	if n > 0 {
		copy(w.view, w.file[:sizeAt])
		clear(w.view[sizeAt : sizeAt+4])
	}
	return true
}

// noChunks makes parsing stop behind the header.
var noChunks = gbx.NewRegistry()

// knows tells whether the registry has a chunk.
func (w *gbxWalk) knows(id classid.ID) bool {
	info, _ := w.reg.Class(id.Class())
	for i := range info.Chunks {
		if info.Chunks[i].ID == id.Latest() && !info.Chunks[i].Header {
			return true
		}
	}
	return false
}

// skipped tells whether an offset is inside a skippable chunk.
func (w *gbxWalk) skipped(offset int64) bool {
	for i := len(w.skips) - 1; i >= 0; i-- {
		if s := w.skips[i]; offset >= s.start {
			return offset < s.end
		}
	}
	return false
}

// Begin is part of [gbx.Visitor]: a node is told of where its content begins.
func (w *gbxWalk) Begin(name string, p any, offset int64) {
	switch p := p.(type) {
	case *gbx.Chunk:
		w.beginChunk(p, offset)
	case *gbx.Node:
		if name != "node" || w.problem != nil || w.version >= 18 && (w.skipped(offset) || w.plain(p.Class)) {
			return
		}
		w.found = append(w.found, start{p.Class, w.bodyAt + offset})
	}
}

// plain tells whether a class is a struct without chunks. From version 18 on
// such a node adds nothing to the cipher.
func (w *gbxWalk) plain(class classid.ID) bool {
	info, _ := w.reg.Class(class)
	return info.Plain != nil
}

// Chunks whose content feeds the cipher in a way that no real pack has shown.
const (
	surfaceGeomChunk   classid.ID = 0x0900f004
	vehicleTuningChunk classid.ID = 0x090eb000
)

func (w *gbxWalk) beginChunk(c *gbx.Chunk, offset int64) {
	if id := c.ID.Latest(); (id == surfaceGeomChunk || id == vehicleTuningChunk) && w.problem == nil {
		w.problem = fault.At(fault.UnknownClass, w.bodyAt+offset, "", "chunk %v alters the cipher by rules that are not known well enough", c.ID)
	}
	// The parser looks for the mark in the next moment, too.
	const skipMark = 0x534b4950
	body := w.file[w.bodyAt:]
	if w.skipped(offset) || w.Need(offset+4) < offset+4 || binary.LittleEndian.Uint32(body[offset:]) != skipMark || w.Need(offset+8) < offset+8 {
		return
	}
	if w.version < 18 && !w.knows(c.ID) && w.problem == nil {
		w.problem = fault.At(fault.UnknownClass, w.bodyAt+offset, "", "skippable chunk %v is not known and may hold nodes", c.ID)
	}
	start := offset + 8
	w.skips = append(w.skips, chunk{start, start + int64(binary.LittleEndian.Uint32(body[offset+4:]))})
}

// Value is part of [gbx.Visitor].
func (w *gbxWalk) Value(string, any) {}

// Coded is part of [gbx.Visitor].
func (w *gbxWalk) Coded(string, any, int64, int64) {}

// End is part of [gbx.Visitor].
func (w *gbxWalk) End(int64) {}
