package tree

import (
	"bufio"
	"io"

	"pakbox/gbx"
)

// WritePartText writes the values of one part like [WriteText], without the
// groups around it. Parts are the chunks of the header and then those of the
// main node, from 1 on.
func WritePartText(w io.Writer, f *gbx.File, reg *gbx.Registry, part int) error {
	m := &partMeasurer{measurer{cursor: newCursor()}, only(part)}
	if err := f.Walk(m); err != nil {
		return err
	}
	p := &printer{w: bufio.NewWriterSize(w, 64<<10), above: 1, silent: true}
	s := &partStreamer{streamer{builder: newBuilder(f, reg), extents: m.extents, levels: []level{{state: shown}}, p: p}, only(part)}
	p.t = s.tree
	if err := f.Walk(s); err != nil {
		return err
	}
	return p.w.Flush()
}

// partMeasurer is a measurer that passes over other parts.
type partMeasurer struct {
	measurer
	parts
}

func (m *partMeasurer) Begin(name string, p any, offset int64) {
	m.begin(p)
	m.measurer.Begin(name, p, offset)
}

func (m *partMeasurer) End(offset int64) {
	m.end()
	m.measurer.End(offset)
}

// partStreamer is a streamer that passes over other parts, and writes nothing
// but its own.
type partStreamer struct {
	streamer
	parts
}

func (s *partStreamer) Begin(name string, p any, offset int64) {
	if s.begin(p) {
		s.p.silent = !s.wanted[s.number]
	}
	s.streamer.Begin(name, p, offset)
}

func (s *partStreamer) End(offset int64) {
	s.streamer.End(offset)
	if s.end() {
		s.p.silent = true
	}
}
