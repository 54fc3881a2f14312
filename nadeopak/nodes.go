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
		w := &gbxWalk{reg: reg, version: version, r: r, mix: mix, file: make([]byte, size)}
		if err := w.locate(); err != nil {
			return err
		}
		w.trace()
		for w.more() {
		}
		w.mixIn()
		return w.problem
	}
}

// gbxWalk is the walk through one GBX.
//
// The parser of package gbx is given the whole file, of which only the
// beginning is there yet. It asks for every byte before it looks at it, and
// then all nodes it has come to so far are mixed in and the next page is read.
type gbxWalk struct {
	reg     *gbx.Registry
	version uint32
	r       io.Reader
	mix     func(word uint32)
	file    []byte
	certain int64  // bytes of file that are decoded
	view    []byte // file without its user data, which holds no nodes
	bodyAt  int64  // where the body begins in file

	skips   []chunk  // skippable chunks that are not inside another
	found   []uint32 // words of nodes that are not mixed in yet
	problem error
}

// chunk is where a skippable chunk's content is.
type chunk struct{ start, end int64 }

// more reads as much as can be decoded without knowing of further nodes. It
// reports false at the end and when something is wrong.
func (w *gbxWalk) more() bool {
	if w.problem != nil || w.certain == int64(len(w.file)) {
		return false
	}
	w.mixIn()
	// A read gives what is decoded and no more.
	n, err := w.r.Read(w.file[w.certain:])
	w.certain += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		w.problem = err
	}
	return n > 0 || err == nil
}

// mixIn mixes in the nodes that were found.
func (w *gbxWalk) mixIn() {
	for _, word := range w.found {
		w.mix(word)
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

// trace parses the body. What cannot be understood is a problem only where
// nodes may hide in it.
func (w *gbxWalk) trace() {
	if _, err := gbx.Trace(w.view, w.reg, w); err != nil && w.problem == nil {
		w.problem = err
	}
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

// Begin is part of [gbx.Visitor]: a node is mixed in where its content begins.
func (w *gbxWalk) Begin(name string, p any, offset int64) {
	switch p := p.(type) {
	case *gbx.Chunk:
		w.beginChunk(p, offset)
	case *gbx.Node:
		if name != "node" || w.problem != nil || w.version >= 18 && (w.skipped(offset) || w.plain(p.Class)) {
			return
		}
		word, err := w.word(p.Class)
		if err != nil {
			err.Offset = w.bodyAt + offset
			w.problem = err
			return
		}
		w.found = append(w.found, word)
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
