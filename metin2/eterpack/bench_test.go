package eterpack

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"pakbox/archive"
	"pakbox/codec/lzo1x"
	"pakbox/metin2/internal/xtea"
)

// benchContent is what packs hold: some of it text, some of it noise.
func benchContent() (items []archive.Item, contents [][]byte, total int64) {
	for i := range 64 {
		b := append(text(300_000), noise(200_000)...)
		b = append(b, fmt.Appendf(nil, "%d", i)...)
		contents = append(contents, b)
		items = append(items, item(fmt.Sprintf("d:/ymir work/%d.gr2", i), b))
		total += int64(len(b))
	}
	return items, contents, total
}

// BenchmarkCreate packs type 1 and compares with the codec alone on one core:
// x-ref is how much faster the whole of packing is.
func BenchmarkCreate(b *testing.B) {
	items, contents, total := benchContent()
	var buf []byte
	reference := measure(func() {
		for _, c := range contents {
			buf, _ = lzo1x.AppendCompress(buf[:0], c, lzo1x.Fast)
		}
	})
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			opts := archive.CreateOptions{Params: map[string]string{"eterpack-type": "1"}}
			opts.Workers = workers
			b.SetBytes(total)
			for b.Loop() {
				create(b, items, opts)
			}
			b.ReportMetric(float64(reference)*float64(b.N)/float64(b.Elapsed()), "x-ref")
		})
	}
}

// BenchmarkVerify checks a pack of type 2 and compares with decryption and
// decompression alone on one core.
func BenchmarkVerify(b *testing.B) {
	items, contents, total := benchContent()
	ciphers, _ := newKeys(nil)
	var streams [][]byte
	for _, c := range contents {
		stream, err := lzo1x.AppendCompress(nil, c, lzo1x.Fast)
		if err != nil {
			b.Fatal(err)
		}
		streams = append(streams, stream)
	}
	out := make([]byte, 1<<20)
	scratch := make([]byte, 1<<20)
	reference := measure(func() {
		for _, s := range streams {
			n := len(s) / xtea.BlockSize * xtea.BlockSize
			ciphers.data.Decrypt(scratch[:n], s[:n])
			if _, err := lzo1x.Decompress(out, s); err != nil {
				b.Fatal(err)
			}
		}
	})
	a := openPath(b, create(b, items, archive.CreateOptions{Params: map[string]string{"eterpack-type": "2"}}), archive.Options{})
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			b.SetBytes(total)
			for b.Loop() {
				if _, err := a.Verify(context.Background(), archive.Options{Workers: workers}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(reference)*float64(b.N)/float64(b.Elapsed()), "x-ref")
		})
	}
}

// measure times work, repeated until the figure means something.
func measure(work func()) time.Duration {
	start := time.Now()
	n := 0
	for n == 0 || time.Since(start) < time.Second {
		work()
		n++
	}
	return time.Since(start) / time.Duration(n)
}

// BenchmarkManyFiles packs, opens and checks 100,000 small files.
func BenchmarkManyFiles(b *testing.B) {
	items := make([]archive.Item, 100_000)
	for i := range items {
		items[i] = item(fmt.Sprintf("d:/ymir work/%d/%d.txt", i/1000, i), fmt.Appendf(text(100), "%d", i))
	}
	for b.Loop() {
		path := filepath.Join(b.TempDir(), "many.eix")
		if err := createAt(path, items, archive.CreateOptions{}); err != nil {
			b.Fatal(err)
		}
		wantClean(b, openPath(b, path, archive.Options{}))
	}
}
