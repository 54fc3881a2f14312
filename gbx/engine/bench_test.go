//go:build unix

package engine_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"pakbox/codec/lzo1x"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine"
	"pakbox/internal/corpus"
)

// sample is a corpus file in memory with its compressed body found.
type sample struct {
	data   []byte
	packed []byte
	size   int
}

// samples loads every corpus file of the given main classes that has a
// compressed body.
func samples(b *testing.B, classes ...classid.ID) []sample {
	b.Helper()
	var list []sample
	err := filepath.WalkDir(corpus.Dir(b, "gbx"), func(path string, d os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(strings.ToLower(path), ".gbx") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil || !f.Compressed() || !slices.Contains(classes, f.Class.Latest()) {
			return nil
		}
		list = append(list, sample{data, f.PackedBody(), len(f.BodyBytes())})
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return list
}

// benchmarkAgainstUnpacking measures work on every sample, and in the same run
// the mere decompression of their bodies, in turns; the ratio of the medians
// is what counts.
func benchmarkAgainstUnpacking(b *testing.B, list []sample, work func(s sample)) {
	var bodies int
	for _, s := range list {
		bodies += s.size
	}
	buf := make([]byte, 0, 64<<20)
	var times, floors []time.Duration
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		start := cpuTime()
		for _, s := range list {
			if _, err := lzo1x.Decompress(buf[:s.size], s.packed); err != nil {
				b.Fatal(err)
			}
		}
		floors = append(floors, cpuTime()-start)
		start = cpuTime()
		for _, s := range list {
			work(s)
		}
		times = append(times, cpuTime()-start)
	}
	b.ReportMetric(float64(median(times))/float64(median(floors)), "x-unpacking")
	b.ReportMetric(float64(bodies)/1e6/median(times).Seconds(), "MB/s")
}

// cpuTime is what the process has used of all cores, garbage collection
// included. Other programs on the machine do not disturb it.
func cpuTime() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

const (
	classMap    = 0x03043000
	classReplay = 0x03093000
	classGhost  = 0x03092000
)

func BenchmarkDecodeMaps(b *testing.B) {
	benchmarkAgainstUnpacking(b, samples(b, classMap), decode(b))
}

func BenchmarkDecodeReplaysAndGhosts(b *testing.B) {
	benchmarkAgainstUnpacking(b, samples(b, classReplay, classGhost), decode(b))
}

func decode(b *testing.B) func(sample) {
	reg := engine.Registry()
	return func(s sample) {
		if _, err := gbx.Parse(s.data, reg); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkHeaders(b *testing.B) {
	reg := engine.Registry()
	benchmarkAgainstUnpacking(b, samples(b, classMap), func(s sample) {
		if _, err := gbx.ReadHeader(bytes.NewReader(s.data), int64(len(s.data)), reg); err != nil {
			b.Fatal(err)
		}
	})
}
