package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// result is what came of one package.
type result struct {
	pkg       string
	seed      uint64
	places    int
	tried     int
	noticed   int
	hung      int // of those noticed
	unnoticed []string
}

// ofHundred is the share of changes that were noticed, rounded down.
func (r *result) ofHundred() int { return r.noticed * 100 / max(1, r.tried) }

// errBuild is a change that the compiler refuses, which says nothing about tests.
var errBuild = errors.New("does not compile")

// trial is what every change of a package is tried with.
type trial struct {
	work   string
	suites []*suite
	slack  time.Duration
}

// try makes changes to a package, as many as asked for, and counts those that
// tests notice: its own, and those of the packages in also.
func try(ctx context.Context, pkg string, also []string, sample int, seed uint64, slack time.Duration) (*result, error) {
	r := &result{pkg: pkg, seed: seed}
	all, err := changesOf(ctx, pkg)
	if err != nil {
		return nil, err
	}
	r.places = len(all)
	random := rand.New(rand.NewPCG(seed, seed))
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	work, err := os.MkdirTemp("", "mutate-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	t := &trial{work: work, slack: slack}
	for _, tests := range append([]string{pkg}, also...) {
		s, err := listSuite(ctx, work, tests, pkg)
		if err != nil {
			return nil, err
		}
		t.suites = append(t.suites, s)
	}
	for _, c := range all {
		if r.tried == sample || ctx.Err() != nil {
			break
		}
		by, err := t.show(ctx, &c)
		if err == errBuild {
			continue
		}
		if err != nil {
			return nil, err
		}
		r.count(&c, by)
	}
	fmt.Fprintf(os.Stderr, "mutate: %s: %d of %d noticed\n", pkg, r.noticed, r.tried)
	return r, ctx.Err()
}

// count keeps what came of one change.
func (r *result) count(c *change, by notice) {
	r.tried++
	switch by {
	case byNone:
		r.unnoticed = append(r.unnoticed, "no test runs it: "+c.String())
	case byNothing:
		r.unnoticed = append(r.unnoticed, c.String())
	case byHanging:
		r.hung++
		fallthrough
	case byFailing:
		r.noticed++
		return
	}
	fmt.Fprintf(os.Stderr, "mutate: %s: unnoticed: %s\n", r.pkg, r.unnoticed[len(r.unnoticed)-1])
}

// changesOf finds every change that can be made in a package.
func changesOf(ctx context.Context, pkg string) (all []change, err error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-json=Dir,GoFiles", pkg).Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w", pkg, err)
	}
	var listed struct {
		Dir     string
		GoFiles []string
	}
	if err := json.Unmarshal(out, &listed); err != nil {
		return nil, err
	}
	for _, name := range listed.GoFiles {
		found, err := changesIn(filepath.Join(listed.Dir, name))
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// notice is how a change was noticed.
type notice int

const (
	byNone    notice = iota // no test runs the code
	byNothing               // tests run it and pass
	byFailing
	byHanging
)

// show runs the tests that run the code of a change, until one notices it.
func (t *trial) show(ctx context.Context, c *change) (notice, error) {
	overlay, err := t.overlay(c)
	if err != nil {
		return byNone, err
	}
	by := byNone
	for _, s := range t.suites {
		program := ""
		for _, batch := range s.batches(c) {
			if program == "" {
				program = filepath.Join(t.work, "changed.test")
				if err := build(ctx, program, s.pkg, "-overlay", overlay); err != nil {
					return byNone, err
				}
			}
			if by = t.run(ctx, s, program, batch); by != byNothing {
				return by, ctx.Err()
			}
		}
	}
	if by == byNone { // the compiler may refuse what nobody runs
		err = build(ctx, os.DevNull, t.suites[0].pkg, "-overlay", overlay)
	}
	return by, err
}

// run runs some tests with a change.
func (t *trial) run(ctx context.Context, s *suite, program string, batch []test) notice {
	var names []string
	limit := t.slack
	for _, test := range batch {
		names, limit = append(names, test.name), limit+2*test.took
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	run := s.start(ctx, program, "-test.failfast", "-test.short", "-test.run", "^("+strings.Join(names, "|")+")$")
	run.WaitDelay = time.Second
	err := run.Run()
	switch {
	case ctx.Err() != nil:
		return byHanging
	case err != nil:
		return byFailing
	}
	return byNothing
}

// build makes the test program of a package.
func build(ctx context.Context, program, pkg string, flags ...string) error {
	args := append([]string{"test", "-c", "-vet=off", "-ldflags=-s -w", "-o", program}, flags...)
	out, err := exec.CommandContext(ctx, "go", append(args, pkg)...).CombinedOutput()
	switch {
	case err == nil || ctx.Err() != nil:
		return ctx.Err()
	case slices.Contains(flags, "-overlay"):
		return errBuild
	}
	return fmt.Errorf("%s: %w\n%s", pkg, err, out)
}

// overlay tells the go command to read the changed file.
func (t *trial) overlay(c *change) (string, error) {
	src, err := os.ReadFile(c.file)
	if err != nil {
		return "", err
	}
	changed := filepath.Join(t.work, "changed.go")
	if err := os.WriteFile(changed, c.apply(src), 0o666); err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]map[string]string{"Replace": {c.file: changed}})
	if err != nil {
		return "", err
	}
	path := filepath.Join(t.work, "overlay.json")
	return path, os.WriteFile(path, text, 0o666)
}

// tail is the end of a text.
func tail(s string) string {
	lines := strings.Split(s, "\n")
	return strings.Join(lines[max(0, len(lines)-20):], "\n")
}
