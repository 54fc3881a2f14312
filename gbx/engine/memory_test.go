package engine_test

import (
	"path/filepath"
	"runtime"
	"runtime/debug"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
)

// BenchmarkPeakMemory shows how much memory a full decode takes at most,
// compared with four times the uncompressed body plus 16 MiB. The collector
// is off meanwhile, so the peak is all that was allocated. The worst file is
// reported, and the worst ratio to the body among bodies of a megabyte and
// more.
func BenchmarkPeakMemory(b *testing.B) {
	reg := engine.Registry()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var worst, ratio float64
	var name string
	for b.Loop() {
		files(b, func(path string, data []byte) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			f, err := gbx.Parse(data, reg)
			runtime.ReadMemStats(&after)
			if err != nil {
				b.Fatalf("%s: %v", path, err)
			}
			peak, body := float64(after.TotalAlloc-before.TotalAlloc), float64(len(f.BodyBytes()))
			if share := peak / (4*body + 16<<20); share > worst {
				worst, name = share, path
			}
			if body >= 1<<20 {
				ratio = max(ratio, peak/body)
			}
			if after.HeapAlloc > 512<<20 {
				runtime.GC()
			}
		})
	}
	b.ReportMetric(worst, "x-limit")
	b.ReportMetric(ratio, "x-body")
	b.Logf("most of its limit takes %s", filepath.Base(name))
}
