package xtea_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"testing"

	bigendian "golang.org/x/crypto/xtea"

	"pakbox/internal/xtea"
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

// TestPeer compares several blocks with the big-endian cipher of x/crypto.
func TestPeer(t *testing.T) {
	key := []byte("sixteen byte key")
	peer, err := bigendian.NewCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	plain := bytes.Repeat([]byte("0123456789abcde\x00\xff"), 8)
	want := make([]byte, len(plain))
	for i := 0; i < len(plain); i += xtea.BlockSize {
		peer.Encrypt(want[i:], swap(plain[i:i+xtea.BlockSize]))
	}
	got := make([]byte, len(plain))
	c := xtea.New(words(key))
	c.Encrypt(got, plain)
	if !bytes.Equal(got, swap(want)) {
		t.Fatalf("got %x\nwant %x", got, swap(want))
	}
	c.Decrypt(got, got)
	if !bytes.Equal(got, plain) {
		t.Fatal("decrypting does not undo encrypting")
	}
}

func BenchmarkDecrypt(b *testing.B) {
	buf := make([]byte, 64<<10)
	c := xtea.New([4]uint32{1, 2, 3, 4})
	b.SetBytes(int64(len(buf)))
	for b.Loop() {
		c.Decrypt(buf, buf)
	}
}
