package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"pakbox/internal/testkit/peer"
)

// Debian's own program reads the package: what it says of itself, and what it
// holds. The same files give the same bytes.
func TestDeb(t *testing.T) {
	at := commit{"v1.2", time.Unix(1700000000, 0).UTC()}
	files := []file{
		{"LICENSE", 0o644, []byte("MIT\n")}, {"README.md", 0o644, []byte("odd")}, {"completions/pakbox.bash", 0o644, []byte("complete\n")},
		{"completions/pakbox.ps1", 0o644, []byte("no place for it\n")}, {"man/man1/pakbox.1", 0o644, []byte(".TH\n")}, {"pakbox", 0o755, []byte("program")},
	}
	var b, again bytes.Buffer
	for _, w := range []*bytes.Buffer{&b, &again} {
		if err := writeDeb(w, at, "amd64", files); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Error("two packages of the same files differ")
	}
	path := filepath.Join(t.TempDir(), "a.deb")
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	program := peer.Program(t, "dpkg-deb", "dpkg")
	ask := func(args ...string) string {
		out, err := exec.Command(program, append(args, path)...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v: %s", args, err, out)
		}
		return string(out)
	}
	if got := ask("--show", "--showformat=${Package} ${Version} ${Architecture} ${Installed-Size}"); got != "pakbox 1.2 amd64 5" {
		t.Errorf("it says %q", got)
	}
	var names []string
	for line := range strings.Lines(ask("--contents")) {
		if fields := strings.Fields(line); !strings.HasSuffix(fields[5], "/") {
			names = append(names, fields[0]+" "+fields[1]+" "+fields[5])
		}
	}
	want := `-rw-r--r-- root/root ./usr/share/doc/pakbox/copyright
-rw-r--r-- root/root ./usr/share/doc/pakbox/README.md
-rw-r--r-- root/root ./usr/share/bash-completion/completions/pakbox
-rw-r--r-- root/root ./usr/share/man/man1/pakbox.1.gz
-rwxr-xr-x root/root ./usr/bin/pakbox`
	if got := strings.Join(names, "\n"); got != want && strings.ReplaceAll(got, "0/0", "root/root") != want {
		t.Errorf("it holds\n%s\nwant\n%s", got, want)
	}
}

// Debian's package manager installs the package into an empty root, and leaves
// nothing of it when it removes it again.
func TestDebInstalls(t *testing.T) {
	dpkg := peer.Program(t, "dpkg", "dpkg")
	root := t.TempDir()
	for _, dir := range []string{"var/lib/dpkg/updates", "var/lib/dpkg/info"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"var/lib/dpkg/status", "deb"} {
		if err := os.WriteFile(filepath.Join(root, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	deb, err := os.Create(filepath.Join(root, "deb"))
	if err != nil {
		t.Fatal(err)
	}
	defer deb.Close()
	program := file{"pakbox", 0o755, []byte("#!/bin/sh\necho it runs\n")}
	if err := writeDeb(deb, commit{"v1.2", time.Unix(1700000000, 0).UTC()}, runtime.GOARCH, []file{program, {"LICENSE", 0o644, []byte("MIT\n")}}); err != nil {
		t.Fatal(err)
	}
	manage := func(args ...string) {
		t.Helper()
		args = append([]string{"--root=" + root, "--force-not-root", "--log=/dev/null"}, args...)
		if out, err := exec.Command(dpkg, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v: %s", args, err, out)
		}
	}
	manage("--install", deb.Name())
	installed := filepath.Join(root, "usr/bin/pakbox")
	if out, err := exec.Command(installed).Output(); err != nil || string(out) != "it runs\n" {
		t.Errorf("the program installed says %q (%v)", out, err)
	}
	manage("--purge", "pakbox")
	if _, err := os.Lstat(filepath.Join(root, "usr")); !os.IsNotExist(err) {
		t.Errorf("something is left below usr (%v)", err)
	}
}
