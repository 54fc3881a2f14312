package lz4

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"
)

// reference decodes a block to buf[n:] byte by byte, by the specification,
// and accepts what Decompress promises to accept.
func reference(buf []byte, n int, block []byte) (int, error) {
	start := n
	put := func(c byte) bool {
		if n == len(buf) {
			return false
		}
		buf[n] = c
		n++
		return true
	}
	for len(block) > 0 {
		token := block[0]
		block = block[1:]
		length := func(nibble byte) (sum int, ok bool) {
			sum = int(nibble)
			for more := nibble == 15; more; {
				if len(block) == 0 {
					return 0, false
				}
				sum += int(block[0])
				more = block[0] == 255
				block = block[1:]
			}
			return sum, true
		}
		literals, ok := length(token >> 4)
		if !ok || literals > len(block) {
			return 0, ErrTruncated
		}
		for range literals {
			if !put(block[0]) {
				return 0, ErrOutputFull
			}
			block = block[1:]
		}
		if len(block) == 0 {
			break
		}
		if len(block) == 1 {
			return 0, ErrTruncated
		}
		dist := int(block[0]) | int(block[1])<<8
		block = block[2:]
		match, ok := length(token & 15)
		if !ok {
			return 0, ErrTruncated
		}
		if dist == 0 || dist > n {
			return 0, ErrLookBehind
		}
		for range match + 4 {
			if !put(buf[n-dist]) {
				return 0, ErrOutputFull
			}
		}
	}
	return n - start, nil
}

// checkDecode holds DecompressAfter against the reference, for a buffer with as
// the given room behind the first n bytes.
func checkDecode(tb testing.TB, before []byte, room int, block []byte) {
	tb.Helper()
	n := len(before)
	want, got := make([]byte, n+room), make([]byte, n+room)
	copy(want, before)
	copy(got, before)
	wantN, wantErr := reference(want, n, block)
	gotN, err := DecompressAfter(got, n, block)
	if (err == nil) != (wantErr == nil) || gotN != wantN || err == nil && !bytes.Equal(got[:n+gotN], want[:n+wantN]) {
		tb.Fatalf("block % x after %d bytes, room for %d: %d bytes, %v; the reference has %d, %v", block[:min(len(block), 64)], n, room, gotN, err, wantN, wantErr)
	}
	var fault *Error
	if err != nil && (!errors.As(err, &fault) || fault.Offset < 0 || fault.Offset >= len(block)) {
		tb.Fatalf("the error lacks a valid offset: %v", err)
	}
	if !bytes.Equal(got[:n], before) {
		tb.Fatal("bytes before the output changed")
	}
}

func TestDecompressErrors(t *testing.T) {
	for _, c := range []struct {
		name   string
		block  []byte
		room   int
		err    error
		offset int
	}{
		{"literals are missing", []byte{0x30, 'a', 'b'}, 9, ErrTruncated, 0},
		{"half a distance", []byte{0x10, 'a', 1}, 9, ErrTruncated, 0},
		{"no end of a length", []byte{0xF0, 255}, 999, ErrTruncated, 0},
		{"distance 0", []byte{0x10, 'a', 0, 0}, 9, ErrLookBehind, 0},
		{"distance beyond the start", []byte{0x10, 'a', 1, 0, 0x10, 'b', 9, 0}, 99, ErrLookBehind, 4},
		{"no room for literals", []byte{0x30, 'a', 'b', 'c'}, 2, ErrOutputFull, 0},
		{"no room for a match", []byte{0x10, 'a', 1, 0}, 4, ErrOutputFull, 0},
		{"a length without end", append([]byte{0x1F, 'a', 1, 0}, bytes.Repeat([]byte{255}, 1000)...), 64, ErrOutputFull, 0},
	} {
		_, err := Decompress(make([]byte, c.room), c.block)
		var fault *Error
		if !errors.Is(err, c.err) || !errors.As(err, &fault) || fault.Offset != c.offset {
			t.Errorf("%s: %v, want %v at %d", c.name, err, c.err, c.offset)
		}
	}
}

