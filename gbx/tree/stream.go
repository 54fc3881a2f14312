package tree

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"pakbox/gbx"
)

// WriteText writes all values of a file for people. With offsets, each line
// begins with where the value lies, how long it is, and its first bytes;
// offsets in the body are those of the uncompressed body, and those after a z
// count in the content of the compressed block around them.
//
// A file can hold millions of values, so no tree is made of them: the file is
// walked twice, once to learn how long everything is, once to write each value
// as it comes.
func WriteText(w io.Writer, f *gbx.File, reg *gbx.Registry, offsets bool) error {
	m := &measurer{cursor: newCursor()}
	if offsets {
		m.contents = map[int][]byte{}
	}
	if err := f.Walk(m); err != nil {
		return err
	}
	s := &streamer{builder: newBuilder(f, reg), extents: m.extents, levels: []level{{state: shown}}}
	t := s.tree
	t.Header = Value{Name: "header", Kind: Group, Length: m.header}
	if offsets {
		t.spaces = make([][]byte, m.spaces)
		for i, b := range m.contents {
			t.spaces[i] = b
		}
		var err error
		if t.spaces[InHeader], err = f.EncodeHeader(); err != nil {
			return err
		}
		if t.spaces[InBody], err = f.EncodeBody(); err != nil {
			return err
		}
	}
	p := &printer{t: t, w: bufio.NewWriterSize(w, 64<<10), offsets: offsets}
	s.p = p
	p.line(&t.Header, 0, fmt.Sprintf("header version %d %s", f.Header.Version, letters(&f.Header)))
	if err := f.Walk(s); err != nil {
		return err
	}
	if len(f.Rest) > 0 {
		fmt.Fprintf(p.w, "rest %s\n", blobText(f.Rest))
	}
	if len(f.Trailer) > 0 {
		fmt.Fprintf(p.w, "trailer %s\n", blobText(f.Trailer))
	}
	return p.w.Flush()
}

// extent is what must be known of a group before its content is written.
type extent struct {
	length int64
	count  int // of children
}

// measurer learns the extents of all groups, in the order of their beginnings.
type measurer struct {
	cursor
	extents []extent
	open    []int // the groups that are open, by their place in extents
	header  int64 // how long the header is

	contents map[int][]byte // of compressed blocks, by their spaces
}

func (m *measurer) Begin(name string, p any, offset int64) {
	if !m.cursor.open(name, p, offset).shared {
		m.open = append(m.open, len(m.extents))
		m.extents = append(m.extents, extent{})
	}
}

func (m *measurer) Coded(name string, p any, offset, length int64) {
	if m.leaf(name, p, offset, length) != nil && len(m.stack) == 1 {
		m.header = max(m.header, offset+length)
	}
}

func (m *measurer) End(offset int64) {
	f := m.close(offset)
	if f.shared {
		return
	}
	last := len(m.open) - 1
	m.extents[m.open[last]] = extent{f.Length, f.sized}
	m.open = m.open[:last]
	if len(m.stack) == 1 && f.Space == InHeader {
		m.header = max(m.header, offset)
	}
}

// Inside is told the content of a compressed block after its values were shown.
func (m *measurer) Inside(_, coded []byte, _ error) bool {
	if m.shown != 0 && m.contents != nil {
		m.contents[m.shown] = coded
	}
	m.shown = 0
	return false
}

// streamer writes values as they come.
type streamer struct {
	builder
	extents []extent
	next    int
	p       *printer
	levels  []level // one for each frame of the builder
}

// level is how far a group that is open has been written.
type level struct {
	state state
	depth int
	extent
}

type state uint8

const (
	// held: it is part of a value that is written as one line.
	held state = iota
	// pending: what its line says depends on what comes first in it.
	pending
	// shown: its line is written, and what comes in it is written at once.
	shown
)

