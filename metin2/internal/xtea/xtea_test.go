package xtea_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"testing"
	"time"

	//lint:ignore SA1019 the cipher that the games chose, as a reference
	bigendian "golang.org/x/crypto/xtea"

	"pakbox/metin2/internal/xtea"
)

// swap turns every word around, which makes big-endian vectors little-endian.
func swap(b []byte) []byte {
	out := make([]byte, len(b))
	for i := 0; i < len(b); i += 4 {
		binary.LittleEndian.PutUint32(out[i:], binary.BigEndian.Uint32(b[i:]))
	}
	return out
}

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func words(key []byte) (w [4]uint32) {
	for i := range w {
		w[i] = binary.BigEndian.Uint32(key[4*i:])
	}
	return w
}

// TestPublishedVectors uses vectors that are printed for big-endian words.
func TestPublishedVectors(t *testing.T) {
	for _, v := range []struct{ key, plain, cipher string }{
		{"000102030405060708090a0b0c0d0e0f", "4142434445464748", "497df3d072612cb5"},
		{"000102030405060708090a0b0c0d0e0f", "4141414141414141", "e78f2d13744341d8"},
		{"00000000000000000000000000000000", "4142434445464748", "a0390589f8b8efa5"},
		{"00000000000000000000000000000000", "4141414141414141", "ed23375a821a8c2d"},
	} {
		c := xtea.New(words(unhex(t, v.key)))
		plain, want := swap(unhex(t, v.plain)), swap(unhex(t, v.cipher))
		got := make([]byte, xtea.BlockSize)
		c.Encrypt(got, plain)
		if !bytes.Equal(got, want) {
			t.Errorf("key %s: encrypted to %x, want %x", v.key, got, want)
		}
		c.Decrypt(got, got)
		if !bytes.Equal(got, plain) {
			t.Errorf("key %s: decrypted to %x, want %x", v.key, got, plain)
		}
	}
}

// TestPeer compares with the big-endian cipher of x/crypto, for every number of
// blocks around those that are done side by side.
func TestPeer(t *testing.T) {
	key := []byte("sixteen byte key")
	peer, err := bigendian.NewCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	c := xtea.New(words(key))
	for blocks := range 18 {
		plain := bytes.Repeat([]byte("0123456789abcde\x00\xff"), 9)[:blocks*xtea.BlockSize]
		want := make([]byte, len(plain))
		for i := 0; i < len(plain); i += xtea.BlockSize {
			peer.Encrypt(want[i:], swap(plain[i:i+xtea.BlockSize]))
		}
		got := bytes.Clone(plain)
		c.Encrypt(got, got)
		if !bytes.Equal(got, swap(want)) {
			t.Fatalf("%d blocks: got %x\nwant %x", blocks, got, swap(want))
		}
		c.Decrypt(got, got)
		if !bytes.Equal(got, plain) {
			t.Fatalf("%d blocks: decrypting does not undo encrypting", blocks)
		}
	}
}

// The benchmarks report how many times as fast as x/crypto's cipher this one
// is, with that one measured in turn.

func BenchmarkEncrypt(b *testing.B) {
	benchmark(b, (*xtea.Cipher).Encrypt, (*bigendian.Cipher).Encrypt)
}

func BenchmarkDecrypt(b *testing.B) {
	benchmark(b, (*xtea.Cipher).Decrypt, (*bigendian.Cipher).Decrypt)
}

func benchmark(b *testing.B, ours func(c *xtea.Cipher, dst, src []byte), theirs func(c *bigendian.Cipher, dst, src []byte)) {
	buf := make([]byte, 64<<10)
	c := xtea.New([4]uint32{1, 2, 3, 4})
	peer, err := bigendian.NewCipher(make([]byte, 16))
	if err != nil {
		b.Fatal(err)
	}
	var took, ref time.Duration
	b.SetBytes(int64(len(buf)))
	for b.Loop() {
		start := time.Now()
		ours(c, buf, buf)
		took += time.Since(start)
		b.StopTimer()
		start = time.Now()
		for i := 0; i < len(buf); i += xtea.BlockSize {
			theirs(peer, buf[i:], buf[i:])
		}
		ref += time.Since(start)
		b.StartTimer()
	}
	b.ReportMetric(float64(ref)/float64(took), "x-ref")
}