// Blocks at every level, decoded with exactly enough room, more, and less. The
// blocks are also cut short everywhere near their ends.
func TestDecompress(t *testing.T) {
	for _, s := range shapes() {
		for _, level := range []Level{Fast, 4, Max} {
			block := compress(t, s.data, level)
			for _, room := range []int{len(s.data), len(s.data) + 1, len(s.data) + 100, len(s.data) - 1, len(s.data) / 2} {
				if room >= 0 {
					checkDecode(t, nil, room, block)
				}
			}
			for cut := range min(len(block), 200) {
				checkDecode(t, nil, len(s.data), block[:cut])
				checkDecode(t, nil, len(s.data), block[:len(block)-cut])
			}
		}
	}
}

// Short distances repeat themselves. All of them, with matches of every length
// up to the long ones, far from the end of the buffer and near it.
func TestShortDistances(t *testing.T) {
	text := []byte("0123456789abcdefghijklmnopqrstuvwxyz")
	for dist := 1; dist <= 33; dist++ {
		for length := minMatch; length < 300; length++ {
			block := append([]byte{0xF0 | byte(min(length-minMatch, 15)), byte(dist - 15)}, text[:dist]...)
			if dist < 15 {
				block = append([]byte{byte(dist)<<4 | byte(min(length-minMatch, 15))}, text[:dist]...)
			}
			block = append(block, byte(dist), 0)
			if length >= tokenMatch {
				block = append(block, byte(length-tokenMatch))
				if length-tokenMatch >= 255 {
					block = append(block, byte(length-tokenMatch-255))
				}
			}
			block = append(append(block, 0x50), "12345"...)
			for _, more := range []int{0, 1, 31, 64} {
				checkDecode(t, nil, dist+length+5+more, block)
				checkDecode(t, nil, dist+length+5+more, append(block[:len(block):len(block)], make([]byte, 40)...))
			}
		}
	}
}

// liblz4 compresses with a dictionary, and decodes damaged blocks: each block
// that it accepts gives the same bytes here.
func TestDecompressLiblz4(t *testing.T) {
	p := startLiblz4(t)
	rnd := rand.New(rand.NewPCG(5, 6))
	for _, s := range shapes() {
		if len(s.data) < 100 || len(s.data) > 100_000 {
			continue
		}
		half := len(s.data) / 2
		dict := s.data[max(0, half-maxDist):half]
		block := p.compressAfter(t, s.data[half:], dict)
		buf := append(bytes.Clone(dict), make([]byte, len(s.data)-half)...)
		if n, err := DecompressAfter(buf, len(dict), block); err != nil || !bytes.Equal(buf[len(dict):len(dict)+n], s.data[half:]) {
			t.Errorf("%s after a dictionary: %d bytes, %v", s.name, n, err)
		}
		block = compress(t, s.data, Fast)
		for range 20 {
			damaged := bytes.Clone(block)
			damaged[rnd.IntN(min(len(block), 400))] ^= 1 << rnd.IntN(8)
			theirs := p.decompress(t, damaged, 2*len(s.data))
			ours := make([]byte, 2*len(s.data))
			n, err := Decompress(ours, damaged)
			if len(theirs) > 0 && (err != nil || !bytes.Equal(ours[:n], theirs)) {
				t.Errorf("%s, damaged: liblz4 has %d bytes; here %d, %v", s.name, len(theirs), n, err)
			}
		}
	}
}

func FuzzDecompress(f *testing.F) {
	for i, s := range shapes() {
		if len(s.data) <= 5000 {
			block, _ := AppendCompress(nil, s.data, Fast+Level(i)%Max)
			f.Add(block, uint16(len(s.data)), uint8(i))
		}
	}
	f.Fuzz(func(t *testing.T, block []byte, room uint16, before uint8) {
		checkDecode(t, noiseBytes(int(before)), int(room), block)
	})
}
