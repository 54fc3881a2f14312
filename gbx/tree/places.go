package tree

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"

	"pakbox/archive"
	"pakbox/gbx"
)

// Edit is a file whose values were changed, and what the change has made of it.
type Edit struct {
	old, meant *coding
	data       []byte
}

// NewEdit codes a file as it was found and as it is meant to be now.
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

// Data is the file as it is to be saved.
func (e *Edit) Data() []byte { return e.data }

// Reread is what a file says that was saved and read again.
type Reread struct {
	Same    bool // it has the values that were meant
	Exact   bool // it is coded as it was found, and what was changed holds no compressed blocks
	Changes []archive.ByteChange
}

// Reread compares the file as it was meant with the same file read again, and if
// they say the same lists the bytes that the edit has changed; see [ByteDiff].
func (e *Edit) Reread(read *gbx.File) (*Reread, error) {
	new, err := codingOf(read)
	if err != nil {
		return nil, err
	}
	changed := e.old.changed(new)
	findNear(e.old, new)
	r := &Reread{}
	if r.Same, err = samePlaces(e.meant, new, changed); err != nil || !r.Same {
		return r, err
	}
	r.Changes, err = byteDiff(e.old, new)
	r.Exact = read.Exact(new.Coding) && new.blocks == 0
	return r, err
}

// samePlaces reports whether two files are coded to the same bytes, with nodes
// and chunks at the same places, and every value of some parts of one lies where
// the value of the same name lies in the other. If those are the parts that an
// edit has changed, all values are the same: what a part holds depends on its
// bytes and, where it says how many values there are in another, on the size of
// that.
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

// placeSum sums up names and places.
type placeSum struct{ sum maphash.Hash }

func (p *placeSum) add(name string, offset, length int64) {
	var place [16]byte
	binary.LittleEndian.PutUint64(place[:], uint64(offset))
	binary.LittleEndian.PutUint64(place[8:], uint64(length))
	p.sum.WriteString(name)
	p.sum.Write(place[:])
}

// places is a visitor that sums up those of the values of some parts. The
// packed lists behind what an edit has changed are passed over if they are as
// long as they should be: their bytes are the same, and so is all that says how
// these are read.
type places struct {
	placeSum
	parts
	changed *near // in the body, nil for nothing
	at      int64 // where the next value lies
	content int   // how many groups were open when a content began; 0 outside of contents
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

// Inside is there so that the values in compressed blocks are shown.
func (p *places) Inside(_, _ []byte, _ error) bool { return false }

var _ gbx.Chooser = (*places)(nil)
