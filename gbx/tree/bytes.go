package tree

import (
	"bytes"
	"errors"
	"hash/maphash"
	"slices"

	"pakbox/archive"
	"pakbox/gbx"
)

// ByteDiff lists the bytes that differ between two versions of a file: in the header, in
// the uncompressed body and in the contents of compressed blocks. It examines only values
// near a difference.
func ByteDiff(a, b *gbx.File) ([]archive.ByteChange, error) {
	old, err := codingOf(a)
	if err != nil {
		return nil, err
	}
	new, err := codingOf(b)
	if err != nil {
		return nil, err
	}
	findNear(old, new)
	return byteDiff(old, new)
}

func findNear(old, new *coding) {
	clear(old.near) // of an earlier comparison
	clear(new.near)
	nearOf(old, new, InHeader)
	nearOf(old, new, InBody)
}

func byteDiff(old, new *coding) ([]archive.ByteChange, error) {
	wanted := aroundOf(old, new)
	if err := errors.Join(old.addSums(wanted), new.addSums(wanted)); err != nil {
		return nil, err
	}
	var differ []int
	for i := range min(len(old.sums), len(new.sums)) {
		if old.sums[i] != new.sums[i] {
			differ = append(differ, InBody+1+i)
		}
	}
	if err := errors.Join(old.unpack(differ, wanted), new.unpack(differ, wanted)); err != nil {
		return nil, err
	}
	for _, space := range differ {
		nearOf(old, new, space)
	}
	if err := errors.Join(old.look(wanted), new.look(wanted)); err != nil {
		return nil, err
	}
	var list []archive.ByteChange
	for _, space := range append([]int{InHeader, InBody}, differ...) {
		x, y := old.near[space], new.near[space]
		if x == nil || x.path != y.path {
			continue
		}
		part := [...]string{"header", "body", "inside " + x.path}[min(space, InBody+1)]
		list = append(list, spaceDiff(part, old.spaces[space], new.spaces[space], x, y)...)
	}
	return list, nil
}

func nearOf(old, new *coding, space int) {
	x, y := old.spaces[space], new.spaces[space]
	n := commonPrefix(x, y)
	m := commonSuffix(x[n:], y[n:])
	if n < max(len(x), len(y)) {
		old.near[space] = &near{from: int64(n), to: int64(len(x) - m)}
		new.near[space] = &near{from: int64(n), to: int64(len(y) - m)}
	}
}

// aroundOf returns the parts with a difference and their neighbours; nil for all.
func aroundOf(old, new *coding) map[int]bool {
	if !old.sameParts(new) {
		return nil
	}
	list := map[int]bool{}
	for _, c := range []*coding{old, new} {
		for i, p := range c.parts {
			if at := c.near[p.space]; at != nil && p.from <= at.to && p.to >= at.from {
				list[i], list[i+1], list[i+2] = true, true, true // parts are numbered from 1
			}
		}
	}
	return list
}

// near is a range of bytes that differ, with the values in it and the first value after
// it.
type near struct {
	from, to int64
	path     string // path of the compressed block, if the range is in its content
	before   int64  // end of the last value before the range
	values   []placed
	after    bool // values includes the value after the range
}

// addSums hashes the contents of the compressed blocks in the wanted parts.
func (o *coding) addSums(wanted map[int]bool) error {
	c := &contents{parts: parts{wanted: wanted}, seen: func(i int, coded []byte) {
		for i >= len(o.sums) {
			o.sums = append(o.sums, 0)
		}
		o.sums[i] = maphash.Bytes(seed, coded)
	}}
	err := o.file.Outline(c)
	o.blocks = c.blocks
	return err
}

// unpack stores the contents of some compressed blocks in the wanted parts.
func (o *coding) unpack(spaces []int, wanted map[int]bool) error {
	if len(spaces) == 0 {
		return nil
	}
	return o.file.Outline(&contents{parts: parts{wanted: wanted}, seen: func(i int, coded []byte) {
		if space := InBody + 1 + i; slices.Contains(spaces, space) {
			o.spaces[space] = coded
		}
	}})
}

// contents is a visitor that calls seen with the content of each compressed block.
// Contents are numbered in the order in which they begin.
type contents struct {
	parts
	seen   func(i int, coded []byte)
	begun  int   // number of contents so far
	groups []int // for each open group the number of its content, or -1
	closed int   // the same for the group that ended last
	blocks int   // number of compressed blocks so far, including those that cannot be decoded
}

func (c *contents) Value(string, any)               {}
func (c *contents) Coded(string, any, int64, int64) {}

func (c *contents) Begin(_ string, p any, _ int64) {
	c.begin(p)
	number := -1
	switch p.(type) {
	case *gbx.Node, *gbx.Chunk, *gbx.HeaderChunk:
	default:
		number = c.begun
		c.begun++
	}
	c.groups = append(c.groups, number)
}

