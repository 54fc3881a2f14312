package stray

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// childVariable makes the test program a process that holds temporary files until it is
// killed.
const childVariable = "STRAY_TEST_CHILD"

// fileFirst is the value of childVariable for a process whose first temporary thing is a
// file; otherwise it is a folder.
const fileFirst = "file"

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) == "" {
		os.Exit(m.Run())
	}
	var file *os.File
	var dir string
	var err, err2 error
	makeFile := func() { file, _, err2 = CreateTemp() }
	if os.Getenv(childVariable) == fileFirst {
		makeFile()
	}
	if dir, _, err = MkdirTemp(); err == nil {
		err = os.WriteFile(filepath.Join(dir, "content"), nil, 0o666)
	}
	if file == nil {
		makeFile()
	}
	if err := errors.Join(err, err2); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("%s\n%s\n", dir, file.Name())
	io.Copy(io.Discard, os.Stdin)
}

// tempAt makes a folder the one for temporary files.
func tempAt(t *testing.T) string {
	dir := t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, dir)
	}
	return dir
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// Files of another process stay while that process runs. After it was killed, they are
// removed, and no others.
func TestKilledProcess(t *testing.T) {
	temp := tempAt(t)
	foreign := filepath.Join(temp, "not-ours")
	if err := os.WriteFile(foreign, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	own, release, err := MkdirTemp()
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	theirs, kill := startChild(t, "folder")
	sweep()
	for _, path := range theirs {
		if filepath.Dir(path) != filepath.Clean(temp) || !exists(path) {
			t.Errorf("%s is not there", path)
		}
		if _, ok := Abandoned(path); ok {
			t.Errorf("%s is abandoned while its process runs", path)
		}
		if release, ok := Hold(path); ok {
			t.Errorf("%s can be held twice", path)
			release()
		}
	}
	kill()
	sweep()
	for _, path := range theirs {
		if exists(path) {
			t.Errorf("%s is still there", path)
		}
	}
	if !exists(own) || !exists(foreign) {
		t.Errorf("also removed: %s %v, %s %v", own, !exists(own), foreign, !exists(foreign))
	}
}

// startChild starts a process that holds a folder and a file, and returns their paths.
func startChild(t *testing.T, first string) (paths []string, kill func()) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childVariable+"="+first)
	child.Stderr = os.Stderr
	stdin, err := child.StdinPipe() // closed if this process ends, and then the child ends
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stdout)
	for len(paths) < 2 && lines.Scan() {
		paths = append(paths, strings.TrimSpace(lines.Text()))
	}
	if len(paths) < 2 {
		t.Fatalf("the other process printed %q, want at least two paths", paths)
	}
	return paths, func() {
		child.Process.Kill()
		child.Wait()
		stdin.Close()
	}
}

// The first temporary file or folder of a process is preceded by removing those that
// nobody holds.
func TestFirstOneSweeps(t *testing.T) {
	temp := tempAt(t)
	for _, first := range []string{fileFirst, "folder"} {
		left := filepath.Join(temp, prefix+"left")
		if err := os.WriteFile(left, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		_, kill := startChild(t, first)
		if exists(left) {
			t.Errorf("a %s was made, and what was left behind is still there", first)
		}
		kill()
	}
}

// Clean removes all files of this process, each by its own function, and
// none that it released.
func TestClean(t *testing.T) {
	temp := tempAt(t)
	dir, releaseDir, err := MkdirTemp()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "content"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	file, releaseFile, err := CreateTemp()
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	other := filepath.Join(temp, "other")
	done := filepath.Join(temp, "done")
	for _, path := range []string{other, done} {
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	called := 0
	releaseOther, ok := HoldUntil(other, func() { called++ })
	releaseDone, ok2 := Hold(done)
	if !ok || !ok2 {
		t.Fatal("could not be held")
	}
	releaseDone()
	Clean()
	if placing.TryRLock() {
		t.Error("files can still be moved to their final names")
	}
	placing.Unlock() // this process goes on after all
	held.Unlock()
	if exists(dir) || exists(file.Name()) {
		t.Errorf("still there: %s %v, %s %v", dir, exists(dir), file.Name(), exists(file.Name()))
	}
	if called != 1 || !exists(other) {
		t.Errorf("called %d times, and the file is there: %v", called, exists(other))
	}
	if !exists(done) {
		t.Error("what was released is removed")
	}
	for _, release := range []func(){releaseDir, releaseFile, releaseOther} {
		release()
	}
	if len(held.clean) != 0 {
		t.Errorf("still held: %d", len(held.clean))
	}
}

// Files are moved to their final names before Clean removes anything, or not at all.
func TestPlacing(t *testing.T) {
	failed := errors.New("failed")
	for _, want := range []error{nil, failed} {
		if err := Placing(func() error {
			if placing.TryLock() {
				t.Error("Clean would not wait")
			}
			return want
		}); err != want {
			t.Errorf("%v, want %v", err, want)
		}
		if !placing.TryLock() {
			t.Fatal("Clean would wait for ever")
		}
		placing.Unlock()
	}
}

// Without a folder for temporary files there is an error, and nothing to release.
func TestNoFolderForTemporaryFiles(t *testing.T) {
	missing := filepath.Join(tempAt(t), "missing")
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, missing)
	}
	if _, _, err := MkdirTemp(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("err = %v; want err matching os.ErrNotExist", err)
	}
	if _, _, err := CreateTemp(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("err = %v; want err matching os.ErrNotExist", err)
	}
}

func TestOwnName(t *testing.T) {
	for name, want := range map[string]bool{
		"a.vpk.pakbox-0123abcd": true, "a.pakbox-commit": true, "a.pakbox-append": true, "a.pakbox-append-00000000": true,
		"a.pakbox-part": true, "a.pakbox-held": true, ".a.zip.pakbox-changes": true, ".pakbox-part": true, "a.pakbox-x.pakbox-part": true,
		"a.pakbox-part.pakbox-x": false, "a.vpk": false, "a.pakbox-": false, "a.pakbox-0123abc": false, "a.pakbox-0123abcde": false,
		"a.pakbox-0123ABCD": false, "a.pakbox-0123abcg": false, "a.pakbox-append-0000000": false, "a.pakbox-parts": false, "pakbox-part": false,
	} {
		if OwnName(name) != want {
			t.Errorf("%s: !want = %v; want OwnName(name) = %v", name, !want, want)
		}
	}
}
