package pak

import (
	"bytes"
	"compress/zlib"
	"context"
	"crypto/cipher"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	//lint:ignore SA1019 the cipher that the games chose, as a reference
	"golang.org/x/crypto/blowfish"

	"pakbox/archive"
)

// program makes n bytes that compress about as well as game data does.
func program(n int, seed uint64) []byte {
	rng := rand.New(rand.NewPCG(seed, 9))
	words := make([][]byte, 500)
	for i := range words {
		words[i] = noise(2 + rng.IntN(9))[1:]
		for j := range words[i] {
			words[i][j] = byte(rng.Uint32())
		}
	}
	b := make([]byte, 0, n+16)
	for len(b) < n {
		b = append(b, words[rng.IntN(len(words))]...)
		if rng.IntN(3) == 0 {
			b = append(b, byte(rng.Uint32()), 0, 0)
		}
	}
	return b[:n]
}

// BenchmarkDecode reads 100 MiB of encrypted, compressed entries. x-ref is its
// time in multiples of Blowfish (sixteen rounds, CBC) over the same stored
// bytes plus the standard inflate over the same content, one after the other.
func BenchmarkDecode(b *testing.B) {
	const entries, size = 50, 2 << 20
	files := map[string][]byte{}
	for i := range entries {
		files[fmt.Sprintf("%03d.bin", i)] = program(size, uint64(i))
	}
	var reference time.Duration
	for _, version := range []string{"3", "18"} {
		a := create(b, files, map[string]string{"version": version, "encrypt": "true"})
		if version == "3" {
			reference = separately(b, a, files)
		}
		b.Run("v"+version, func(b *testing.B) {
			b.SetBytes(entries * size)
			for b.Loop() {
				for i := range a.pack.Files {
					r, err := a.pack.Reader(i)
					if err != nil {
						b.Fatal(err)
					}
					if n, err := io.Copy(io.Discard, r); n != size || err != nil {
						b.Fatalf("n = %v, err = %v; want n = %v, no error", n, err, size)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(reference), "x-ref")
		})
	}
}

// separately times the reference.
func separately(b *testing.B, a *Archive, files map[string][]byte) time.Duration {
	block, err := blowfish.NewCipher(make([]byte, 16))
	if err != nil {
		b.Fatal(err)
	}
	best := time.Duration(1 << 62)
	streams := map[string][]byte{}
	for name, content := range files {
		streams[name] = packZlib(content)
	}
	for range 3 {
		start := time.Now()
		for i := range a.pack.Files {
			slot := a.pack.slot(i)[8:]
			cipher.NewCBCDecrypter(block, make([]byte, 8)).CryptBlocks(slot, slot)
			r, err := zlib.NewReader(bytes.NewReader(streams[a.pack.paths[i]]))
			if err != nil {
				b.Fatal(err)
			}
			io.Copy(io.Discard, r)
		}
		best = min(best, time.Since(start))
	}
	return best
}

// BenchmarkList opens a pack of 10,000 entries and lists it.
func BenchmarkList(b *testing.B) {
	files := map[string][]byte{}
	for i := range 10000 {
		files[fmt.Sprintf("Folder%02d/Sub%d/file_%05d.txt", i%100, i%7, i)] = []byte{byte(i)}
	}
	for _, version := range []string{"3", "18"} {
		data := bytesOf(create(b, files, map[string]string{"version": version}))
		b.Run("v"+version, func(b *testing.B) {
			for b.Loop() {
				if a := openBytes(b, data, testKeys); len(a.Entries()) != len(files) {
					b.Fatal("entries are missing")
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/1000, "ms/open")
		})
	}
}

// BenchmarkCreate packs 20 MiB on all cores.
func BenchmarkCreate(b *testing.B) {
	content := program(1<<20, 1)
	var items []archive.Item
	for i := range 20 {
		items = append(items, item(fmt.Sprintf("%d.bin", i), content))
	}
	for _, version := range []string{"3", "18"} {
		b.Run("v"+version, func(b *testing.B) {
			b.SetBytes(int64(len(items) * len(content)))
			path := b.TempDir() + "/x.pak"
			for b.Loop() {
				save(b, path, func(stage *archive.Stage) error {
					return Format{}.Create(context.Background(), stage, items, archive.CreateOptions{
						Options: archive.Options{Keys: testKeys}, Params: map[string]string{"version": version, "encrypt": "true"},
					})
				})
			}
		})
	}
}
