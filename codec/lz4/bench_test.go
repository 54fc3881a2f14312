package lz4

import (
	"fmt"
	"testing"
	"time"
)

// BenchmarkCompress reports, besides the speed, the size as a part of the input
// (size). liblz4 is measured in turn with it: x-liblz4 is liblz4's time divided
// by ours, size-liblz4 is our size divided by liblz4's.
func BenchmarkCompress(b *testing.B) {
	lib := startLiblz4(b)
	for _, sample := range samples {
		b.Run(sample.name, func(b *testing.B) {
			src := sample.load(b, 4<<20)
			for level := Fast; level <= Max; level++ {
				b.Run(fmt.Sprintf("level=%d", level), func(b *testing.B) {
					benchmarkLevel(b, lib, src, level)
				})
			}
		})
	}
}

func benchmarkLevel(b *testing.B, lib *liblz4, src []byte, level Level) {
	dst := make([]byte, 0, MaxCompressedLen(len(src)))
	var ours, theirs fastest
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		start := time.Now()
		out, err := AppendCompress(dst, src, level)
		if err != nil {
			b.Fatal(err)
		}
		ours.note(time.Since(start), len(out))
		b.StopTimer()
		out, took := lib.compress(b, src, level)
		theirs.note(took, len(out))
		b.StartTimer()
	}
	b.ReportMetric(float64(ours.size)/float64(len(src)), "size")
	ours.report(b, theirs, "liblz4")
}

// BenchmarkDecompress compares with liblz4 in the same way.
func BenchmarkDecompress(b *testing.B) {
	lib := startLiblz4(b)
	for _, sample := range samples {
		b.Run(sample.name, func(b *testing.B) {
			src := sample.load(b, 4<<20)
			block, err := AppendCompress(nil, src, High)
			if err != nil {
				b.Fatal(err)
			}
			dst := make([]byte, len(src))
			var ours, theirs fastest
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				start := time.Now()
				if _, err := Decompress(dst, block); err != nil {
					b.Fatal(err)
				}
				ours.note(time.Since(start), len(src))
				b.StopTimer()
				out, took := lib.call(b, block, 0, len(src))
				theirs.note(took, len(out))
				b.StartTimer()
			}
			ours.report(b, theirs, "liblz4")
		})
	}
}

// fastest is the best of several runs: the one disturbed least.
type fastest struct {
	took time.Duration
	size int
}

func (f *fastest) note(took time.Duration, size int) {
	if f.took == 0 || took < f.took {
		f.took = took
	}
	f.size = size
}

func (f fastest) report(b *testing.B, ref fastest, name string) {
	if ref.took != 0 {
		b.ReportMetric(float64(ref.took)/float64(f.took), "x-"+name)
		b.ReportMetric(float64(f.size)/float64(ref.size), "size-"+name)
	}
}
