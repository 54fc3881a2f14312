package fusefs_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"pakbox/cmd/internal/mount/fusefs"
)

// tree lists a folder and its subfolders: names with sizes.
func listed(t *testing.T, dir string) string {
	t.Helper()
	var list []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == "." {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if d.IsDir() {
			path += "/"
		} else {
			path += fmt.Sprintf("=%d", info.Size())
		}
		st, ok := info.Sys().(*syscall.Stat_t)
		if number, kind := entryListed(t, dir, strings.TrimSuffix(path, "/")); !ok || number != st.Ino || uint32(kind)<<12 != st.Mode&syscall.S_IFMT {
			t.Errorf("%s is %d of type %d in the list, by itself %+v", path, number, kind, st)
		}
		list = append(list, path)
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return strings.Join(list, " ")
}

// entryListed is the inode number and the type of a file in the list of its folder.
func entryListed(t *testing.T, root, path string) (number uint64, kind byte) {
	t.Helper()
	path, _, _ = strings.Cut(path, "=")
	f, err := os.Open(filepath.Join(root, filepath.Dir(path)))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	buffer := make([]byte, 4096)
	for {
		n, err := unix.Getdents(int(f.Fd()), buffer)
		if err != nil || n <= 0 {
			return 0, 0
		}
		for at := 0; at < n; {
			e := buffer[at:]
			size := int(e[16]) | int(e[17])<<8
			if name, _, _ := bytes.Cut(e[19:size], []byte{0}); string(name) == filepath.Base(path) {
				for i := 7; i >= 0; i-- {
					number = number<<8 | uint64(e[i])
				}
				return number, e[18]
			}
			at += size
		}
	}
}

// A long list is complete, also when it is read again from the start or from a position.
func TestLongList(t *testing.T) {
	many := map[string]string{}
	for i := range 3000 {
		many[fmt.Sprintf("a file whose name is long enough to fill several pieces %d", i)] = ""
	}
	data := zipped(t, many)
	for _, write := range []bool{false, true} { // the kernel caches read-only files
		dir, _, _ := mounted(t, data, write, fusefs.Options{})
		longList(t, dir, len(many))
	}
}

// A list continues at any position that it returned before, and at no other.
func TestPlacesInList(t *testing.T) {
	dir, _, _ := mounted(t, zipped(t, map[string]string{"a": "", "b": "", "c": "", "d": ""}), true, fusefs.Options{})
	from := func(at int64) (names []string, next []int64) {
		f, err := os.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := unix.Seek(int(f.Fd()), at, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		buffer := make([]byte, 4096)
		n, err := unix.Getdents(int(f.Fd()), buffer)
		if err != nil {
			return []string{err.Error()}, nil
		}
		for e := buffer[:n]; len(e) > 0; e = e[binary.NativeEndian.Uint16(e[16:]):] {
			name, _, _ := bytes.Cut(e[19:], []byte{0})
			names, next = append(names, string(name)), append(next, int64(binary.NativeEndian.Uint64(e[8:])))
		}
		return names, next
	}
	all, next := from(0)
	if strings.Join(all, " ") != "a b c d" {
		t.Fatalf(`all = %v; want strings.Join(all, " ") = "a b c d"`, all)
	}
	for i, at := range next {
		if got, _ := from(at); !slices.Equal(got, all[i+1:]) {
			t.Errorf("behind %s: %q", all[i], got)
		}
	}
	if got, _ := from(next[3] + 1); !slices.Equal(got, []string{syscall.EINVAL.Error()}) {
		t.Errorf("got = %q; want got equal to []string{syscall.EINVAL.Error()}", got)
	}
}

// The table of mounts shows the mount with nosuid, so that no program runs with another
// user's rights. Extended attributes are not supported.
func TestTableOfMounts(t *testing.T) {
	for _, write := range []bool{false, true} {
		dir, tree, _ := mounted(t, zipped(t, content), write, fusefs.Options{})
		table, err := os.ReadFile("/proc/self/mounts")
		if err != nil {
			t.Fatal(err)
		}
		_, line, _ := strings.Cut(string(table), "\n"+tree.Path()+" "+dir+" fuse.pakbox ")
		line, _, _ = strings.Cut(line, " ")
		for _, option := range []string{map[bool]string{false: "ro", true: "rw"}[write], "nosuid", "nodev", "max_read=1048576"} {
			if !slices.Contains(strings.Split(line, ","), option) {
				t.Errorf("%s: mounted with %q", option, line)
			}
		}
		_, err = unix.Getxattr(dir+"/a.txt", "user.x", nil)
		is(t, "attribute", err, syscall.ENOTSUP)
	}
}

func longList(t *testing.T, dir string, files int) {
	t.Helper()
	f, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for range 2 {
		seen := map[string]bool{}
		for {
			names, err := f.Readdirnames(700)
			for _, name := range names {
				if seen[name] || !strings.HasPrefix(name, "a file") {
					t.Errorf("%s twice", name)
				}
				seen[name] = true
			}
			if err != nil {
				break
			}
		}
		if len(seen) != files {
			t.Errorf("%d files", len(seen))
		}
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			t.Fatal(err)
		}
	}
}
