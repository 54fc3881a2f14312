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

// WriteValue writes one value and all below it, like [WriteText].
func (t *Tree) WriteValue(w io.Writer, v *Value, offsets bool) error {
	p := &printer{t: t, w: bufio.NewWriter(w), offsets: offsets}
	p.value(v, 0)
	return p.w.Flush()
}

// printer writes the lines of a dump.
type printer struct {
	t       *Tree
	w       *bufio.Writer
	offsets bool
	above   int  // number of outer groups that have no line
	silent  bool // write nothing
}

// shownBytes is the number of bytes of a value that a line shows.
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

func (p *printer) value(v *Value, depth int) {
	text, single := "", true
	switch v.Kind {
	case Leaf:
		text = v.Text()
	case List:
		text, single = scalars(v)
	default:
		text, single = tuple(v)
	}
	if single {
		p.line(v, depth, v.Name+" "+text)
		return
	}
	p.head(v, depth, len(v.Children))
	p.values(v.Children, depth+1)
}

func (p *printer) values(list []Value, depth int) {
	for i := range list {
		p.value(&list[i], depth)
	}
}

func (p *printer) head(v *Value, depth, count int) {
	text := v.Name
	switch v.Kind {
	case List:
		text = fmt.Sprintf("%s (%d)", v.Name, count)
	case Node:
		text += " " + p.t.NodeText(v)
	case Chunk:
		text = p.chunkText(v)
	}
	p.line(v, depth, text)
}

// NodeText returns the class and index of a node, or the target of a reference.
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

func (t *Tree) external(index int) (path string, ok bool) {
	t.once.Do(func() {
		refs := &t.File.Refs
		t.externals = make(map[int]string, len(refs.External))
		for i, path := range slices.Backward(refs.Paths()) { // backwards, so that the first file with an index wins
			t.externals[int(refs.External[i].NodeIndex)] = path
		}
	})
	path, ok = t.externals[index]
	return path, ok
}

func indexText(v *Value) string {
	if r, ok := v.p.(*gbx.Ref); ok && r.Index() >= 0 {
		return fmt.Sprintf("#%d", r.Index())
	}
	return ""
}

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
	switch c := v.p.(type) {
	case *gbx.Chunk:
		if c.Skip {
			text += " skippable"
		}
	case *gbx.HeaderChunk:
		if c.Heavy {
			text += " heavy"
		}
	}
	if _, name := p.t.ChunkName(v); name != "" {
		text += " " + name
	}
	return fmt.Sprintf("%s (%d bytes)", text, v.Length)
}

// ChunkName returns the names of a Chunk's class and of the chunk itself, as far as they
// are known; body chunks seldom have one.
func (t *Tree) ChunkName(v *Value) (class, chunk string) {
	var id classid.ID
	switch c := v.p.(type) {
	case *gbx.Chunk:
		id = c.ID
	case *gbx.HeaderChunk:
		id = c.ID
	}
	info, _ := t.File.Registry().Class(id)
	for _, c := range info.Chunks {
		if c.ID.Chunk() == id.Chunk() && c.Name != "" {
			return info.Name, c.Name
		}
	}
	return info.Name, ""
}

// mostShown is the number of elements that the line of a list shows.
const mostShown = 16

// scalars returns the text of a list of single values or tuples.
func scalars(v *Value) (string, bool) {
	for i := range v.Children {
		if c := &v.Children[i]; c.Kind != Leaf && (c.Kind != Group || !isTuple(c.p)) {
			return "", false
		}
	}
	return listText(v.Children, len(v.Children)), true
}

// tuple returns the text of a vector, a box or an ident, which fits on one line.
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

// isTuple reports whether p points to a value that tuple shows on one line.
func isTuple(p any) bool {
	switch p.(type) {
	case *gbx.Vec2, *gbx.Vec3, *gbx.Vec4, *gbx.Quat, *gbx.Color, *gbx.Int2, *gbx.Int3, *gbx.Int4, *gbx.Byte3,
		*gbx.Mat3, *gbx.Iso4, *gbx.Box, *gbx.TransQuat, *gbx.Ident:
		return true
	}
	return false
}
