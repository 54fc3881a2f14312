package tree

import (
	"bytes"
	"reflect"
	"strconv"
	"strings"

	"pakbox/gbx"
	"pakbox/gbx/classid"
)

// Kind says what a [Value] is.
type Kind uint8

// The kinds of values.
const (
	Leaf  Kind = iota // a number, text, Id, or bytes
	Group             // named values
	List              // numbered values
	Node              // a node with its chunks, or a reference to one
	Chunk             // of a node or of the header
)

// Value is one value of a file or a group of values.
type Value struct {
	Name     string
	Kind     Kind
	Children []Value

	// Where it lies: Offset and Length in the header, the uncompressed body,
	// or the content of a compressed block.
	Space  int
	Offset int64
	Length int64

	p     any       // its address in the file's structs
	node  *gbx.Node // of a Node whose content stands here
	exact bool      // an Id that is stored otherwise than a new one would be
	seq   int       // of a Leaf: its number in the order of coding
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

	reg     *gbx.Registry
	spaces  [][]byte
	inexact map[int]bool // compressed blocks whose content is coded otherwise than it was found

	externals map[int]string // paths of files outside by the index of references to them, made when needed
}

// Of returns the tree of a file. It shares the file's memory and shows it as
// it is at this moment.
func Of(f *gbx.File, reg *gbx.Registry) (*Tree, error) {
	b := newBuilder(f, reg)
	if err := f.Walk(&b); err != nil {
		return nil, err
	}
	t := b.tree
	t.Header = b.stack[0].Value
	t.setLength(&t.Header)
	header, err := f.EncodeHeader()
	if err != nil {
		return nil, err
	}
	body, err := f.EncodeBody()
	if err != nil {
		return nil, err
	}
	t.spaces[InHeader], t.spaces[InBody] = header, body
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
	tree  *Tree
	stack []frame
	space int
	ids   *idScope
	seq   int
	shown int // the compressed block whose values were shown last, 0 for none
}

// frame is a group that is still open.
type frame struct {
	Value
	shared bool // a node that is shown as part of the reference to it
	space  int  // to return to
	ids    *idScope
	few    []string       // names of children, as long as there are few
	many   map[string]int // and how often there was each, when there are more
}

// fewNames is how many names are looked through one by one.
const fewNames = 16

// seen tells how often a child of that name has been added.
func (f *frame) seen(name string) int {
	n := f.many[name]
	for _, s := range f.few {
		if s == name {
			n++
		}
	}
	return n
}

// note remembers the name of a child. A node may have very many chunks.
func (f *frame) note(name string) {
	if len(f.few) < fewNames {
		f.few = append(f.few, name)
		return
	}
	if f.many == nil {
		f.many = map[string]int{}
	}
	f.many[name]++
}

func newBuilder(f *gbx.File, reg *gbx.Registry) builder {
	b := builder{tree: &Tree{File: f, reg: reg, spaces: make([][]byte, 2)}}
	b.push(Value{Name: "header", Kind: Group})
	return b
}

func (b *builder) push(v Value) {
	b.stack = append(b.stack, frame{Value: v, space: b.space, ids: b.ids})
}

func (b *builder) top() *frame { return &b.stack[len(b.stack)-1] }

// Value counts the values; see [Set].
func (b *builder) Value(string, any) { b.seq++ }

// Coded adds a value to the group open now.
func (b *builder) Coded(name string, p any, offset, length int64) {
	top := b.top()
	if _, ok := p.(*classid.ID); ok && top.Kind == Node {
		return // it is part of what the node says about itself
	}
	v := Value{Name: name, p: p, Space: b.space, Offset: offset, Length: length, seq: b.seq - 1}
	if id, ok := p.(*gbx.Id); ok {
		v.exact = !b.ids.usual(*id)
	}
	top.add(v)
}

