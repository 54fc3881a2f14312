package gbx

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"pakbox/gbx/classid"
)

// Coverage states how much of a file was understood.
type Coverage struct {
	BodyBytes    int64 // bytes of the uncompressed body
	DecodedBytes int64 // bytes of the body outside opaque regions
	Opaque       []OpaqueRegion
	// Chunks has one entry for each chunk ID, header chunks first. ID 0 is the tail of
	// nodes.
	Chunks []ChunkCoverage
	// Inexact lists the places where the encoded values differ from the bytes of the
	// file.
	Inexact []Inexact
	// Exact states that header and body encode to the bytes of the file, so that saving
	// the file without a change keeps it.
	Exact bool
}

// ChunkCoverage states how much of all chunks with one ID was understood.
type ChunkCoverage struct {
	ID      classid.ID // ID as in the file
	Header  bool
	Count   int
	Bytes   int64 // bytes without inner nodes
	Decoded int64
}

// OpaqueRegion is the place of an [Opaque].
type OpaqueRegion struct {
	Chunk  classid.ID // the chunk; in the tail of a node, the first chunk of the tail
	Class  classid.ID // class of the node
	Header bool
	Offset int64
	Bytes  int64
	Cause  OpaqueCause
	Reason string
	Misfit *Misfit // where the bytes left a known layout; nil if no sheet describes them
}

// Inexact is a place where the encoded values differ from the bytes of the file.
type Inexact struct {
	Chunk  classid.ID
	Offset int64
	Reason string
}

// Coverage encodes the file and compares the result with the original bytes.
func (f *File) Coverage() Coverage {
	v := &coverer{c: Coverage{BodyBytes: int64(len(f.body)), DecodedBytes: int64(len(f.body))}, sums: map[chunkPlace]*ChunkCoverage{}, differ: -1}
	e := encodings.Get().(*encoding)
	defer encodings.Put(e)
	header := v.codeHeader(f, e)
	v.stack = v.stack[:0]
	body := v.codeBody(f, e)
	v.c.Exact = header && body
	if n := int64(len(f.Rest)); n > 0 {
		v.opaque(OpaqueRegion{Offset: v.c.BodyBytes - n, Bytes: n, Cause: AfterMainNode, Reason: "after the main node"})
		v.c.DecodedBytes -= n
	}
	for _, sum := range v.sums {
		v.c.Chunks = append(v.c.Chunks, *sum)
	}
	slices.SortFunc(v.c.Chunks, func(a, b ChunkCoverage) int {
		if a.Header == b.Header {
			return cmp.Compare(a.ID, b.ID)
		}
		if a.Header {
			return -1
		}
		return 1
	})
	return v.c
}

// codeHeader reports whether the header encodes to the bytes of the file.
func (v *coverer) codeHeader(f *File, e *encoding) bool {
	v.header = true
	defer func() { v.header = false }()
	h, err := f.encodeHeader(lookers{outline: v}, withRoom(e.header, f.bodyAt+64))
	if err != nil {
		v.inexact(0, 0, reason(err))
		return false
	}
	e.header = h
	if f.found == nil {
		return false
	}
	same := bytes.Equal(h, f.found[:f.bodyAt])
	if !same {
		v.inexact(0, 0, "the header is coded differently")
	}
	return same
}

// codeBody reports whether the body encodes to the bytes of the file.
func (v *coverer) codeBody(f *File, e *encoding) bool {
	body, err := f.encodeBody(lookers{outline: v}, withRoom(e.body, len(f.body)+64))
	if err != nil {
		v.inexact(0, 0, reason(err))
		return false
	}
	e.body = body
	if bytes.Equal(body, f.body) {
		return true
	}
	// Encode again to find the chunk with the first difference.
	at := &coverer{sums: v.sums, differ: int64(firstDifference(body, f.body)), again: true}
	if _, err := f.encodeBody(lookers{outline: at}, nil); err == nil {
		v.inexact(at.differChunk, at.differ, "coded differently")
	}
	return false
}

func firstDifference(a, b []byte) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// coverer is the Visitor behind Coverage.
type coverer struct {
	c           Coverage
	header      bool
	stack       []openPart
	sums        map[chunkPlace]*ChunkCoverage
	inside      int   // number of open contents of compressed blocks
	differ      int64 // offset of the first difference
	differChunk classid.ID
	again       bool // the second pass, which only finds differChunk
}

