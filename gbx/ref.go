package gbx

import (
	"encoding/binary"

	"pakbox/fault"
	"pakbox/gbx/classid"
)

// Ref is a reference to another node. The zero Ref refers to nothing.
type Ref struct {
	Node *Node  // nil for nothing, for a file outside, and for an index nobody defines
	slot uint32 // the index as found, plus one; 0 when there was none
}

// NewRef returns a reference to a node; it gets its index when written.
func NewRef(n *Node) Ref { return Ref{Node: n} }

// IndexRef returns a reference by its index in a file: to a file outside, or
// to a node that stands elsewhere.
func IndexRef(index uint32) Ref { return Ref{slot: index + 1} }

// IsNil reports whether the reference is empty.
func (r Ref) IsNil() bool { return r.Node == nil && r.slot == 0 }

// Index returns the index the reference was read with, or -1. The file's
// reference table tells which indices are files outside.
func (r Ref) Index() int { return int(r.slot) - 1 }

// nodeTable holds the nodes of a file by index.
type nodeTable struct {
	nodes    []*Node // nodes read or written so far
	external map[uint32]bool
	claimed  uint32 // the header's node count
	defined  []uint32
	made     map[*Node]uint32 // slots given to nodes made in memory
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

// forget undoes all definitions after the first n.
func (t *nodeTable) forget(n int) {
	for _, slot := range t.defined[n:] {
		t.nodes[slot] = nil
	}
	t.defined = t.defined[:n]
}

// Ref codes a reference to a node. Outside encapsulated blocks it is an index,
// and where the index is met first, the node itself follows.
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

// showRef codes a reference before a visitor.
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
		return // an index nobody defines
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

// place gives a node made in memory an index that nobody uses.
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
		slot = t.claimed // index claimed-1, as a slot
		t.made[p.Node] = slot
	}
	p.slot = slot
}

// MetaRef codes a reference without an index: a class ID and the node, or
// FFFFFFFF for nothing.
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

// Direct codes a node that is simply there: no index, and the class is known.
// A zero stands for none.
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

// absent reports whether a zero stands where a direct node should begin, and
// goes past it. The controls of old replays have such nodes. It looks only at
// bytes that are there already: a [Feeder] is told of a node before it is asked
// for the node's first byte.
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
