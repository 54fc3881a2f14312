package crypt

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"testing"
)

// sizes are lengths of content around the ends of blocks and pages.
var sizes = []int{0, 1, 7, 8, 9, 16, 255, 256, 257, 264, 511, 512, 513, 1000}

func content(n int) []byte {
	p := make([]byte, n)
	for i := range p {
		p[i] = byte(i*i + i>>8)
	}
	return p
}

// stored makes the stream that a Reader reads: the initialisation vector and the content,
// encrypted.
func stored(c *Cipher, alg Algorithm, iv uint64, plain []byte, pages Pages) []byte {
	stream := binary.LittleEndian.AppendUint64(nil, iv)
	padded := make([]byte, Padded(int64(len(plain))))
	copy(padded, plain)
	if alg == CBC {
		c.EncryptStream(padded, padded, iv, pages)
		return append(stream, padded...)
	}
	c.XORKeyStream(padded, padded, iv, 0)
	return append(stream, padded[:len(plain)]...)
}

// Content of any length is read as it was, whatever the length of the reads, and no read
// goes beyond a page. The end is reported once everything was read, and then again.
func TestReaderReads(t *testing.T) {
	for _, alg := range []Algorithm{CBC, CTR} {
		for _, version := range []uint32{3, 12, 18} {
			c := NewCipher([16]byte{byte(version), 200}, ForVersion(version))
			for _, size := range sizes {
				for _, piece := range []int{1, 100, 256, 2000} {
					plain := content(size)
					r := NewReader(bytes.NewReader(stored(c, alg, 77, plain, nil)), c, alg, int64(size))
					readPieces(t, fmt.Sprintf("algorithm %d, version %d, %d bytes", alg, version, size), r, plain, piece)
				}
			}
		}
	}
}

// stream is what Reader and Recorder have in common.
type stream interface {
	io.Reader
	Buffered() []byte
	Ended() bool
}

// readPieces reads a stream to its end and compares it.
func readPieces(t *testing.T, name string, r stream, want []byte, piece int) {
	t.Helper()
	buffer := make([]byte, piece)
	for at := 0; at < len(want); {
		if n, err := r.Read(nil); n != 0 || err != nil {
			t.Fatalf("%s, at %d: nothing was asked for: %d, %v", name, at, n, err)
		}
		page := at / PageSize * PageSize // where the current page begins and ends
		end := min(page+PageSize, len(want))
		n, err := r.Read(buffer)
		if want := min(piece, end-at); n != want || err != nil {
			t.Fatalf("%s, at %d: %d bytes, want %d, %v", name, at, n, want, err)
		}
		if !bytes.Equal(buffer[:n], want[at:at+n]) || !bytes.Equal(r.Buffered(), want[at+n:end]) {
			t.Fatalf("%s, at %d: %x, then %x", name, at, buffer[:n], r.Buffered())
		}
		at += n
		if r.Ended() != (end == len(want)) {
			t.Fatalf("%s: ended at %d: %v", name, at, r.Ended())
		}
	}
	for range 2 {
		if n, err := r.Read(buffer); n != 0 || err != io.EOF || !r.Ended() {
			t.Fatalf("%s, at the end: %d, %v", name, n, err)
		}
	}
}

// A stream that ends anywhere before its end gives the complete pages before, and an error.
func TestReaderOfATruncatedStream(t *testing.T) {
	c := NewCipher([16]byte{5}, ForVersion(18))
	for _, alg := range []Algorithm{CBC, CTR} {
		plain := content(600)
		whole := stored(c, alg, 1<<40, plain, nil)
		for n := range whole {
			r := NewReader(bytes.NewReader(whole[:n]), c, alg, 600)
			got, err := io.ReadAll(r)
			want := plain[:max(n-BlockSize, 0)/PageSize*PageSize]
			if err != io.ErrUnexpectedEOF || !bytes.Equal(got, want) || r.Ended() {
				t.Fatalf("algorithm %d, %d of %d bytes: %d read, want %d, %v", alg, n, len(whole), len(got), len(want), err)
			}
		}
	}
}

