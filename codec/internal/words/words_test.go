package words

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// Words are read and written with their lowest byte first, wherever they begin, and
// nothing beside them is touched.
func TestWords(t *testing.T) {
	fresh := func() []byte {
		b := make([]byte, 64)
		for i := range b {
			b[i] = byte(i*37 + 11)
		}
		return b
	}
	b := fresh()
	for from := range 20 {
		p := At(b, from)
		for i := range 20 {
			at := b[from+i:]
			if Load64(p, i) != binary.LittleEndian.Uint64(at) || Load16(p, i) != binary.LittleEndian.Uint16(at) || Load8(p, i) != at[0] {
				t.Fatalf("from %d on, at %d: %x, %x, %x", from, i, Load64(p, i), Load16(p, i), Load8(p, i))
			}
		}
	}
	const v = 0x8877665544332211
	for size, store := range map[int]func(p Place, i int){
		8: func(p Place, i int) { Store64(p, i, v) }, 4: func(p Place, i int) { Store32(p, i, v&0xFFFFFFFF) }, 1: func(p Place, i int) { Store8(p, i, v&0xFF) },
	} {
		for i := range 20 {
			got, want := fresh(), fresh()
			store(At(got, 3), i)
			copy(want[3+i:], []byte{0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88}[:size])
			if !bytes.Equal(got, want) {
				t.Fatalf("%d bytes at %d: %x, want %x", size, i, got, want)
			}
		}
	}
}

// Sixteen bytes are copied as they were, also to a place that overlaps them.
func TestCopy16(t *testing.T) {
	for to := range 20 {
		for i := range 4 {
			got := make([]byte, 64)
			for k := range got {
				got[k] = byte(k)
			}
			want := bytes.Clone(got)
			copy(want[to+i:to+i+16], bytes.Clone(want[10+i:26+i]))
			Copy16(At(got, to), At(got, 10), i)
			if !bytes.Equal(got, want) {
				t.Fatalf("to %d, %d: %x, want %x", to, i, got, want)
			}
		}
	}
}
