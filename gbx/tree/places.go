package tree

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"

	"pakbox/archive"
	"pakbox/gbx"
)

// Edit compares a changed file with the original file.
type Edit struct {
	old, meant *coding
	data       []byte
}

// NewEdit encodes the original file and the changed file.
func NewEdit(found, meant *gbx.File) (*Edit, error) {
	old, err := codingOf(found)
	if err != nil {
		return nil, err
	}
	want, err := codingOf(meant)
	if err != nil {
		return nil, err
	}
	data, err := meant.EncodeRevised(old.Coding, want.Coding)
	if err != nil {
		return nil, err
	}
	return &Edit{old: old, meant: want, data: data}, nil
}

// Data returns the bytes of the changed file.
func (e *Edit) Data() []byte { return e.data }

// Reread is the result of [Edit.Reread].
type Reread struct {
	Same    bool // the file that was read again has the values of the changed file
	Exact   bool // encoding gives the same bytes, and no compressed block is near the change
	Changes []archive.ByteChange
}

// Reread compares the changed file with read, which is the same file after saving and
// reading it. It lists the bytes that the edit has changed; see [ByteDiff].
func (e *Edit) Reread(read *gbx.File) (*Reread, error) {
	e.meant.Share(read)
	e.meant.spaces[InBody] = e.meant.Body
	new, err := codingOf(read)
	if err != nil {
		return nil, err
	}
	findNear(e.old, new)
	changed := e.old.changed(new)
	r := &Reread{}
	if r.Same, err = samePlaces(e.meant, new, changed); err != nil || !r.Same {
		return r, err
	}
	r.Changes, err = byteDiff(e.old, new)
	r.Exact = read.Exact(new.Coding) && new.blocks == 0
	return r, err
}

// samePlaces reports whether two files have the same encoded bytes, and the values of
// some parts at the same offsets. Only changed parts must be compared, because the values
// of a part depend only on its bytes and on counts in other parts.
func samePlaces(a, b *coding, parts map[int]bool) (bool, error) {
	if a.outline != b.outline || !bytes.Equal(a.Header, b.Header) || !bytes.Equal(a.Body, b.Body) {
		return false, nil
	}
	x, y := newPlaces(parts, b.near[InBody]), newPlaces(parts, b.near[InBody])
	if err := a.file.Walk(x); err != nil {
		return false, err
	}
	if err := b.file.Walk(y); err != nil {
		return false, err
	}
	return x.sum.Sum64() == y.sum.Sum64(), nil
}

// placeSum hashes names and offsets.
type placeSum struct{ sum maphash.Hash }

func (p *placeSum) add(name string, offset, length int64) {
	var place [16]byte
	binary.LittleEndian.PutUint64(place[:], uint64(offset))
	binary.LittleEndian.PutUint64(place[8:], uint64(length))
	p.sum.WriteString(name)
	p.sum.Write(place[:])
}

// places is a visitor that hashes names and offsets of the values in some parts. For
// packed lists after the change it hashes only the length.
type places struct {
	placeSum
	parts
	changed *near // the change in the body; nil for none
	at      int64 // the offset of the next value
	content int   // depth at the beginning of a compressed content; 0 outside
}

func newPlaces(wanted map[int]bool, changed *near) *places {
	p := &places{parts: parts{wanted: wanted}, changed: changed}
	p.sum.SetSeed(seed)
	return p
}

func (p *places) Value(string, any) {}

func (p *places) Coded(name string, _ any, offset, length int64) {
	p.add(name, offset, length)
	p.at = offset + length
}

func (p *places) Begin(name string, v any, offset int64) {
	p.begin(v)
	p.add(name, offset, -1)
	p.at = offset
	if name == "content" && p.content == 0 {
		p.content = p.depth
	}
}

func (p *places) End(offset int64) {
	if p.depth == p.content {
		p.content = 0
	}
	p.end()
	p.add("", offset, -2)
	p.at = offset
}

func (p *places) Wants(name string, v any) bool {
	list, packed := v.(gbx.PackedList)
	if !packed || p.main == 0 || p.content > 0 || p.changed != nil && p.at < p.changed.to {
		return p.parts.Wants(name, v)
	}
	p.add(name, int64(list.Len()), -3)
	return false
}

// Inside makes places a [gbx.DeepVisitor], which sees compressed blocks.
func (p *places) Inside(_, _ []byte, _ error) bool { return false }

var _ gbx.Chooser = (*places)(nil)
