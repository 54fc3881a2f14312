package gbx

import (
	"encoding/binary"

	"pakbox/fault"
	"pakbox/gbx/classid"
)

// Ref is a reference to another node. The zero Ref refers to nothing.
type Ref struct {
	Node *Node  // nil for nothing, for an external file, and for an index without a node
	slot uint32 // the index in the file, plus one; 0 for no index
}

// NewRef returns a reference to a node. Writing gives it an index.
func NewRef(n *Node) Ref { return Ref{Node: n} }

// IndexRef returns a reference to the external file or the node with an index.
func IndexRef(index uint32) Ref { return Ref{slot: index + 1} }

// IsNil reports whether the reference is empty.
func (r Ref) IsNil() bool { return r.Node == nil && r.slot == 0 }

// Index returns the index of the reference as read, or -1.
func (r Ref) Index() int { return int(r.slot) - 1 }

// nodeTable has the nodes of a file by slot. A slot is an index plus one.
type nodeTable struct {
	nodes    []*Node          // nodes read or written so far, by slot
	external map[uint32]bool  // the slots of external files
	claimed  uint32           // number of nodes according to the header
	defined  []uint32         // slots in the order in which their nodes occur
	made     map[*Node]uint32 // the slots of nodes that were made in memory
}

func (t *nodeTable) get(slot uint32) *Node {
	if int64(slot) < int64(len(t.nodes)) {
		return t.nodes[slot]
	}
	return nil
}

func (t *nodeTable) set(slot uint32, n *Node) {
	if int(slot) >= len(t.nodes) {
		t.nodes = append(t.nodes, make([]*Node, int(slot)+1-len(t.nodes))...)
	}
	t.nodes[slot] = n
	t.defined = append(t.defined, slot)
}

// forget removes all nodes except for the first n.
func (t *nodeTable) forget(n int) {
	for _, slot := range t.defined[n:] {
		t.nodes[slot] = nil
	}
	t.defined = t.defined[:n]
}

// Ref reads or writes a reference: an index, and at its first occurrence also the node.
// Encapsulated blocks lack the index.
func (x *Coder) Ref(p *Ref, name string) {
	switch {
	case x.encap:
		x.MetaRef(p, name)
	case x.watch != nil:
		x.showRef(p, name, x.ref)
	default:
		x.ref(p, name)
	}
}

func (x *Coder) showRef(p *Ref, name string, code func(p *Ref, name string)) {
	if x.dead() {
		return
	}
	x.begin(name, p)
	if x.source != nil {
		x.buildRef(p, name)
	} else {
		code(p, name)
	}
	x.end()
}

func (x *Coder) ref(p *Ref, name string) {
	if i := x.pos; i+4 <= len(x.in) {
		p.slot = binary.LittleEndian.Uint32(x.in[i:]) + 1
		x.pos = i + 4
	} else {
		if x.dead() {
			return
		}
		if x.writing {
			x.place(p)
		}
		if x.direct {
			x.put32(p.slot - 1)
		} else {
			p.slot = uint32(x.word32(uint64(p.slot)-1, name)) + 1
		}
	}
	if p.slot == 0 || x.dead() || len(x.nodes.external) > 0 && x.nodes.external[p.slot] {
		return
	}
	if n := x.nodes.get(p.slot); n != nil {
		p.Node = n
		return
	}
	if !x.writing && int64(p.slot) > int64(len(x.src))+int64(x.nodes.claimed&0xFFFF) {
		x.Fail(fault.Corrupt, name, "node index %d is beyond what the file can hold", p.slot-1)
		return
	}
	if x.writing && p.Node == nil {
		return // an index without a node
	}
	if !x.writing {
		if !x.charge(nodeCost+int64(max(0, int(p.slot)-len(x.nodes.nodes)))*8, name) {
			return
		}
		p.Node = new(Node)
	}
	x.nodes.set(p.slot, p.Node)
	p.Node.Class = x.classWord(p.Node.Class, "class")
	x.node(p.Node)
}

// place gives an unused index to a node that was made in memory.
func (x *Coder) place(p *Ref) {
	if p.Node == nil || p.slot != 0 {
		return
	}
	t := x.nodes
	if t.made == nil {
		t.made = map[*Node]uint32{}
	}
	slot, ok := t.made[p.Node]
	if !ok {
		t.claimed++
		slot = t.claimed // the slot of index claimed-1
		t.made[p.Node] = slot
	}
	p.slot = slot
}

// MetaRef reads or writes a class ID and the node, or the word FFFFFFFF for nothing.
func (x *Coder) MetaRef(p *Ref, name string) {
	if x.watch != nil {
		x.showRef(p, name, x.metaRef)
	} else if !x.dead() {
		x.metaRef(p, name)
	}
}

func (x *Coder) metaRef(p *Ref, name string) {
	class := classid.ID(noWord)
	if p.Node != nil {
		class = p.Node.Class
	}
	class = x.classWord(class, "class")
	if x.dead() || class == noWord {
		return
	}
	if !x.writing {
		if !x.charge(nodeCost, name) {
			return
		}
		p.Node = &Node{Class: class}
	}
	x.node(p.Node)
}

// Direct reads or writes a node without index and class ID; the sheet gives the class. A
// missing node is the word 0.
func (x *Coder) Direct(p *Ref, class classid.ID, name string) {
	if x.dead() {
		return
	}
	if x.watch != nil {
		x.begin(name, p)
		defer x.end()
	}
	if x.source != nil {
		x.buildDirect(p, class)
		return
	}
	switch {
	case x.writing && p.Node == nil:
		x.word32(0, name)
		return
	case !x.writing && !x.reg.plain(class) && x.absent():
		return
	case !x.writing:
		if !x.charge(nodeCost, name) {
			return
		}
		p.Node = &Node{Class: class}
	}
	x.node(p.Node)
}

// absent reads the word 0 of a missing node, as in old replays. It does not ask a
// [Feeder] for more bytes, because a Feeder must see the node first.
func (x *Coder) absent() bool {
	if x.feed != nil && x.pos+4 > x.fed {
		return false
	}
	if x.text || x.limit-x.pos < 4 || binary.LittleEndian.Uint32(x.src[x.pos:]) != 0 {
		return false
	}
	x.pos += 4
	return true
}
