package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// suite holds the tests of one package, and the code that each executes.
type suite struct {
	pkg, dir string
	own      ownUser // the user that runs its tests
	tests    []test
	blocks   []block         // all blocks of the changed package
	sound    map[string]bool // tests that pass in a program with many changes while none is chosen
}

// test is one test, example or fuzz target with its seeds.
type test struct {
	name string
	cost time.Duration // processor time, which does not depend on other programs
	took time.Duration
	runs []block
}

// block is a part of a file that always runs as a whole, between two places.
type block struct {
	file     string // last element of the path
	from, to place
}

type place struct{ line, column int }

func (p place) before(q place) bool {
	return p.line < q.line || p.line == q.line && p.column < q.column
}

func (b block) holds(p place) bool { return !p.before(b.from) && p.before(b.to) }

// listSuite runs every test of a package once, alone. It records the cost of the test,
// and the code of the changed package that it executes. A change is then shown only to
// the tests that execute it, cheap ones first.
func listSuite(ctx context.Context, work, pkg, changed string, own ownUser) (*suite, error) {
	s := &suite{pkg: pkg, own: own, sound: map[string]bool{}}
	out, err := exec.CommandContext(ctx, "go", "list", "-json=Dir", pkg).Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w", pkg, err)
	}
	var listed struct{ Dir string }
	if err := json.Unmarshal(out, &listed); err != nil {
		return nil, err
	}
	s.dir = listed.Dir
	program, profile := filepath.Join(work, "cover.test"), filepath.Join(own.home, "cover.out")
	if err := build(ctx, program, pkg, "-cover", "-coverpkg", changed); err != nil {
		return nil, err
	}
	if _, err := os.Stat(program); errors.Is(err, fs.ErrNotExist) {
		return s, nil // there are no tests
	}
	names, err := s.start(ctx, program, "-test.list", ".").Output()
	if err != nil {
		return nil, fmt.Errorf("%s: list of tests: %w", pkg, err)
	}
	for name := range strings.FieldsSeq(string(names)) {
		if strings.HasPrefix(name, "Benchmark") {
			continue
		}
		t := test{name: name}
		start := time.Now()
		run := s.start(ctx, program, "-test.short", "-test.run", "^"+name+"$", "-test.coverprofile", profile)
		if text, err := run.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%s: %s fails without a change: %w\n%s", pkg, name, err, tail(string(text)))
		}
		t.took = time.Since(start)
		t.cost = run.ProcessState.UserTime() + run.ProcessState.SystemTime()
		text, err := os.ReadFile(profile)
		if err != nil {
			return nil, err
		}
		if t.runs, s.blocks, err = readProfile(bytes.NewReader(text)); err != nil {
			return nil, err
		}
		s.tests = append(s.tests, t)
	}
	slices.SortStableFunc(s.tests, func(a, b test) int { return cmp.Compare(a.cost, b.cost) })
	return s, nil
}

// start prepares the test program of the package, in the folder where go test would run
// it.
func (s *suite) start(ctx context.Context, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "GOMEMLIMIT=1GiB")
	s.own.use(cmd)
	return cmd
}

// readProfile reads a coverage profile.
func readProfile(r io.Reader) (ran, all []block, err error) {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		file, rest, ok := strings.Cut(lines.Text(), ".go:")
		if !ok {
			continue // the line with the mode
		}
		b := block{file: filepath.Base(file) + ".go"}
		var statements, count int
		if _, err := fmt.Sscanf(rest, "%d.%d,%d.%d %d %d", &b.from.line, &b.from.column, &b.to.line, &b.to.column, &statements, &count); err != nil {
			return nil, nil, fmt.Errorf("coverage profile: %q: %w", lines.Text(), err)
		}
		all = append(all, b)
		if count > 0 {
			ran = append(ran, b)
		}
	}
	return ran, all, lines.Err()
}

// runs reports whether some of the blocks contain the code of a change.
func runs(blocks []block, c *change) bool {
	return slices.ContainsFunc(blocks, func(b block) bool { return b.file == filepath.Base(c.file) && b.holds(c.at) })
}

// runsFunction reports whether some of the blocks belong to the function of a change.
func runsFunction(blocks []block, c *change) bool {
	return slices.ContainsFunc(blocks, func(b block) bool {
		return b.file == filepath.Base(c.file) && c.fn.holds(b.from)
	})
}

// batches returns the tests that execute a change, cheap ones first, a few at a time, so
// that most changes are noticed before the slow tests.
func (s *suite) batches(c *change) (all [][]test) {
	comesBy := runs
	if !runs(s.blocks, c) { // some code is in no block, such as the expression of a case
		comesBy = runsFunction
	}
	var batch []test
	var sum time.Duration
	most := time.Second / 2
	for _, t := range s.tests {
		if !comesBy(t.runs, c) {
			continue
		}
		if len(batch) > 0 && sum+t.cost > most {
			all, batch, sum, most = append(all, batch), nil, 0, 2*most
		}
		batch, sum = append(batch, t), sum+t.cost
	}
	if len(batch) > 0 {
		all = append(all, batch)
	}
	return all
}