// openPart is a node, a chunk or the content of a compressed block that has begun but not
// ended.
type openPart struct {
	p     any
	begin int64
	sum   *ChunkCoverage // entry of a chunk; nil for others
}

type chunkPlace struct {
	id     classid.ID
	header bool
}

func (v *coverer) inexact(chunk classid.ID, offset int64, why string) {
	v.c.Inexact = append(v.c.Inexact, Inexact{chunk, offset, why})
}

func (v *coverer) opaque(o OpaqueRegion) { v.c.Opaque = append(v.c.Opaque, o) }

// place returns the innermost node and chunk.
func (v *coverer) place() (class, chunk classid.ID) {
	for _, part := range v.stack {
		switch p := part.p.(type) {
		case *Node:
			class, chunk = p.Class, 0
		case *Chunk:
			chunk = p.ID
		case *HeaderChunk:
			chunk, class = p.ID, p.ID.Class()
		}
	}
	return class, chunk
}

func (v *coverer) sum(id classid.ID) *ChunkCoverage {
	k := chunkPlace{id, v.header}
	if v.sums[k] == nil {
		v.sums[k] = &ChunkCoverage{ID: id, Header: v.header}
	}
	return v.sums[k]
}

// around returns the entry of the innermost open chunk, nil if none exists.
func (v *coverer) around() *ChunkCoverage {
	for _, part := range slices.Backward(v.stack) {
		if part.sum != nil {
			return part.sum
		}
	}
	return nil
}

func (v *coverer) Value(string, any) {}

func (v *coverer) Coded(_ string, p any, offset, length int64) {
	o, ok := p.(*Opaque)
	if !ok || v.again {
		return
	}
	class, chunk := v.place()
	if chunk == 0 && len(o.Bytes) >= 4 {
		chunk = classid.ID(binary.LittleEndian.Uint32(o.Bytes))
	}
	v.opaque(OpaqueRegion{chunk, class, v.header, offset, length, o.Cause, o.Reason, o.Misfit})
	if v.inside > 0 {
		return // its bytes are counted as part of the compressed block
	}
	if !v.header {
		v.c.DecodedBytes -= length
	}
	if sum := v.around(); sum != nil {
		sum.Decoded -= length
	} else {
		tail := v.sum(0)
		tail.Count++
		tail.Bytes += length
	}
}

func (v *coverer) Begin(_ string, p any, offset int64) {
	part := openPart{p: p, begin: offset}
	id, isChunk := classid.ID(0), false
	switch p := p.(type) {
	case *Chunk:
		id, isChunk = p.ID, true
	case *HeaderChunk:
		id, isChunk = p.ID, true
	case *Node:
	default:
		v.inside++
	}
	if isChunk && v.inside == 0 && !v.again {
		part.sum = v.sum(id)
	}
	v.stack = append(v.stack, part)
	if v.again && offset <= v.differ && v.inside == 0 {
		if _, chunk := v.place(); chunk != 0 {
			v.differChunk = chunk
		}
	}
}

func (v *coverer) End(offset int64) {
	last := len(v.stack) - 1
	part := v.stack[last]
	v.stack = v.stack[:last]
	switch part.p.(type) {
	case *Node, *Chunk, *HeaderChunk:
	default:
		v.inside--
	}
	if part.sum == nil {
		return
	}
	length := offset - part.begin
	if outer := v.around(); outer != nil {
		outer.Bytes -= length
		outer.Decoded -= length
	}
	part.sum.Count++
	part.sum.Bytes += length
	part.sum.Decoded += length
}

func (v *coverer) Inside(found, coded []byte, err error) bool {
	_, chunk := v.place()
	switch {
	case v.again:
	case err != nil:
		v.inexact(chunk, 0, "compressed block: "+reason(err))
	case !bytes.Equal(found, coded):
		v.inexact(chunk, int64(firstDifference(found, coded)), fmt.Sprintf("the compressed block of %d bytes is coded differently", len(found)))
	}
	return false
}

var _ DeepVisitor = (*coverer)(nil)
