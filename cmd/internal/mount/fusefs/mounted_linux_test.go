package fusefs_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"pakbox"
	"pakbox/cmd/internal/mount"
	"pakbox/cmd/internal/mount/fusefs"
	"pakbox/cmd/internal/source"
	"pakbox/internal/lib/vfs"
	"pakbox/internal/testkit/peer"
	"pakbox/internal/testkit/tier"
)

// content has the files of the mounted archive.
var content = map[string]string{
	"a.txt": "hello", "d/b.txt": strings.Repeat("0123456789abcdef", 100_000), "d/c.txt": strings.Repeat("c", 513), "d/e/f.txt": "",
}

var changed = time.Date(2020, 2, 3, 4, 5, 6, 0, time.UTC)

// zipped makes a zip with one damaged file.
func zipped(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, text := range files {
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, Modified: changed})
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(f, text)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// mounted mounts an archive until the test ends.
func mounted(t *testing.T, data []byte, write bool, opts fusefs.Options) (dir string, tree *mount.Tree, s *fusefs.Server) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "a.zip")
	if err := os.WriteFile(file, data, 0o666); err != nil {
		t.Fatal(err)
	}
	dir, tree, s, end := mountFile(t, file, write, opts)
	t.Cleanup(end)
	return dir, tree, s
}

// mountFile mounts an archive until the caller calls end.
func mountFile(t *testing.T, file string, write bool, opts fusefs.Options) (dir string, tree *mount.Tree, s *fusefs.Server, end func()) {
	t.Helper()
	tier.All(t, "a mount")
	if f, err := os.OpenFile("/dev/fuse", os.O_RDWR, 0); err != nil {
		peer.Missing(t, "nothing can be mounted here: %v", err)
	} else {
		f.Close()
	}
	o := source.NewOpener(pakbox.Formats())
	tree, err := mount.Open(t.Context(), file, mount.Options{Opener: o, Write: write})
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	unwatch := watch(t, dir)
	if s, err = fusefs.Mount(tree, dir, opts); err != nil {
		unwatch()
		t.Fatal(err)
	}
	return dir, tree, s, func() {
		letGo(dir)
		s.End()
		unwatch()
		tree.Close()
		o.CleanUp()
	}
}

// is compares an error with an errno.
func is(t *testing.T, what string, err error, want syscall.Errno) {
	t.Helper()
	if want == 0 && err != nil || want != 0 && !errors.Is(err, want) {
		t.Errorf("%s: %v, want %v", what, err, want)
	}
}

