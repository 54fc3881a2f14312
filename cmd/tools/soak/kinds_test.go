//go:build linux

package soak

import (
	"encoding/binary"
	"math/rand/v2"
)

// kind is a way to break a file. other is a second file of the same format.
type kind struct {
	name  string
	apply func(r *rand.Rand, data, other []byte) []byte
}

// kinds lists the ways, in the order in which they are tried in turn. The
// first leaves the file whole: real files too stay within the bounds.
var kinds = []kind{
	{"as it is", func(_ *rand.Rand, data, _ []byte) []byte { return data }},
	{"bit flips", flipBits},
	{"truncation", truncate},
	{"splice", splice},
	{"extreme length", extremeLength},
	{"extreme byte", extremeByte},
	{"cut out", cutOut},
	{"doubled", double},
}

// flipBits flips one to sixteen bits.
func flipBits(r *rand.Rand, data, _ []byte) []byte {
	for range 1 << r.IntN(5) {
		if at := place(r, data, 1); at >= 0 {
			data[at] ^= 1 << r.IntN(8)
		}
	}
	return data
}

// truncate cuts the end off.
func truncate(r *rand.Rand, data, _ []byte) []byte {
	return data[:r.IntN(len(data)+1)]
}

// splice joins the beginning of one file and the end of another.
func splice(r *rand.Rand, data, other []byte) []byte {
	cut := r.IntN(len(data) + 1)
	from := min(cut, len(other)) // at the same offset half of the time
	if r.IntN(2) == 0 {
		from = r.IntN(len(other) + 1)
	}
	return append(data[:cut:cut], other[from:]...)
}

// extremes are the lengths that arithmetic goes wrong with.
var extremes = []uint32{0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 0x10000000, 0x00ffffff}

// extremeLength sets something that may be a length, a count or an offset to
// an extreme: four bytes whose value is at most the size of the file, or any
// four bytes if none are found quickly.
func extremeLength(r *rand.Rand, data, _ []byte) []byte {
	for range 1 + r.IntN(2) {
		at := -1
		for range 32 {
			at = place(r, data, 4)
			if at < 0 {
				return data
			}
			if v := binary.LittleEndian.Uint32(data[at:]); v > 0 && int64(v) <= int64(len(data)) {
				break
			}
		}
		binary.LittleEndian.PutUint32(data[at:], extremes[r.IntN(len(extremes))])
	}
	return data
}

// extremeByte sets bytes to 0, 1, 0x7f, 0x80 or 0xff.
func extremeByte(r *rand.Rand, data, _ []byte) []byte {
	values := []byte{0, 1, 0x7f, 0x80, 0xff}
	for range 1 << r.IntN(4) {
		if at := place(r, data, 1); at >= 0 {
			data[at] = values[r.IntN(len(values))]
		}
	}
	return data
}

// cutOut removes a piece.
func cutOut(r *rand.Rand, data, _ []byte) []byte {
	at := max(0, place(r, data, 1))
	n := min(len(data)-at, 1+r.IntN(1<<(1+r.IntN(12))))
	return append(data[:at:at], data[at+n:]...)
}

// double repeats a piece.
func double(r *rand.Rand, data, _ []byte) []byte {
	at := max(0, place(r, data, 1))
	n := min(len(data)-at, 1+r.IntN(1<<(1+r.IntN(12))))
	return append(data[:at+n:at+n], data[at:]...)
}

// place chooses an offset for damage of n bytes: half of the time near the beginning
// or the end, where tables are, else anywhere. It is -1 for content that is too short.
func place(r *rand.Rand, data []byte, n int) int {
	room := len(data) - n + 1
	if room <= 0 {
		return -1
	}
	near := min(room, 1024)
	switch r.IntN(4) {
	case 0:
		return r.IntN(near)
	case 1:
		return room - 1 - r.IntN(near)
	}
	return r.IntN(room)
}