func (c *contents) End(int64) {
	c.end()
	last := len(c.groups) - 1
	c.closed, c.groups = c.groups[last], c.groups[:last]
}

func (c *contents) Inside(_, coded []byte, err error) bool {
	c.blocks++
	if err == nil && c.closed >= 0 {
		c.seen(c.closed, coded)
	}
	return false
}

// look collects the values near the differences.
func (o *coding) look(wanted map[int]bool) error {
	if len(o.near) == 0 {
		return nil
	}
	inside := false
	for space := range o.near {
		inside = inside || space > InBody
	}
	n := &nearby{cursor: newCursor(), near: o.near, inside: inside}
	n.wanted = wanted
	return o.file.Walk(n)
}

// nearby is the visitor of look. It finds the values around each difference.
type nearby struct {
	cursor
	near   map[int]*near
	inside bool // there are differences in compressed blocks
}

func (n *nearby) Coded(name string, p any, offset, length int64) {
	v := n.leaf(name, p, offset, length)
	if v == nil {
		return
	}
	at := n.near[v.Space]
	if at == nil || at.after {
		return
	}
	end := offset + length
	if end < at.from || end == at.from && length > 0 {
		at.before = end
		return
	}
	at.after = offset >= at.to
	own := *v
	at.values = append(at.values, placed{n.path() + separator(v.Name) + v.Name, &own})
}

func (n *nearby) Begin(name string, p any, offset int64) {
	f := n.open(name, p, offset)
	if at := n.near[f.Space]; at != nil && f.Space > InBody && at.path == "" {
		at.path = n.path()
	}
}

// Wants skips the packed lists of the body after the difference.
func (n *nearby) Wants(name string, p any) bool {
	at := n.near[InBody]
	if _, packed := p.(gbx.PackedList); packed && n.space == InBody && (at == nil || at.after) && !n.inside {
		return false
	}
	return n.parts.Wants(name, p)
}

// placed is a single value with its path.
type placed struct {
	path string
	*Value
}

// spaceDiff compares the values near a difference, and the bytes between them.
func spaceDiff(part string, old, new []byte, a, b *near) []archive.ByteChange {
	var list []archive.ByteChange
	compare := func(place string, at int64, x, y []byte) {
		if !bytes.Equal(x, y) {
			list = append(list, archive.ByteChange{Part: part, Place: place, Offset: at, Old: x, New: y})
		}
	}
	if len(a.values) != len(b.values) { // values were added or removed
		compare("", a.from, old[a.from:a.to], new[b.from:b.to])
		return list
	}
	if len(a.values) == 0 { // only bytes after the last value differ
		compare("end", a.from, old[a.from:a.to], new[b.from:b.to])
		return list
	}
	x, y := a.before, b.before
	for i := range a.values {
		v, w := a.values[i], b.values[i]
		for _, r := range changedWords(old[x:max(x, v.Offset)], new[y:max(y, w.Offset)]) {
			r.Part, r.Place, r.Offset, r.Size = part, "sizes before "+v.path, r.Offset+x, true
			list = append(list, r)
		}
		compare(v.path, v.Offset, old[v.Offset:v.Offset+v.Length], new[w.Offset:w.Offset+w.Length])
		if last := len(list) - 1; last >= 0 && list[last].Place == v.path && list[last].Part == part {
			list[last].OldText, list[last].NewText = v.Text(), w.Text()
		}
		x, y = v.Offset+v.Length, w.Offset+w.Length
	}
	compare("end", x, old[x:], new[y:])
	return list
}

// changedWords compares sizes and counts, which are words of four bytes between the
// values.
func changedWords(old, new []byte) []archive.ByteChange {
	if len(old) != len(new) {
		return []archive.ByteChange{{Old: old, New: new}}
	}
	const word = 4
	var list []archive.ByteChange
	for at := 0; at < len(old); at += word {
		end := min(at+word, len(old))
		if !bytes.Equal(old[at:end], new[at:end]) {
			list = append(list, archive.ByteChange{Offset: int64(at), Old: old[at:end], New: new[at:end]})
		}
	}
	return list
}

// block is the number of bytes that are compared at once.
const block = 4096

func commonPrefix(a, b []byte) int {
	n, most := 0, min(len(a), len(b))
	for n+block <= most && bytes.Equal(a[n:n+block], b[n:n+block]) {
		n += block
	}
	for n < most && a[n] == b[n] {
		n++
	}
	return n
}

func commonSuffix(a, b []byte) int {
	n, most := 0, min(len(a), len(b))
	a, b = a[len(a)-most:], b[len(b)-most:]
	for n+block <= most && bytes.Equal(a[most-n-block:most-n], b[most-n-block:most-n]) {
		n += block
	}
	for n < most && a[most-1-n] == b[most-1-n] {
		n++
	}
	return n
}
