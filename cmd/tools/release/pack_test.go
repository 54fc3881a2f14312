package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pakbox/internal/testkit/peer"
)

// The archives of a folder hold its files, for the programs that people unpack
// them with, and the same folder gives the same bytes.
func TestPack(t *testing.T) {
	at := time.Unix(1700000000, 0).UTC()
	for _, c := range []struct {
		system, ext, program, flag string
		want                       string
	}{
		{"linux-amd64", ".tar.gz", "tar", "-tvzf", "-rw-r--r--LICENSE -rw-r--r--man/man1/pakbox.1 -rwxr-xr-xpakbox"},
		{"windows-amd64", ".zip", "unzip", "-Z", "-rw-r--r--LICENSE -rw-r--r--man/man1/pakbox.1 -rwxr-xr-xpakbox"},
	} {
		name := "pakbox-1.2-" + c.system
		dir, out := filepath.Join(t.TempDir(), name), t.TempDir()
		for _, file := range []string{"pakbox", "man/man1/pakbox.1", "LICENSE"} {
			if err := write(filepath.Join(dir, file), []byte(file)); err != nil {
				t.Fatal(err)
			}
		}
		var made [2]string
		for i := range made {
			if err := pack(out, dir, at); err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(filepath.Join(out, name+c.ext))
			if err != nil {
				t.Fatal(err)
			}
			made[i] = string(data)
		}
		if made[0] != made[1] {
			t.Errorf("%s: two archives of one folder differ", c.ext)
		}
		list, err := exec.Command(peer.Program(t, c.program, c.program), c.flag, filepath.Join(out, name+c.ext)).Output()
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for line := range strings.Lines(string(list)) {
			if mode, rest, ok := strings.Cut(line, " "); ok && strings.HasPrefix(mode, "-") {
				_, file, _ := strings.Cut(strings.TrimSpace(rest), name+"/")
				got = append(got, mode+file)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s holds %q", c.ext, got)
		}
	}
}
