package main

import (
	"compress/flate"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestMain lets the test binary be the program itself.
func TestMain(m *testing.M) {
	if os.Getenv("PAKBOX_PACK") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// The program fails without its text, and the error names the missing file.
func TestFails(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(program)
	c.Dir, c.Env = t.TempDir(), append(os.Environ(), "PAKBOX_PACK=1")
	out, err := c.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 || !strings.Contains(string(out), "members.txt") {
		t.Errorf(`%v: out = %s; want err of the type of exit, exit.ExitCode() = 1, out with "members.txt"`, err, out)
	}
}

// The packed file contains the complete text, and is smaller.
func TestPack(t *testing.T) {
	t.Chdir(t.TempDir())
	text := strings.Repeat("0x03043000 mapName\n", 1000)
	if err := os.WriteFile("members.txt", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	main()
	f, err := os.Open("members.deflate")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got, err := io.ReadAll(flate.NewReader(f))
	if err != nil || string(got) != text {
		t.Errorf("%d of %d bytes, %v", len(got), len(text), err)
	}
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > int64(len(text)/10) || info.Mode()&0o111 != 0 { // nobody runs it
		t.Errorf("%d bytes, %v", info.Size(), info.Mode())
	}
}

func TestCannotPack(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := pack("members.txt", "out"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a text that is not there: %v", err)
	}
	if _, err := os.Stat("out"); err == nil {
		t.Error("something was written")
	}
	if err := os.WriteFile("members.txt", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := pack("members.txt", "missing/out"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
}
