package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// checkTwice builds the commit in two clones, the second with an empty build cache
// and in a longer path, compares what comes out, and installs the Debian package.
func checkTwice(ctx context.Context, _, only string) error {
	if _, _, err := head(ctx); err != nil {
		return err
	}
	root, err := output(ctx, "", "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "pakbox-check-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	var lists [2][]byte
	clones := []string{filepath.Join(work, "a"), filepath.Join(work, "another", "and longer", "place")}
	for i, dir := range clones {
		if _, err := output(ctx, "", "git", "clone", "--quiet", strings.TrimSpace(root), dir); err != nil {
			return err
		}
		cmd := exec.CommandContext(ctx, "go", "run", "./internal/tools/dist", "-only", only)
		cmd.Dir, cmd.Stderr, cmd.Env = dir, os.Stderr, os.Environ()
		if i == 1 {
			cmd.Env = append(cmd.Env, "GOCACHE="+filepath.Join(work, "cache"))
		}
		if err := cmd.Run(); err != nil {
			return err
		}
		if lists[i], err = os.ReadFile(filepath.Join(dir, "dist", "SHA256SUMS")); err != nil {
			return err
		}
	}
	if !bytes.Equal(lists[0], lists[1]) {
		return fmt.Errorf("the two builds differ:\n%s\n%s", lists[0], lists[1])
	}
	fmt.Printf("two builds gave the same %d files\n", bytes.Count(lists[0], []byte("\n")))
	debs, err := filepath.Glob(filepath.Join(clones[0], "dist", "*_"+runtime.GOARCH+".deb"))
	if err != nil || len(debs) == 0 {
		return err
	}
	return checkDeb(ctx, filepath.Join(work, "root"), debs[0])
}

// checkDeb installs a package into an empty folder with Debian's own program,
// runs the installed program, and removes the package again.
func checkDeb(ctx context.Context, root, deb string) error {
	for _, dir := range []string{"updates", "info"} {
		if err := os.MkdirAll(filepath.Join(root, "var/lib/dpkg", dir), 0o777); err != nil {
			return err
		}
	}
	if err := write(filepath.Join(root, "var/lib/dpkg/status"), nil); err != nil {
		return err
	}
	dpkg := []string{"--root=" + root, "--force-not-root", "--log=/dev/null"}
	if _, err := output(ctx, "", "dpkg", append(dpkg, "--install", deb)...); err != nil {
		return err
	}
	says, err := output(ctx, "", filepath.Join(root, "usr/bin/pakbox"), "version")
	if err != nil {
		return err
	}
	pages, err := filepath.Glob(filepath.Join(root, "usr/share/man/man1/pakbox*.1"))
	if err != nil || len(pages) < 10 {
		return fmt.Errorf("the package has %d manual pages (%v)", len(pages), err)
	}
	if _, err := output(ctx, "", "dpkg", append(dpkg, "--purge", "pakbox")...); err != nil {
		return err
	}
	if _, err := os.Lstat(filepath.Join(root, "usr")); !os.IsNotExist(err) {
		return fmt.Errorf("the removed package left files below usr (%v)", err)
	}
	fmt.Printf("the Debian package installs, says %q, and is removed without a trace\n", strings.TrimSpace(says))
	return nil
}
