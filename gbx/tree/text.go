package tree

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"pakbox/gbx"
	"pakbox/gbx/classid"
)

// WriteValue writes one value of the tree like [WriteText].
func (t *Tree) WriteValue(w io.Writer, v *Value, offsets bool) error {
	p := &printer{t: t, w: bufio.NewWriter(w), offsets: offsets}
	p.value(v, 0)
	return p.w.Flush()
}

type printer struct {
	t       *Tree
	w       *bufio.Writer
	offsets bool
	above   int  // how many groups around the values have no lines
	silent  bool // nothing is written now
}

// shownBytes is how many bytes of a value a line shows.
const shownBytes = 8

func (p *printer) line(v *Value, depth int, text string) {
	if p.silent {
		return
	}
	if p.offsets {
		mark := ' '
		if v.Space > InBody {
			mark = 'z'
		}
		b := p.t.Bytes(v)
		dots := " "
		if len(b) > shownBytes {
			b, dots = b[:shownBytes], "…"
		}
		fmt.Fprintf(p.w, "%c%08x %8d  %-*s%s ", mark, v.Offset, v.Length, 3*shownBytes-1, fmt.Sprintf("% x", b), dots)
	}
	p.w.WriteString(strings.Repeat("  ", depth-p.above))
	p.w.WriteString(text)
	p.w.WriteByte('\n')
}

func (p *printer) children(v *Value, depth int) {
	for i := range v.Children {
		p.value(&v.Children[i], depth)
	}
}

func (p *printer) value(v *Value, depth int) {
	switch v.Kind {
	case Leaf:
		p.line(v, depth, v.Name+" "+v.Text())
		return
	case List:
		if text, ok := scalars(v); ok {
			p.line(v, depth, fmt.Sprintf("%s %s", v.Name, text))
			return
		}
		p.line(v, depth, fmt.Sprintf("%s (%d)", v.Name, len(v.Children)))
	case Node:
		p.line(v, depth, v.Name+" "+p.t.NodeText(v))
	case Chunk:
		p.line(v, depth, p.chunkText(v))
	default:
		if text, ok := tuple(v); ok {
			p.line(v, depth, v.Name+" "+text)
			return
		}
		p.line(v, depth, v.Name)
	}
	p.children(v, depth+1)
}

// NodeText says which node a Node is, or leads to.
func (t *Tree) NodeText(v *Value) string {
	if v.node != nil {
		return strings.TrimSpace(t.ClassName(v) + " " + indexText(v))
	}
	if r, ok := v.p.(*gbx.Ref); ok {
		if path, ok := t.external(r.Index()); ok {
			return fmt.Sprintf("%s file %q", indexText(v), path)
		}
	}
	return refText(v)
}

// external returns the path of the file outside that an index stands for.
// There may be as many of them as references to them.
func (t *Tree) external(index int) (path string, ok bool) {
	t.once.Do(func() {
		refs := &t.File.Refs
		t.externals = make(map[int]string, len(refs.External))
		for i, path := range slices.Backward(refs.Paths()) { // the first of an index counts
			t.externals[int(refs.External[i].NodeIndex)] = path
		}
	})
	path, ok = t.externals[index]
	return path, ok
}

// indexText is the index of a reference, or nothing.
func indexText(v *Value) string {
	if r, ok := v.p.(*gbx.Ref); ok && r.Index() >= 0 {
		return fmt.Sprintf("#%d", r.Index())
	}
	return ""
}

// refText is a reference in a few letters.
func refText(v *Value) string {
	if v.node != nil {
		return "node " + v.node.Class.String()
	}
	if index := indexText(v); index != "" {
		return index
	}
	return "none"
}

func (p *printer) chunkText(v *Value) string {
	text := v.Name
	var id classid.ID
	switch c := v.p.(type) {
	case *gbx.Chunk:
		id = c.ID
		if c.Skip {
			text += " skippable"
		}
	case *gbx.HeaderChunk:
		id = c.ID
		if c.Heavy {
			text += " heavy"
		}
	}
	if name := p.t.chunkName(id); name != "" {
		text += " " + name
	}
	return fmt.Sprintf("%s (%d bytes)", text, v.Length)
}

// chunkName returns what the engine calls a chunk, or the class it belongs
// to if that is not the node's.
func (t *Tree) chunkName(id classid.ID) string {
	info, ok := t.reg.Class(id)
	if !ok {
		return ""
	}
	for _, c := range info.Chunks {
		if c.ID.Chunk() == id.Chunk() && c.Name != "" {
			return c.Name
		}
	}
	return ""
}

// mostShown is how many numbers of a long list are shown.
const mostShown = 16

// scalars shows a list of single values on one line.
func scalars(v *Value) (string, bool) {
	for i := range v.Children {
		if c := &v.Children[i]; c.Kind != Leaf && (c.Kind != Group || !isTuple(c.p)) {
			return "", false
		}
	}
	return listText(v.Children, len(v.Children)), true
}

// tuple shows a vector, a box or an ident on one line.
func tuple(v *Value) (string, bool) {
	if !isTuple(v.p) {
		return "", false
	}
	parts := make([]string, len(v.Children))
	for i := range v.Children {
		if t, ok := tuple(&v.Children[i]); ok {
			parts[i] = t
		} else {
			parts[i] = v.Children[i].Text()
		}
	}
	return "(" + strings.Join(parts, ", ") + ")", true
}

// isTuple reports whether p points to what one line shows.
func isTuple(p any) bool {
	switch p.(type) {
	case *gbx.Vec2, *gbx.Vec3, *gbx.Vec4, *gbx.Quat, *gbx.Color, *gbx.Int2, *gbx.Int3, *gbx.Int4, *gbx.Byte3,
		*gbx.Mat3, *gbx.Iso4, *gbx.Box, *gbx.TransQuat, *gbx.Ident:
		return true
	}
	return false
}
