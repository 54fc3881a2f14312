//go:build linux

package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// findings are what should not have happened, each with the files that show
// it in a folder of its own.
type findings struct {
	mu   sync.Mutex
	dir  string
	list []string
}

func (f *findings) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.list)
}

// add notes a finding and saves what it takes to see it again: a text, and
// copies of files.
func (f *findings) add(summary, detail string, inputs ...string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list = append(f.list, summary)
	fmt.Fprintf(os.Stderr, "soak: FINDING: %s\n", summary)
	dir := filepath.Join(f.dir, fmt.Sprintf("%03d", len(f.list)))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, name := range inputs {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), data, 0o666); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, "finding.txt"), []byte(summary+"\n\n"+detail+"\n"), 0o666)
}

// section is one part of the report.
type section struct {
	title string
	notes []string
	table *table
}

// table is text in columns.
type table struct {
	head []string
	rows [][]string
}

func (t *table) add(cells ...any) {
	row := make([]string, len(cells))
	for i, c := range cells {
		row[i] = fmt.Sprint(c)
	}
	t.rows = append(t.rows, row)
}

func (t *table) print(w io.Writer) {
	line := func(cells []string) { fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | ")) }
	line(t.head)
	fmt.Fprintf(w, "|%s\n", strings.Repeat("---|", len(t.head)))
	for _, row := range t.rows {
		line(row)
	}
}

// report is the whole answer.
type report struct {
	start    time.Time
	asked    time.Duration
	seed     uint64
	sections []section
}

func (r *report) print(w io.Writer, f *findings) {
	fmt.Fprintf(w, "# Soak\n\n`make soak TIME=%v SEED=%d`, %s, took %v.\n", r.asked, r.seed, r.start.UTC().Format("2006-01-02"), time.Since(r.start).Round(time.Second))
	fmt.Fprintf(w, "%s, %s/%s, %d cores.\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	if n := f.count(); n == 0 {
		fmt.Fprintf(w, "**No findings.**\n")
	} else {
		fmt.Fprintf(w, "**%d findings:**\n\n", n)
		for _, s := range f.list {
			fmt.Fprintf(w, "- %s\n", s)
		}
	}
	for _, s := range r.sections {
		fmt.Fprintf(w, "\n## %s\n\n", s.title)
		for _, n := range s.notes {
			fmt.Fprintf(w, "%s\n", n)
		}
		if s.table != nil {
			fmt.Fprintln(w)
			s.table.print(w)
		}
	}
}

// tally counts how often each of several things happened.
type tally[K comparable] map[K]int

// codes writes counted exit codes as "0: 12, 1: 88".
func codes(t tally[int]) string {
	var parts []string
	for _, code := range slices.Sorted(maps.Keys(t)) {
		parts = append(parts, fmt.Sprintf("%d: %d", code, t[code]))
	}
	return strings.Join(parts, ", ")
}

// mib writes a size in MiB.
func mib(n int64) string { return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20)) }

// staySmall keeps soak itself small: the kernel counts the memory of a parent
// at the moment of starting a child as the child's.
func staySmall() { debug.SetMemoryLimit(24 << 20) }

// ownPeak is the most memory that soak itself has held, below which nothing
// can be measured in its children.
func ownPeak() int64 {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return u.Maxrss << 10
}
