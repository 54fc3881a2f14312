// Mutate measures whether the tests of a package can fail. It changes the code
// in one place at a time, as a slip of the hand would: an operator, a condition,
// a statement that is missing. Then it runs the package's own tests. A change
// that no test notices is a place where the code could be wrong without anyone
// knowing, or code that does nothing.
//
// The files of the project stay as they are: the go command reads the changed file
// in place of the real one. The changes are a sample; the same seed gives the same
// sample. Every test first runs alone, which measures its cost and the code it runs, also in
// other processes if they are the same program: a change meets only the tests that run
// it, cheap ones first. Long tests that have parts, such as scripts, run part by part.
// Capacities of slices and sizes of buffers stay: another number there is the same
// program.
//
// Run it with
//
//	make mutate PKG=./metin2/vpk42 SAMPLE=60
//
// A changed program may write anywhere. If root runs this, the tests run as a user
// who owns nothing but a folder for temporary files. Tests that only root can run need
// -root (ROOT=1), and belong on a machine that may be lost.
//
// The report is a table in Markdown on standard output, which docs/evidence/mutation.md
// keeps; progress and the changes that nobody noticed are on standard error. It
// fails if fewer than -least of 100 were noticed.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"
)

func main() {
	sample := flag.Int("sample", 60, "changes to try in each package")
	seed := flag.Uint64("seed", 0, "chooses the changes; without it the date does, such as 20261118")
	least := flag.Int("least", 85, "of 100 changes that have to be noticed")
	slack := flag.Duration("slack", 20*time.Second, "how much longer than twice their time before tests may take; a change that makes them hang is noticed")
	with := flag.String("with", "", "packages, separated by commas, whose tests count beside the package's own")
	asRoot := flag.Bool("root", false, "let changed programs run as root, if that is who runs this: for tests that mount")
	flag.Parse()
	if *seed == 0 { // nobody can tune tests to a seed that depends on the day
		now := time.Now().UTC()
		*seed = uint64(now.Year()*10000 + int(now.Month())*100 + now.Day())
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	also := strings.FieldsFunc(*with, func(r rune) bool { return r == ',' })
	fmt.Printf("Seed %d, %s.\n\n| package | changes that can be made | tried | noticed | of 100 | noticed by hanging |\n|---|---|---|---|---|---|\n", *seed, time.Now().UTC().Format(time.DateOnly))
	ok := true
	for _, pkg := range flag.Args() {
		r, err := try(ctx, pkg, also, *sample, *seed, *slack, *asRoot)
		if err != nil {
			fmt.Fprintln(os.Stderr, "mutate:", err)
			os.Exit(2)
		}
		fmt.Println(r.row())
		ok = ok && r.ofHundred() >= *least
	}
	if !ok {
		fmt.Fprintf(os.Stderr, "mutate: fewer than %d of 100 changes were noticed\n", *least)
		os.Exit(1)
	}
}
