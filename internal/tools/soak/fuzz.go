//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// target is one fuzz function.
type target struct {
	pkg     string // import path
	dir     string // of the package
	program string // its test program, built for fuzzing
	name    string
}

// fuzz runs every fuzz target of every module of the project for an equal
// share of the time that is left when their programs are built.
func (s *soak) fuzz(ctx context.Context, until time.Time) (section, error) {
	sec := section{title: "Fuzz targets", table: &table{head: []string{"package", "target", "time", "executions", "new inputs", "finding"}}}
	targets, err := s.fuzzTargets(ctx)
	if err != nil {
		return sec, err
	}
	total := 0
	for i, t := range targets {
		if ctx.Err() != nil {
			return sec, ctx.Err()
		}
		end := time.Now().Add(time.Until(until) / time.Duration(len(targets)-i))
		r, err := s.fuzzOne(ctx, t, max(time.Second, time.Until(end)))
		if err != nil {
			return sec, err
		}
		total += r.executions
		if least := leastExecutions(r.took); r.finding == "" && r.executions < least {
			r.finding = fmt.Sprintf("fewer than %d executions", least)
			if err := s.findings.add(fmt.Sprintf("%s %s: %s", t.pkg, t.name, r.finding), "the seeds are too many or too large, or setting up takes too long"); err != nil {
				return sec, err
			}
		}
		sec.table.add(t.pkg, t.name, r.took.Round(time.Second), r.executions, r.interesting, r.finding)
	}
	sec.notes = append(sec.notes, fmt.Sprintf("%d targets, %d executions. How often a target runs says how much it does in one execution; inputs that reach new code are kept in Go's cache for the next run.", len(targets), total))
	return sec, nil
}

// fuzzTargets builds the test programs that have fuzz functions and asks them
// for their names.
func (s *soak) fuzzTargets(ctx context.Context) (all []target, err error) {
	modules, err := s.modules()
	if err != nil {
		return nil, err
	}
	programs := 0
	for _, module := range modules {
		out, err := s.goOutput(ctx, module, "list", "-f", "{{.ImportPath}} {{.Dir}} {{join .TestGoFiles \",\"}},{{join .XTestGoFiles \",\"}}", "./...")
		if err != nil {
			return nil, err
		}
		for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
			fields := strings.Fields(line)
			if len(fields) < 3 || !hasFuzz(fields[1], strings.Split(fields[2], ",")) {
				continue
			}
			programs++
			t := target{pkg: fields[0], dir: fields[1], program: filepath.Join(s.work, fmt.Sprintf("fuzz%d.test", programs))}
			if _, err := s.goOutput(ctx, module, "test", "-c", "-fuzz", ".", "-o", t.program, t.pkg); err != nil {
				return nil, err
			}
			list := exec.CommandContext(ctx, t.program, "-test.list", "^Fuzz")
			list.Dir = t.dir
			names, err := list.Output()
			if err != nil {
				return nil, err
			}
			for _, t.name = range strings.Fields(string(names)) {
				all = append(all, t)
			}
		}
	}
	return all, nil
}

// hasFuzz reports whether one of a package's test files has a fuzz function.
func hasFuzz(dir string, names []string) bool {
	for _, name := range names {
		if data, err := os.ReadFile(filepath.Join(dir, name)); err == nil && bytes.Contains(data, []byte("\nfunc Fuzz")) {
			return true
		}
	}
	return false
}

// modules lists the folders of the project that have a go.mod.
func (s *soak) modules() (dirs []string, err error) {
	err = filepath.WalkDir(s.root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "go.mod" {
			dirs = append(dirs, filepath.Dir(path))
		}
		if err == nil && d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != s.root {
			return filepath.SkipDir
		}
		return err
	})
	return dirs, err
}

func (s *soak) goOutput(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("go %s: %w\n%s%s", strings.Join(args, " "), err, out, stderr.String())
	}
	return string(out), err
}

