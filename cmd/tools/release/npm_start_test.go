package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"pakbox/internal/testkit/peer"
)

// npm links packages that are installed from folders, and puts a script called pakbox into
// PATH. The script must find the command beside the link, and must never start itself.
func TestNPMStart(t *testing.T) {
	if runtime.GOOS == "windows" {
		peer.Missing(t, "no links and shell scripts on Windows")
	}
	node := peer.Program(t, "node", "nodejs")
	scripts, err := filepath.Abs(filepath.Join("..", "..", "..", "clients", "npm"))
	if err != nil {
		t.Fatal(err)
	}
	project := t.TempDir()
	modules := filepath.Join(project, "node_modules")
	printed, err := exec.Command(node, "-p", "process.platform + '-' + process.arch").Output()
	if err != nil {
		t.Fatal(err)
	}
	platform := strings.TrimSpace(string(printed))
	native := filepath.Join(modules, "@pakbox", platform, "bin", "pakbox")
	for _, dir := range []string{filepath.Dir(native), filepath.Join(modules, ".bin")} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{filepath.Join(modules, "pakbox"): scripts, filepath.Join(modules, ".bin", "pakbox"): filepath.Join(scripts, "bin.js")} {
		t.Run(link, func(t *testing.T) {
			if err := os.Symlink(to, link); err != nil {
				t.Fatal(err)
			}
		})
	}
	if err := os.WriteFile(native, []byte("#!/bin/sh\necho native $1\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	start := func(env ...string) (string, error) {
		cmd := exec.CommandContext(t.Context(), node, filepath.Join(modules, ".bin", "pakbox"), "version")
		cmd.Dir, cmd.WaitDelay = project, time.Second
		cmd.Env = append(append(os.Environ(), "PATH="+filepath.Join(modules, ".bin")+":"+os.Getenv("PATH")), env...)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := start(); err != nil || out != "native version\n" {
		t.Errorf("with the command: %q, %v", out, err)
	}
	if err := os.RemoveAll(filepath.Dir(filepath.Dir(native))); err != nil {
		t.Fatal(err)
	}
	for _, env := range []string{"PAKBOX=", "PAKBOX=" + filepath.Join(modules, ".bin", "pakbox")} {
		if out, err := start(env, "PATH="+filepath.Join(modules, ".bin")+":"+filepath.Dir(node)); err == nil || !strings.Contains(out, "hint: install that package") {
			t.Errorf("without the command, %s: %q, %v; want an error with a hint", env, out, err)
		}
	}
}
