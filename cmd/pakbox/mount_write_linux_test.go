package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"pakbox/internal/testkit/peer"
)

// writable are formats that a folder of any files can be made to.
var writable = []string{".zip", ".vpk", ".eix", ".Pack.Gbx"}

// newArchive makes an archive of some files and returns it with the folder that
// it was made from.
func newArchive(t *testing.T, ext string) (file, src string) {
	t.Helper()
	dir := t.TempDir()
	src = filepath.Join(dir, "src")
	for name, text := range map[string]string{
		"readme.txt": "one\n", "docs/a.txt": "a\n", "docs/b.txt": "b\n", "docs/deep/c.txt": strings.Repeat("c", 100000), "old/x": "x", "old/y": "y",
	} {
		os.MkdirAll(filepath.Dir(filepath.Join(src, name)), 0o777)
		if err := os.WriteFile(filepath.Join(src, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	file = filepath.Join(dir, "a"+ext)
	mustRun(t, "create", file, src+"/")
	return file, src
}

// Changes of programs have the same effect in a mounted archive and in a folder. The archive
// is saved when it is unmounted, and unchanged until then.
func TestMountWrite(t *testing.T) {
	needFUSE(t)
	peer.Program(t, "rsync", "rsync")
	for _, ext := range writable {
		t.Run(ext, func(t *testing.T) {
			file, src := newArchive(t, ext)
			before, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			m := mountArchive(t, "--write", file)
			more := t.TempDir()
			writeFiles(t, more, 20)
			for _, dir := range []string{src, m.dir} {
				program(t, "sh", "-ec", `cd "$1"
echo two >> readme.txt
mkdir new && echo new > new/file
mv docs/a.txt docs/renamed.txt
mv old older
rm older/x
printf X | dd of=docs/deep/c.txt bs=1 seek=500 conv=notrunc 2>/dev/null
truncate -s 700 docs/deep/c.txt
sed -i s/b/changed/ docs/b.txt
cp -r "$2" copied
rsync -a "$2"/ synced/
rsync -a "$2"/ synced/
mv -f new/file readme.bak
ln -s x link 2>/dev/null && rm link || true
rmdir new
chmod 600 readme.txt
touch -d '2020-01-02 03:04:06' docs/b.txt`, "sh", dir, more)
			}
			program(t, "diff", "-r", src, m.dir)
			if now, _ := os.ReadFile(file); !bytes.Equal(now, before) {
				t.Error("the archive was changed before it was saved")
			}
			if said := m.end(t); !strings.Contains(said, "saved") {
				t.Errorf("output: %s", said)
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(file), ".a"+ext+".pakbox-changes")); err == nil {
				t.Error("the folder of changes is still there")
			}
			mustRun(t, "verify", file)
			out := filepath.Join(t.TempDir(), "out")
			mustRun(t, "extract", file, "-C", out)
			program(t, "diff", "-r", src, out)
			if info, err := os.Stat(filepath.Join(out, "docs/b.txt")); ext == ".zip" && (err != nil || info.ModTime().Year() != 2020) {
				t.Errorf("the time of b.txt: %v, %v", info, err)
			}
		})
	}
}

// Changes are saved while the folder stays mounted, and shown as saved.
func TestMountCommit(t *testing.T) {
	file, src := newArchive(t, ".vpk")
	m := mountArchive(t, "--write", file)
	for round := range 3 {
		for _, dir := range []string{src, m.dir} {
			name := fmt.Sprintf("round%d", round)
			if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		reader, err := os.Open(filepath.Join(m.dir, "readme.txt")) // who reads is not disturbed
		if err != nil {
			t.Fatal(err)
		}
		mustRun(t, "mount", "commit", m.dir)
		if data, err := io.ReadAll(reader); err != nil || string(data) != "one\n" {
			t.Errorf("data = %q, err = %v; want no error, data = \"one\\n\"", data, err)
		}
		reader.Close()
		out := filepath.Join(t.TempDir(), "out")
		mustRun(t, "extract", file, "-C", out)
		program(t, "diff", "-r", src, out)
		program(t, "diff", "-r", src, m.dir)
	}
	f, err := os.Create(filepath.Join(m.dir, "open"))
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("pakbox", "mount", "commit", m.dir).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "is being written") {
		t.Errorf("saved with a file that is open: %v, %s", err, out)
	}
	f.Close()
	m.end(t)
	mustRun(t, "verify", file)
}

// Archives inside the archive are changed too, and saved with it.
func TestMountWriteNested(t *testing.T) {
	inner, _ := newArchive(t, ".vpk")
	dir := t.TempDir()
	outer := filepath.Join(dir, "outer.zip")
	t.Chdir(filepath.Dir(inner))
	mustRun(t, "create", outer, "a.vpk", "src/readme.txt")
	m := mountArchive(t, "--write", outer)
	program(t, "sh", "-ec", `cd "$1"
echo inside > a.vpk/new.txt
rm -r a.vpk/docs
mv a.vpk/readme.txt a.vpk/r.txt
echo outside > beside.txt
! rmdir a.vpk 2>/dev/null
mv beside.txt a.vpk/moved.txt`, "sh", m.dir)
	m.end(t)
	mustRun(t, "verify", outer, outer+"/a.vpk")
	out, err := exec.Command("pakbox", "ls", outer+"/a.vpk").Output()
	if got := strings.Join(strings.Fields(string(out)), " "); err != nil || got != "old/x old/y r.txt moved.txt new.txt" && got != "r.txt old/x old/y moved.txt new.txt" {
		t.Errorf(`got = %s, err = %v; want no error, (got = "old/x old/y r.txt moved.txt new.txt" or got = "r.txt old/x old/y moved.txt new.txt")`, got, err)
	}
}

// A program that is killed leaves the archive as it was and the changes where
// the next one finds them.
func TestMountKilled(t *testing.T) {
	for _, end := range []string{"resume", "commit", "discard"} {
		t.Run(end, func(t *testing.T) {
			file, src := newArchive(t, ".zip")
			before, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			m := mountArchive(t, "--write", file)
			program(t, "sh", "-ec", `cd "$1"; echo kept > kept.txt; mv docs doc; rm old/x; echo more >> readme.txt`, "sh", m.dir)
			writer := exec.Command("sh", "-c", `while :; do echo line >> "$1/log.txt"; done`, "sh", m.dir)
			if err := writer.Start(); err != nil {
				t.Fatal(err)
			}
			for range 1000 { // until it has begun
				if info, err := os.Stat(filepath.Join(m.dir, "log.txt")); err == nil && info.Size() > 0 {
					break
				}
				time.Sleep(10 * time.Millisecond)
			}
			m.cmd.Process.Kill()
			<-m.done
			m.done <- nil
			writer.Process.Kill()
			writer.Wait()
			syscall.Unmount(m.dir, syscall.MNT_DETACH)
			if now, _ := os.ReadFile(file); !bytes.Equal(now, before) {
				t.Fatal("the archive was changed")
			}
			switch end {
			case "discard":
				mustRun(t, "mount", "discard", file)
				if out, err := exec.Command("pakbox", "mount", "commit", file).CombinedOutput(); err == nil {
					t.Errorf("there was something to save: %s", out)
				}
				return
			case "commit":
				mustRun(t, "mount", "commit", file)
			case "resume":
				again := mountArchive(t, "--write", file)
				if got, err := os.ReadFile(filepath.Join(again.dir, "kept.txt")); err != nil || string(got) != "kept\n" {
					t.Errorf("got = %q, err = %v; want no error, got = \"kept\\n\"", got, err)
				}
				program(t, "umount", again.dir)
				again.done <- <-again.done
				said := again.said.String()
				if !strings.Contains(said, "of an earlier mount") {
					t.Errorf("output: %s", said)
				}
				if strings.Contains(said, "still writing") && strings.Contains(said, "log.txt") { // the writer had it open
					mustRun(t, "mount", "commit", file)
				}
			}
			program(t, "sh", "-ec", `cd "$1"; echo kept > kept.txt; mv docs doc; rm old/x; echo more >> readme.txt`, "sh", src)
			out := filepath.Join(t.TempDir(), "out")
			mustRun(t, "verify", file)
			mustRun(t, "extract", file, "-C", out)
			program(t, "diff", "-r", "-x", "log.txt", src, out)
			if log, err := os.ReadFile(filepath.Join(out, "log.txt")); err != nil || len(log) == 0 || len(log)%5 != 0 {
				t.Errorf("log.txt: %d bytes, %v", len(log), err)
			}
		})
	}
}

// A writer that is killed leaves what it wrote, as in any folder.
func TestMountWriterKilled(t *testing.T) {
	file, _ := newArchive(t, ".zip")
	m := mountArchive(t, "--write", file)
	writer := exec.Command("sh", "-c", `exec > "$1/log.txt"; while :; do echo line; done`, "sh", m.dir)
	if err := writer.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(50 * time.Millisecond)
	writer.Process.Kill()
	writer.Wait()
	m.end(t)
	mustRun(t, "verify", file)
	out, err := exec.Command("pakbox", "cat", file+"/log.txt").Output()
	if err != nil || len(out) == 0 || strings.Trim(string(out[:5]), "\n") != "line" {
		t.Errorf("%d bytes, %v", len(out), err)
	}
}

// The archive is changed by one at a time, and by nobody else meanwhile.
func TestMountWriteAlone(t *testing.T) {
	file, _ := newArchive(t, ".zip")
	m := mountArchive(t, "--write", file)
	out, err := exec.Command("pakbox", "mount", "--write", file, t.TempDir()).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "by another mount") {
		t.Errorf(`err = %v, out = %s; want an error, out with "by another mount"`, err, out)
	}
	m.end(t)
}

// A program that reads while the folder is unmounted gets an error, and nothing hangs.
func TestMountEndsWhileRead(t *testing.T) {
	needFUSE(t)
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "big"), make([]byte, 64<<20), 0o666)
	file := filepath.Join(dir, "a.zip")
	mustRun(t, "create", file, filepath.Join(dir, "big"))
	for _, how := range []string{"interrupt", "kill", "lazy"} {
		t.Run(how, func(t *testing.T) {
			m := mountArchive(t, file)
			found, err := filepath.Glob(filepath.Join(m.dir, "*"))
			if err != nil || len(found) == 0 {
				t.Fatalf("found = %v, err = %v; want no error, found not empty", found, err)
			}
			name := program(t, "find", m.dir, "-name", "big")
			reader := exec.Command("sh", "-c", `while cat "$1" >/dev/null; do :; done`, "sh", strings.TrimSpace(name))
			if err := reader.Start(); err != nil {
				t.Fatal(err)
			}
			done := make(chan error, 1)
			go func() { done <- reader.Wait() }()
			time.Sleep(100 * time.Millisecond)
			switch how {
			case "interrupt":
				m.cmd.Process.Signal(os.Interrupt)
				m.ended(t)
			case "kill":
				m.cmd.Process.Kill()
				<-m.done
				m.done <- nil
				syscall.Unmount(m.dir, syscall.MNT_DETACH)
			case "lazy":
				program(t, "fusermount3", "-u", "-z", m.dir)
			}
			select {
			case <-done:
			case <-time.After(20 * time.Second):
				t.Fatal("the reader hangs")
			}
			if how == "lazy" {
				m.ended(t)
			}
		})
	}
}

