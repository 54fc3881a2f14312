// Package node reads and writes the container of Simutrans object files: a line of text,
// a version code and one tree of nodes. A node is a four letter type, a body and
// children. The content of a body is left to the packages object and img.
//
// Layout, all integers little-endian, no compression, checksum or index:
//
//	text   anything up to and without 0x1A
//	u8     0x1A
//	u32    version code (1001, 1002 or 1003)
//	node   ROOT
//
//	node = 4s type, u16 children, u16 size, [u32 size], body, children…
//
// A size of 0xFFFF means that the real one follows in 32 bits, except in files of code
// 1001, where it is an ordinary size.
//
// A [File] that is read and written again has the same bytes, even with unknown nodes:
// banner, code, types, bodies and the form of each size are kept.
package node

import "strings"

// File is one object file.
type File struct {
	Banner []byte // everything before 0x1A
	Code   uint32
	Root   *Node
}

// Node is one node of the tree.
type Node struct {
	Type     Type
	Body     []byte
	Children []*Node

	Offset int64 // offset of the node's header in the file that it was read from
	wide   bool  // the file used the long size although the short one is enough
}

// New returns a file with the banner and code of makeobj, and the given objects.
func New(objects ...*Node) *File {
	return &File{
		Banner: []byte(Banner),
		Code:   Code1003,
		Root:   &Node{Type: ROOT, Children: objects},
	}
}

// The version codes.
const (
	Code1001 = 1001 // makeobj up to 50: sizes have 16 bits and no escape
	Code1003 = 1003 // makeobj 51 and later
)

// Banner is the text makeobj has written since 2010.
const Banner = bannerLine + "Compiled with SimObjects 0.1.3exp\n"

// BannerExtended is the banner of Simutrans-Extended's makeobj.
const BannerExtended = bannerLine + "Compiled with SimObjects 0.1.4ex\n"

const bannerLine = "Simutrans object file\n"

// Walk visits n and everything below it in file order. If visit returns false, the
// children of the node are skipped.
func (n *Node) Walk(visit func(n *Node, depth int) bool) { n.walk(visit, 0) }

func (n *Node) walk(visit func(*Node, int) bool, depth int) {
	if !visit(n, depth) {
		return
	}
	for _, c := range n.Children {
		c.walk(visit, depth+1)
	}
}

// BodyOffset returns the offset of a node's body in the file that it was read from. It is
// wrong for files of code 1001, which have other headers.
func (n *Node) BodyOffset() int64 { return n.Offset + n.header() }

// Child returns the i-th child, or nil if none exists.
func (n *Node) Child(i int) *Node {
	if i < 0 || i >= len(n.Children) {
		return nil
	}
	return n.Children[i]
}

// Find returns the first node of type t in n's subtree, in file order, or nil.
func (n *Node) Find(t Type) *Node {
	if n.Type == t {
		return n
	}
	for _, c := range n.Children {
		if found := c.Find(t); found != nil {
			return found
		}
	}
	return nil
}

// Clone returns a copy of the subtree that shares nothing with n.
func (n *Node) Clone() *Node {
	c := *n
	c.Body = append([]byte(nil), n.Body...)
	c.Children = make([]*Node, len(n.Children))
	for i, child := range n.Children {
		c.Children[i] = child.Clone()
	}
	return &c
}

// Equal reports whether two subtrees hold the same types, bodies and children.
func (n *Node) Equal(m *Node) bool {
	if n.Type != m.Type || string(n.Body) != string(m.Body) || len(n.Children) != len(m.Children) {
		return false
	}
	for i := range n.Children {
		if !n.Children[i].Equal(m.Children[i]) {
			return false
		}
	}
	return true
}

// named returns the node whose first two TEXT children are the name and copyright of n: n
// itself, the building of a factory, or the cursor of a bridge before version 8.
func (n *Node) named() *Node {
	for _, c := range n.Children {
		if c.Type == TEXT {
			return n
		}
	}
	for _, c := range n.Children {
		if found := c.named(); found != nil {
			return found
		}
	}
	return nil
}

// texts returns the TEXT nodes for name and copyright; either may be nil.
func (n *Node) texts() (name, copyright *Node) {
	owner := n.named()
	if owner == nil {
		return nil, nil
	}
	for _, c := range owner.Children {
		if c.Type != TEXT {
			continue
		}
		if name == nil {
			name = c
			continue
		}
		return name, c
	}
	return name, nil
}

// Name returns an object's name: the first TEXT in its subtree.
func (n *Node) Name() string {
	name, _ := n.texts()
	return name.Text()
}

// Copyright returns an object's copyright line: the TEXT after its name.
func (n *Node) Copyright() string {
	_, copyright := n.texts()
	return copyright.Text()
}

// SetName renames an object. References in other objects do not change. It returns false
// if the object has no name.
func (n *Node) SetName(name string) bool {
	text, _ := n.texts()
	return text.setText(name)
}

// SetCopyright changes an object's copyright line.
func (n *Node) SetCopyright(copyright string) bool {
	_, text := n.texts()
	return text.setText(copyright)
}

// Text returns the string of a TEXT node without its final NUL, in the author's encoding.
// It is "" for nil and for other types.
func (n *Node) Text() string {
	if n == nil || n.Type != TEXT {
		return ""
	}
	return cString(n.Body)
}

func (n *Node) setText(s string) bool {
	if n == nil {
		return false
	}
	n.Body = append([]byte(s), 0)
	return true
}

// NewText returns a TEXT node.
func NewText(s string) *Node {
	return &Node{Type: TEXT, Body: append([]byte(s), 0)}
}

// Xref is the content of an XREF node: a reference to an object by name.
type Xref struct {
	Type  Type
	Fatal bool // the game refuses to start if the target is missing
	Name  string
}

// Xref returns the reference in an XREF node; ok is false if n is no XREF.
func (n *Node) Xref() (x Xref, ok bool) {
	if n == nil || n.Type != XREF || len(n.Body) < 5 {
		return Xref{}, false
	}
	return Xref{Type: typeOf(n.Body), Fatal: n.Body[4] != 0, Name: cString(n.Body[5:])}, true
}

// NewXref returns an XREF node.
func NewXref(x Xref) *Node {
	body := append(appendType(nil, x.Type), 0)
	if x.Fatal {
		body[4] = 1
	}
	return &Node{Type: XREF, Body: append(append(body, x.Name...), 0)}
}

// cString is the text before the first NUL.
func cString(b []byte) string {
	s, _, _ := strings.Cut(string(b), "\x00")
	return s
}
