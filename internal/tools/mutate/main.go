// Mutate measures whether the tests of a package can fail. It changes the code
// in one place at a time, as a slip of the hand would: an operator, a condition,
// a statement that is missing. Then it runs the package's own tests. A change
// that no test notices is a place where the code could be wrong without anyone
// knowing, or code that does nothing.
//
// The files of the project stay as they are: the go command is told to read the
// changed file in place of the real one. The changes are a sample; the same seed
// gives the same ones.
//
// Run it with
//
//	make mutate PKG=./vpk42 SAMPLE=60 SEED=1
//
// The report is Markdown on standard output, with every change that went
// unnoticed; progress is on standard error. It fails if fewer than -least of 100
// were noticed.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"
)

func main() {
	sample := flag.Int("sample", 60, "changes to try in each package")
	seed := flag.Uint64("seed", 1, "chooses them")
	least := flag.Int("least", 85, "of 100 changes that have to be noticed")
	slack := flag.Duration("slack", 30*time.Second, "how much longer than before the tests may take; a change that makes them hang is noticed")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ok := true
	fmt.Printf("# Mutation\n\n`make mutate SAMPLE=%d SEED=%d`, %s\n", *sample, *seed, time.Now().UTC().Format(time.DateOnly))
	for _, pkg := range flag.Args() {
		r, err := try(ctx, pkg, *sample, *seed, *slack)
		if err != nil {
			fmt.Fprintln(os.Stderr, "mutate:", err)
			os.Exit(2)
		}
		r.print(os.Stdout)
		ok = ok && r.noticed*100 >= *least*r.tried
	}
	if !ok {
		fmt.Fprintf(os.Stderr, "mutate: fewer than %d of 100 changes were noticed\n", *least)
		os.Exit(1)
	}
}
