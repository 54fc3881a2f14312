package crypt

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"io"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/iotest"
	"time"

	//lint:ignore SA1019 the cipher that the games chose, as a reference
	"golang.org/x/crypto/blowfish"
)

// swapped reverses the bytes of every group of four: what stands between
// Blowfish as published, on big-endian words, and Nadeo's.
func swapped(p []byte) []byte {
	p = slices.Clone(p)
	for i := 0; i < len(p); i += 4 {
		slices.Reverse(p[i : i+4])
	}
	return p
}

func load(p []byte) uint64 { return binary.LittleEndian.Uint64(swapped(p)) }

// Vectors published with the cipher, by Eric Young. Their keys have eight
// bytes; written twice, they are the same key.
func TestPublishedVectors(t *testing.T) {
	for _, v := range [][3]string{
		{"0000000000000000", "0000000000000000", "4EF997456198DD78"},
		{"FFFFFFFFFFFFFFFF", "FFFFFFFFFFFFFFFF", "51866FD5B85ECB8A"},
		{"3000000000000000", "1000000000000001", "7D856F9A613063F2"},
		{"1111111111111111", "1111111111111111", "2466DD878B963C9D"},
		{"0123456789ABCDEF", "1111111111111111", "61F9C3802281B096"},
		{"1111111111111111", "0123456789ABCDEF", "7D0CC630AFDA1EC7"},
		{"FEDCBA9876543210", "0123456789ABCDEF", "0ACEAB0FC6A0A28D"},
	} {
		var b [3][]byte
		for i := range v {
			b[i], _ = hex.DecodeString(v[i])
		}
		c := NewCipher([16]byte(swapped(append(b[0], b[0]...))), Variant{Rounds: 16})
		if got := c.Encrypt(load(b[1])); got != load(b[2]) {
			t.Errorf("key %s: %016x", v[0], got)
		}
		if got := c.Decrypt(load(b[2])); got != load(b[1]) {
			t.Errorf("key %s, decrypting: %016x", v[0], got)
		}
	}
}

func TestSixteenRoundsAreBlowfish(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		var key [16]byte
		for i := range key {
			key[i] = byte(rng.Uint32())
		}
		ref, err := blowfish.NewCipher(swapped(key[:]))
		if err != nil {
			t.Fatal(err)
		}
		c := NewCipher(key, Variant{Rounds: 16})
		for range 50 {
			block := binary.BigEndian.AppendUint64(nil, rng.Uint64())
			want := make([]byte, 8)
			ref.Encrypt(want, block)
			if got := c.Encrypt(load(block)); got != load(want) {
				t.Fatalf("Encrypt = %016x, want %016x", got, load(want))
			}
		}
	}
}

func TestInverse(t *testing.T) {
	for _, v := range []Variant{ForVersion(3), ForVersion(12), ForVersion(18)} {
		c := NewCipher([16]byte{1, 2, 3}, v)
		for b := range uint64(100) {
			if got := c.Decrypt(c.Encrypt(b * 0x123456789abcdef)); got != b*0x123456789abcdef {
				t.Fatalf("%+v: got = %x; want b * 0x123456789abcdef", v, got)
			}
		}
		data := make([]byte, 5000)
		for i := range data {
			data[i] = byte(i * i)
		}
		pages := Pages{1: 5, 3: 1 << 63, 19: 77}
		enc, dec := make([]byte, len(data)), make([]byte, len(data))
		c.EncryptStream(enc, data, 99, pages)
		c.DecryptStream(dec, enc, 99, pages)
		if !bytes.Equal(dec, data) {
			t.Fatalf("%+v: chaining does not invert", v)
		}
		c.XORKeyStream(enc, data, 7, 0)
		c.XORKeyStream(dec[:100], enc[:100], 7, 0)
		c.XORKeyStream(dec[100:], enc[100:], 7, 100)
		if !bytes.Equal(dec, data) {
			t.Fatalf("%+v: counter mode cannot be entered in the middle", v)
		}
	}
}

