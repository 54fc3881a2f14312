package lzo1x

import (
	"slices"
	"testing"
	"time"

	anchore "github.com/anchore/go-lzo"

	"pakbox/internal/testkit/liblzo2"
)

// The benchmarks go over all bodies of the corpus. Each pass is followed by one
// of the reference, and the median of the ratios is reported: x-liblzo2 is how
// many times as fast as liblzo2, size-x-… how many times as large as what it
// gives.

func BenchmarkDecompress(b *testing.B) {
	bodies := realBodies(b)
	lib := startLiblzo2(b, bodies)
	dst := make([]byte, largest(bodies))
	var ratios, others []float64
	b.SetBytes(total(bodies))
	for b.Loop() {
		own := clock(func() {
			for _, body := range bodies {
				Decompress(dst[:len(body.raw)], body.packed)
			}
		})
		b.StopTimer()
		spent, _ := lib.Time(b, "lzo1x_decompress_safe")
		ratios = append(ratios, ratio(spent, own))
		other := clock(func() {
			for _, body := range bodies {
				anchore.Decompress(body.packed, dst[:len(body.raw)])
			}
		})
		others = append(others, ratio(other, own))
		b.StartTimer()
	}
	b.ReportMetric(median(others), "x-anchore")
	b.ReportMetric(median(ratios), "x-liblzo2")
}

func BenchmarkAppendCompressFast(b *testing.B) {
	benchmarkCompress(b, Fast, "lzo1x_1")
}

func BenchmarkAppendCompressBest(b *testing.B) {
	benchmarkCompress(b, Best, "lzo1x_999")
}

func benchmarkCompress(b *testing.B, level Level, reference string) {
	bodies := realBodies(b)
	lib := startLiblzo2(b, bodies)
	dst := make([]byte, 0, MaxCompressedLen(largest(bodies)))
	var ratios []float64
	var size, refSize int
	b.SetBytes(total(bodies))
	for b.Loop() {
		size = 0
		own := clock(func() {
			for _, body := range bodies {
				size += len(appendCompress(dst, body.raw, level))
			}
		})
		b.StopTimer()
		var spent time.Duration
		spent, refSize = lib.Time(b, reference+"_compress")
		ratios = append(ratios, ratio(spent, own))
		b.StartTimer()
	}
	b.ReportMetric(float64(size), "bytes")
	b.ReportMetric(median(ratios), "x-liblzo2")
	b.ReportMetric(float64(size)/float64(refSize), "size-x-"+reference)
}

func clock(f func()) time.Duration {
	start := liblzo2.CPUTime()
	f()
	return liblzo2.CPUTime() - start
}

func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }

func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}

func total(bodies []body) (n int64) {
	for _, b := range bodies {
		n += int64(len(b.raw))
	}
	return n
}

func largest(bodies []body) (n int) {
	for _, b := range bodies {
		n = max(n, len(b.raw))
	}
	return n
}