// Begin opens a group, and writes its line if that is known already.
func (s *streamer) Begin(name string, p any, offset int64) {
	s.builder.Begin(name, p, offset)
	f, parent := s.top(), &s.levels[len(s.levels)-1]
	if f.shared {
		s.show(len(s.levels) - 1) // now the node is known
		s.levels = append(s.levels, level{state: shown, depth: parent.depth})
		return
	}
	l := level{depth: parent.depth + 1, extent: s.extents[s.next]}
	s.next++
	body := f.node != nil && len(s.stack) == 2
	if body {
		l.depth = 0
	}
	f.Length = l.length
	if parent.state != held && !isTuple(p) {
		s.showAbove(len(s.levels) - 1) // a list whose elements have lines of their own
		l.state = pending
	}
	s.levels = append(s.levels, l)
	if l.state == pending && f.Kind != List && (f.Kind != Node || body) {
		s.show(len(s.levels) - 1)
	}
}

// Coded writes a value, unless it is part of a larger one.
func (s *streamer) Coded(name string, p any, offset, length int64) {
	s.builder.Coded(name, p, offset, length)
	s.settle()
}

// End closes a group, whose line is written now if it was not before.
func (s *streamer) End(offset int64) {
	last := len(s.levels) - 1
	l, f := s.levels[last], s.top()
	if f.shared {
		s.levels = s.levels[:last]
		s.builder.End(offset)
		return
	}
	if l.state == pending {
		if f.Kind == List {
			s.p.line(&f.Value, l.depth, f.Name+" "+listText(*s.children(), l.count))
		} else {
			s.show(last)
		}
	}
	if l.state != held {
		*s.children() = nil
	}
	s.levels = s.levels[:last]
	s.builder.End(offset)
	if l.state != held && !(f.node != nil && len(s.stack) == 1) {
		c := s.children()
		*c = (*c)[:len(*c)-1] // it has been written
	}
	s.settle()
}

// settle writes the values that have come in the innermost group, or drops
// those that a line has no room for.
func (s *streamer) settle() {
	f, l, c := s.top(), &s.levels[len(s.levels)-1], s.children()
	switch {
	case l.state == shown:
		for i := range *c {
			s.p.value(&(*c)[i], l.depth+1)
		}
		*c = (*c)[:0]
	case l.state == pending && f.Kind == List && len(*c) > mostShown:
		*c = (*c)[:mostShown]
	}
}

// showAbove writes the line of the group around the one opened last.
func (s *streamer) showAbove(i int) {
	inner := s.kept[len(s.kept)-1]
	s.kept = s.kept[:len(s.kept)-1]
	s.show(i)
	s.kept = append(s.kept, inner)
}

// show writes the line of a group, which is the innermost that keeps values,
// and what has come in it.
func (s *streamer) show(i int) {
	f, l := &s.stack[i], &s.levels[i]
	if l.state != pending {
		return
	}
	l.state = shown
	v := &f.Value
	switch f.Kind {
	case List:
		s.p.line(v, l.depth, fmt.Sprintf("%s (%d)", v.Name, l.count))
	case Node:
		s.p.line(v, l.depth, v.Name+" "+s.p.t.NodeText(v))
	case Chunk:
		s.p.line(v, l.depth, s.p.chunkText(v))
	default:
		s.p.line(v, l.depth, v.Name)
	}
	c := s.children()
	for j := range *c {
		s.p.value(&(*c)[j], l.depth+1)
	}
	*c = (*c)[:0]
}

// listText shows the first values of a list of n single ones on one line.
func listText(values []Value, n int) string {
	parts := make([]string, 0, mostShown)
	for i := range values[:min(len(values), mostShown)] {
		text, ok := tuple(&values[i])
		if !ok {
			text = values[i].Text()
		}
		parts = append(parts, text)
	}
	if n > mostShown {
		return fmt.Sprintf("[%s, …] (%d)", strings.Join(parts, ", "), n)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
