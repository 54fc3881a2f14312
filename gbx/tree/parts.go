package tree

import (
	"bytes"
	"hash/maphash"

	"pakbox/gbx"
	"pakbox/gbx/classid"
)

// A part is a chunk of the header or of the main node. Parts are numbered from 1 in the
// order in which they are encoded. An edit changes few parts.

// parts counts the parts during a walk, so that a visitor can choose some of them.
type parts struct {
	wanted map[int]bool // numbers of the wanted parts; nil for all
	number int          // number of the part that began last
	depth  int          // the number of open groups
	open   int          // depth at the beginning of the current part; 0 outside of parts
	main   int          // depth at the beginning of the main node
}

// only returns a parts that wants one part, or all parts if part is 0.
func only(part int) parts {
	if part == 0 {
		return parts{}
	}
	return parts{wanted: map[int]bool{part: true}}
}

// begin is called at the beginning of a group, and reports whether it is a part.
func (s *parts) begin(p any) bool {
	s.depth++
	switch p.(type) {
	case *gbx.HeaderChunk:
	case *gbx.Node:
		if s.main == 0 {
			s.main = s.depth
		}
		return false
	case *gbx.Chunk:
		if s.depth != s.main+1 || s.open > 0 {
			return false
		}
	default:
		return false
	}
	s.number++
	s.open = s.depth
	return true
}

// end is called at the end of a group, and reports whether it was a part.
func (s *parts) end() bool {
	part := s.open > 0 && s.depth == s.open
	if part {
		s.open = 0
	}
	s.depth--
	return part
}

// isMain reports whether the group that began last is a part or the main node.
func (s *parts) isMain() bool { return s.depth == s.open || s.depth == s.main }

// part returns the number of the current part, 0 outside of parts.
func (s *parts) part() int {
	if s.open == 0 {
		return 0
	}
	return s.number
}

// Wants skips parts that are not wanted; see [gbx.Chooser].
func (s *parts) Wants(string, any) bool { return s.wanted == nil || s.open == 0 || s.wanted[s.number] }

// Done reports whether no wanted part follows; see [gbx.Finisher].
func (s *parts) Done() bool {
	if s.wanted == nil || s.open > 0 {
		return false
	}
	for n := range s.wanted {
		if n > s.number {
			return false
		}
	}
	return true
}

// coding holds a file and its encoded bytes.
type coding struct {
	gbx.Coding
	file    *gbx.File
	parts   []placedPart
	outline uint64         // hash of the places of nodes, chunks and opaque bytes
	sums    []uint64       // hashes of the contents of compressed blocks
	blocks  int            // number of compressed blocks near the change
	spaces  map[int][]byte // bytes of the header, the body, and the compressed contents to compare
	near    map[int]*near  // by space
}

// placedPart is a part with its offsets.
type placedPart struct {
	id       classid.ID
	space    int
	from, to int64
}

// seed is the seed of all hashes.
var seed = maphash.MakeSeed()

func codingOf(f *gbx.File) (*coding, error) {
	o := &outliner{list: &coding{file: f, near: map[int]*near{}}}
	o.sum.SetSeed(seed)
	c, err := f.EncodeOutline(o)
	o.list.Coding = c
	o.list.spaces = map[int][]byte{InHeader: c.Header, InBody: c.Body}
	o.list.outline = o.sum.Sum64()
	return o.list, err
}

func (c *coding) bytes(p placedPart) []byte { return c.spaces[p.space][p.from:p.to] }

// sameParts reports whether two files have parts with the same IDs.
func (c *coding) sameParts(d *coding) bool {
	if len(c.parts) != len(d.parts) {
		return false
	}
	for i, p := range c.parts {
		if q := d.parts[i]; p.id != q.id || p.space != q.space {
			return false
		}
	}
	return true
}

// changed returns the parts whose bytes differ in d; nil if the parts themselves differ.
// findNear has found where the differences begin and end.
func (c *coding) changed(d *coding) map[int]bool {
	if !c.sameParts(d) {
		return nil
	}
	list := map[int]bool{}
	for i, p := range c.parts {
		q := d.parts[i]
		x, y := c.near[p.space], d.near[p.space]
		switch {
		case x == nil, p.to <= x.from && q.to <= y.from: // before the differences
		case p.from >= x.to && q.from >= y.to && p.from-x.to == q.from-y.to && p.to-x.to == q.to-y.to: // after them
		case !bytes.Equal(c.bytes(p), d.bytes(q)):
			list[i+1] = true
		}
	}
	return list
}

// outliner is a visitor that finds the offsets of the parts.
type outliner struct {
	placeSum
	parts
	list *coding
}

func (o *outliner) Value(string, any) {}

func (o *outliner) Begin(name string, p any, offset int64) {
	o.add(name, offset, -1)
	if !o.begin(p) {
		return
	}
	part := placedPart{from: offset}
	switch c := p.(type) {
	case *gbx.HeaderChunk:
		part.id, part.space = c.ID, InHeader
	case *gbx.Chunk:
		part.id, part.space = c.ID, InBody
	}
	o.list.parts = append(o.list.parts, part)
}

func (o *outliner) Coded(name string, _ any, offset, length int64) { o.add(name, offset, length) }

func (o *outliner) End(offset int64) {
	o.add("", offset, -2)
	if o.end() {
		o.list.parts[o.number-1].to = offset
	}
}
