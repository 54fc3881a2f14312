package tree

import (
	"strings"
	"sync"

	"pakbox/gbx"
)

// Kind says what a [Value] is.
type Kind uint8

// The kinds of values.
const (
	Leaf  Kind = iota // a number, text, ID, or bytes
	Group             // named values
	List              // numbered values
	Node              // a node with its chunks, or a reference to one
	Chunk             // of a node or of the header
)

// Value is one value of a file or a group of values.
type Value struct {
	Name     string
	Kind     Kind
	exact    bool // an ID that is stored otherwise than a new one would be
	Children []Value

	// Where it lies: Offset and Length in the header, the uncompressed body,
	// or the content of a compressed block.
	Space  int
	Offset int64
	Length int64

	p    any       // its address in the file's structs
	node *gbx.Node // of a Node whose content stands here
	seq  int       // of a Leaf: its number in the order of coding
}

// Spaces that offsets count in. Higher numbers are contents of compressed
// blocks.
const (
	InHeader = 0
	InBody   = 1
)

// Tree is the values of a file.
type Tree struct {
	File   *gbx.File
	Header Value
	Body   Value

	reg    *gbx.Registry
	spaces [][]byte

	once      sync.Once
	externals map[int]string // paths of files outside by the index of references to them, made once
}

// For returns a tree without values, for a file whose values are looked for by
// path. It shows the file as it is at each moment.
func For(f *gbx.File, reg *gbx.Registry) *Tree { return &Tree{File: f, reg: reg} }

// Of returns the tree of a file. It shares the file's memory and shows it as
// it is at this moment.
func Of(f *gbx.File, reg *gbx.Registry) (*Tree, error) {
	b := newBuilder(f, reg)
	return b.built(&b)
}

// built walks through the file with the builder, or what is around it, and
// returns the tree.
func (b *builder) built(v gbx.Visitor) (*Tree, error) {
	t, err := b.named(v)
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

// named is built without the bytes that values are stored in.
func (b *builder) named(v gbx.Visitor) (*Tree, error) {
	t := b.tree
	if err := t.File.Walk(v); err != nil {
		return nil, err
	}
	t.Header = b.stack[0].Value
	t.Header.Children = b.kept[0]
	t.setLength(&t.Header)
	return t, nil
}

// setLength makes the header as long as what it holds.
func (t *Tree) setLength(h *Value) {
	for _, c := range h.Children {
		h.Length = max(h.Length, c.Offset+c.Length)
	}
}

// Bytes returns the bytes that a value is stored in.
func (t *Tree) Bytes(v *Value) []byte {
	space := t.spaces[v.Space]
	if v.Offset+v.Length > int64(len(space)) {
		return nil
	}
	return space[v.Offset : v.Offset+v.Length]
}

// Inside returns the contents of the compressed blocks, that of space InBody+1
// first. One that could not be shown is nil.
func (t *Tree) Inside() [][]byte { return t.spaces[InBody+1:] }

// ClassName returns the name of the class of a Node whose content stands
// here.
func (t *Tree) ClassName(v *Value) string {
	if v.node == nil {
		return ""
	}
	return t.reg.ClassName(v.node.Class)
}

// builder is the visitor that makes a tree.
type builder struct {
	cursor
	tree *Tree
	kept [][]Value // the children of each group that is open
}

func newBuilder(f *gbx.File, reg *gbx.Registry) builder {
	return builder{cursor: newCursor(), tree: &Tree{File: f, reg: reg, spaces: make([][]byte, 2)}, kept: make([][]Value, 1)}
}

// children are those of the group opened last.
func (b *builder) children() *[]Value { return &b.kept[len(b.kept)-1] }

func (b *builder) add(v Value) { c := b.children(); *c = append(*c, v) }

// Coded adds a value to the group open now.
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
		return // its chunks are those of the reference
	}
	b.kept = append(b.kept, nil)
}

// End closes the group opened last.
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

// Inside is told the content of a compressed block right after its values
// were shown, or why they could not be.
func (b *builder) Inside(_, coded []byte, _ error) bool {
	if b.shown != 0 {
		b.tree.spaces[b.shown] = coded // offsets count in what the values give
	}
	b.shown = 0
	return false
}

// base is a name without its number.
func base(name string) string {
	name, _, _ = strings.Cut(name, "#")
	return name
}
