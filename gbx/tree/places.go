package tree

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"

	"pakbox/archive"
	"pakbox/gbx"
)

// Reread compares a file as it was found with the same file after an edit, which
// is there twice: as it was meant, and as it was read again. It reports whether
// these say the same, and if they do lists the bytes that the edit has changed;
// see [ByteDiff].
func Reread(found, meant, read *gbx.File) (changes []archive.ByteChange, same bool, err error) {
	old, err := codingOf(found)
	if err != nil {
		return nil, false, err
	}
	want, err := codingOf(meant)
	if err != nil {
		return nil, false, err
	}
	new, err := codingOf(read)
	if err != nil {
		return nil, false, err
	}
	if same, err = samePlaces(want, new, old.changed(new)); err != nil || !same {
		return nil, false, err
	}
	changes, err = byteDiff(old, new)
	return changes, true, err
}

// samePlaces reports whether two files are coded to the same bytes, with nodes
// and chunks at the same places, and every value of some parts of one lies where
// the value of the same name lies in the other. If those are the parts that an
// edit has changed, all values are the same: what a part holds depends on its
// bytes and, where it says how many values there are in another, on the size of
// that.
func samePlaces(a, b *coding, parts map[int]bool) (bool, error) {
	if a.outline != b.outline || !bytes.Equal(a.spaces[InHeader], b.spaces[InHeader]) || !bytes.Equal(a.spaces[InBody], b.spaces[InBody]) {
		return false, nil
	}
	x, y := newPlaces(parts), newPlaces(parts)
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

// places is a visitor that sums up those of the values of some parts.
type places struct {
	placeSum
	parts
}

func newPlaces(wanted map[int]bool) *places {
	p := &places{parts: parts{wanted: wanted}}
	p.sum.SetSeed(seed)
	return p
}

func (p *places) Value(string, any)                              {}
func (p *places) Coded(name string, _ any, offset, length int64) { p.add(name, offset, length) }

func (p *places) Begin(name string, v any, offset int64) {
	p.begin(v)
	p.add(name, offset, -1)
}

func (p *places) End(offset int64) {
	p.end()
	p.add("", offset, -2)
}

// Inside is there so that the values in compressed blocks are shown.
func (p *places) Inside(_, _ []byte, _ error) bool { return false }

var _ gbx.Chooser = (*places)(nil)
