package vpk42

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"testing"

	"pakbox/archive/archivetest"
)

func gcmKeys(t testing.TB) *keys {
	t.Helper()
	block, err := aes.NewCipher(archivetest.Noise(32))
	if err != nil {
		t.Fatal(err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		t.Fatal(err)
	}
	return &keys{block: block, aead: aead}
}

// In pieces of whatever length, the result is the standard library's.
func TestGCMStream(t *testing.T) {
	k := gcmKeys(t)
	nonce := archivetest.Noise(12)
	for _, size := range []int{0, 1, 15, 16, 17, 4096, gcmPiece - 1, gcmPiece, gcmPiece + 1, 3*gcmPiece + 100} {
		plain := archivetest.Noise(size)
		want := k.aead.Seal(nil, nonce, plain, nil)
		for _, piece := range []int{1000, 70_000, 1 << 20} {
			seal, open := newGCMStream(k, nonce), newGCMStream(k, nonce)
			var got, back []byte
			for rest := plain; len(rest) > 0; {
				n := min(piece, len(rest))
				out := make([]byte, n)
				seal.seal(out, rest[:n])
				got = append(got, out...)
				open.open(out, out)
				back = append(back, out...)
				rest = rest[n:]
			}
			tag := seal.tag()
			if !bytes.Equal(append(got, tag...), want) {
				t.Errorf("%d bytes in pieces of %d: other bytes", size, piece)
			}
			if !bytes.Equal(open.tag(), tag) || !bytes.Equal(back, plain) {
				t.Errorf("%d bytes in pieces of %d do not come back", size, piece)
			}
		}
	}
}

func TestElements(t *testing.T) {
	x := toElement(archivetest.Noise(16))
	if got := x.times(x.inverse()); got != one {
		t.Errorf("x times its inverse is %x", got)
	}
	if x.to(0) != one || x.to(1) != x || x.to(5) != x.times(x).times(x).times(x).times(x) {
		t.Error("powers are wrong")
	}
}

func BenchmarkGCMStream(b *testing.B) {
	k, data := gcmKeys(b), archivetest.Noise(8<<20)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		g := newGCMStream(k, data[:12])
		g.seal(data, data)
		g.tag()
	}
}
