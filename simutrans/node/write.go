package node

import (
	"encoding/binary"
	"io"
	"math"

	"pakbox/fault"
)

// WriteTo writes the file. A file that was read and not changed is written as
// the bytes it was read from.
func (f *File) WriteTo(w io.Writer) (int64, error) {
	data, err := f.Append(make([]byte, 0, f.Size()))
	if err != nil {
		return 0, err
	}
	n, err := w.Write(data)
	return int64(n), err
}

// Append appends the file's bytes to b.
func (f *File) Append(b []byte) ([]byte, error) {
	b = append(b, f.Banner...)
	b = append(b, 0x1A)
	b = binary.LittleEndian.AppendUint32(b, f.Code)
	return f.Root.Append(b, f.Code)
}

// Append appends the node and its subtree to b, as a file of the given code
// holds them.
func (n *Node) Append(b []byte, code uint32) ([]byte, error) {
	if len(n.Children) > math.MaxUint16 {
		return nil, fault.New(fault.Limit, "%s has %d children, a node can have %d", n.Type, len(n.Children), math.MaxUint16)
	}
	b = appendType(b, n.Type)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(n.Children)))
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
	b = append(b, n.Body...)
	for _, c := range n.Children {
		var err error
		if b, err = c.Append(b, code); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// Size returns how many bytes Append writes for the file, if it is not one of
// code 1001.
func (f *File) Size() int64 { return int64(len(f.Banner)) + 1 + 4 + f.Root.size() }

func (n *Node) size() int64 {
	total := int64(headerSize + len(n.Body))
	if len(n.Body) >= sizeEscape || n.wide {
		total += 4
	}
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
