//go:build linux

package archive_test

import (
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"pakbox/archive"
)

// stageText writes text to path as every command does.
func stageText(path, text string, overwrite bool) error {
	s, err := archive.NewStage(path, overwrite)
	if err != nil {
		return err
	}
	defer s.Abort()
	f, err := s.File()
	if err != nil {
		return err
	}
	// Formats come back to fill in their headers.
	if _, err := f.WriteString("?" + text[1:]); err != nil {
		return err
	}
	if _, err := f.WriteAt([]byte(text[:1]), 0); err != nil {
		return err
	}
	return s.Commit()
}

// typeOf reports whether a file, a folder or something else is at path.
func typeOf(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Type()
}

// asRoot is for conditions that only root may set up. Elsewhere the test has no effect, and
// logs so, because skipping is for missing files only.
func asRoot(t *testing.T) bool {
	if os.Geteuid() != 0 {
		t.Log("not root: nothing was tested")
		return false
	}
	return true
}

func TestStageKeepsDevices(t *testing.T) {
	if !asRoot(t) {
		return
	}
	dir := t.TempDir()
	null, full := filepath.Join(dir, "null"), filepath.Join(dir, "full")
	for path, minor := range map[string]uint32{null: 3, full: 7} {
		t.Run(path, func(t *testing.T) {
			if err := unix.Mknod(path, unix.S_IFCHR|0o666, int(unix.Mkdev(1, minor))); err != nil {
				t.Fatal(err)
			}
		})
	}
	for _, overwrite := range []bool{false, true} {
		if err := stageText(null, "gone", overwrite); err != nil {
			t.Errorf("null, overwrite %v: %v", overwrite, err)
		}
		if err := stageText(full, "gone", overwrite); err == nil {
			t.Error("a full device took everything")
		}
	}
	for _, path := range []string{null, full} {
		if got := typeOf(t, path); got != fs.ModeDevice|fs.ModeCharDevice {
			t.Errorf("%s became %v", path, got)
		}
	}
	// A disk is overwritten only if that is asked for; no such disk exists,
	// so that nothing is written either.
	disk := filepath.Join(dir, "disk")
	if err := unix.Mknod(disk, unix.S_IFBLK|0o666, int(unix.Mkdev(240, 250))); err != nil {
		t.Fatal(err)
	}
	if err := stageText(disk, "gone", false); err == nil || !strings.Contains(err.Error(), "exists") {
		t.Errorf("disk: %v", err)
	}
	noStrays(t, dir)
}

