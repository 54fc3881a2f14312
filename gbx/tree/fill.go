package tree

// wholeDepth is a depth that no group has.
const wholeDepth = 1 << 30

// fill gives a group that was found its children, down to a depth below it.
func (t *Tree) fill(m *Match, depth int) error {
	if m.Value.Kind == Leaf {
		return nil
	}
	b := &filler{builder: newBuilder(t.File, t.reg), seen: m.seen, number: m.number, depth: depth}
	b.on = m.number == 0 // the header
	if err := t.File.Walk(b); err != nil {
		return err
	}
	if m.number == 0 {
		b.filled = b.stack[0].Value
		b.filled.Children = b.kept[0]
	}
	m.Value = &b.filled
	return nil
}

// filler is a builder that keeps one group.
type filler struct {
	builder
	parts
	seen   *choice // what numbers count
	number int     // of the group
	depth  int     // how far below it values are kept
	on     bool
	filled Value
}

func (b *filler) Coded(name string, p any, offset, length int64) {
	if v := b.leaf(name, p, offset, length); v != nil && b.on && len(b.kept) <= b.depth {
		b.add(*v)
	}
}

func (b *filler) Begin(name string, p any, offset int64) {
	b.begin(p)
	f := b.builder.open(name, p, offset)
	switch {
	case f.shared:
	case f.node != nil && len(b.stack) == 2 && b.number == 0:
		b.on = false // the header has ended
	case b.on:
		b.kept = append(b.kept, nil)
	case f.number == b.number:
		b.on = true
		b.kept = make([][]Value, 1)
	}
}

func (b *filler) End(offset int64) {
	b.end()
	f := b.close(offset)
	if f.shared || !b.on {
		return
	}
	f.Children = *b.children()
	if f.number == b.number {
		b.on, b.filled = false, f.Value
		return
	}
	b.kept = b.kept[:len(b.kept)-1]
	if len(b.kept) <= b.depth {
		b.add(f.Value)
	}
}

// Wants passes over what was not looked through, but for what is filled.
func (b *filler) Wants(name string, p any) bool { return b.on || b.seen.wants(b.isMain(), name, p) }

func (b *filler) Inside(_, _ []byte, _ error) bool { return false }