// A read-only mount shows the content of the archive, and refuses every
// change.
func TestLook(t *testing.T) {
	dir, _, _ := mounted(t, zipped(t, content), false, fusefs.Options{})
	if got := listed(t, dir); got != "a.txt=5 d/ d/b.txt=1600000 d/c.txt=513 d/e/ d/e/f.txt=0" {
		t.Errorf(`got = %v; want "a.txt=5 d/ d/b.txt=1600000 d/c.txt=513 d/e/ d/e/f.txt=0"`, got)
	}
	for name, want := range content {
		if data, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(data) != want {
			t.Errorf("%s: %d bytes, %v", name, len(data), err)
		}
	}
	var st syscall.Stat_t
	is(t, "stat", syscall.Stat(dir+"/d/c.txt", &st), 0)
	if st.Mode != syscall.S_IFREG|0o444 || st.Size != 513 || st.Blocks != 2 || st.Blksize != 4096 || st.Nlink != 1 || st.Mtim.Sec != changed.Unix() || st.Ctim.Sec != changed.Unix() ||
		st.Uid != uint32(os.Getuid()) || st.Gid != uint32(os.Getgid()) {
		t.Errorf("st = %+v", st)
	}
	is(t, "stat", syscall.Stat(dir+"/d/e/f.txt", &st), 0)
	if st.Size != 0 || st.Blocks != 0 {
		t.Errorf("st = %+v; want st.Size = 0, st.Blocks = 0", st)
	}
	is(t, "stat", syscall.Stat(dir+"/d", &st), 0)
	if st.Mode != syscall.S_IFDIR|0o555 {
		t.Errorf("st.Mode = %o; want syscall.S_IFDIR | 0o555", st.Mode)
	}
	var room syscall.Statfs_t
	is(t, "statfs", syscall.Statfs(dir, &room), 0)
	if room.Bsize != 4096 || room.Namelen != 255 || room.Blocks != 0 || room.Flags&syscall.MS_RDONLY == 0 {
		t.Errorf("room = %+v; want room.Bsize = 4096, room.Namelen = 255, room.Blocks = 0, room.Flags & syscall.MS_RDONLY other than 0", room)
	}
	f, err := os.Open(dir + "/d/b.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	piece := make([]byte, 20)
	if n, err := f.ReadAt(piece, 1_599_990); string(piece[:n]) != "6789abcdef" || err != io.EOF {
		t.Errorf(`piece[:n] = %q, err = %v; want piece[:n] = "6789abcdef", err = io.EOF`, piece[:n], err)
	}
	if n, err := f.ReadAt(piece, 2_000_000); n != 0 || err != io.EOF {
		t.Errorf("n = %d, err = %v; want n = 0, err = io.EOF", n, err)
	}
	_, err = os.Stat(dir + "/none")
	is(t, "none", err, syscall.ENOENT)
	_, err = os.Stat(dir + "/a.txt/x")
	is(t, "below a file", err, syscall.ENOTDIR)
	for what, err := range map[string]error{
		"write": os.WriteFile(dir+"/new", nil, 0o666), "mkdir": os.Mkdir(dir+"/new", 0o777), "remove": syscall.Unlink(dir + "/a.txt"), "rmdir": syscall.Rmdir(dir + "/d"),
		"rename": os.Rename(dir+"/a.txt", dir+"/b"), "truncate": os.Truncate(dir+"/a.txt", 1), "time": os.Chtimes(dir+"/a.txt", changed, changed), "chmod": os.Chmod(dir+"/a.txt", 0o600),
	} {
		is(t, what, err, syscall.EROFS)
	}
	_, err = fusefs.Commit(dir)
	is(t, "commit", err, syscall.ENOENT)
}

// writable mounts an archive with a nested archive for writing, and returns the path of
// a name in it.
func writable(t *testing.T, opts fusefs.Options) (tree *mount.Tree, dir string, at func(string) string) {
	t.Helper()
	with := map[string]string{"inner.zip": string(zipped(t, map[string]string{"x": "xx"}))}
	for name, text := range content {
		with[name] = text
	}
	dir, tree, _ = mounted(t, zipped(t, with), true, opts)
	return tree, dir, func(name string) string { return filepath.Join(dir, name) }
}

// The content, size and times of files in a writable mount change as in
// any file system; modes and owners stay.
func TestChangeFiles(t *testing.T) {
	_, dir, at := writable(t, fusefs.Options{})
	f, err := os.OpenFile(at("new.txt"), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteString("one two three")
	is(t, "write", err, 0)
	_, err = f.WriteAt([]byte("TWO"), 4)
	is(t, "write", err, 0)
	back := make([]byte, 7)
	if _, err := f.ReadAt(back, 0); string(back) != "one TWO" {
		t.Errorf(`back = %q, err = %v; want "one TWO"`, back, err)
	}
	is(t, "cut", f.Truncate(7), 0)
	is(t, "sync", f.Sync(), 0)
	var st syscall.Stat_t
	is(t, "stat of an open file", syscall.Fstat(int(f.Fd()), &st), 0)
	if st.Size != 7 || st.Mode != syscall.S_IFREG|0o644 || st.Nlink != 1 || st.Uid != uint32(os.Getuid()) {
		t.Errorf("st = %+v; want st.Size = 7, st.Mode = syscall.S_IFREG | 0o644, st.Nlink = 1, st.Uid = uint32(os.Getuid())", st)
	}
	tv := []unix.Timeval{{Sec: 1_000_000_000}, {Sec: 1_100_000_000}}
	is(t, "time of an open file", unix.Futimes(int(f.Fd()), tv), 0)
	if info, err := f.Stat(); err != nil || info.ModTime().Unix() != 1_100_000_000 {
		t.Errorf("info.ModTime() = %v, err = %v; want no error, info.ModTime().Unix() = 1_100_000_000", info.ModTime(), err)
	}
	is(t, "close", f.Close(), 0)
	_, err = os.OpenFile(at("new.txt"), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	is(t, "exclusive", err, syscall.EEXIST)
	is(t, "replace", os.WriteFile(at("a.txt"), []byte("bye"), 0o666), 0)
	more, err := os.OpenFile(at("d/c.txt"), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = more.WriteString("more")
	is(t, "append", err, 0)
	is(t, "close", more.Close(), 0)
	whole, err := os.OpenFile(at("d/b.txt"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(whole); string(text) != content["d/b.txt"] || err != nil {
		t.Errorf("a file of the archive that is open for writing: %d bytes, %v", len(text), err)
	}
	is(t, "close", whole.Close(), 0)
	is(t, "cut", os.Truncate(at("d/b.txt"), 16), 0)
	is(t, "time", os.Chtimes(at("d/b.txt"), changed, changed.Add(time.Hour)), 0)
	is(t, "time of a folder", os.Chtimes(at("d"), changed, changed), 0)
	is(t, "chmod", os.Chmod(at("a.txt"), 0o600), 0)
	is(t, "chown", os.Chown(at("a.txt"), os.Getuid(), os.Getgid()), 0)
	if info, err := os.Stat(at("d/b.txt")); err != nil || !info.ModTime().Equal(changed.Add(time.Hour)) || info.Mode() != 0o644 {
		t.Errorf("info.ModTime() = %v, info.Mode() = %v, err = %v; want no error, info.ModTime().Equal(changed.Add(time.Hour)) = true, info.Mode() = 0o644", info.ModTime(), info.Mode(), err)
	}
	if got := listed(t, dir); got != "a.txt=3 d/ d/b.txt=16 d/c.txt=517 d/e/ d/e/f.txt="+fmt.Sprint(len(content["d/e/f.txt"]))+" inner.zip/ inner.zip/x=2 new.txt=7" {
		t.Errorf(`got = %v; want "a.txt=3 d/ d/b.txt=16 d/c.txt=517 d/e/ d/e/f.txt=" + fmt.Sprint(len(content["d/e/f.txt"])) + " inner.zip/ inner.zip/x=2 new.txt=7"`, got)
	}
}

// Files and folders can be created, moved and removed; names that the archive cannot store are refused.
func TestChangeNames(t *testing.T) {
	tree, dir, at := writable(t, fusefs.Options{})
	is(t, "write", os.WriteFile(at("new.txt"), []byte("one TWO"), 0o666), 0)
	is(t, "mkdir", os.Mkdir(at("made"), 0o777), 0)
	is(t, "mkdir again", os.Mkdir(at("made"), 0o777), syscall.EEXIST)
	is(t, "mkdir below", os.Mkdir(at("made/in"), 0o777), 0)
	is(t, "rmdir", syscall.Rmdir(at("made")), syscall.ENOTEMPTY)
	is(t, "rmdir", syscall.Rmdir(at("made/in")), 0)
	is(t, "unlink", syscall.Unlink(at("d/e/f.txt")), 0)
	is(t, "unlink again", syscall.Unlink(at("d/e/f.txt")), syscall.ENOENT)
	is(t, "rename", os.Rename(at("d/c.txt"), at("made/c.txt")), 0)
	is(t, "write", os.WriteFile(at("old.txt"), []byte("old"), 0o666), 0)
	is(t, "write", os.WriteFile(at("over.txt"), []byte("over"), 0o666), 0)
	is(t, "rename over a file", os.Rename(at("over.txt"), at("old.txt")), 0)
	if text, err := os.ReadFile(at("old.txt")); string(text) != "over" || err != nil {
		t.Errorf(`text = %q, err = %v; want text = "over", no error`, text, err)
	}
	is(t, "unlink", syscall.Unlink(at("old.txt")), 0)
	is(t, "rename over", unix.Renameat2(unix.AT_FDCWD, at("new.txt"), unix.AT_FDCWD, at("a.txt"), unix.RENAME_NOREPLACE), syscall.EEXIST)
	is(t, "rename over none", unix.Renameat2(unix.AT_FDCWD, at("new.txt"), unix.AT_FDCWD, at("newer.txt"), unix.RENAME_NOREPLACE), 0)
	is(t, "exchange", unix.Renameat2(unix.AT_FDCWD, at("newer.txt"), unix.AT_FDCWD, at("a.txt"), unix.RENAME_EXCHANGE), syscall.EINVAL)
	is(t, "into another archive", os.Rename(at("newer.txt"), at("inner.zip/y")), syscall.EXDEV)
	is(t, "a file in an archive", os.WriteFile(at("inner.zip/y"), []byte("y"), 0o666), 0)
	is(t, "an archive with changes", os.Rename(at("inner.zip"), at("other.zip")), syscall.EBUSY)
	is(t, "a name that leads out", os.WriteFile(at(`..\x`), nil, 0o666), syscall.EINVAL)
	_, err := os.OpenFile(at("d"), os.O_RDWR, 0)
	is(t, "write to a folder", err, syscall.EISDIR)

	var room syscall.Statfs_t
	is(t, "statfs", syscall.Statfs(dir, &room), 0)
	kept, _ := tree.Unsaved()
	var disk syscall.Statfs_t // the disk of the archive
	is(t, "statfs", syscall.Statfs(kept, &disk), 0)
	if room.Blocks != disk.Blocks || room.Bavail == 0 || room.Flags&syscall.MS_RDONLY != 0 {
		t.Errorf("%+v, want the room of %+v", room, disk)
	}
	// A folder that lost its last file exists until the changes are saved.
	want := fmt.Sprintf("a.txt=%d d/ d/b.txt=%d d/e/ inner.zip/ inner.zip/x=2 inner.zip/y=1 made/ made/c.txt=%d newer.txt=7", len(content["a.txt"]), len(content["d/b.txt"]), len(content["d/c.txt"]))
	if got := listed(t, dir); got != want && got != strings.Replace(want, " d/e/", "", 1) {
		t.Errorf(`got = %v; want got = %v or got = strings.Replace(want, " d/e/", "", 1)`, got, want)
	}
}

// Changes are saved through a file of the folder, which also contains the reason of a
// failure.
func TestSaved(t *testing.T) {
	var tree *mount.Tree
	var mu sync.Mutex // the kernel runs between the two users of the variable
	said, failed := "saved", error(nil)
	tree, dir, at := writable(t, fusefs.Options{Commit: func(ctx context.Context) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		if failed != nil {
			return "not saved", failed
		}
		_, err := tree.Commit(ctx)
		return said, err
	}})
	added := zipped(t, map[string]string{"z": "zed"})
	is(t, "replace", os.WriteFile(at("a.txt"), []byte("bye"), 0o666), 0)
	is(t, "cut", os.Truncate(at("d/b.txt"), 16), 0)
	more, err := os.OpenFile(at("d/c.txt"), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = more.WriteString("more")
	is(t, "append", err, 0)
	is(t, "close", more.Close(), 0)
	is(t, "mkdir", os.Mkdir(at("made"), 0o777), 0)
	is(t, "rename", os.Rename(at("d/c.txt"), at("made/c.txt")), 0)
	is(t, "unlink", syscall.Unlink(at("d/e/f.txt")), 0)
	is(t, "a file in an archive", os.WriteFile(at("inner.zip/y"), []byte("y"), 0o666), 0)
	is(t, "write", os.WriteFile(at("new.txt"), []byte("one TWO"), 0o666), 0)
	is(t, "a new archive", os.WriteFile(at("new.zip"), added, 0o666), 0)
	if got, want := listed(t, dir), "new.zip="+fmt.Sprint(len(added)); !strings.HasSuffix(got, want) {
		t.Errorf("%s, want a file: %s", got, want)
	}

	if info, err := os.Stat(at(".pakbox-commit")); err != nil || info.Mode() != 0o600 {
		t.Errorf("info = %v, err = %v; want no error, info.Mode() = 0o600", info, err)
	}
	_, err = os.Stat(at("d/.pakbox-commit"))
	is(t, "commit in a folder", err, syscall.ENOENT)
	mu.Lock()
	failed = syscall.ENOSPC
	mu.Unlock()
	if s, err := fusefs.Commit(dir); s != "not saved" || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf(`s = %q, err = %v; want s = "not saved", err matching syscall.ENOSPC`, s, err)
	}
	is(t, "what a shell does first", os.Truncate(at(".pakbox-commit"), 0), 0)
	all := strings.Repeat("saved all ", 1000)
	mu.Lock()
	failed, said = nil, all
	mu.Unlock()
	if s, err := fusefs.Commit(dir); s != all || err != nil {
		t.Errorf("s = %q, err = %v; want s = %q, no error", s, err, all)
	}
	saved, err := zip.OpenReader(tree.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer saved.Close()
	for name, want := range map[string]string{"a.txt": "bye", "d/b.txt": content["d/b.txt"][:16], "made/c.txt": content["d/c.txt"] + "more", "new.txt": "one TWO"} {
		if data, err := fs.ReadFile(saved, name); err != nil || string(data) != want {
			t.Errorf("saved %s: %d bytes, %v", name, len(data), err)
		}
	}
	if _, err := fs.Stat(saved, "d/e/f.txt"); err == nil {
		t.Error("a removed file was saved")
	}
	// Now the new archive is a folder, once the kernel's cache has expired.
	for range 500 {
		if text, err := os.ReadFile(at("new.zip/z")); err == nil && string(text) == "zed" {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if got := listed(t, dir); got != "a.txt=3 d/ d/b.txt=16 inner.zip/ inner.zip/x=2 inner.zip/y=1 made/ made/c.txt=517 new.txt=7 new.zip/ new.zip/z=3" {
		t.Errorf(`got = %v; want "a.txt=3 d/ d/b.txt=16 inner.zip/ inner.zip/x=2 inner.zip/y=1 made/ made/c.txt=517 new.txt=7 new.zip/ new.zip/z=3"`, got)
	}
}

// Without this option writing to that file is refused.
func TestNoCommit(t *testing.T) {
	dir, _, _ := mounted(t, zipped(t, content), true, fusefs.Options{})
	_, err := fusefs.Commit(dir)
	is(t, "commit", err, syscall.ENOTSUP)
	_, err = fusefs.Commit(t.TempDir())
	is(t, "commit where nothing is mounted", err, syscall.ENOENT)
}

// Reading a damaged file of the archive fails with EIO; other files can be
// read.
func TestDamaged(t *testing.T) {
	data := zipped(t, map[string]string{"good": "good", "bad": strings.Repeat("no zeros ", 5000)})
	at := bytes.Index(data, []byte("bad"))
	for i := range 20 {
		data[at+40+i] ^= 0x55
	}
	for _, write := range []bool{false, true} {
		dir, _, _ := mounted(t, data, write, fusefs.Options{})
		_, err := os.ReadFile(dir + "/bad")
		is(t, "bad", err, syscall.EIO)
		if write {
			is(t, "cut", os.Truncate(dir+"/bad", 3), syscall.EIO)
			_, err = os.OpenFile(dir+"/bad", os.O_RDWR, 0)
			is(t, "write to it", err, syscall.EIO)
			is(t, "time", os.Chtimes(dir+"/bad", changed, changed), syscall.EIO)
			is(t, "replace", os.WriteFile(dir+"/bad", []byte("repaired"), 0o666), 0)
			if text, err := os.ReadFile(dir + "/bad"); string(text) != "repaired" || err != nil {
				t.Errorf(`text = %q, err = %v; want text = "repaired", no error`, text, err)
			}
		}
		if text, err := os.ReadFile(dir + "/good"); string(text) != "good" || err != nil {
			t.Errorf(`text = %q, err = %v; want text = "good", no error`, text, err)
		}
	}
}

// Mounting on a non-empty folder is refused; a mount that is in use vanishes
// when it ends.
func TestPlace(t *testing.T) {
	dir, tree, s := mounted(t, zipped(t, content), false, fusefs.Options{})
	for at, want := range map[string]error{filepath.Dir(tree.Path()): vfs.ErrNotEmpty, filepath.Join(t.TempDir(), "none"): fs.ErrNotExist} {
		other, err := fusefs.Mount(tree, at, fusefs.Options{})
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", at, err, want)
		}
		if err == nil {
			other.End()
		}
	}
	f, err := os.Open(dir + "/a.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := s.End(); err != nil {
		t.Error(err)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 0 {
		t.Errorf("%d files after the end, %v", len(list), err)
	}
}

// With the option for other users, only the user who mounted may write and save.
func TestOthersOnlyRead(t *testing.T) {
	if os.Getuid() != 0 {
		peer.Missing(t, "only root can act as another user")
	}
	saved := false
	dir, _, _ := mounted(t, zipped(t, content), true, fusefs.Options{AllowOther: true, Commit: func(context.Context) (string, error) {
		saved = true
		return "", nil
	}})
	for top := dir; top != os.TempDir() && top != "/"; top = filepath.Dir(top) {
		if top != dir {
			os.Chmod(top, 0o755) // gives the other user access to the folder
		}
	}
	for _, script := range []string{"rm a.txt", "echo x > a.txt", "echo x > new", "mkdir new", "mv a.txt b.txt", "touch a.txt", "echo > .pakbox-commit"} {
		if out, err := other(dir, script); err == nil {
			t.Errorf("another user succeeded with: %s\n%s", script, out)
		}
	}
	if out, err := other(dir, "cat a.txt"); err != nil || out != content["a.txt"] {
		t.Errorf("another user reads %q, %v", out, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "a.txt")); err != nil || saved {
		t.Errorf("%v; saved: %v", err, saved)
	}
}

// A file that other users may not read on disk is not readable in a mount either.
func TestOthersReadWhatTheyMay(t *testing.T) {
	if os.Getuid() != 0 {
		peer.Missing(t, "only root can act as another user")
	}
	file, folder := filepath.Join(t.TempDir(), "t.zip"), t.TempDir()
	if err := os.WriteFile(file, zipped(t, content), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, perm := range map[string]os.FileMode{"open": 0o644, "own": 0o600, "in/own": 0o640, "shut/open": 0o644} {
		t.Run(name, func(t *testing.T) {
			name = filepath.Join(folder, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte("text"), perm)); err != nil {
				t.Fatal(err)
			}
		})
	}
	if err := errors.Join(os.Chmod(folder, 0o755), os.Chmod(filepath.Join(folder, "shut"), 0o750)); err != nil {
		t.Fatal(err)
	}
	for archive, scripts := range map[string]map[string]bool{
		file:   {"cat a.txt": false, "ls": false},
		folder: {"cat open": true, "cat own": false, "cat in/own": false, "cat shut/open": false, "cat moved": false},
	} {
		dir, tree, _, end := mountFile(t, archive, true, fusefs.Options{AllowOther: true})
		for top := filepath.Dir(dir); top != os.TempDir() && top != "/"; top = filepath.Dir(top) {
			os.Chmod(top, 0o755) // gives the other user access to the folder
		}
		if archive == folder {
			if err := tree.Rename("in/own", "moved"); err != nil {
				t.Error(err)
			}
		}
		for script, may := range scripts {
			if out, err := other(dir, script); (err == nil) != may {
				t.Errorf("%s: another user, %s: %q, %v", archive, script, out, err)
			}
		}
		end()
	}
}

// other runs a script in a folder as the user nobody.
func other(dir, script string) (string, error) {
	cmd := exec.Command("sh", "-c", `cd "$1" && eval "$2"`, "sh", dir, script)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := cmd.Output()
	return string(out), err
}
