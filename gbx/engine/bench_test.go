package engine_test

import (
	"bytes"
	"io"
	"runtime"
	"slices"
	"testing"

	"pakbox/codec/lzo1x"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine"
	"pakbox/internal/testkit/liblzo2"
)

// sample is a corpus file in memory with its compressed body found.
type sample struct {
	data   []byte
	packed []byte
	size   int
}

// samples loads every corpus file of the given main classes that has a
// compressed body.
func samples(b *testing.B, classes ...classid.ID) (list []sample) {
	b.Helper()
	files(b, func(_ string, data []byte) {
		f, err := gbx.Parse(data, engine.Registry())
		if err == nil && f.IsCompressed() && slices.Contains(classes, f.Class.Latest()) {
			list = append(list, sample{data, f.PackedBody(), len(f.BodyBytes())})
		}
	})
	return list
}

// benchmarkAgainstUnpacking measures work on all samples, and in the same run
// the mere decompression of their bodies with our decoder and with liblzo2, in
// turns. The medians of the ratios are what counts: x-own and x-liblzo2, times
// as long as that. All of it is processor time, garbage collection included.
// Preparing the work is not counted.
func benchmarkAgainstUnpacking(b *testing.B, list []sample, prepare func(i int) (work func() error)) {
	defer func(rate int) { runtime.MemProfileRate = rate }(runtime.MemProfileRate)
	runtime.MemProfileRate = 0 // programs that are not tests keep no profile
	bodies, most := 0, 0
	for _, s := range list {
		bodies += s.size
		most = max(most, s.size)
	}
	lib := startLiblzo2(b, list)
	buf := make([]byte, most)
	var times, own, others []float64
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		unpacking := seconds(func() {
			for _, s := range list {
				if _, err := lzo1x.Decompress(buf[:s.size], s.packed); err != nil {
					b.Fatal(err)
				}
			}
		})
		var spent float64
		for i := range list {
			work := prepare(i)
			spent += seconds(func() {
				if err := work(); err != nil {
					b.Fatal(err)
				}
			})
		}
		times = append(times, spent)
		own = append(own, spent/unpacking)
		theirs, _ := lib.Time(b, "lzo1x_decompress_safe")
		others = append(others, spent/theirs.Seconds())
	}
	b.ReportMetric(median(own), "x-own")
	b.ReportMetric(median(others), "x-liblzo2")
	b.ReportMetric(float64(bodies)/1e6/median(times), "MB/s")
}

// startLiblzo2 gives liblzo2 the bodies.
func startLiblzo2(b *testing.B, list []sample) *liblzo2.Process {
	b.Helper()
	bodies := make([]liblzo2.Body, len(list))
	for i, s := range list {
		raw := make([]byte, s.size)
		if _, err := lzo1x.Decompress(raw, s.packed); err != nil {
			b.Fatal(err)
		}
		bodies[i] = liblzo2.Body{Raw: raw, Packed: s.packed}
	}
	return liblzo2.Start(b, bodies)
}

func seconds(f func()) float64 {
	start := liblzo2.CPUTime()
	f()
	return (liblzo2.CPUTime() - start).Seconds()
}

func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}

const (
	classMap    = 0x03043000
	classReplay = 0x03093000
	classGhost  = 0x03092000
)

func BenchmarkDecodeMaps(b *testing.B) { benchmarkDecode(b, samples(b, classMap)) }

func BenchmarkDecodeReplaysAndGhosts(b *testing.B) {
	benchmarkDecode(b, samples(b, classReplay, classGhost))
}

func benchmarkDecode(b *testing.B, list []sample) {
	reg := engine.Registry()
	benchmarkAgainstUnpacking(b, list, func(i int) func() error {
		return func() error {
			_, err := gbx.Parse(list[i].data, reg)
			return err
		}
	})
}

func BenchmarkHeaders(b *testing.B) {
	list, reg := samples(b, classMap), engine.Registry()
	benchmarkAgainstUnpacking(b, list, func(i int) func() error {
		return func() error {
			data := list[i].data
			_, err := gbx.ReadHeader(bytes.NewReader(data), int64(len(data)), reg)
			return err
		}
	})
}

// Saving codes all values again and compresses the body anew with the fast
// encoder, as after an edit.
func BenchmarkSaveMaps(b *testing.B) { benchmarkSave(b, samples(b, classMap)) }

func BenchmarkSaveReplaysAndGhosts(b *testing.B) {
	benchmarkSave(b, samples(b, classReplay, classGhost))
}

func benchmarkSave(b *testing.B, list []sample) {
	reg := engine.Registry()
	benchmarkAgainstUnpacking(b, list, func(i int) func() error {
		f, err := gbx.Parse(list[i].data, reg)
		if err != nil {
			b.Fatal(err)
		}
		f.SetCompression(true, lzo1x.Fast)
		return func() error {
			_, err := f.WriteTo(io.Discard)
			return err
		}
	})
}
