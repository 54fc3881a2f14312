package tree

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"pakbox/gbx"
)

// WriteText writes all values of a file for people. With offsets, each line has the
// offset, the length and the first bytes of the value. Offsets in the body count in the
// uncompressed body, those after z in a compressed block.
//
// It makes no tree: a first walk finds the length of every group, a second walk writes
// the text.
func WriteText(w io.Writer, f *gbx.File, offsets bool) error {
	m := &measurer{cursor: newCursor()}
	if offsets {
		m.contents = map[int][]byte{}
	}
	if err := f.Walk(m); err != nil {
		return err
	}
	p := &printer{w: bufio.NewWriterSize(w, 64<<10), offsets: offsets}
	s := newStreamer(f, m, p)
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

// WritePartText writes the values of one part like [WriteText]. Parts are the chunks of
// the header, then the chunks of the main node, numbered from 1.
func WritePartText(w io.Writer, f *gbx.File, part int) error {
	m := &measurer{cursor: newCursor()}
	m.parts = only(part)
	if err := f.Walk(m); err != nil {
		return err
	}
	p := &printer{w: bufio.NewWriterSize(w, 64<<10), above: 1, silent: true}
	s := newStreamer(f, m, p)
	s.parts = only(part)
	if err := f.Walk(s); err != nil {
		return err
	}
	return p.w.Flush()
}

// extent is the size of a group. The first line of the group shows it.
type extent struct {
	length int64
	count  int // number of children
}

// measurer is the visitor of the first walk, which finds the extents of all
// groups.
type measurer struct {
	cursor
	extents []extent
	begun   []int // open groups, as indices in extents
	header  int64 // the length of the header

	contents map[int][]byte // contents of compressed blocks, by space
}

func (m *measurer) Begin(name string, p any, offset int64) {
	if !m.open(name, p, offset).shared {
		m.begun = append(m.begun, len(m.extents))
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
	last := len(m.begun) - 1
	m.extents[m.begun[last]] = extent{f.Length, f.sized}
	m.begun = m.begun[:last]
	if len(m.stack) == 1 && f.Space == InHeader {
		m.header = max(m.header, offset)
	}
}

// Inside keeps the content of a compressed block, because lines show the first bytes of
// values.
func (m *measurer) Inside(found, coded []byte, err error) bool {
	if m.shown != 0 && m.contents != nil {
		m.contents[m.shown] = coded
	}
	return m.cursor.Inside(found, coded, err)
}

// streamer is the visitor of the second walk. It writes the values.
type streamer struct {
	*builder
	extents []extent
	next    int
	p       *printer
	levels  []level // one for each open group
}

func newStreamer(f *gbx.File, m *measurer, p *printer) *streamer {
	s := &streamer{builder: newBuilder(f), extents: m.extents, levels: []level{{state: shown}}, p: p}
	p.t = s.tree
	return s
}

// Done ends the walk after the last wanted part.
func (s *streamer) Done() bool { return s.parts.Done() }

// hush silences the printer outside the wanted part.
func (s *streamer) hush() { s.p.silent = s.wanted != nil && !s.wanted[s.part()] }

// level states how much of an open group is already written.
type level struct {
	state state
	depth int
	extent
}

type state uint8

const (
	// held: the group is part of a value that is written on one line.
	held state = iota
	// pending: the line of the group depends on its first child, so it is not written
	// yet.
	pending
	// shown: the line of the group is written; each child is written at once.
	shown
)

// Begin opens a group, and writes its line if the line does not depend on children.
func (s *streamer) Begin(name string, p any, offset int64) {
	s.builder.Begin(name, p, offset)
	s.hush()
	f, parent := s.top(), &s.levels[len(s.levels)-1]
	if f.shared {
		s.show(len(s.levels) - 1) // the line of the reference also shows the node
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
		s.showAbove(len(s.levels) - 1) // the parent is a list whose elements have their own lines
		l.state = pending
	}
	s.levels = append(s.levels, l)
	if l.state == pending && f.Kind != List && (f.Kind != Node || body) {
		s.show(len(s.levels) - 1)
	}
}

// Coded writes a single value, unless it is part of a larger value.
func (s *streamer) Coded(name string, p any, offset, length int64) {
	s.builder.Coded(name, p, offset, length)
	s.settle()
}

// End closes a group, and writes its line if it is still pending.
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
	s.hush()
	if l.state != held && !(f.node != nil && len(s.stack) == 1) {
		c := s.children()
		*c = (*c)[:len(*c)-1] // the group has been written
	}
	s.settle()
}

// settle writes the children of the innermost group, if its line is written. Of a pending
// list it keeps only the first mostShown elements.
func (s *streamer) settle() {
	f, l, c := s.top(), &s.levels[len(s.levels)-1], s.children()
	switch {
	case l.state == shown:
		s.p.values(*c, l.depth+1)
		*c = (*c)[:0]
	case l.state == pending && f.Kind == List && len(*c) > mostShown:
		*c = (*c)[:mostShown]
	}
}

// showAbove writes the line of the parent of the group that was opened last.
func (s *streamer) showAbove(i int) {
	inner := s.kept[len(s.kept)-1]
	s.kept = s.kept[:len(s.kept)-1]
	s.show(i)
	s.kept = append(s.kept, inner)
}

// show writes the line of group i, if it is pending, and its children so far.
func (s *streamer) show(i int) {
	f, l := &s.stack[i], &s.levels[i]
	if l.state != pending {
		return
	}
	l.state = shown
	s.p.head(&f.Value, l.depth, l.count)
	c := s.children()
	s.p.values(*c, l.depth+1)
	*c = (*c)[:0]
}

// listText returns the text of a list of n single values. values has the first of them.
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
