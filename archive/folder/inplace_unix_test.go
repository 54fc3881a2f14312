//go:build linux

package folder_test

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"pakbox/archive"
)

// A folder that is edited must stay the same folder: with its permissions, attributes and
// times, and with everything that somebody puts into it meanwhile.
func TestEditInPlace(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "f")
	write(t, dir, map[string]string{"a": "1", "sub/b": "2", "sub/c": "3", "other/d": "4", "gone/e": "5"})
	at := func(name string) string { return filepath.Join(dir, name) }
	then := time.Unix(1e9, 0)
	for _, name := range []string{"", "sub", "other"} {
		if err := os.Chmod(at(name), 0o750|fs.ModeSetgid); err != nil {
			t.Fatal(err)
		}
		if err := unix.Setxattr(at(name), "user.note", []byte("kept"), 0); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(at(name), then, then); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(at("a"), 0o640); err != nil {
		t.Fatal(err)
	}
	before, _ := os.Stat(dir)
	moved, _ := os.Stat(at("sub/b"))

	stage, err := archive.NewStage(dir, true)
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Abort()
	item := archive.Items(openDir(t, dir))[0]
	item.Name = "a"
	fresh := item
	fresh.Name = "sub/new/x"
	edits := []archive.Edit{{Put: &item}, {Put: &fresh}, {Remove: "gone"}, {Rename: &archive.Rename{From: "sub", To: "moved"}}}
	if err := openDir(t, dir).(archive.Editor).Edit(t.Context(), stage, edits, archive.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	write(t, dir, map[string]string{"meanwhile": "theirs", "gone/meanwhile": "theirs", "sub/meanwhile": "theirs"})
	if err := stage.Commit(); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a": "1", "moved/b": "2", "moved/c": "3", "moved/new/x": "1", "other/d": "4",
		"meanwhile": "theirs", "gone/meanwhile": "theirs", "sub/meanwhile": "theirs"}
	if got := contents(t, dir); !equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	after, _ := os.Stat(dir)
	again, err := os.Stat(at("moved/b"))
	if err != nil || !os.SameFile(before, after) || !os.SameFile(moved, again) {
		t.Errorf("the folder or a moved file is another one: %v", err)
	}
	for _, name := range []string{"", "moved", "other"} {
		info, err := os.Stat(at(name))
		if err != nil || info.Mode().Perm() != 0o750 || info.Mode()&fs.ModeSetgid == 0 {
			t.Errorf("%q: info = %v, err = %v; want no error, info.Mode().Perm() = 0o750, info.Mode() & fs.ModeSetgid other than 0", name, info, err)
		}
		b := make([]byte, 16)
		if n, err := unix.Getxattr(at(name), "user.note", b); err != nil || string(b[:n]) != "kept" {
			t.Errorf("%q: user.note = %q, %v", name, b[:max(n, 0)], err)
		}
	}
	if info, _ := os.Stat(at("other")); !info.ModTime().Equal(then) {
		t.Errorf("the time of a folder without changes became %v", info.ModTime())
	}
	if info, _ := os.Stat(at("a")); info.Mode() != 0o640 {
		t.Errorf("the mode of a replaced file became %v", info.Mode())
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(dir), ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Files that swap their names must keep their content.
func TestEditSwaps(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "f")
	write(t, dir, map[string]string{"a": "1", "b": "2"})
	stage, err := archive.NewStage(dir, true)
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Abort()
	mv := func(from, to string) archive.Edit { return archive.Edit{Rename: &archive.Rename{From: from, To: to}} }
	if err := openDir(t, dir).(archive.Editor).Edit(t.Context(), stage, []archive.Edit{mv("a", "x"), mv("b", "a"), mv("x", "b")}, archive.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := stage.Commit(); err != nil {
		t.Fatal(err)
	}
	if got, want := contents(t, dir), map[string]string{"a": "2", "b": "1"}; !equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// acl is a POSIX access control list as the kernel stores it: a user and a group beside the
// owner may read, and a mask allows all.
func acl(user, group uint32) []byte {
	b := binary.LittleEndian.AppendUint32(nil, 2)
	for _, entry := range []struct {
		tag, perm uint16
		id        uint32
	}{{1, 7, noID}, {2, 7, user}, {4, 5, noID}, {8, 5, group}, {16, 7, noID}, {32, 0, noID}} {
		b = binary.LittleEndian.AppendUint16(b, entry.tag)
		b = binary.LittleEndian.AppendUint16(b, entry.perm)
		b = binary.LittleEndian.AppendUint32(b, entry.id)
	}
	return b
}

const noID = 0xffffffff

// Access control lists of folders, of moved and of replaced files must survive edits; and new
// files must get the list that the folder has for them, as from any program.
func TestEditKeepsACL(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "f")
	write(t, dir, map[string]string{"a": "1", "sub/b": "2"})
	at := func(name string) string { return filepath.Join(dir, name) }
	const access, inherited = "system.posix_acl_access", "system.posix_acl_default"
	lists := map[string][]byte{"": acl(1001, 2001), "sub": acl(1002, 2002), "a": acl(1003, 2003), "sub/b": acl(1004, 2004)}
	for name, list := range lists {
		if err := unix.Setxattr(at(name), access, list, 0); err != nil {
			t.Fatalf("a file system with access control lists is needed: %v", err)
		}
	}
	if err := unix.Setxattr(at("sub"), inherited, acl(1005, 2005), 0); err != nil {
		t.Fatal(err)
	}
	stage, err := archive.NewStage(dir, true)
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Abort()
	item := archive.Items(openDir(t, dir))[0]
	item.Name = "a"
	fresh := item
	fresh.Name = "sub/fresh"
	edits := []archive.Edit{{Put: &item}, {Put: &fresh}, {Rename: &archive.Rename{From: "sub/b", To: "sub/moved"}}}
	if err := openDir(t, dir).(archive.Editor).Edit(t.Context(), stage, edits, archive.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := stage.Commit(); err != nil {
		t.Fatal(err)
	}
	lists["sub/moved"] = lists["sub/b"]
	delete(lists, "sub/b")
	for name, want := range lists {
		if got := attribute(at(name), access); !bytes.Equal(got, want) {
			t.Errorf("%q: access list = %x, want %x", name, got, want)
		}
	}
	if got := attribute(at("sub"), inherited); !bytes.Equal(got, acl(1005, 2005)) {
		t.Errorf("list for new files = %x", got)
	}
	os.WriteFile(at("sub/other"), nil, 0o666) // as another program makes a file
	if got, want := attribute(at("sub/fresh"), access), attribute(at("sub/other"), access); !bytes.Equal(got, want) || want == nil {
		t.Errorf("access list of a new file = %x, want %x", got, want)
	}
}

func attribute(path, name string) []byte {
	b := make([]byte, 256)
	n, err := unix.Getxattr(path, name, b)
	if err != nil {
		return nil
	}
	return b[:n]
}
