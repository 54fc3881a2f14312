//go:build linux

// Soak attacks pakbox for a given time and counts what happened. It does
// three things in turn:
//
//   - every fuzz target of the project;
//   - damage: real files, broken in every way that [kinds] lists, go through
//     the real program, one process for each command, watched from outside for
//     panics, hangs, memory above the documented bound, exit codes that are not
//     documented, and files outside the target folder;
//   - faults: every command that writes meets a full disk, a short write, a
//     folder it may not write to, and its own sudden end; what stood there
//     before must still stand there, or the new must be complete.
//
// The same seed gives the same damaged files in the same order; only how many
// of them there is time for differs. Every finding is saved with what it takes
// to see it again, and belongs into a regression test once it is mended.
//
// It runs on Linux, because limits and resource usage of child processes are
// taken from the kernel. As root it locks the program into a folder (chroot)
// and fills a disk made for that; otherwise it says what it could not try.
//
// Run it with
//
//	make soak TIME=30m SEED=1
//
// The report is Markdown on standard output, progress is on standard error.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"pakbox/internal/testkit/corpus"
)

// soak is one run.
type soak struct {
	root     string // of the project
	corpus   string // real files, one folder a format
	work     string // for everything temporary
	pakbox   string // the program
	seed     uint64
	workers  int
	findings findings
}

// The share of the time that each part gets. Faults need few runs to see each
// command meet each fault; fuzzing needs most to get anywhere.
const (
	fuzzShare   = 0.50
	damageShare = 0.35
)

func main() {
	total := flag.Duration("time", 10*time.Minute, "the time for everything")
	seed := flag.Uint64("seed", 1, "chooses the damage")
	workers := flag.Int("workers", 2, "processes at a time")
	out := flag.String("findings", "soak-findings", "folder for inputs that show a finding")
	only := flag.String("only", "fuzz,damage,faults", "the parts to run")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	s := &soak{seed: *seed, workers: *workers, findings: findings{dir: *out}}
	if err := s.run(ctx, *total, *only); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(2)
	}
	if n := s.findings.count(); n > 0 {
		fmt.Fprintf(os.Stderr, "soak: %d findings in %s\n", n, *out)
		os.Exit(1)
	}
}

// part is one of the three things that soak does. It fills its section of the
// report until its time is over.
type part struct {
	name  string
	share float64
	run   func(ctx context.Context, until time.Time) (section, error)
}

func (s *soak) run(ctx context.Context, total time.Duration, only string) error {
	start := time.Now()
	if err := s.prepare(ctx); err != nil {
		return err
	}
	defer os.RemoveAll(s.work)

	var parts []part
	var shares float64
	for _, p := range []part{
		{"fuzz", fuzzShare, s.fuzz},
		{"damage", damageShare, s.damage},
		{"faults", 1 - fuzzShare - damageShare, s.faults},
	} {
		if strings.Contains(only, p.name) {
			parts = append(parts, p)
			shares += p.share
		}
	}
	if len(parts) == 0 {
		return fmt.Errorf("there is no part in %q", only)
	}
	r := report{start: start, seed: s.seed, asked: total}
	for i, p := range parts {
		left := total - time.Since(start)
		until := time.Now().Add(time.Duration(float64(left) * p.share / shares))
		shares -= p.share
		if i == len(parts)-1 {
			until = start.Add(total)
		}
		fmt.Fprintf(os.Stderr, "soak: %s for %v\n", p.name, time.Until(until).Round(time.Second))
		sec, err := p.run(ctx, until)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		r.sections = append(r.sections, sec)
	}
	r.print(os.Stdout, &s.findings)
	return nil
}

// prepare finds the project and the real files, and builds the program.
func (s *soak) prepare(ctx context.Context) error {
	mod, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	if err != nil {
		return err
	}
	s.root = filepath.Dir(strings.TrimSpace(string(mod)))
	s.corpus = corpus.Root()
	if s.work, err = os.MkdirTemp("", "soak-"); err != nil {
		return err
	}
	// Another user runs pakbox in here when permissions are tried.
	if err := os.Chmod(s.work, 0o755); err != nil {
		return err
	}
	s.pakbox = filepath.Join(s.work, "pakbox")
	build := exec.CommandContext(ctx, "go", "build", "-o", s.pakbox, "./cmd/pakbox")
	build.Dir = s.root
	if out, err := build.CombinedOutput(); err != nil {
		return errors.Join(err, errors.New(string(out)))
	}
	return nil
}
