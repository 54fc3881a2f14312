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
	exact  bool    // the Id announced last is stored otherwise than a new one would be
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
}

func newCursor() cursor {
	c := cursor{spaces: InBody + 1}
	c.push(Value{Name: "header", Kind: Group})
	c.count++
	return c
}

func (c *cursor) push(v Value) *frame {
	n := len(c.stack)
	var few []string
	if n < cap(c.stack) { // the room of a group that was here before
		few = c.stack[:n+1][n].few[:0]
	}
	c.stack = append(c.stack, frame{Value: v, number: c.count, space: c.space, few: few})
	return &c.stack[n]
}

func (c *cursor) top() *frame { return &c.stack[len(c.stack)-1] }

// Value counts the values.
func (c *cursor) Value(string, any) { c.seq++ }

// Usual is told how an Id is stored.
func (c *cursor) Usual(usual bool) { c.exact = !usual }

// leaf returns the value that was coded, unless it is part of what its group
// says about itself.
func (c *cursor) leaf(name string, p any, offset, length int64) (v Value, ok bool) {
	top := c.top()
	if _, id := p.(*classid.ID); id && top.Kind == Node {
		return v, false
	}
	v = Value{Name: top.called(name), p: p, Space: c.space, Offset: offset, Length: length, seq: c.seq - 1}
	if _, id := p.(*gbx.Id); id {
		v.exact = c.exact
	}
	top.sized++
	c.count++
	return v, true
}

// open opens a group. Where that is the node of the reference opened last, it
// is shared.
func (c *cursor) open(name string, p any, offset int64) *frame {
	v := Value{Name: name, Kind: Group, p: p, Space: c.space, Offset: offset}
	top := c.top()
	switch p := p.(type) {
	case *gbx.Ref:
		v.Kind = Node
	case *gbx.Node:
		if top.Kind == Node {
			top.node = p
			f := c.push(Value{})
			f.shared = true
			return f
		}
		v.Name, v.Kind, v.node = "body", Node, p
		v.Space = InBody
	case *gbx.Chunk:
		v.Kind, v.Name = Chunk, p.ID.String()
	case *gbx.HeaderChunk:
		v.Kind, v.Name = Chunk, p.ID.String()
	default:
		if isList(p) {
			v.Kind = List
		} else if _, block := top.p.(compressed); block && name == "content" {
			v.Space = c.spaces
			c.spaces++
		}
	}
	if !c.isBody(&v) {
		v.Name = top.called(v.Name)
		top.sized++
	}
	f := c.push(v)
	c.count++
	c.space = v.Space
	return f
}

// isBody reports whether v is the main node.
func (c *cursor) isBody(v *Value) bool { return v.Kind == Node && v.node != nil && len(c.stack) == 1 }

// close closes the group opened last.
func (c *cursor) close(offset int64) frame {
	f := *c.top()
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
	n := f.seen(name) + 1
	f.note(name)
	return numbered(name, n)
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

// isList reports whether p points to a list of values.
func isList(p any) bool {
	t := reflect.TypeOf(p)
	if t == nil || t.Kind() != reflect.Pointer {
		return false
	}
	k := t.Elem().Kind()
	return k == reflect.Slice || k == reflect.Array
}
