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
	return func(r io.Reader, size int64, version uint32, mix func(word uint32)) error {
		w := &gbxWalk{reg: reg, version: version, file: make([]byte, size), bodyAt: -1}
		for w.certain < size {
			// A read gives what is decoded and no more, so that all nodes in
			// it are mixed in before the next page is asked for.
			n, err := r.Read(w.file[w.certain:])
			if w.certain += int64(n); n > 0 {
				words, err := w.words()
				for _, word := range words {
					mix(word)
				}
				if err != nil {
					return err
				}
			}
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return err
			}
		}
		if w.bodyAt < 0 {
			return fault.New(fault.UnknownClass, "the file ends before its body")
		}
		return nil
	}
}

// gbxWalk is the walk through one GBX.
//
// The parser of package gbx wants the whole file, so the part that is not
// decoded yet is given to it as zeros: up to the last certain byte it does
// what it will do with the rest in place, and what it says about later bytes
// is not listened to. Every refill parses from the beginning again.
type gbxWalk struct {
	reg     *gbx.Registry
	version uint32
	file    []byte
	certain int64  // bytes of file that are decoded
	done    int64  // events up to here have been reported
	quiet   int64  // there are none before here
	view    []byte // file without its user data, which holds no nodes
	bodyAt  int64  // where the body begins in file; -1 while that is not known

	// Of the current pass; offsets count from the body.
	reached int64   // how far the parser is known to have come
	ended   int64   // where a group of values last ended; -1 if one has begun since
	skips   []chunk // skippable chunks that are not inside another
	found   []uint32
	problem error
}

// chunk is where a skippable chunk's content is.
type chunk struct{ start, end int64 }

// words returns the words of the nodes that have come to light since the last
// call.
func (w *gbxWalk) words() ([]uint32, error) {
	if w.bodyAt < 0 {
		if err := w.locate(); err != nil || w.bodyAt < 0 {
			return nil, err
		}
	}
	if w.certain < w.quiet {
		return nil, nil
	}
	w.reached, w.ended, w.skips, w.found, w.problem = 0, 0, w.skips[:0], nil, nil
	f, err := gbx.Trace(w.view, w.reg, w)
	if err != nil {
		return nil, err
	}
	if w.problem == nil {
		w.problem = w.obstacle(f)
	}
	w.done = w.certain
	return w.found, w.problem
}

