package gbx

import (
	"bytes"
	"fmt"

	"pakbox/gbx/classid"
)

// Coverage tells how much of a file was understood.
type Coverage struct {
	BodyBytes    int64 // of the uncompressed body
	DecodedBytes int64 // of those, the ones that are in no opaque region
	Opaque       []OpaqueRegion
	// Inexact lists where coding the values again does not give the bytes
	// that were found; it is empty for a file that is understood exactly.
	Inexact []Inexact
}

// OpaqueRegion is a stretch of bytes that was not understood.
type OpaqueRegion struct {
	Chunk  classid.ID // the chunk, or the first one not understood; 0 in a node without any
	Class  classid.ID // of the node around it
	Header bool
	Offset int64
	Bytes  int64
	Reason string
}

// Inexact is a place where coding the values again gives other bytes.
type Inexact struct {
	Chunk  classid.ID
	Offset int64
	Reason string
}

// Coverage codes the file once more from its values, compares, and lists what
// was not understood.
func (f *File) Coverage() Coverage {
	v := &coverer{c: Coverage{BodyBytes: int64(len(f.body))}, differ: -1}
	v.header = true
	if h, err := f.encodeHeader(v, f.NumNodes, nil); err != nil {
		v.inexact(0, 0, reason(err))
	} else if f.found != nil && !bytes.Equal(h, f.found[:f.bodyAt]) {
		v.inexact(0, 0, "the header is coded differently")
	}
	v.header = false
	v.stack = v.stack[:0]
	body, err := f.EncodeBody()
	if err == nil && !bytes.Equal(body, f.body) {
		v.differ = int64(firstDifference(body, f.body))
	}
	if _, _, err := f.encodeBody(v, nil); err != nil {
		v.inexact(0, 0, reason(err))
	}
	if v.differ >= 0 {
		v.inexact(v.differChunk, v.differ, "coded differently")
	}
	if n := int64(len(f.Rest)); n > 0 {
		v.opaque(OpaqueRegion{Offset: v.c.BodyBytes - n, Bytes: n, Reason: "after the main node"})
	}
	v.c.DecodedBytes = v.c.BodyBytes
	for _, o := range v.c.Opaque {
		if !o.Header {
			v.c.DecodedBytes -= o.Bytes
		}
	}
	return v.c
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
	stack       []any
	differ      int64
	differChunk classid.ID
}

func (v *coverer) inexact(chunk classid.ID, offset int64, why string) {
	v.c.Inexact = append(v.c.Inexact, Inexact{chunk, offset, why})
}

func (v *coverer) opaque(o OpaqueRegion) { v.c.Opaque = append(v.c.Opaque, o) }

// place returns the innermost node and chunk.
func (v *coverer) place() (class, chunk classid.ID) {
	for _, p := range v.stack {
		switch p := p.(type) {
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

func (v *coverer) Value(string, any) {}

func (v *coverer) Coded(_ string, p any, offset, length int64) {
	o, ok := p.(*Opaque)
	if !ok {
		return
	}
	class, chunk := v.place()
	if chunk == 0 && len(o.Bytes) >= 4 {
		b := o.Bytes
		chunk = classid.ID(uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24)
	}
	v.opaque(OpaqueRegion{chunk, class, v.header, offset, length, o.Reason})
}

func (v *coverer) Begin(_ string, p any, offset int64) {
	v.stack = append(v.stack, p)
	if v.differ >= 0 && offset <= v.differ && !v.header {
		if _, chunk := v.place(); chunk != 0 {
			v.differChunk = chunk
		}
	}
}

func (v *coverer) End(int64) {
	if n := len(v.stack); n > 0 {
		v.stack = v.stack[:n-1]
	}
}

func (v *coverer) Inside(found, coded []byte, err error) bool {
	_, chunk := v.place()
	switch {
	case err != nil:
		v.inexact(chunk, 0, "compressed block: "+reason(err))
	case !bytes.Equal(found, coded):
		v.inexact(chunk, int64(firstDifference(found, coded)), fmt.Sprintf("the compressed block of %d bytes is coded differently", len(found)))
	}
	return false
}

var _ DeepVisitor = (*coverer)(nil)
