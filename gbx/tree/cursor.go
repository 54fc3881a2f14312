package tree

import (
	"reflect"
	"strconv"

	"pakbox/gbx"
	"pakbox/gbx/classid"
)

// cursor is the base of the visitors in this package. It follows a walk and keeps the
// open groups, and the name and offset of every value.
type cursor struct {
	parts
	stack  []frame // open groups; the first is the header, even in the body
	space  int     // the current space of offsets
	spaces int     // the number of spaces so far
	seq    int     // number of values so far; see [Set]
	count  int     // number of values and groups so far
	shown  int     // space of the compressed content that ended last; 0 for none
	last   Value   // the last single value
	exact  bool    // the word of the last ID differs from that of a new ID
	before int     // seq at the beginning of the current part
}

// frame is an open group.
type frame struct {
	Value
	number int            // number of the group among all values and groups
	shared bool           // the group is a node that is shown as part of its reference
	space  int            // the space outside the group
	sized  int            // the number of children so far
	few    []string       // names of the first children
	many   map[string]int // further names of children, with their counts
	marks  uint64         // bits for the names of all children; see markOf
}

func newCursor() cursor {
	c := cursor{spaces: InBody + 1}
	f := c.push()
	f.Name, f.Kind = "header", Group
	c.count++
	return c
}

func (c *cursor) push() *frame {
	n := len(c.stack)
	if n == cap(c.stack) {
		c.stack = append(c.stack, frame{})
	}
	c.stack = c.stack[:n+1]
	f := &c.stack[n]
	few := f.few[:0]
	*f = frame{}
	f.number, f.space, f.few = c.count, c.space, few // reuses the memory of few
	return f
}

func (c *cursor) top() *frame { return &c.stack[len(c.stack)-1] }

// Value counts the values; see [gbx.Visitor].
func (c *cursor) Value(string, any) { c.seq++ }

// Usual records how an ID is stored; see [gbx.IDVisitor].
func (c *cursor) Usual(usual bool) { c.exact = !usual }

// Coded, Begin, End and Inside update the cursor.
func (c *cursor) Coded(name string, p any, offset, length int64) { c.leaf(name, p, offset, length) }

// Begin opens a group.
func (c *cursor) Begin(name string, p any, offset int64) { c.open(name, p, offset) }

// End closes the group that was opened last.
func (c *cursor) End(offset int64) { c.close(offset) }

// Inside makes the cursor a [gbx.DeepVisitor], which also sees the contents of compressed
// blocks.
func (c *cursor) Inside(_, _ []byte, _ error) bool {
	c.shown = 0
	return false
}

// leaf returns the value that was just read or written; nil for the class ID of a node.
// It is valid until the next value.
func (c *cursor) leaf(name string, p any, offset, length int64) *Value {
	top := c.top()
	if top.Kind == Node {
		if _, id := p.(*classid.ID); id {
			return nil
		}
	}
	v := &c.last
	v.Name, v.p, v.Space, v.Offset, v.Length, v.seq = top.called(name), p, c.space, offset, length, c.seq-1
	_, id := p.(*gbx.ID)
	v.exact = id && c.exact
	top.sized++
	c.count++
	return v
}

// open opens a group and returns its frame. A node shares the frame of its reference.
func (c *cursor) open(name string, p any, offset int64) *frame {
	if c.parts.begin(p) {
		c.before = c.seq
	}
	top := c.top()
	kind, space := Group, c.space
	var body *gbx.Node
	switch p := p.(type) {
	case *gbx.Ref:
		kind = Node
	case *gbx.Node:
		if top.Kind == Node {
			top.node = p
			f := c.push()
			f.shared = true
			return f
		}
		name, kind, body, space = "body", Node, p, InBody
	case *gbx.Chunk:
		kind, name = Chunk, p.ID.String()
	case *gbx.HeaderChunk:
		kind, name = Chunk, p.ID.String()
	default:
		if isList(p) {
			kind = List
		} else if name == "content" && isBlock(top.p) {
			space = c.spaces
			c.spaces++
		}
	}
	if body == nil || len(c.stack) > 1 { // the main node is not part of the header
		name = top.called(name)
		top.sized++
	}
	f := c.push()
	f.Name, f.Kind, f.node, f.p = name, kind, body, p
	f.Space, f.Offset = space, offset
	c.count++
	c.space = space
	return f
}

func (c *cursor) isBody(v *Value) bool { return v.Kind == Node && v.node != nil && len(c.stack) == 1 }

// close closes the last group and returns its frame. It is valid until the next group.
func (c *cursor) close(offset int64) *frame {
	c.parts.end()
	f := c.top()
	c.stack = c.stack[:len(c.stack)-1]
	if f.shared {
		return f
	}
	c.shown = 0
	if f.Space > f.space && f.Space > InBody {
		c.shown = f.Space
	}
	c.space = f.space
	f.Length = offset - f.Offset
	return f
}

// path returns the path of the group that was opened last.
func (c *cursor) path() string {
	path := ""
	frames := c.stack
	if len(frames) > 1 && frames[1].Space != InHeader {
		frames = frames[1:] // the body is not part of the header
	}
	for i := range frames {
		if f := &frames[i]; !f.shared {
			if path != "" {
				path += separator(f.Name)
			}
			path += f.Name
		}
	}
	return path
}

// called returns the name of a new child. It gets a number if another child has the same
// name.
func (f *frame) called(name string) string {
	if f.Kind == List {
		return name
	}
	n := 1
	mark := markOf(name)
	if f.marks&mark != 0 {
		n += f.seen(name)
	}
	f.marks |= mark
	f.note(name)
	if n == 1 {
		return name
	}
	return numbered(name, n)
}

// markOf returns a bit for a name. If this bit is not set in frame.marks, the name is
// new.
func markOf(name string) uint64 {
	if name == "" {
		return 1
	}
	const prime = 37
	return 1 << ((uint(len(name)) + prime*uint(name[0]) + uint(name[len(name)-1])) % 64)
}

// fewNames is the number of names that are compared one by one, before a map is used.
const fewNames = 16

func (f *frame) seen(name string) int {
	n := f.many[name]
	for _, s := range f.few {
		if s == name {
			n++
		}
	}
	return n
}

// note stores the name of a child. After the first few, names are stored in a map.
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

// numbered returns the name of the n-th child with that name.
func numbered(name string, n int) string {
	if n == 1 {
		return name
	}
	return name + "#" + strconv.Itoa(n)
}

// compressed is the interface of compressed blocks, [gbx.Zlib].
type compressed interface{ Bytes() ([]byte, error) }

func isBlock(p any) bool {
	_, block := p.(compressed)
	return block
}

func isList(p any) bool {
	t := reflect.TypeOf(p)
	if t == nil || t.Kind() != reflect.Pointer {
		return false
	}
	k := t.Elem().Kind()
	return k == reflect.Slice || k == reflect.Array
}