// The specification gives CalcIVXor in 32-bit halves.
func TestMixIsCalcIVXor(t *testing.T) {
	var x IVXor
	var want uint64
	for i := range 1000 {
		b := byte(i * 37)
		lo, hi := uint32(want), uint32(want>>32)
		lo, hi = uint32(b|0xaa)^(lo<<13|hi>>19), uint32(want<<13>>32)
		want = uint64(hi)<<32 | uint64(lo)
		x.Mix(b)
		if uint64(x) != want {
			t.Fatalf("after %d bytes: %x, want %x", i+1, x, want)
		}
	}
}

// A value mixed in before a page's first byte is asked for hits that page;
// afterwards it hits the next.
func TestReaderIsLazy(t *testing.T) {
	c := NewCipher([16]byte{9}, ForVersion(18))
	data := bytes.Repeat([]byte("0123456789abcdef"), 48) // three pages
	var a, b IVXor
	a.MixWord(0x01001000)
	b.MixWord(0x2406a000)
	b.MixWord(7)
	stream := make([]byte, 8+len(data))
	c.EncryptStream(stream[8:], data, 0, Pages{1: a, 2: b})
	r := NewReader(iotest.OneByteReader(bytes.NewReader(stream)), c, CBC, int64(len(data)))
	read := func(n int) {
		t.Helper()
		got := make([]byte, n)
		if _, err := io.ReadFull(r, got); err != nil || !bytes.Equal(got, data[:n]) {
			t.Fatalf("got = %q, err = %v; want no error, got equal to data[:n]", got, err)
		}
		data = data[n:]
	}
	read(256) // all of page 0, and page 1 must still be untouched
	r.Mix(0x01001000)
	read(1)
	r.Mix(0x2406a000)
	read(255)
	r.Mix(7)
	read(256)
	if n, err := r.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Fatalf("at the end: %d, %v", n, err)
	}
}

func FuzzReader(f *testing.F) {
	f.Add([]byte("0123456789abcdef"), uint16(5), uint8(18), uint32(1), false)
	f.Add(make([]byte, 600), uint16(590), uint8(3), uint32(0x01001000), true)
	f.Fuzz(func(t *testing.T, data []byte, size uint16, version uint8, word uint32, ctr bool) {
		alg := CBC
		if ctr {
			alg = CTR
		}
		c := NewCipher([16]byte{version}, ForVersion(uint32(version)))
		r := NewReader(bytes.NewReader(data), c, alg, int64(size))
		total := 0
		buf := make([]byte, 100)
		for {
			n, err := r.Read(buf)
			total += n
			r.Mix(word)
			if err == io.EOF {
				if total != int(size) {
					t.Fatalf("%d bytes of %d", total, size)
				}
				return
			}
			if err != nil {
				if err != io.ErrUnexpectedEOF {
					t.Fatalf("err = %v; want io.ErrUnexpectedEOF", err)
				}
				return
			}
		}
	})
}

// BenchmarkDecrypt reports speed in multiples of golang.org/x/crypto's
// Blowfish, which does sixteen rounds and no chaining here.
func BenchmarkDecrypt(b *testing.B) {
	data := make([]byte, 1<<20)
	ref, _ := blowfish.NewCipher(make([]byte, 16))
	for _, version := range []uint32{3, 12, 18} {
		c := NewCipher([16]byte{}, ForVersion(version))
		b.Run(map[uint32]string{3: "v3", 12: "v12", 18: "v18"}[version], func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				c.DecryptStream(data, data, 0, nil)
			}
			ours := b.Elapsed() / time.Duration(b.N)
			start := time.Now()
			for i := 0; i < len(data); i += 8 {
				ref.Decrypt(data[i:], data[i:])
			}
			b.ReportMetric(float64(time.Since(start))/float64(ours), "x-ref")
		})
	}
}

func BenchmarkNewCipher(b *testing.B) {
	for b.Loop() {
		NewCipher([16]byte{}, ForVersion(18))
	}
}
