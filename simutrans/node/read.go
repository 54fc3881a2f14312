package node

import (
	"bytes"
	"io"

	"pakbox/fault"
	"pakbox/internal/lib/wire"
)

const (
	headerSize = 8 // size of a node's header with a short size
	sizeEscape = 0xFFFF
	// maxDepth limits the recursion. Real trees have a depth of 6 (a factory's image) or
	// 7 (Extended's lists of lists of lists).
	maxDepth = 64
	// maxBanner limits the search for 0x1A, so that testing a large foreign file is fast.
	maxBanner = 64 << 10
)

// Detect reports whether a file that begins with head looks like an object file: it has
// the usual banner, or any text before 0x1A, a known code and ROOT.
func Detect(head []byte) bool {
	if bytes.HasPrefix(head, []byte(bannerLine)) {
		return true
	}
	end := bytes.IndexByte(head, 0x1A)
	if end < 0 || len(head) < end+9 || bytes.ContainsFunc(head[:end], isControl) {
		return false // a zip may contain an uncompressed object file as its first entry
	}
	r := wire.NewReader(head[end+1:], 0)
	return r.U32("version code") <= Code1003 && Type(r.U32("type")) == ROOT
}

// isControl reports whether a character is a control character.
func isControl(r rune) bool { return r < ' ' && r != '\n' && r != '\r' && r != '\t' }

// Read reads a whole file.
func Read(ra io.ReaderAt, size int64) (*File, error) {
	if data := wire.Whole(ra, size); data != nil {
		return Parse(data)
	}
	data, err := wire.ReadAt(ra, size, 0, size, "file")
	if err != nil {
		return nil, err
	}
	return Parse(data)
}

// Parse reads a whole file from memory. The bodies refer to data, which must not change
// afterwards.
func Parse(data []byte) (*File, error) {
	f, r, err := parseHeader(data)
	if err != nil {
		return nil, err
	}
	p := parser{r: r, code: f.Code}
	f.Root = p.node(0)
	if err := r.Err(); err != nil {
		return nil, err
	}
	if r.Len() > 0 {
		return nil, fault.At(fault.TrailingData, r.Offset(), "", "%d bytes follow the root node", r.Len())
	}
	return f, nil
}

func parseHeader(data []byte) (*File, *wire.Reader, error) {
	end := bytes.IndexByte(data[:min(len(data), maxBanner)], 0x1A)
	if end < 0 {
		return nil, nil, fault.At(fault.NotFormat, 0, "banner", "no 0x1A ends the text an object file begins with")
	}
	r := wire.NewReader(data[end+1:], int64(end)+1)
	at := r.Offset()
	f := &File{Banner: data[:end:end], Code: r.U32("version code")}
	if err := r.Err(); err != nil {
		return nil, nil, err
	}
	if f.Code > Code1003 {
		return nil, nil, fault.At(fault.UnsupportedVersion, at, "version code", "%d is newer than %d", f.Code, Code1003)
	}
	return f, r, checkRoot(data, r)
}

// checkRoot recognises the two kinds of incomplete files that makeobj leaves when it
// stops with an error. They are by far the most common damaged files.
func checkRoot(data []byte, r *wire.Reader) error {
	at := int(r.Offset())
	switch {
	case r.Len() == 0:
		return fault.At(fault.Truncated, int64(at), "root", "the file ends after its header; the compiler stopped before the first node")
	case r.Len() < headerSize:
		return nil // normal reading will report the error
	case typeOf(data[at:]) == 0:
		return fault.At(fault.BadHeader, int64(at), "root", "the root node is all zeros; the compiler stopped before it finished this file")
	case typeOf(data[at:]) != ROOT:
		return fault.At(fault.BadHeader, int64(at), "root", "the first node is %s, not ROOT", typeOf(data[at:]))
	}
	return nil
}

type parser struct {
	r    *wire.Reader
	code uint32
	slab []Node // memory for nodes, allocated for several at once
}

func (p *parser) alloc() *Node {
	if len(p.slab) == 0 {
		// Never more nodes than the remaining bytes can hold.
		p.slab = make([]Node, min(64, p.r.Len()/headerSize+1))
	}
	n := &p.slab[0]
	p.slab = p.slab[1:]
	return n
}

func (p *parser) node(depth int) *Node {
	at := p.r.Offset()
	if depth > maxDepth {
		p.r.Fail(fault.Limit, at, "node", "nodes are nested deeper than %d", maxDepth)
		return nil
	}
	n := p.alloc()
	n.Offset = at
	n.Type = Type(p.r.U32("type"))
	children := int(p.r.U16("children"))
	size := int64(p.r.U16("size"))
	if size == sizeEscape && p.code != Code1001 {
		size = int64(p.r.U32("long size"))
		n.wide = size < sizeEscape
	}
	if p.r.Err() == nil && n.Type == 0 {
		p.r.Fail(fault.BadEntry, at, "type", "a node's type is zero")
	}
	if size > int64(p.r.Len()) {
		p.r.Fail(fault.Truncated, at, "size", "%s has %d bytes, %d remain", n.Type, size, p.r.Len())
		return nil
	}
	n.Body = p.r.Bytes(int(size), "body")
	if children > p.r.Len()/headerSize {
		p.r.Fail(fault.Truncated, at, "children", "%s has %d children, %d bytes remain", n.Type, children, p.r.Len())
		return nil
	}
	// Large claimed counts at many levels must not add up: above a usual number the slice
	// grows only with real children.
	n.Children = make([]*Node, 0, min(children, 256))
	for range children {
		c := p.node(depth + 1)
		if p.r.Err() != nil {
			return nil
		}
		n.Children = append(n.Children, c)
	}
	return n
}
