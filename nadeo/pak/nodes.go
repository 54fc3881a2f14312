package pak

import (
	"encoding/binary"
	"errors"
	"io"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/classid"
)

// GBXNodes returns a walker that finds nodes by parsing the chunks of a registry. An
// unknown class or chunk ends the walk, unless the bytes behind it do not depend on its
// content.
func GBXNodes(reg *gbx.Registry) NodeWalker {
	return func(r io.Reader, size int64, version uint32, node func(class classid.ID) error) (int64, error) {
		w := &gbxWalk{reg: reg, version: version, r: r, node: node, file: make([]byte, size)}
		if err := w.locate(); err != nil {
			return 0, err
		}
		end := w.trace()
		for w.more() {
		}
		w.report()
		return end, w.problem
	}
}

// gbxWalk is the walk through one GBX file.
//
// The parser of package gbx gets the whole file as a buffer, but only the beginning is
// decoded yet. The parser calls Need before it looks at a byte. Need then reports all
// nodes found so far and reads the next page.
type gbxWalk struct {
	reg     *gbx.Registry
	version uint32
	r       io.Reader
	node    func(class classid.ID) error
	file    []byte
	certain int64  // bytes of file that are decoded
	view    []byte // file without its user data, which holds no nodes
	bodyAt  int64  // offset of the body in file

	skips   []chunk // skippable chunks, without chunks inside others
	found   []start // nodes that are not reported yet
	problem error
}

// start is a node and the offset of its content.
type start struct {
	class  classid.ID
	offset int64
}

// chunk has the offsets of a skippable chunk's content.
type chunk struct{ start, end int64 }

// more reads as much as can be decoded with the nodes reported so far. It returns false
// at the end and after an error.
func (w *gbxWalk) more() bool {
	if w.problem != nil || w.certain == int64(len(w.file)) {
		return false
	}
	if w.report(); w.problem != nil {
		return false
	}
	// A read returns only what is decoded already.
	n, err := w.r.Read(w.file[w.certain:])
	w.certain += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		w.problem = err
	}
	return n > 0 || err == nil
}

// report reports the nodes that were found, in order, up to the first error.
func (w *gbxWalk) report() {
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

// locate finds the beginning of the body.
func (w *gbxWalk) locate() error {
	for w.more() {
		if w.view == nil && !w.dropUserData() {
			continue
		}
		const compressionAt = 7 // offset of the letter for the body's compression: after magic, version and two letters
		if w.view[compressionAt] == 'C' {
			return fault.New(fault.UnknownClass, "the body is compressed, which no GBX in a pack is known to be")
		}
		cut := int64(len(w.file) - len(w.view))
		f, err := gbx.Parse(w.view, noChunks)
		var bad *fault.Error
		switch {
		case errors.As(err, &bad) && cut+bad.Offset+8 > w.certain:
			continue // the error may come from bytes that are not decoded yet
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

// trace parses the body and returns where it ends. Unknown data is an error only if it
// may contain nodes.
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

// Need implements [gbx.Feeder]: it decodes the file up to end.
func (w *gbxWalk) Need(end int64) int64 {
	for w.certain < w.bodyAt+end && w.more() {
	}
	return w.certain - w.bodyAt
}

// Lost implements [gbx.Feeder]: it is called for data that is not understood.
func (w *gbxWalk) Lost(o *gbx.Opaque, size int) {
	if w.problem != nil || size == 0 { // empty data contains no nodes, for example at the end of a truncated file
		return
	}
	// From version 18 on, the game copies a skippable chunk to memory before it parses
	// it. Nodes in it are then not read from the stream and do not change the cipher.
	if w.version >= 18 && w.skipped(o.Offset) {
		return
	}
	w.problem = fault.At(fault.UnknownClass, w.bodyAt+o.Offset, "", "%s", o.Reason)
}

// dropUserData makes the view: the file without its user data. The fixed beginning is
// moved up to the end of the user data. It returns false while the user data is not
// completely decoded.
func (w *gbxWalk) dropUserData() bool {
	const sizeAt = 13 // offset of the size in version 6: after magic, version, letters and class
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

// noChunks is a registry without chunks, so that parsing stops after the header.
var noChunks = gbx.NewRegistry()

// knows reports whether the registry has a chunk.
func (w *gbxWalk) knows(id classid.ID) bool {
	info, _ := w.reg.Class(id.Class())
	for i := range info.Chunks {
		if info.Chunks[i].ID == id.Latest() && !info.Chunks[i].Header {
			return true
		}
	}
	return false
}

// skipped reports whether an offset is inside a skippable chunk.
func (w *gbxWalk) skipped(offset int64) bool {
	for i := len(w.skips) - 1; i >= 0; i-- {
		if s := w.skips[i]; offset >= s.start {
			return offset < s.end
		}
	}
	return false
}

// Begin implements [gbx.Visitor]: it notes each node where its content begins.
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

// plain reports whether a class is a struct without chunks. From version 18 on such a
// node does not change the cipher.
func (w *gbxWalk) plain(class classid.ID) bool {
	info, _ := w.reg.Class(class)
	return info.Plain != nil
}

// Chunks whose content changes the cipher in an unknown way: no real pack has shown it.
const (
	surfaceGeomChunk   classid.ID = 0x0900f004
	vehicleTuningChunk classid.ID = 0x090eb000
)

func (w *gbxWalk) beginChunk(c *gbx.Chunk, offset int64) {
	if id := c.ID.Latest(); (id == surfaceGeomChunk || id == vehicleTuningChunk) && w.problem == nil {
		w.problem = fault.At(fault.UnknownClass, w.bodyAt+offset, "", "chunk %v alters the cipher by rules that are not known well enough", c.ID)
	}
	// The parser reads this mark next, so reading it here is not too early.
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

// Value implements [gbx.Visitor].
func (w *gbxWalk) Value(string, any) {}

// Coded implements [gbx.Visitor].
func (w *gbxWalk) Coded(string, any, int64, int64) {}

// End implements [gbx.Visitor].
func (w *gbxWalk) End(int64) {}
