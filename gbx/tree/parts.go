package tree

import (
	"bytes"
	"hash/maphash"

	"pakbox/gbx"
	"pakbox/gbx/classid"
)

// A part is a chunk of the header or of the main node, with all that is in it.
// Parts are numbered from 1 on in the order of coding. An edit changes few of
// them, and whoever looks at it passes over the others, which hold nearly all
// values of a file.

// parts follows a Coder from part to part, for visitors that want some only.
type parts struct {
	wanted map[int]bool // nil for all
	number int          // of the part that began last
	depth  int          // how many groups are open
	open   int          // how many were when the part began; 0 outside of parts
	main   int          // how many were when the main node began
}

// only wants one part, or all if that is none.
func only(part int) parts {
	if part == 0 {
		return parts{}
	}
	return parts{wanted: map[int]bool{part: true}}
}

// begin is told of a group, and reports whether that is a part.
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

// end is told of the end of a group, and reports whether that is a part.
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

// part is the number of the part that is open, 0 if there is none.
func (s *parts) part() int {
	if s.open == 0 {
		return 0
	}
	return s.number
}

// Wants passes over the parts that are not wanted; see [gbx.Chooser].
func (s *parts) Wants(string, any) bool { return s.wanted == nil || s.open == 0 || s.wanted[s.number] }

// Done reports whether no part follows that is wanted; see [gbx.Finisher].
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

// coding is a file as it is coded.
type coding struct {
	gbx.Coding
	file    *gbx.File
	parts   []placedPart
	outline uint64         // a sum of where nodes and chunks lie, and of what is not understood
	sums    []uint64       // of the contents of compressed blocks
	blocks  int            // how many of those there are where the file was changed
	spaces  map[int][]byte // header, body, and those contents that are compared
	near    map[int]*near
}

// placedPart is a part and where it lies.
type placedPart struct {
	id       classid.ID
	space    int
	from, to int64
}

// seed is that of all sums.
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

// bytes are those of a part.
func (c *coding) bytes(p placedPart) []byte { return c.spaces[p.space][p.from:p.to] }

// sameParts reports whether two files have parts of the same IDs.
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

// changed returns the parts that have other bytes in d; nil for all.
func (c *coding) changed(d *coding) map[int]bool {
	if !c.sameParts(d) {
		return nil
	}
	list := map[int]bool{}
	for i, p := range c.parts {
		if !bytes.Equal(c.bytes(p), d.bytes(d.parts[i])) {
			list[i+1] = true
		}
	}
	return list
}

// outliner is a visitor that learns where the parts lie.
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