// Values that a Recorder saw mixed in suffice for a Reader: both give the same bytes if their
// reader mixes the same values at the same places.
func TestRecorderAndReaderAgree(t *testing.T) {
	for _, size := range sizes {
		plain := content(size)
		read := func(r interface {
			stream
			Mix(uint32)
		}) {
			t.Helper()
			at := 0
			for _, n := range []int{1, 254, 1, 1, 10, 300, 1000} {
				r.Read(nil) // touches no page
				got, err := io.ReadAll(io.LimitReader(r, int64(n)))
				if err != nil || !bytes.Equal(got, plain[at:min(at+n, size)]) {
					t.Fatalf("%d bytes, at %d: %d read, %v", size, at, len(got), err)
				}
				at += len(got)
				r.Mix(uint32(n) * 0x01010101)
			}
		}
		recorder := NewRecorder(plain)
		read(recorder)
		c := NewCipher([16]byte{byte(size)}, ForVersion(3))
		read(NewReader(bytes.NewReader(stored(c, CBC, 3, plain, recorder.Pages())), c, CBC, int64(size)))
	}
}

// Values count for the page that is asked for next, and for no other. Values that are
// zero together leave the page as it is, and are not recorded.
func TestRecorderPages(t *testing.T) {
	plain := content(1000)
	r := NewRecorder(plain)
	r.Mix(1)
	r.Read(make([]byte, 300)) // page 0, of which a read gets no more than it has
	r.Mix(2)
	r.Mix(3)
	r.Read(make([]byte, 5)) // page 1
	r.Mix(4)
	io.ReadFull(r, make([]byte, 251+256)) // the rest of it, and page 2
	io.Copy(io.Discard, r)                // page 3, for which nothing was mixed in
	value := func(words ...uint32) (x IVXor) {
		for _, w := range words {
			for range 4 {
				x.Mix(byte(w))
				w >>= 8
			}
		}
		return x
	}
	if want := (Pages{0: value(1), 1: value(2, 3), 2: value(4)}); !maps.Equal(r.Pages(), want) {
		t.Errorf("%x, want %x", r.Pages(), want)
	}
	for _, size := range sizes {
		readPieces(t, fmt.Sprintf("%d bytes", size), NewRecorder(content(size)), content(size), 100)
	}
}

// A stream is decrypted in pieces as it is in one.
func TestDecrypterInPieces(t *testing.T) {
	c := NewCipher([16]byte{1}, ForVersion(12))
	plain := content(1000)
	pages := Pages{0: 9, 2: 1 << 50, 3: 11}
	secret := make([]byte, len(plain))
	c.EncryptStream(secret, plain, 5, pages)
	d := NewDecrypter(c, 5, pages)
	got := make([]byte, len(plain))
	for _, part := range [][2]int{{0, 256}, {256, 768}, {768, 1000}} {
		d.Decrypt(got[part[0]:part[1]], secret[part[0]:part[1]])
	}
	if !bytes.Equal(got, plain) {
		t.Error("the pieces are not the whole")
	}
}

// In counter mode byte o is masked with the encryption of iv + 8 + 256b + k, where page b
// and block k contain it. That is so wherever a piece begins and ends.
func TestCounterMode(t *testing.T) {
	c := NewCipher([16]byte{3}, ForVersion(18))
	const iv = 1<<64 - 300 // the sum may overflow
	var want []byte
	number := uint64(iv)
	number += 8
	for range 5 { // pages
		for block := range uint64(256 / 8) {
			want = binary.LittleEndian.AppendUint64(want, c.Encrypt(number+block))
		}
		number += 256
	}
	for from := 0; from < len(want); from += 37 {
		for _, n := range []int{1, 9, 300, len(want) - from} {
			n = min(n, len(want)-from)
			got := make([]byte, n)
			c.XORKeyStream(got, got, iv, int64(from))
			if !bytes.Equal(got, want[from:from+n]) {
				t.Fatalf("%d bytes at %d: %x, want %x", n, from, got, want[from:from+n])
			}
		}
	}
}

// The versions differ as specified: folding from 12 on, eight rounds in 18.
func TestVersions(t *testing.T) {
	for version, want := range map[uint32]Variant{1: {16, false}, 11: {16, false}, 12: {16, true}, 17: {16, true}, 18: {8, true}} {
		if got := ForVersion(version); got != want {
			t.Errorf("version %d: %+v", version, got)
		}
	}
	for n, want := range map[int64]int64{0: 0, 1: 8, 7: 8, 8: 8, 9: 16, 600: 600, 601: 608} {
		if got := Padded(n); got != want {
			t.Errorf("%d bytes take %d, want %d", n, got, want)
		}
	}
}
