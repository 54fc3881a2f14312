package tree

import (
	"cmp"
	"slices"

	"pakbox/gbx"
	"pakbox/gbx/classid"
)

// Covered is what was understood of all chunks with one ID.
type Covered struct {
	Chunk   classid.ID // as found
	Class   string
	Header  bool
	Count   int
	Bytes   int64 // without the nodes inside
	Decoded int64
}

// Coverage counts what was understood, chunk by chunk, and what is left of
// the body: class IDs, end marks and bytes of no chunk.
func (t *Tree) Coverage() []Covered {
	c := &counter{t: t, sums: map[key]*Covered{}}
	c.group(&t.Header, nil, true)
	c.group(&t.Body, nil, false)
	list := make([]Covered, 0, len(c.sums))
	for _, sum := range c.sums {
		list = append(list, *sum)
	}
	slices.SortFunc(list, func(a, b Covered) int {
		if a.Header != b.Header {
			if a.Header {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.Chunk, b.Chunk)
	})
	return list
}

type key struct {
	chunk  classid.ID
	header bool
}

type counter struct {
	t    *Tree
	sums map[key]*Covered
}

// group counts the chunks below v; sum is that of the chunk around it.
func (c *counter) group(v *Value, sum *Covered, header bool) {
	if v.Space > InBody {
		return // part of the compressed bytes
	}
	for i := range v.Children {
		child := &v.Children[i]
		switch {
		case child.Kind == Chunk:
			inner := c.sum(child, header)
			inner.Count++
			inner.Bytes += child.Length
			inner.Decoded += child.Length
			if sum != nil {
				sum.Bytes -= child.Length
				sum.Decoded -= child.Length
			}
			c.group(child, inner, header)
		case child.Kind == Leaf:
			if _, opaque := child.p.(*gbx.Opaque); opaque && sum != nil {
				sum.Decoded -= child.Length
			} else if opaque {
				// The tail of the main node: nothing is known of it, not
				// even which chunk it is.
				tail := c.sum(&Value{}, header)
				tail.Count++
				tail.Bytes += child.Length
			}
		default:
			c.group(child, sum, header)
		}
	}
}

func (c *counter) sum(v *Value, header bool) *Covered {
	var id classid.ID
	switch p := v.p.(type) {
	case *gbx.Chunk:
		id = p.ID
	case *gbx.HeaderChunk:
		id = p.ID
	}
	k := key{id, header}
	sum := c.sums[k]
	if sum == nil {
		sum = &Covered{Chunk: id, Class: c.t.reg.ClassName(id.Class()), Header: header}
		c.sums[k] = sum
	}
	return sum
}
