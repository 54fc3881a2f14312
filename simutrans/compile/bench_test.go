package compile_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"pakbox/internal/testkit/corpus"
	"pakbox/internal/testkit/peer"
	"pakbox/simutrans/compile"
)

// benchProject copies the sources of the corpus several times over: a folder
// of some hundred sources with their pictures.
func benchProject(b *testing.B) (dir string, sources []string) {
	b.Helper()
	from := filepath.Join(corpus.Dir(b, "simutrans"), "source", "pak128")
	dir = b.TempDir()
	for i := range 4 {
		to := filepath.Join(dir, fmt.Sprint(i))
		if err := os.CopyFS(to, os.DirFS(from)); err != nil {
			b.Fatal(err)
		}
		err := filepath.WalkDir(to, func(path string, _ os.DirEntry, err error) error {
			if err == nil && filepath.Ext(path) == ".dat" {
				sources = append(sources, path)
				err = renameObjects(path, fmt.Sprint(i))
			}
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	return dir, sources
}

// renameObjects gives the objects of a source names of their own.
func renameObjects(path, suffix string) error {
	src, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	src = regexp.MustCompile(`(?im)^(name *=[^\r\n]*)`).ReplaceAll(src, []byte("${1}"+suffix))
	os.Remove(path) // the copy is as read-only as the original
	return os.WriteFile(path, src, 0o644)
}

// BenchmarkCompile measures compiling a large folder and reports how many
// times faster than makeobj it is. makeobj compiles the same in turns with it,
// so that what else the machine does slows both down.
func BenchmarkCompile(b *testing.B) {
	makeobj := peer.Makeobj(b)
	dir, sources := benchProject(b)
	theirs := filepath.Join(dir, "theirs") + "/"
	if err := os.Mkdir(theirs, 0o755); err != nil {
		b.Fatal(err)
	}
	reference := func() time.Duration {
		start := time.Now()
		if out, err := exec.Command(makeobj, append([]string{"QUIET", "PAK128", theirs}, sources...)...).CombinedOutput(); err != nil {
			b.Fatalf("makeobj: %v\n%s", err, out)
		}
		return time.Since(start)
	}
	for _, bench := range []struct {
		name    string
		workers int
		force   bool
	}{{"OneCore", 1, true}, {"TwoCores", 2, true}, {"Unchanged", 2, false}} {
		b.Run(bench.name, func(b *testing.B) {
			opts := compile.Options{Sources: sources, Out: filepath.Join(dir, "ours") + "/", Cell: 128, Workers: bench.workers, Force: bench.force}
			if _, err := compile.Run(context.Background(), opts); err != nil {
				b.Fatal(err)
			}
			var theirs time.Duration
			for b.Loop() {
				b.StopTimer()
				theirs += reference()
				b.StartTimer()
				if _, err := compile.Run(context.Background(), opts); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(theirs)/float64(b.Elapsed()), "x-makeobj")
		})
	}
}
