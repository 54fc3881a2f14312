package lz4hc

import (
	"fmt"
	"testing"
	"time"

	"github.com/pierrec/lz4/v4"
)

// BenchmarkCompress reports, besides the speed, the size as a part of the
// input (size), and against liblz4 and pierrec/lz4 measured in turn with it:
// how many times as fast (x-…) and as large (size-…) the result is.
//
// pierrec/lz4 takes part at level 1 with its fast encoder, and at level 9 with
// its own ninth level.
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
	buf := make([]byte, lz4.CompressBlockBound(len(src)))
	var ours, theirs, others fastest
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
		start = time.Now()
		switch level {
		case 1:
			n, _ := lz4.CompressBlock(src, buf, nil)
			others.note(time.Since(start), n)
		case 9:
			n, _ := lz4.CompressBlockHC(src, buf, lz4.Level9, nil, nil)
			others.note(time.Since(start), n)
		}
		b.StartTimer()
	}
	b.ReportMetric(float64(ours.size)/float64(len(src)), "size")
	ours.report(b, theirs, "liblz4")
	ours.report(b, others, "pierrec")
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
