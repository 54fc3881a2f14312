package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// checkTwice builds the commit in two clones in different places, the second
// with a build cache of its own, so that everything is compiled again, and
// compares what comes out.
func checkTwice(ctx context.Context, only string) error {
	if _, err := head(ctx); err != nil {
		return err
	}
	root, err := output(ctx, nil, "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "pakbox-check-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	first, second := filepath.Join(work, "a"), filepath.Join(work, "another", "and longer", "place")
	for _, dir := range []string{first, second} {
		if _, err := output(ctx, nil, "git", "clone", "--quiet", strings.TrimSpace(root), dir); err != nil {
			return err
		}
		cmd := exec.CommandContext(ctx, "go", "run", "./internal/tools/dist", "-o", "dist", "-only", only)
		cmd.Dir, cmd.Stderr = dir, os.Stderr
		cmd.Env = os.Environ()
		if dir == second {
			cmd.Env = append(cmd.Env, "GOCACHE="+filepath.Join(work, "cache"))
		}
		if err := cmd.Run(); err != nil {
			return err
		}
	}
	return compare(filepath.Join(first, "dist"), filepath.Join(second, "dist"))
}

// compare says which files of two folders are not the same.
func compare(a, b string) error {
	names := func(dir string) (names []string, err error) {
		entries, err := os.ReadDir(dir)
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names, err
	}
	in, err := names(a)
	also, err2 := names(b)
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	if !slices.Equal(in, also) {
		return fmt.Errorf("one build gives %q, the other %q", in, also)
	}
	for _, name := range in {
		x, err := os.ReadFile(filepath.Join(a, name))
		y, err2 := os.ReadFile(filepath.Join(b, name))
		if err := errors.Join(err, err2); err != nil {
			return err
		}
		if !bytes.Equal(x, y) {
			return fmt.Errorf("%s differs between the two builds", name)
		}
	}
	fmt.Printf("two builds gave the same %d files\n", len(in))
	return nil
}