func TestStageKeepsPipesAndSockets(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink("pipe", link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{pipe, link} {
		got := make(chan string)
		go func() {
			b, _ := os.ReadFile(pipe)
			got <- string(b)
		}()
		if err := stageText(path, "through the pipe", true); err != nil {
			t.Fatal(err)
		}
		if text := <-got; text != "through the pipe" {
			t.Errorf("the pipe gave %q", text)
		}
	}
	if typeOf(t, pipe) != fs.ModeNamedPipe || typeOf(t, link) != fs.ModeSymlink {
		t.Error("the pipe or the link to it was replaced")
	}

	t.Chdir(dir) // names of sockets are short
	l, err := net.Listen("unix", "socket")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	got := make(chan string)
	go func() {
		c, err := l.Accept()
		if err != nil {
			got <- err.Error()
			return
		}
		b, _ := io.ReadAll(c)
		got <- string(b)
	}()
	if err := stageText("socket", "through the socket", true); err != nil {
		t.Fatal(err)
	}
	if text := <-got; text != "through the socket" {
		t.Errorf("the socket gave %q", text)
	}
	if typeOf(t, "socket") != fs.ModeSocket {
		t.Error("the socket was replaced")
	}
	noStrays(t, dir)
}

// A descriptor is written to whatever it is: a pipe has no name, a file may
// have lost its.
func TestStageWritesToDescriptors(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	lost, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer lost.Close()
	os.Remove(lost.Name())
	link := filepath.Join(t.TempDir(), "stdout")
	for _, f := range []*os.File{w, lost} {
		for _, dir := range []string{"/dev/fd/", "/proc/self/fd/"} {
			os.Remove(link)
			if err := os.Symlink(dir+fmt.Sprint(f.Fd()), link); err != nil {
				t.Fatal(err)
			}
			for _, path := range []string{dir + fmt.Sprint(f.Fd()), link} {
				if err := stageText(path, "text.", false); err != nil {
					t.Errorf("%s: %v", path, err)
				}
			}
		}
	}
	w.Close()
	piped, _ := io.ReadAll(r)
	lost.Seek(0, io.SeekStart)
	kept, _ := io.ReadAll(lost)
	if want := strings.Repeat("text.", 4); string(piped) != want || string(kept) != want {
		t.Errorf("the pipe got %q, the file %q", piped, kept)
	}
}

func TestStageKeepsLinks(t *testing.T) {
	dir := t.TempDir()
	os.Mkdir(filepath.Join(dir, "a"), 0o777)
	os.Mkdir(filepath.Join(dir, "b"), 0o777)
	// far is a link to a folder, so that ".." in a link beyond it is not a's parent.
	for name, to := range map[string]string{
		"far": "b", "b/link": "../a/../a/file", "hanging": "a/new", "loop": "loop", "pair.eix": "a/i", "pair.epk": "b/d",
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		})
	}
	for path, real := range map[string]string{"far/link": "a/file", "hanging": "a/new"} {
		t.Run(path, func(t *testing.T) {
			for _, text := range []string{"first", "second"} {
				if err := stageText(filepath.Join(dir, path), text, true); err != nil {
					t.Fatal(err)
				}
				if got := read(t, filepath.Join(dir, real)); got != text {
					t.Errorf("%s: %s holds %q", path, real, got)
				}
			}
			if typeOf(t, filepath.Join(dir, path)) != fs.ModeSymlink {
				t.Errorf("%s is not a link any more", path)
			}
		})
	}
	if err := stageText(filepath.Join(dir, "loop"), "x", true); err == nil {
		t.Error("a link to itself led somewhere")
	}

	s, err := archive.NewStage(filepath.Join(dir, "pair.eix"), true)
	if err != nil {
		t.Fatal(err)
	}
	f, _ := s.File()
	f.WriteString("index")
	g, err := s.Sibling("pair.epk")
	if err != nil {
		t.Fatal(err)
	}
	g.WriteString("data")
	if err := s.Commit(); err != nil {
		t.Fatal(err)
	}
	check := func(index, data string) {
		t.Helper()
		if i, d := read(t, filepath.Join(dir, "a/i")), read(t, filepath.Join(dir, "b/d")); i != index || d != data {
			t.Errorf("the targets of the pair hold %q and %q", i, d)
		}
	}
	check("index", "data")
	// Killed between commitment and renames.
	if s, err = archive.NewStage(filepath.Join(dir, "pair.eix"), true); err != nil {
		t.Fatal(err)
	}
	f, _ = s.File()
	f.WriteString("index2")
	g, _ = s.Sibling("pair.epk")
	g.WriteString("data2")
	if err := s.CommitAndDie(); err != nil {
		t.Fatal(err)
	}
	in, c, err := archive.OpenFile(filepath.Join(dir, "pair.eix"))
	if err != nil {
		t.Fatal(err)
	}
	beside, c2, err := in.Sibling("pair.epk")
	if err != nil {
		t.Fatal(err)
	}
	if string(in.Prefix(9)) != "index2" || string(beside.Prefix(9)) != "data2" {
		t.Errorf("a reader sees %q and %q", in.Prefix(9), beside.Prefix(9))
	}
	c.Close()
	c2.Close()
	check("index", "data") // a reader changes nothing
	if s, err = archive.NewStage(filepath.Join(dir, "pair.eix"), true); err != nil {
		t.Fatal(err)
	}
	s.Abort()
	check("index2", "data2")
	if typeOf(t, filepath.Join(dir, "pair.epk")) != fs.ModeSymlink {
		t.Error("pair.epk is not a link any more")
	}
}

func TestStageNeverReplacesTheOtherKind(t *testing.T) {
	dir := t.TempDir()
	folder, file := filepath.Join(dir, "folder"), filepath.Join(dir, "file")
	os.Mkdir(folder, 0o777) // empty, as rename would like it
	os.WriteFile(file, []byte("old"), 0o666)
	if err := stageText(folder, "text", true); err == nil {
		t.Error("a file took the place of a folder")
	}
	s, err := archive.NewStage(file, true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Dir(); err == nil {
		t.Error("a folder took the place of a file")
	}
	if read(t, file) != "old" || typeOf(t, folder) != fs.ModeDir {
		t.Error("the old ones are gone")
	}
	noStrays(t, dir)
}

func TestStageKeepsAttributes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	os.WriteFile(path, []byte("old"), 0o640)
	if err := unix.Setxattr(path, "user.note", []byte("kept"), 0); err != nil {
		t.Fatal(err)
	}
	root := asRoot(t)
	if root {
		if err := os.Chown(path, 1234, 4321); err != nil {
			t.Fatal(err)
		}
	}
	os.Chmod(path, 0o600|fs.ModeSetgid)
	if err := stageText(path, "new", true); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 16)
	n, err := unix.Getxattr(path, "user.note", b)
	if err != nil || string(b[:n]) != "kept" {
		t.Errorf("user.note = %q, %v", b[:max(n, 0)], err)
	}
	info, _ := os.Stat(path)
	st := info.Sys().(*syscall.Stat_t)
	if root && (st.Uid != 1234 || st.Gid != 4321) {
		t.Errorf("owner and group became %d:%d", st.Uid, st.Gid)
	}
	if info.Mode() != 0o600|fs.ModeSetgid {
		t.Errorf("mode became %v", info.Mode())
	}
}

func TestStageNoSync(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	s, err := archive.NewStage(path, false)
	if err != nil {
		t.Fatal(err)
	}
	s.NoSync = true
	f, _ := s.File()
	f.WriteString("text")
	if err := s.Commit(); err != nil || read(t, path) != "text" {
		t.Errorf(`read(t, path) = %q, err = %v; want no error, read(t, path) = "text"`, read(t, path), err)
	}
}
