package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// result is what came of one package.
type result struct {
	pkg       string
	places    int
	tried     int
	noticed   int
	unnoticed []change
}

func (r *result) print(w io.Writer) {
	fmt.Fprintf(w, "\n## %s\n\n%d of %d changes noticed, of %d that can be made.\n", r.pkg, r.noticed, r.tried, r.places)
	for _, c := range r.unnoticed {
		fmt.Fprintf(w, "- %s\n", c)
	}
}

// errBuild is a change that the compiler refuses, which says nothing about tests.
var errBuild = errors.New("does not compile")

// try makes changes to a package, as many as asked for, and counts those that
// its tests notice.
func try(ctx context.Context, pkg string, sample int, seed uint64, slack time.Duration) (*result, error) {
	r := &result{pkg: pkg}
	all, dir, err := changesOf(ctx, pkg)
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
	t := &trial{work: work, pkg: pkg, dir: dir}
	start := time.Now()
	if noticed, err := t.run(ctx, nil, time.Hour); err != nil || noticed {
		return nil, fmt.Errorf("%s: its tests fail without a change: %v", pkg, err)
	}
	limit := time.Since(start) + slack
	for _, c := range all {
		if r.tried == sample || ctx.Err() != nil {
			break
		}
		noticed, err := t.run(ctx, &c, limit)
		if err == errBuild {
			continue
		}
		if err != nil {
			return nil, err
		}
		if r.tried++; noticed {
			r.noticed++
		} else {
			r.unnoticed = append(r.unnoticed, c)
			fmt.Fprintf(os.Stderr, "mutate: %s: unnoticed: %s\n", pkg, c)
		}
	}
	fmt.Fprintf(os.Stderr, "mutate: %s: %d of %d noticed\n", pkg, r.noticed, r.tried)
	return r, ctx.Err()
}

// changesOf finds every change that can be made in a package.
func changesOf(ctx context.Context, pkg string) (all []change, dir string, err error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-json=Dir,GoFiles", pkg).Output()
	if err != nil {
		return nil, "", fmt.Errorf("go list %s: %w", pkg, err)
	}
	var listed struct {
		Dir     string
		GoFiles []string
	}
	if err := json.Unmarshal(out, &listed); err != nil {
		return nil, "", err
	}
	for _, name := range listed.GoFiles {
		found, err := changesIn(filepath.Join(listed.Dir, name))
		if err != nil {
			return nil, "", err
		}
		all = append(all, found...)
	}
	return all, listed.Dir, nil
}

// trial runs the tests of a package.
type trial struct{ work, pkg, dir string }

// run runs the tests with a change and reports whether they noticed it.
func (t *trial) run(ctx context.Context, c *change, limit time.Duration) (noticed bool, err error) {
	program := filepath.Join(t.work, "pkg.test")
	args := []string{"test", "-c", "-vet=off", "-o", program}
	if c != nil {
		overlay, err := t.overlay(c)
		if err != nil {
			return false, err
		}
		args = append(args, "-overlay", overlay)
	}
	var out bytes.Buffer
	build := exec.CommandContext(ctx, "go", append(args, t.pkg)...)
	build.Stderr = &out
	if err := build.Run(); err != nil {
		if c == nil || ctx.Err() != nil {
			return false, fmt.Errorf("%w\n%s", err, out.String())
		}
		return false, errBuild
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	test := exec.CommandContext(ctx, program, "-test.failfast", "-test.short", "-test.timeout", limit.String())
	test.Dir = t.dir
	test.Env = append(os.Environ(), "GOMEMLIMIT=1GiB")
	text, err := test.CombinedOutput()
	if c == nil && err != nil {
		return true, fmt.Errorf("%w\n%s", err, tail(string(text)))
	}
	return err != nil, nil
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
