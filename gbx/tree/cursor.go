package tree

import (
	"reflect"
	"strconv"

	"pakbox/gbx"
	"pakbox/gbx/classid"
)

// cursor follows a Coder through a file for the visitors of this package: it
// knows which groups are open, what every value is called and where it lies. It
// keeps no value once its group is closed.
type cursor struct {
	stack  []frame // the header first, which stays open below the body
	space  int     // that offsets count in now
	spaces int     // how many there are
	seq    int     // values announced so far; see [Set]
	count  int     // values and groups so far
	shown  int     // the compressed block whose values were shown last, 0 for none
	last   Value   // the single value that came last
	exact  bool    // the ID announced last is stored otherwise than a new one would be
}

// frame is a group that is still open.
type frame struct {
	Value
	number int            // of the group among all values and groups
	shared bool           // a node that is shown as part of the reference to it
	space  int            // to return to
	sized  int            // how many children there were
	few    []string       // names of children, as long as there are few
	many   map[string]int // and how often there was each, when there are more
	marks  uint64         // one bit for the mark of each name, so that most new ones are known at once
}

func newCursor() cursor {
	c := cursor{spaces: InBody + 1}
	f := c.push()
	f.Name, f.Kind = "header", Group
	c.count++
	return c
}

// push opens a group of which nothing is known yet.
func (c *cursor) push() *frame {
	n := len(c.stack)
	if n == cap(c.stack) {
		c.stack = append(c.stack, frame{})
	}
	c.stack = c.stack[:n+1]
	f := &c.stack[n]
	*f = frame{number: c.count, space: c.space, few: f.few[:0]} // in the room of a group that was here before
	return f
}

func (c *cursor) top() *frame { return &c.stack[len(c.stack)-1] }

// Value counts the values.
func (c *cursor) Value(string, any) { c.seq++ }

// Usual is told how an ID is stored.
func (c *cursor) Usual(usual bool) { c.exact = !usual }

// leaf returns the value that was coded, which is there until the next; nil if
// it is part of what its group says about itself.
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

// open opens a group. Where that is the node of the reference opened last, it
// is shared.
func (c *cursor) open(name string, p any, offset int64) *frame {
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
	if body == nil || len(c.stack) > 1 { // the main node is no part of the header
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

// isBody reports whether v is the main node.
func (c *cursor) isBody(v *Value) bool { return v.Kind == Node && v.node != nil && len(c.stack) == 1 }

// close closes the group opened last and returns it, which is there until
// another is opened.
func (c *cursor) close(offset int64) *frame {
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

// path is the path of the group opened last.
func (c *cursor) path() string {
	path := ""
	frames := c.stack
	if len(frames) > 1 && frames[1].Space != InHeader {
		frames = frames[1:] // the body is no part of the header
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

// called is what a child of that name is called here: with a number if its
// name was there before.
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

// markOf is the bit that stands for a name, and for others.
func markOf(name string) uint64 {
	if name == "" {
		return 1
	}
	const prime = 37
	return 1 << ((uint(len(name)) + prime*uint(name[0]) + uint(name[len(name)-1])) % 64)
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

// numbered is the name of the n-th child of a name.
func numbered(name string, n int) string {
	if n == 1 {
		return name
	}
	return name + "#" + strconv.Itoa(n)
}

// compressed is a compressed block.
type compressed interface{ Bytes() ([]byte, error) }

// isBlock reports whether p points to a compressed block.
func isBlock(p any) bool {
	_, block := p.(compressed)
	return block
}

// isList reports whether p points to a list of values.
func isList(p any) bool {
	t := reflect.TypeOf(p)
	if t == nil || t.Kind() != reflect.Pointer {
		return false
	}
	k := t.Elem().Kind()
	return k == reflect.Slice || k == reflect.Array
}
