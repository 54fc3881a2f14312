package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pakbox"
	"pakbox/archive"
	"pakbox/internal/lib/stray"
	"pakbox/internal/testkit/tier"
)

// TestKill ends pakbox without warning at many points of every command that
// writes, and checks the result: the old archive or the new one, nothing
// in between.
func TestKill(t *testing.T) {
	const points = 16
	src := t.TempDir()
	writeFiles(t, filepath.Join(src, "files"), 40)
	writeFiles(t, filepath.Join(src, "more"), 12)

	// An archive of many files is extended where it lies.
	formats := []string{".zip", ".vpk", ".eix", ".many.vpk"}
	if tier.IsQuick() {
		formats = formats[:1]
	} else {
		writeFiles(t, filepath.Join(src, "many"), 280)
	}
	for _, ext := range formats {
		for _, args := range [][]string{
			{"put", "ARCHIVE", "MORE"},
			{"rm", "ARCHIVE", "f01"},
			{"mv", "ARCHIVE", "f02", "elsewhere/f02"},
			{"create", "--force", "--level", "0", "ARCHIVE", "MORE"},
			{"convert", "--force", "--level", "0", "OTHER", "ARCHIVE"},
		} {
			if ext == ".many.vpk" && args[1] == "--force" {
				continue // written anew, as the small one
			}
			if ext == ".eix" && args[0] == "rm" { // so much that both files are written anew
				for i := range 20 {
					args = append(args, fmt.Sprintf("f%02d", i+2))
				}
			}
			t.Run(strings.TrimPrefix(ext, ".")+"/"+args[0], func(t *testing.T) {
				files := "files"
				if ext == ".many.vpk" {
					files = "many"
				}
				k := newKillTest(t, src, files, ext, args)
				k.run(t, points)
			})
		}
	}
}

// killTest is one command on one archive.
type killTest struct {
	dir      string
	archive  string
	more     string // a folder to put into the archive
	args     []string
	old      map[string][]byte // the files of the old archive
	oldState string
	newState string
	took     time.Duration // a run that nobody disturbs
}

func newKillTest(t *testing.T, src, files, ext string, args []string) *killTest {
	dir := t.TempDir()
	k := &killTest{dir: filepath.Join(dir, "at"), more: filepath.Join(src, "more"), old: map[string][]byte{}}
	if err := os.Mkdir(k.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	k.archive = filepath.Join(k.dir, "a"+ext)
	other := filepath.Join(dir, "other.zip")
	mustRun(t, "create", "--level", "0", k.archive, filepath.Join(src, files))
	mustRun(t, "create", "--level", "0", other, filepath.Join(src, "more"))
	for _, arg := range args {
		k.args = append(k.args, strings.NewReplacer("ARCHIVE", k.archive, "MORE", filepath.Join(src, "more"), "OTHER", other).Replace(arg))
	}
	names, err := os.ReadDir(k.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		if k.old[n.Name()], err = os.ReadFile(filepath.Join(k.dir, n.Name())); err != nil {
			t.Fatal(err)
		}
	}
	k.oldState = state(t, k.archive)
	k.took = maxRun
	for range 3 {
		k.restore(t)
		start := time.Now()
		mustRun(t, k.args...)
		k.took = min(k.took, time.Since(start))
	}
	k.newState = state(t, k.archive)
	if k.newState == k.oldState {
		t.Fatal("the command changes nothing: the test would see nothing")
	}
	return k
}

// maxRun keeps one slow sync of a busy disk from stretching the test.
const maxRun = 100 * time.Millisecond

// run kills the command at points spread over the time it takes.
func (k *killTest) run(t *testing.T, points int) {
	kept, replaced, swept := 0, 0, 0
	for i := range points {
		k.restore(t)
		cmd := exec.Command("pakbox", k.args...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(k.took * time.Duration(i) * 4 / 3 / time.Duration(points))
		cmd.Process.Kill()
		cmd.Wait()
		switch got := state(t, k.archive); got {
		case k.oldState:
			kept++
		case k.newState:
			replaced++
		default:
			t.Fatalf("killed at point %d of %d: neither the old archive nor the new one:\n%s", i, points, got)
		}
		if swept == 0 && len(k.stray(t)) > 0 {
			swept++
			mustRun(t, "put", k.archive, k.more)
			if left := k.stray(t); len(left) > 0 {
				t.Errorf("the next command left %q", left)
			}
		}
	}
	t.Logf("%v a run; killed %d times: %d old, %d new, %d with something to remove", k.took.Round(time.Millisecond), points, kept, replaced, swept)
}

// stray lists the temporary files beside the archive.
func (k *killTest) stray(t *testing.T) (names []string) {
	t.Helper()
	files, err := os.ReadDir(k.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if stray.OwnName(f.Name()) {
			names = append(names, f.Name())
		}
	}
	return names
}

// restore puts the old archive back.
func (k *killTest) restore(t *testing.T) {
	t.Helper()
	names, err := os.ReadDir(k.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		if err := os.RemoveAll(filepath.Join(k.dir, n.Name())); err != nil {
			t.Fatal(err)
		}
	}
	for name, data := range k.old {
		if err := os.WriteFile(filepath.Join(k.dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// state describes all that an archive holds. An archive that does not open,
// or does not verify, has a state of its own.
func state(t *testing.T, path string) string {
	t.Helper()
	ctx := context.Background()
	p, err := pakbox.Open(ctx, path, archive.Options{})
	if err != nil {
		return err.Error()
	}
	defer p.Close()
	report, err := p.Verify(ctx, archive.Options{})
	if err != nil {
		return err.Error()
	}
	if !report.OK() {
		return fmt.Sprint(report.Findings)
	}
	var b strings.Builder
	for i, e := range p.Entries() {
		f, err := p.OpenEntry(i)
		if err != nil {
			return err.Error()
		}
		h := sha256.New()
		if _, err := io.Copy(h, f); err != nil {
			return err.Error()
		}
		f.Close()
		fmt.Fprintf(&b, "%s %x\n", e.Name, h.Sum(nil)[:8])
	}
	return b.String()
}

func mustRun(t testing.TB, args ...string) {
	t.Helper()
	if out, err := exec.Command("pakbox", args...).CombinedOutput(); err != nil {
		t.Fatalf("pakbox %q: %v\n%s", args, err, out)
	}
}

// writeFiles makes a folder of files that do not compress.
func writeFiles(t *testing.T, dir string, n int) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	random := rand.NewChaCha8([32]byte([]byte(fmt.Sprintf("%-32d", n))))
	data := make([]byte, 64<<10)
	for i := range n {
		random.Read(data)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%02d", i)), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