// locate finds out where the body begins: the parser counts from there. The
// body is not located, and no error returned, while the header is incomplete.
func (w *gbxWalk) locate() error {
	if w.view == nil && !w.dropUserData() {
		return nil
	}
	cut := int64(len(w.file) - len(w.view))
	f, err := gbx.Parse(w.view, noChunks)
	var bad *fault.Error
	switch {
	case errors.As(err, &bad) && cut+bad.Offset+8 > w.certain:
		return nil // it may be what is missing that is wrong
	case err != nil:
		return err
	case f.Compressed():
		return fault.New(fault.UnknownClass, "the body is compressed, which no GBX in a pack is known to be")
	}
	if at := int64(len(w.file) - len(f.BodyBytes())); at <= w.certain {
		w.bodyAt = at
	}
	return nil
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

// obstacle looks for a place that was not understood and that hides nodes, or
// may hide them.
func (w *gbxWalk) obstacle(f *gbx.File) error {
	all := w.certain == int64(len(w.file))
	stuck := w.ended != int64(len(f.BodyBytes())-len(f.Rest)) && (all || w.bodyAt+w.reached+12 <= w.certain)
	doubtful := false // a skippable chunk has come to its end since the last pass
	for _, s := range w.skips {
		end := w.bodyAt + s.end
		doubtful = doubtful || w.version < 18 && end <= w.certain && end > w.done
	}
	if !stuck && !doubtful {
		return nil
	}
	finder := &opaqueFinder{walk: w}
	err := f.Walk(finder)
	if finder.found == nil && stuck {
		return fault.At(fault.UnknownClass, w.bodyAt+w.reached, "", "the parser cannot go on: %v", err)
	}
	return finder.found
}

// opaqueFinder looks at all that a parse left opaque.
type opaqueFinder struct {
	walk  *gbxWalk
	class classid.ID
	chunk *gbx.Chunk
	found error
}

// Begin is part of [gbx.Visitor].
func (v *opaqueFinder) Begin(_ string, p any, _ int64) {
	switch p := p.(type) {
	case *gbx.Node:
		v.class, v.chunk = p.Class, nil
	case *gbx.Chunk:
		v.chunk = p
	}
}

// Value is part of [gbx.Visitor].
func (v *opaqueFinder) Value(_ string, p any) {
	o, ok := p.(*gbx.Opaque)
	if !ok || v.found != nil || len(o.Bytes) == 0 {
		return // nothing can hide in nothing, as at the end of a file cut short
	}
	w := v.walk
	if w.version >= 18 && w.skipped(o.Offset) {
		return
	}
	// What is opaque only because the rest is not there yet will clear up.
	start, end := w.bodyAt+o.Offset, w.bodyAt+o.Offset+int64(len(o.Bytes))
	var real bool
	switch {
	case end <= w.certain:
		real = true
	case v.chunk != nil && v.chunk.Body == gbx.Body(o):
	default: // the rest of a node, from a chunk on that the parser gave up in
		real = w.bodyAt+w.reached+12 <= w.certain
	}
	if real {
		v.found = fault.At(fault.UnknownClass, start, "", "class %v: %s", v.class, o.Reason)
	}
}

// Coded is part of [gbx.Visitor].
func (v *opaqueFinder) Coded(string, any, int64, int64) {}

// End is part of [gbx.Visitor].
func (v *opaqueFinder) End(int64) {}

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

// Begin is part of [gbx.Visitor]: a node is mixed in where its content begins.
func (w *gbxWalk) Begin(name string, p any, offset int64) {
	at := w.bodyAt + offset
	w.reached, w.ended = max(w.reached, offset), -1
	switch p := p.(type) {
	case *gbx.Chunk:
		w.beginChunk(p, offset)
	case *gbx.Node:
		if name != "node" || at <= w.done && w.done > 0 || at > w.certain || w.problem != nil {
			return
		}
		// From version 18 on, a skippable chunk is copied to memory before it
		// is parsed, and the nodes in it are no longer read from the stream.
		if w.version >= 18 && w.skipped(offset) {
			return
		}
		word, err := w.word(p.Class)
		if err != nil {
			err.Offset = at
			w.problem = err
			return
		}
		w.found = append(w.found, word)
	}
}

// Chunks whose content feeds the cipher in a way that no real pack has shown.
const (
	surfaceGeomChunk   classid.ID = 0x0900f004
	vehicleTuningChunk classid.ID = 0x090eb000
)

func (w *gbxWalk) beginChunk(c *gbx.Chunk, offset int64) {
	if w.bodyAt+offset > w.certain {
		return
	}
	if id := c.ID.Latest(); (id == surfaceGeomChunk || id == vehicleTuningChunk) && w.problem == nil {
		w.problem = fault.At(fault.UnknownClass, w.bodyAt+offset, "", "chunk %v alters the cipher by rules that are not known well enough", c.ID)
	}
	const skipMark = 0x534b4950
	body := w.file[w.bodyAt:]
	if w.skipped(offset) || offset+8 > int64(len(body)) || binary.LittleEndian.Uint32(body[offset:]) != skipMark {
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
func (w *gbxWalk) Coded(_ string, _ any, offset, length int64) {
	w.reached = max(w.reached, offset+length)
	// A value whose length is certain holds no nodes up to its end.
	if begin, end := w.bodyAt+offset, w.bodyAt+offset+length; begin+4 <= w.certain && end > w.certain {
		w.quiet = max(w.quiet, end)
	}
}

// End is part of [gbx.Visitor].
func (w *gbxWalk) End(offset int64) { w.reached, w.ended = max(w.reached, offset), offset }

// word is what a node of the class adds to the cipher.
func (w *gbxWalk) word(class classid.ID) (uint32, *fault.Error) {
	if word, ok := nodeWords[uint32(class.Latest())]; ok {
		return word, nil
	}
	parent := ""
	if info, ok := w.reg.Class(class); ok {
		parent = info.Parent
	}
	if info, ok := classid.Lookup(class); ok && parent == "" {
		parent = info.Parent
	}
	if parent == "" {
		return 0, fault.New(fault.UnknownClass, "the parent of class %v is not known", class)
	}
	id, ok := w.classNamed(parent)
	if !ok {
		return 0, fault.New(fault.UnknownClass, "class %v: the number of its parent %s is not known", class, parent)
	}
	return NodeWord(uint32(class.Latest()), uint32(unwrapped(id))), nil
}

func (w *gbxWalk) classNamed(name string) (classid.ID, bool) {
	if id, ok := abstract[name]; ok {
		return id, true
	}
	info, ok := classid.ByName(name)
	return info.ID, ok
}

// abstract are classes that are hardly ever anything but parents, so that
// package classid does not have their numbers.
var abstract = map[string]classid.ID{
	"CMwNod":                         0x01001000,
	"CControlEffect":                 0x07005000,
	"CControlText":                   0x07031000,
	"CFunc":                          0x05010000,
	"CGameCtnBlockInfoVariant":       0x0315b000,
	"CGameCtnMediaBlock":             0x03077000,
	"CGameCtnMediaBlockCamera":       0x0307c000,
	"CGameCtnMediaBlockCameraEffect": 0x030a3000,
	"CGameCtnMediaBlockFx":           0x0307e000,
	"CGameCtnMediaBlockFxBlur":       0x0307f000,
	"CGameCtnMediaBlockTransition":   0x030aa000,
	"CGameCtnZone":                   0x0305c000,
	"CGamePlayerProfileChunk":        0x0312b000,
	"CPlug":                          0x0902b000,
	"CPlugFileFidContainer":          0x09035000,
	"GxLightNotAmbient":              0x04006000,
}

// unwrapped is the number under which the game counts a class: the one it had
// before it moved. Of several, it is the one in the engine TrackMania.
func unwrapped(id classid.ID) classid.ID {
	if old, ok := unwrapChoices[id]; ok {
		return old
	}
	older := id.Older()
	for _, old := range older {
		if old.Engine() == 0x24 {
			return old
		}
	}
	switch id.Engine() {
	case 0x09, 0x0c, 0x11: // Plug, Vision and Script took classes from others
		if len(older) == 1 {
			return older[0]
		}
	}
	return id
}

// unwrapChoices are the classes for which the rule gives another answer than
// the games do.
var unwrapChoices = map[classid.ID]classid.ID{
	0x0308c000: 0x240b5000,
	0x09026000: 0x09068000,
	0x090e5000: 0x0a06a000,
	0x090ef000: 0x0a01f000,
	0x0915d000: 0x0303c000,
	0x0917a000: 0x2e00e000,
	0x09184000: 0x05036000,
	0x09185000: 0x0501a000,
}
