// Bench measures pakbox on real files, each command and library call beside
// others that do the same work, and writes what it finds as a table, as JSON
// and as docs/benchmarks.md.
//
// Figures of one machine mean little; ratios measured in one run mean more. So
// everything in a row runs in turns, a number of rounds of it, and the medians
// are compared: wall clock, processor time of all cores, and peak memory, each
// of the whole process. Library calls are measured in a process of their own,
// which is this program again.
//
// A reference is a peer, a program that does the same job, or a floor, which
// does only what cannot be avoided: reading the bytes, or unpacking them. Where
// pakbox is behind a peer, the table says why (see reasons.go) or that nobody
// knows.
//
// The scaling part runs commands on 1, 10, 100 and 1,000 times the same input:
// time per unit and memory should not grow with it. A run deletes its files at
// the end, which ext4 remembers for five minutes (see freshFolder): another run
// within these measures it.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

func main() {
	if len(os.Args) > 2 && os.Args[1] == libraryFlag {
		if err := runLibrary(os.Args[2], os.Args[3:]); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	var opts options
	flag.StringVar(&opts.pakbox, "pakbox", "./pakbox", "the program to measure")
	flag.StringVar(&opts.rows, "rows", "", "measure only the rows whose name matches this regular expression, and write no documents")
	flag.IntVar(&opts.rounds, "n", 7, "rounds of each row")
	flag.IntVar(&opts.scalingRounds, "scaling-n", 3, "rounds of each step of the scaling part")
	flag.StringVar(&opts.docs, "docs", "docs", "the folder for documents")
	flag.Parse()
	if err := run(opts); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

type options struct {
	pakbox, rows, docs    string
	rounds, scalingRounds int
}

func run(opts options) error {
	wanted, err := regexp.Compile(opts.rows)
	if err != nil {
		return err
	}
	b, err := newBench(opts)
	if err != nil {
		return err
	}
	defer b.end()
	report := &report{Machine: thisMachine(), Date: time.Now().UTC().Format(time.DateOnly), Rounds: opts.rounds, ScalingRounds: opts.scalingRounds}
	var failed []error // a row that fails does not keep the others from their turn
	for _, m := range b.makers() {
		if !wanted.MatchString(m.name) {
			continue
		}
		b.note("%s", m.name)
		result, err := b.row(m)
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", m.name, err))
			continue
		}
		report.Rows = append(report.Rows, result...)
	}
	if wanted.MatchString(explorerLoad) {
		b.note("%s", explorerLoad)
		if report.Explorer, err = b.explorer(); err != nil {
			failed = append(failed, err)
		}
	}
	for _, c := range b.scaling() {
		if !wanted.MatchString(c.name) {
			continue
		}
		b.note("%s", c.name)
		result, err := b.scale(c)
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", c.name, err))
			continue
		}
		report.Scaling = append(report.Scaling, result)
	}
	failed = append(failed, report.text(os.Stdout))
	if opts.rows == "" {
		failed = append(failed, report.write(opts.docs))
	}
	return errors.Join(failed...)
}

// row makes a row and measures it.
func (b *bench) row(m maker) ([]comparison, error) {
	r, err := m.make(m.name)
	if err != nil {
		return nil, err
	}
	r.name = m.name
	return b.measure(r)
}

// bench is what all rows share.
type bench struct {
	options
	tmp    string
	self   string // this program
	corpus string
	tools  tools
	aside  int      // outputs put aside
	atEnd  []func() // what ends with the run: mounts, folders in memory
}

// end ends what rows left running, and removes their files.
func (b *bench) end() {
	for _, f := range b.atEnd {
		f()
	}
	os.RemoveAll(b.tmp)
}

func newBench(opts options) (*bench, error) {
	b := &bench{options: opts}
	var err error
	if b.pakbox, err = filepath.Abs(opts.pakbox); err != nil {
		return nil, err
	}
	if _, err := os.Stat(b.pakbox); err != nil {
		return nil, fmt.Errorf("%w ('make build' makes it)", err)
	}
	if b.self, err = os.Executable(); err != nil {
		return nil, err
	}
	if b.corpus = os.Getenv("PAKBOX_CORPUS"); b.corpus == "" {
		b.corpus = filepath.Join("..", "shared", "corpus")
	}
	if b.corpus, err = filepath.Abs(b.corpus); err != nil {
		return nil, err
	}
	if _, err := os.Stat(b.corpus); err != nil {
		return nil, fmt.Errorf("there are no files to measure with: %w (set PAKBOX_CORPUS)", err)
	}
	if b.tmp, err = os.MkdirTemp("", "pakbox-bench-"); err != nil {
		return nil, err
	}
	b.tools = b.findTools()
	return b, nil
}

// note tells whoever waits.
func (b *bench) note(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "bench: "+format+"\n", args...)
}

// path is a place in the temporary folder.
func (b *bench) path(parts ...string) string {
	return filepath.Join(append([]string{b.tmp}, parts...)...)
}
