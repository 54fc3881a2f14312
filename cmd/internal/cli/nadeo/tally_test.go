package nadeo

import (
	"context"
	"io"
	"os"
	"testing"
	"time"

	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/source"
	"pakbox/internal/lib/parallel"
	"pakbox/internal/testkit/corpus"
)

// BenchmarkTally counts the corpus and compares that with reading the same
// files, on as many cores.
func BenchmarkTally(b *testing.B) {
	dir := corpus.Dir(b, "gbx")
	files, err := source.FilesBelow(dir)
	if err != nil {
		b.Fatal(err)
	}
	a := kit.New(context.Background(), kit.Env{Stdout: io.Discard, Stderr: io.Discard})
	reading := time.Duration(0)
	for b.Loop() {
		if err := tally(a.Ctx, a, dir, 0); err != nil || a.Code != 0 {
			b.Fatalf("err = %v, a.Code = %v; want no error, a.Code = 0", err, a.Code)
		}
		b.StopTimer()
		start := time.Now()
		err := parallel.Each(a.Ctx, 0, len(files), func(_ context.Context, i int) error {
			_, err := os.ReadFile(files[i])
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
		reading += time.Since(start)
		b.StartTimer()
	}
	b.ReportMetric(float64(len(files))*float64(b.N)/b.Elapsed().Seconds(), "files/s")
	b.ReportMetric(b.Elapsed().Seconds()/reading.Seconds(), "x-reading")
}
