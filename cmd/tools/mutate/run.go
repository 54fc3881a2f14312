package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// result is the result for one package.
type result struct {
	pkg       string
	places    int
	tried     int
	noticed   int
	hung      int // of the noticed changes, those that hung
	unnoticed []string
}

// ofHundred returns the share of noticed changes in percent, rounded down.
func (r *result) ofHundred() int { return r.noticed * 100 / max(1, r.tried) }

// row formats the result as a row of the table.
func (r *result) row() string {
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %d |", r.pkg, r.places, r.tried, r.noticed, r.ofHundred(), r.hung)
}

// errBuild marks a change that does not compile, which proves nothing about tests.
var errBuild = errors.New("does not compile")

// trial has the folder, the tests and the time limit for all changes of a package.
type trial struct {
	work     string
	suites   []*suite
	slack    time.Duration
	together *together
}

// try makes as many changes to a package as requested, and counts those that tests
// notice: its own tests, and those of the packages in also.
func try(ctx context.Context, pkg string, also []string, sample int, seed uint64, slack time.Duration, asRoot bool) (*result, error) {
	r := &result{pkg: pkg}
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
	own, err := newOwnUser(work, asRoot)
	if err != nil {
		return nil, err
	}
	t := &trial{work: work, slack: slack}
	for _, tests := range append([]string{pkg}, also...) {
		s, err := listSuite(ctx, work, tests, pkg, own)
		if err != nil {
			return nil, err
		}
		t.suites = append(t.suites, s)
	}
	if t.together, err = putTogether(ctx, work, t.suites, all[:min(len(all), sample+sample/4)]); err != nil {
		return nil, err
	}
	for i := range all {
		if r.tried == sample || ctx.Err() != nil {
			break
		}
		c := &all[i]
		by, err := t.show(ctx, c)
		if err == errBuild {
			continue
		}
		if err != nil {
			return nil, err
		}
		r.count(c, by)
	}
	fmt.Fprintf(os.Stderr, "mutate: %s: %d of %d noticed\n", pkg, r.noticed, r.tried)
	return r, ctx.Err()
}

// count records the result of one change.
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

// changesOf lists all possible changes in a package.
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

// notice describes how a change was noticed.
type notice int

const (
	byNone    notice = iota // no test runs the code
	byNothing               // tests run it and pass
	byFailing
	byHanging
)

// show runs the tests that execute the changed code, until one notices the change.
func (t *trial) show(ctx context.Context, c *change) (by notice, err error) {
	for i, s := range t.suites {
		program, number := t.together.program(i, c)
		for _, batch := range s.batches(c) {
			if program == "" {
				program = filepath.Join(t.work, "changed.test")
				if err := t.buildAlone(ctx, program, s.pkg, c); err != nil {
					return byNone, err
				}
			}
			by, err = t.run(ctx, s, program, number, batch)
			if err != nil || by != byNothing {
				return by, err
			}
		}
	}
	if _, number := t.together.program(0, c); by == byNone && number == 0 { // code that nobody runs might not even compile
		err = t.buildAlone(ctx, os.DevNull, t.suites[0].pkg, c)
	}
	return by, err
}

// buildAlone builds a test program with one change.
func (t *trial) buildAlone(ctx context.Context, program, pkg string, c *change) error {
	src, err := os.ReadFile(c.file)
	if err != nil {
		return err
	}
	overlay, err := overlay(t.work, map[string][]byte{c.file: c.apply(src)})
	if err != nil {
		return err
	}
	if err := build(ctx, program, pkg, "-overlay", overlay); errors.As(err, new(*refused)) {
		return errBuild
	} else {
		return err
	}
}

// longest is more time than any test takes on the busiest machine.
const longest = 10 * time.Minute

// run runs some tests with a change. If they fail in a program with many changes, they
// must pass while none of the changes is chosen. If they take too long, the reason may be
// a busier machine: then the time limit grows.
func (t *trial) run(ctx context.Context, s *suite, program string, number int, batch []test) (notice, error) {
	by, err := t.runOnce(ctx, s, program, number, batch)
	if err != nil || by == byNothing || number == 0 || ctx.Err() != nil {
		return by, cmp.Or(err, ctx.Err())
	}
	for i := range batch {
		one := batch[i : i+1]
		if s.sound[pattern(one)] && by != byHanging {
			continue
		}
		switch unchanged, err := t.runOnce(ctx, s, program, 0, one); {
		case err != nil || ctx.Err() != nil:
			return by, cmp.Or(err, ctx.Err())
		case unchanged == byHanging && t.slack < longest:
			t.slack *= 2
			return t.run(ctx, s, program, number, batch)
		case unchanged != byNothing:
			return by, fmt.Errorf("%s: %s fails in a program with changes of which none is chosen", s.pkg, pattern(one))
		}
		s.sound[pattern(one)] = true
	}
	return by, ctx.Err()
}

func (t *trial) runOnce(ctx context.Context, s *suite, program string, number int, batch []test) (notice, error) {
	if err := os.WriteFile(numberFile(t.work), []byte(strconv.Itoa(number)), 0o644); err != nil {
		return byNone, err
	}
	limit := t.slack
	for _, test := range batch {
		limit += 2 * test.took
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	run := s.start(ctx, program, "-test.failfast", "-test.run", pattern(batch))
	run.WaitDelay = time.Second
	err := run.Run()
	switch {
	case ctx.Err() != nil:
		return byHanging, nil
	case err != nil:
		return byFailing, nil
	}
	return byNothing, nil
}

// refused is the error for code that does not compile, with the compiler's messages.
type refused struct {
	err  error
	text string
}

func (r *refused) Error() string { return fmt.Sprintf("%v\n%s", r.err, r.text) }

// build makes the test program of a package.
func build(ctx context.Context, program, pkg string, flags ...string) error {
	args := append([]string{"test", "-c", "-vet=off", "-ldflags=-s -w", "-o", program}, flags...)
	out, err := exec.CommandContext(ctx, "go", append(args, pkg)...).CombinedOutput()
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	return &refused{err, string(out)}
}

// overlay makes the go command read other files in place of some.
func overlay(work string, files map[string][]byte) (string, error) {
	replace := map[string]string{}
	for path, text := range files {
		changed := filepath.Join(work, filepath.Base(path))
		if err := os.WriteFile(changed, text, 0o666); err != nil {
			return "", err
		}
		replace[path] = changed
	}
	text, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	if err != nil {
		return "", err
	}
	path := filepath.Join(work, "overlay.json")
	return path, os.WriteFile(path, text, 0o666)
}

// tail returns the last lines of a text.
func tail(s string) string {
	lines := strings.Split(s, "\n")
	return strings.Join(lines[max(0, len(lines)-20):], "\n")
}
