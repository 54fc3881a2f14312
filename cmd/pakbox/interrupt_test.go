//go:build unix

// A test cannot press Ctrl-C on Windows.

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestInterrupt presses Ctrl-C in the middle of the work: pakbox reports the interruption,
// exits with its code for it, and leaves no files.
func TestInterrupt(t *testing.T) {
	src := t.TempDir()
	writeFiles(t, src, 96)
	dir := t.TempDir()
	out := filepath.Join(dir, "a.zip")
	start := time.Now()
	mustRun(t, "create", out, src)
	took := time.Since(start)
	interrupted := 0
	for i := range 10 {
		os.Remove(out)
		cmd := exec.Command("pakbox", "create", "--json", out, src)
		var stdout, stderr strings.Builder
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(took * time.Duration(5+i) / 20)
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
		left, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		switch code := cmd.ProcessState.ExitCode(); {
		case code == 0 && len(left) == 1, code == -1 && len(left) == 0: // too late, or before main
		case code == 3 && len(left) == 0 && strings.HasSuffix(stderr.String(), "pakbox: interrupted\n") && strings.Contains(stdout.String(), `"kind":"interrupted"`):
			interrupted++
		default:
			t.Errorf("exit code %d, %d files left\n%s%s", code, len(left), stdout.String(), stderr.String())
		}
	}
	t.Logf("interrupted %d of 10 runs", interrupted)
}

// TestInterruptTwice presses Ctrl-C while one large file is being compressed,
// which no codec gives up half way: once, and the work is given up all the same;
// twice, and it ends at once. Nothing stays behind.
func TestInterruptTwice(t *testing.T) {
	src := filepath.Join(t.TempDir(), "words")
	var words strings.Builder
	for i := 0; words.Len() < 24<<20; i++ {
		fmt.Fprintf(&words, "word %d of %x\n", i*i%7919, i)
	}
	if err := os.WriteFile(src, []byte(words.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for presses := 1; presses <= 2; presses++ {
		dir := t.TempDir()
		cmd := exec.Command("pakbox", "create", "--vpk-version", "2", "--algorithm", "brotli", "--level", "11", filepath.Join(dir, "a.vpk"), src)
		said := new(strings.Builder)
		cmd.Stderr = said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for started := false; !started; time.Sleep(10 * time.Millisecond) {
			list, err := os.ReadDir(dir)
			started = len(list) > 0 || err != nil
		}
		time.Sleep(300 * time.Millisecond) // most likely it compresses now
		for range presses {
			cmd.Process.Signal(os.Interrupt)
			time.Sleep(20 * time.Millisecond)
		}
		cmd.Wait()
		left, err := os.ReadDir(dir)
		if code := cmd.ProcessState.ExitCode(); err != nil || code != 3 || len(left) != 0 || !strings.HasSuffix(said.String(), "pakbox: interrupted\n") {
			t.Errorf("pressed %d times: exit code %d, left %v, %v\n%s", presses, code, left, err, said)
		}
		if told := strings.Contains(said.String(), "pakbox: stopping\n"); presses == 1 && !told {
			t.Errorf("it did not say that it is stopping: %q", said)
		}
	}
}

// TestInterruptLooking presses Ctrl-C in a read-only command: once it has
// run for a moment it reports the interruption and exits as all others do.
func TestInterruptLooking(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, filepath.Join(dir, "files"), 32)
	archive := filepath.Join(dir, "a.zip")
	mustRun(t, "create", archive, filepath.Join(dir, "files"))
	args := []string{"verify"}
	for range 2000 {
		args = append(args, archive)
	}
	for wait := 4 * patience; wait < 10*time.Second; wait *= 2 {
		cmd := exec.Command("pakbox", args...)
		var stderr strings.Builder
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(wait)
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
		switch code := cmd.ProcessState.ExitCode(); {
		case code == 3 && strings.HasSuffix(stderr.String(), "pakbox: interrupted\n"):
			return
		case code == -1: // the machine is slow, and it had hardly begun
		default:
			t.Fatalf("exit code %d after %v\n%s", code, wait, stderr.String())
		}
	}
	t.Error("never interrupted")
}
