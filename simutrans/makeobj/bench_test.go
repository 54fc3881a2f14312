package makeobj_test

import (
	"context"
	"io"
	"os/exec"
	"testing"
	"time"

	"pakbox/internal/testkit/corpus"
	"pakbox/internal/testkit/peer"
	"pakbox/simutrans/makeobj"
)

// BenchmarkPak64 lists and dumps the 773 files of pak64 and reports how many
// times faster than makeobj that is, in turns with it. makeobj's time holds
// the start of its process, which is some milliseconds of it.
func BenchmarkPak64(b *testing.B) {
	program := peer.Makeobj(b)
	files := corpus.Files(b, corpus.Pak64(b), "*.pak")
	for _, command := range []string{"LIST", "DUMP"} {
		b.Run(command, func(b *testing.B) {
			args := append([]string{"QUIET", command}, files...)
			var theirs time.Duration
			for b.Loop() {
				b.StopTimer()
				start := time.Now()
				cmd := exec.Command(program, args...)
				cmd.Stdout = io.Discard
				if err := cmd.Run(); err != nil {
					b.Fatal(err)
				}
				theirs += time.Since(start)
				b.StartTimer()
				front := &makeobj.Front{Stdout: io.Discard, Stderr: io.Discard}
				if code := front.Run(context.Background(), args); code != 0 {
					b.Fatalf("code = %v; want 0", code)
				}
			}
			b.ReportMetric(float64(theirs)/float64(b.Elapsed()), "x-makeobj")
		})
	}
}