// A signal that comes while a program writes saves what is complete, and not the file
// that is being written. 'mount end' returns when all is saved.
func TestMountEndsWhileWritten(t *testing.T) {
	file, _ := newArchive(t, ".zip")
	m := mountArchive(t, "--write", file)
	if err := os.WriteFile(filepath.Join(m.dir, "whole.txt"), []byte("whole"), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(m.dir, "half.bin"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	program(t, "sh", "-c", `head -c 100000 /dev/zero > "$1"`, "sh", filepath.Join(m.dir, "half.bin")) // another descriptor, which is closed
	m.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case err := <-m.done:
		m.done <- err
	case <-time.After(20 * time.Second):
		t.Fatal("the program does not end")
	}
	said := m.said.String()
	if !strings.Contains(said, "not saved: half.bin") || !strings.Contains(said, "pakbox mount commit") {
		t.Errorf("output: %s", said)
	}
	if list := program(t, "pakbox", "ls", file); !strings.Contains(list, "whole.txt") || strings.Contains(list, "half.bin") {
		t.Errorf("the archive holds\n%s", list)
	}
	m = mountArchive(t, "--write", file)
	if info, err := os.Stat(filepath.Join(m.dir, "half.bin")); err != nil || info.Size() != 100000 {
		t.Errorf("info = %v, err = %v; want no error, info.Size() = 100000", info, err)
	}
	mustRun(t, "mount", "end", m.dir)
	if list := program(t, "pakbox", "ls", file); strings.Contains(list, "half.bin") {
		t.Errorf("the archive holds\n%s", list)
	}
	mustRun(t, "mount", "commit", file)
	if list := program(t, "pakbox", "ls", file); !strings.Contains(list, "half.bin") {
		t.Errorf("the archive holds\n%s", list)
	}
}

// A mount that is killed while a program writes leaves the archive as it was. The next one
// names the half and keeps it, and saves the rest.
func TestMountKilledWhileWritten(t *testing.T) {
	file, _ := newArchive(t, ".zip")
	m := mountArchive(t, "--write", file)
	if err := os.WriteFile(filepath.Join(m.dir, "whole.txt"), []byte("whole"), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(filepath.Join(m.dir, "readme.txt"), os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("half"); err != nil {
		t.Fatal(err)
	}
	m.cmd.Process.Kill()
	m.done <- <-m.done
	exec.Command("umount", "-l", m.dir).Run()
	for range 2 {
		m = mountArchive(t, "--write", file)
		if got, err := os.ReadFile(filepath.Join(m.dir, "readme.txt")); err != nil || string(got) != "half" {
			t.Errorf(`got = %q, err = %v; want no error, got = "half"`, got, err)
		}
		program(t, "umount", m.dir)
		m.done <- <-m.done
		if said := m.said.String(); strings.Count(said, "readme.txt") != 2 || strings.Contains(said, "whole.txt") || !strings.Contains(said, "pakbox mount discard") {
			t.Errorf("output: %s", said)
		}
		if got := program(t, "pakbox", "cat", file+"/readme.txt") + program(t, "pakbox", "cat", file+"/whole.txt"); got != "one\nwhole" {
			t.Errorf("the archive holds %q", got)
		}
	}
	mustRun(t, "mount", "discard", file)
	m = mountArchive(t, "--write", file)
	if got, err := os.ReadFile(filepath.Join(m.dir, "readme.txt")); err != nil || string(got) != "one\n" {
		t.Errorf("got = %q, err = %v; want no error, got = \"one\\n\"", got, err)
	}
}
