package tree

// wholeDepth is larger than the depth of any group.
const wholeDepth = 1 << 30

// fill reads the children of a group that was found, down to depth levels below it.
func (t *Tree) fill(m *Match, depth int) error {
	if m.Value.Kind == Leaf {
		return nil
	}
	b := &filler{builder: newBuilder(t.File), seen: m.seen, number: m.number, depth: depth}
	b.on = m.number == 0 // number 0 is the header
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

// filler is a builder that keeps only one group.
type filler struct {
	*builder
	seen   *choice // the groups that the search visited; numbers count only these
	number int     // number of the group to keep
	depth  int     // number of levels below the group that are kept
	on     bool    // the group is open
	filled Value
}

func (b *filler) Coded(name string, p any, offset, length int64) {
	if v := b.leaf(name, p, offset, length); v != nil && b.on && len(b.kept) <= b.depth {
		b.add(*v)
	}
}

func (b *filler) Begin(name string, p any, offset int64) {
	f := b.open(name, p, offset)
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

// Wants skips the same groups as the search did, except inside the kept group.
func (b *filler) Wants(name string, p any) bool { return b.on || b.seen.wants(b.isMain(), name, p) }