// fuzzResult is what one target came to.
type fuzzResult struct {
	took                    time.Duration
	executions, interesting int
	finding                 string
}

// leastExecutions is how often a target must run for its time to count: a target
// that does not get past its seeds finds nothing. The first seconds go into
// starting the program and running the seeds.
func leastExecutions(took time.Duration) int { return max(0, int(10*(took.Seconds()-4))) }

// grace is how long a target may take to stop. Go's fuzzing knows no hangs:
// an input that never ends shows as a target that does not stop.
const grace = time.Minute

var (
	progress = regexp.MustCompile(`execs: (\d+) \(.*new interesting: (\d+)`)
	failure  = regexp.MustCompile(`Failing input written to (\S+)`)
)

// ranOut reports whether a target failed only in that its time was up. Go's
// fuzzing calls that a failure where it falls between two inputs; an input that
// fails is named, and one that never ends shows otherwise.
func ranOut(out []byte) bool {
	return bytes.HasSuffix(bytes.TrimSpace(out), []byte("context deadline exceeded\nFAIL")) && !failure.Match(out)
}

// minimizing is how often an input that reaches new code is tried in a shorter
// form. As a time, which is what the go command has without it, it would be all
// the time there is: no other input is tried meanwhile.
const minimizing = "100x"

// maxKept is how many of the inputs that earlier runs kept a target begins with,
// for each second that it has. It runs all of them before it tries anything new,
// so that too many would leave no time for that.
const maxKept = 20

// trimCache removes all but the newest n files of a folder.
func trimCache(dir string, n int) error {
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(files) <= n {
		return nil
	}
	if err != nil {
		return err
	}
	age := func(f fs.DirEntry) time.Time {
		info, err := f.Info()
		if err != nil {
			return time.Time{}
		}
		return info.ModTime()
	}
	slices.SortFunc(files, func(x, y fs.DirEntry) int { return age(y).Compare(age(x)) })
	for _, f := range files[n:] {
		if err := os.Remove(filepath.Join(dir, f.Name())); err != nil {
			return err
		}
	}
	return nil
}

func (s *soak) fuzzOne(ctx context.Context, t target, d time.Duration) (fuzzResult, error) {
	cache, err := s.goOutput(ctx, s.root, "env", "GOCACHE")
	if err != nil {
		return fuzzResult{}, err
	}
	cache = filepath.Join(strings.TrimSpace(cache), "fuzz", t.pkg)
	if err := trimCache(filepath.Join(cache, t.name), int(maxKept*d.Seconds())); err != nil {
		return fuzzResult{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, d+grace)
	defer cancel()
	cmd := exec.CommandContext(ctx, t.program, "-test.run=^$", "-test.fuzz=^"+t.name+"$", "-test.fuzztime="+d.Round(time.Second).String(),
		"-test.parallel="+strconv.Itoa(s.workers), "-test.fuzzminimizetime="+minimizing,
		"-test.fuzzcachedir="+cache)
	cmd.Dir = t.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	start := time.Now()
	out, err := cmd.CombinedOutput()
	r := fuzzResult{took: time.Since(start)}
	for _, m := range progress.FindAllSubmatch(out, -1) {
		r.executions, _ = strconv.Atoi(string(m[1]))
		r.interesting, _ = strconv.Atoi(string(m[2]))
	}
	fmt.Fprintf(os.Stderr, "soak: %s %s: %d executions in %v\n", t.pkg, t.name, r.executions, r.took.Round(time.Second))
	if err == nil || errors.Is(ctx.Err(), context.Canceled) || ranOut(out) {
		return r, nil
	}
	var inputs []string
	r.finding = "failed"
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		r.finding = "did not stop"
	} else if m := failure.FindSubmatch(out); m != nil {
		inputs = append(inputs, filepath.Join(t.dir, string(m[1])))
	}
	return r, s.findings.add(fmt.Sprintf("%s %s: %s", t.pkg, t.name, r.finding), string(out[max(0, len(out)-32<<10):]), inputs...)
}