// Begin opens a group.
func (b *builder) Begin(name string, p any, offset int64) {
	v := Value{Name: name, Kind: Group, p: p, Space: b.space, Offset: offset}
	ids := b.ids
	switch p := p.(type) {
	case *gbx.Ref:
		v.Kind = Node
	case *gbx.Node:
		if top := b.top(); top.Kind == Node {
			top.node = p
			b.push(Value{})
			b.top().shared = true
			return
		}
		v.Name, v.Kind, v.node = "body", Node, p
		v.Space, ids = InBody, newScope(b.tree.File.IdVersion)
	case *gbx.Chunk:
		v.Kind, v.Name = Chunk, p.ID.String()
	case *gbx.HeaderChunk:
		v.Kind, v.Name, ids = Chunk, p.ID.String(), newScope(p.IdVersion)
	case *gbx.Encapsulation:
		ids = newScope(p.IdVersion)
	default:
		if isList(p) {
			v.Kind = List
		} else if _, block := b.top().p.(compressed); block && name == "content" {
			b.tree.spaces = append(b.tree.spaces, nil)
			v.Space, ids = len(b.tree.spaces)-1, &idScope{}
		}
	}
	b.push(v)
	b.space, b.ids = v.Space, ids
}

// compressed is a compressed block.
type compressed interface{ Bytes() ([]byte, error) }

// isList reports whether p points to a list of values.
func isList(p any) bool {
	t := reflect.TypeOf(p)
	if t == nil || t.Kind() != reflect.Pointer {
		return false
	}
	k := t.Elem().Kind()
	return k == reflect.Slice || k == reflect.Array
}

// End closes the group opened last.
func (b *builder) End(offset int64) {
	f := *b.top()
	b.stack = b.stack[:len(b.stack)-1]
	if f.shared {
		// Chunks were added to the node's stand-in.
		for _, c := range f.Children {
			b.top().add(c)
		}
		return
	}
	b.shown = 0
	if f.Space > f.space && f.Space > InBody {
		b.shown = f.Space
	}
	b.space, b.ids = f.space, f.ids
	f.Length = offset - f.Offset
	if f.Kind == Node && f.Name == "body" && len(b.stack) == 1 {
		b.tree.Body = f.Value
		return
	}
	b.top().add(f.Value)
}

// Inside is told the content of a compressed block right after its values
// were shown, or why they could not be.
func (b *builder) Inside(found, coded []byte, _ error) bool {
	if b.shown != 0 {
		// Offsets count in what the values give.
		b.tree.spaces[b.shown] = coded
		if !bytes.Equal(found, coded) {
			if b.tree.inexact == nil {
				b.tree.inexact = map[int]bool{}
			}
			b.tree.inexact[b.shown] = true
		}
	}
	b.shown = 0
	return false
}

// add appends a value, with a number if its name was there before.
func (f *frame) add(v Value) {
	if f.Kind != List {
		n := f.seen(v.Name) + 1
		f.note(v.Name)
		v.Name = numbered(v.Name, n)
	}
	f.Children = append(f.Children, v)
}

// base is a name without its number.
func base(name string) string {
	name, _, _ = strings.Cut(name, "#")
	return name
}

// numbered is the name of the n-th child of a name.
func numbered(name string, n int) string {
	if n == 1 {
		return name
	}
	return name + "#" + strconv.Itoa(n)
}

// idScope follows the list of texts of Ids, to tell which Ids are stored the
// way a new one would be.
type idScope struct {
	skipper bool // the list is that of the game, and no word follows from the file
	count   int
	places  map[string]int
}

func newScope(idVersion uint32) *idScope { return &idScope{skipper: idVersion == skipperIDs} }

const (
	idLocal = 0x40000000
	idIndex = 0x3FFFFFFF
	idNone  = 0xFFFFFFFF
)

// usual reports whether the Id's word is the one that its meaning gives.
func (s *idScope) usual(id gbx.Id) bool {
	if s.skipper {
		return false
	}
	text, ok := id.Name()
	if !ok {
		return id.Word() == idNone || id.Word() <= idIndex
	}
	place, known := s.places[text]
	if id.Word()&idIndex == 0 || !known {
		s.count++
		if !known {
			if s.places == nil {
				s.places = map[string]int{}
			}
			s.places[text] = s.count
		}
	}
	return id.Word() == idLocal|uint32(place)
}
