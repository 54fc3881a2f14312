package node

import (
	"encoding/binary"
	"io"
	"math"

	"pakbox/fault"
)

// WriteTo writes the file. An unchanged file has the same bytes as when it was read.
func (f *File) WriteTo(w io.Writer) (int64, error) {
	data, err := f.Append(make([]byte, 0, f.Size()))
	if err != nil {
		return 0, err
	}
	n, err := w.Write(data)
	return int64(n), err
}

// Head returns the bytes before the objects in a file of [New]. Its length does not
// depend on the number of objects, so a writer can write it again when the number is
// known.
func Head(objects int) ([]byte, error) {
	f := New()
	return f.Root.appendHeader(f.appendStart(nil), f.Code, objects)
}

// Append appends the file's bytes to b.
func (f *File) Append(b []byte) ([]byte, error) {
	return f.Root.Append(f.appendStart(b), f.Code)
}

func (f *File) appendStart(b []byte) []byte {
	b = append(b, f.Banner...)
	b = append(b, 0x1A)
	return binary.LittleEndian.AppendUint32(b, f.Code)
}

// Append appends the node and its subtree to b, in the form of the given version code.
func (n *Node) Append(b []byte, code uint32) ([]byte, error) {
	b, err := n.appendHeader(b, code, len(n.Children))
	if err != nil {
		return nil, err
	}
	b = append(b, n.Body...)
	for _, c := range n.Children {
		if b, err = c.Append(b, code); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func (n *Node) appendHeader(b []byte, code uint32, children int) ([]byte, error) {
	if children > math.MaxUint16 {
		return nil, fault.New(fault.Limit, "%s has %d children, a node can have %d", n.Type, children, math.MaxUint16)
	}
	b = appendType(b, n.Type)
	b = binary.LittleEndian.AppendUint16(b, uint16(children))
	switch size := len(n.Body); {
	case size < sizeEscape && !n.wide, size == sizeEscape && code == Code1001:
		b = binary.LittleEndian.AppendUint16(b, uint16(size))
	case code == Code1001:
		return nil, fault.New(fault.Limit, "%s has %d bytes, a file of code %d can hold %d", n.Type, size, Code1001, sizeEscape)
	case int64(size) > math.MaxUint32:
		return nil, fault.New(fault.Limit, "%s has %d bytes", n.Type, size)
	default:
		b = binary.LittleEndian.AppendUint16(b, sizeEscape)
		b = binary.LittleEndian.AppendUint32(b, uint32(size))
	}
	return b, nil
}

// Size returns the number of bytes that Append writes for a file. It is wrong for code
// 1001.
func (f *File) Size() int64 { return int64(len(f.Banner)) + 1 + 4 + f.Root.size() }

// header returns the number of bytes before the body.
func (n *Node) header() int64 {
	if len(n.Body) >= sizeEscape || n.wide {
		return headerSize + 4
	}
	return headerSize
}

func (n *Node) size() int64 {
	total := n.header() + int64(len(n.Body))
	for _, c := range n.Children {
		total += c.size()
	}
	return total
}

// BodyBytes returns the sum of the body sizes of the subtree.
func (n *Node) BodyBytes() int64 {
	total := int64(0)
	n.Walk(func(n *Node, _ int) bool {
		total += int64(len(n.Body))
		return true
	})
	return total
}
