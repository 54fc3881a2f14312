package tree

import (
	"strings"
	"sync"

	"pakbox/gbx"
)

// Kind states what a [Value] is.
type Kind uint8

// The kinds of values.
const (
	Leaf  Kind = iota // a number, text, ID, or bytes
	Group             // named values
	List              // numbered values
	Node              // a node with its chunks, or a reference to one
	Chunk             // a chunk of a node or of the header
)

// Value is one value of a file or a group of values.
type Value struct {
	Name     string
	Kind     Kind
	exact    bool // the word of the ID differs from that of a new ID
	Children []Value

	// Space states what Offset is relative to: header, uncompressed body, or the content of
	// a compressed block.
	Space  int
	Offset int64
	Length int64

	p    any       // pointer to the value in the structs of the file
	node *gbx.Node // for a Node with chunks; nil for a reference to a node elsewhere
	seq  int       // for a Leaf: its number in the order of encoding
}

// Spaces for offsets. Higher numbers are the contents of compressed blocks.
const (
	InHeader = 0
	InBody   = 1
)

// Tree holds the values of a file.
type Tree struct {
	File   *gbx.File
	Header Value
	Body   Value

	spaces [][]byte

	once      sync.Once
	externals map[int]string // paths of external files by node index; made once
}

// Lazy returns a tree without values. Find and Resolve then search the file itself.
func Lazy(f *gbx.File) *Tree { return &Tree{File: f} }

// Of returns the tree of a file. Its values refer to the memory of the file.
func Of(f *gbx.File) (*Tree, error) { return newBuilder(f).built() }

// Outline returns the tree of a file without the values of its parts.
func Outline(f *gbx.File) (*Tree, error) {
	b := newBuilder(f)
	b.wanted = map[int]bool{}
	return b.built()
}

// namesOfParts is Outline with the values of the wanted parts, but without bytes.
func namesOfParts(f *gbx.File, wanted map[int]bool) (*Tree, error) {
	b := newBuilder(f)
	b.wanted = wanted
	return b.named()
}

// built walks through the file and returns the tree.
func (b *builder) built() (*Tree, error) {
	t, err := b.named()
	if err != nil {
		return nil, err
	}
	header, err := t.File.EncodeHeader()
	if err != nil {
		return nil, err
	}
	body, err := t.File.EncodeBody()
	if err != nil {
		return nil, err
	}
	t.spaces[InHeader], t.spaces[InBody] = header, body
	return t, nil
}

// named builds a tree with names and values, but without the bytes that built adds.
func (b *builder) named() (*Tree, error) {
	t := b.tree
	if err := t.File.Walk(b); err != nil {
		return nil, err
	}
	h := &t.Header
	*h = b.stack[0].Value
	h.Children = b.kept[0]
	for _, c := range h.Children {
		h.Length = max(h.Length, c.Offset+c.Length)
	}
	return t, nil
}

// Bytes returns the bytes of a value.
func (t *Tree) Bytes(v *Value) []byte {
	space := t.spaces[v.Space]
	if v.Offset+v.Length > int64(len(space)) {
		return nil
	}
	return space[v.Offset : v.Offset+v.Length]
}

// Inside returns the contents of compressed blocks, from space InBody+1 on, or
// nil.
func (t *Tree) Inside() [][]byte { return t.spaces[InBody+1:] }

// ClassName returns the class name of a Node with chunks; "" for other values.
func (t *Tree) ClassName(v *Value) string {
	if v.node == nil {
		return ""
	}
	return t.File.Registry().ClassName(v.node.Class)
}

// builder is the visitor that makes a tree.
type builder struct {
	cursor
	tree *Tree
	kept [][]Value // children of each open group
}

func newBuilder(f *gbx.File) *builder {
	return &builder{cursor: newCursor(), tree: &Tree{File: f, spaces: make([][]byte, 2)}, kept: make([][]Value, 1)}
}

// Done returns false, because a tree has the names of all parts.
func (b *builder) Done() bool { return false }

// children returns the children of the group that was opened last.
func (b *builder) children() *[]Value { return &b.kept[len(b.kept)-1] }

func (b *builder) add(v Value) { c := b.children(); *c = append(*c, v) }

// Coded adds a value to the current group.
func (b *builder) Coded(name string, p any, offset, length int64) {
	if v := b.leaf(name, p, offset, length); v != nil {
		b.add(*v)
	}
}

// Begin opens a group.
func (b *builder) Begin(name string, p any, offset int64) {
	f := b.open(name, p, offset)
	for f.Space >= len(b.tree.spaces) {
		b.tree.spaces = append(b.tree.spaces, nil)
	}
	if f.shared {
		return // the chunks become children of the reference
	}
	b.kept = append(b.kept, nil)
}

// End closes the group that was opened last.
func (b *builder) End(offset int64) {
	f := b.close(offset)
	if f.shared {
		return
	}
	f.Children = *b.children()
	b.kept = b.kept[:len(b.kept)-1]
	if b.isBody(&f.Value) {
		b.tree.Body = f.Value
		return
	}
	b.add(f.Value)
}

// Inside keeps the content of a compressed block, for the offsets in it.
func (b *builder) Inside(found, coded []byte, err error) bool {
	if b.shown != 0 && b.shown < len(b.tree.spaces) {
		b.tree.spaces[b.shown] = coded
	}
	return b.cursor.Inside(found, coded, err)
}

// base returns a name without its number.
func base(name string) string {
	name, _, _ = strings.Cut(name, "#")
	return name
}
