package game

import (
	"pakbox/gbx"
	"pakbox/gbx/code"
)

// BlockOctree is a tree of cubes: a cube larger than one block has eight parts, a cube of
// one block has a value. Only the size of the parent shows which of the two a cube is.
type BlockOctree struct {
	RootSize int32
	Size     gbx.Int3
	Nodes    []OctreeNode
}

// OctreeNode is one cube.
type OctreeNode struct {
	Parent   int32      // index of the parent, -1 for the root
	Children *[8]uint32 // indices of the parts of a cube larger than a block
	Value    uint8
	Legacy   int32 // only in version 0
}

// minOctreeNode is the smallest size of a node in bytes.
const minOctreeNode = 5

// Code reads or writes the tree.
func (t *BlockOctree) Code(x *gbx.Coder, version int) {
	x.I32(&t.RootSize, "rootSize")
	x.Int3(&t.Size, "size")
	code.List(x, &t.Nodes, minOctreeNode, "nodes")
	sizes := make([]int32, len(t.Nodes))
	for i := range t.Nodes {
		n := &t.Nodes[i]
		x.Elem(i, n)
		x.I32(&n.Parent, "parent")
		sizes[i] = t.RootSize
		if n.Parent >= 0 && int(n.Parent) < i {
			sizes[i] = sizes[n.Parent] >> 1
		}
		n.code(x, version, sizes[i] == 1)
		x.EndElem()
	}
	x.EndList()
}

func (n *OctreeNode) code(x *gbx.Coder, version int, leaf bool) {
	if !leaf {
		if n.Children == nil {
			n.Children = new([8]uint32)
		}
		for i := range n.Children {
			x.U32(&n.Children[i], x.ElemName(i))
		}
		return
	}
	x.U8(&n.Value, "value")
	if version == 0 {
		x.I32(&n.Legacy, "legacyValue")
	}
}
