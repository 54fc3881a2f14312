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
	"regexp"
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

// test is one test, example or fuzz target with its seeds, or a part of a long test.
type test struct {
	name string
	part string        // name of the part
	cost time.Duration // processor time, which does not depend on other programs
	took time.Duration
	runs []block
}

// pattern returns the argument of -test.run for tests. If one of them is a part, all are
// parts of the same test.
func pattern(batch []test) string {
	var names []string
	for _, t := range batch {
		if t.part != "" {
			names = append(names, regexp.QuoteMeta(t.part))
		} else {
			names = append(names, t.name)
		}
	}
	all := "^(" + strings.Join(names, "|") + ")$"
	if batch[0].part != "" {
		return "^" + batch[0].name + "$/" + all
	}
	return all
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
	program := filepath.Join(work, "cover.test")
	if err := build(ctx, program, pkg, "-cover", "-coverpkg", changed); err != nil {
		return nil, err
	}
	if _, err := os.Stat(program); errors.Is(err, fs.ErrNotExist) {
		return s, nil // without tests
	}
	names, err := s.start(ctx, program, "-test.list", ".").Output()
	if err != nil {
		return nil, fmt.Errorf("%s: list of tests: %w", pkg, err)
	}
	for name := range strings.FieldsSeq(string(names)) {
		if strings.HasPrefix(name, "Benchmark") {
			continue
		}
		parts, err := s.measure(ctx, program, test{name: name})
		if err != nil {
			return nil, err
		}
		s.tests = append(s.tests, parts...)
	}
	slices.SortStableFunc(s.tests, func(a, b test) int { return cmp.Compare(a.cost, b.cost) })
	return s, nil
}

// long is the cost from which a test is taken apart, if it has parts.
const long = 5 * time.Second

// measure runs a test alone. If the test is long, the result is its parts.
func (s *suite) measure(ctx context.Context, program string, t test) ([]test, error) {
	profile, others := filepath.Join(s.own.home, "cover.out"), filepath.Join(s.own.home, "cover")
	if err := s.own.empty(others); err != nil {
		return nil, err
	}
	start := time.Now()
	run := s.start(ctx, program, "-test.v", "-test.run", pattern([]test{t}), "-test.coverprofile", profile)
	run.Env = append(run.Env, "GOCOVERDIR="+others)
	text, err := run.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%s: %s fails without a change: %w\n%s", s.pkg, t.name+"/"+t.part, err, tail(string(text)))
	}
	t.took = time.Since(start)
	t.cost = run.ProcessState.UserTime() + run.ProcessState.SystemTime()
	if parts := partsOf(t.name, string(text)); t.part == "" && t.cost > long && len(parts) > 1 {
		var list []test
		for _, part := range parts {
			one, err := s.measure(ctx, program, test{name: t.name, part: part})
			if err != nil {
				return nil, err
			}
			list = append(list, one...)
		}
		return list, nil
	}
	if t.runs, err = s.readProfiles(ctx, profile, others); err != nil {
		return nil, err
	}
	return []test{t}, nil
}

// partsOf finds the names of a test's parts in its output.
func partsOf(name, text string) (parts []string) {
	for _, m := range regexp.MustCompile(`(?m)^=== RUN   `+name+`/([^/\s]+)$`).FindAllStringSubmatch(text, -1) {
		parts = append(parts, m[1])
	}
	return parts
}

// readProfiles returns the code that a test executed: itself, and in other processes that
// are the same program, as those that scripts start.
func (s *suite) readProfiles(ctx context.Context, profile, others string) (ran []block, err error) {
	text, err := os.ReadFile(profile)
	if err != nil {
		return nil, err
	}
	if ran, s.blocks, err = readProfile(bytes.NewReader(text)); err != nil {
		return nil, err
	}
	if found, err := os.ReadDir(others); err != nil || len(found) == 0 {
		return ran, err
	}
	if text, err := exec.CommandContext(ctx, "go", "tool", "covdata", "textfmt", "-i="+others, "-o="+profile).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go tool covdata: %w\n%s", err, text)
	}
	if text, err = os.ReadFile(profile); err != nil {
		return nil, err
	}
	more, _, err := readProfile(bytes.NewReader(text))
	return append(ran, more...), err
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
		if len(batch) > 0 && (sum+t.cost > most || (batch[0].part != "" || t.part != "") && batch[0].name != t.name) {
			all, batch, sum, most = append(all, batch), nil, 0, 2*most
		}
		batch, sum = append(batch, t), sum+t.cost
	}
	if len(batch) > 0 {
		all = append(all, batch)
	}
	return all
}
