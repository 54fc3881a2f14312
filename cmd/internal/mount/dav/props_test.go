package dav

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"testing"

	"golang.org/x/net/webdav"

	"pakbox/cmd/internal/mount"
	"pakbox/internal/lib/vfs"
)

// Clients may store any properties, up to a limit.
func TestPropsAreBounded(t *testing.T) {
	p := &props{of: map[string]map[xml.Name]webdav.Property{}}
	write := func(name, key string, n int) int {
		return p.patch(name, []webdav.Proppatch{{Props: []webdav.Property{{XMLName: xml.Name{Local: key}, InnerXML: []byte(strings.Repeat("x", n))}}}})[0].Status
	}
	if got := write("a", "k", 10); got != http.StatusOK || p.size != 211 {
		t.Errorf("%d, %d bytes", got, p.size)
	}
	if got := write("a", "large", maxProps-p.size-201); got != http.StatusOK || p.size != maxProps || len(p.get("a")) != 2 {
		t.Errorf("properties up to the limit: status %d, %d bytes", got, p.size)
	}
	if got := write("b", "k", 0); got != http.StatusInsufficientStorage || len(p.get("b")) != 0 {
		t.Errorf("properties above the limit: status %d", got)
	}
	p.move("a", "c/d")
	p.of["ab"] = map[xml.Name]webdav.Property{{Local: "k"}: {}}
	p.of["c/d/e"] = map[xml.Name]webdav.Property{{Local: "k"}: {}}
	p.move("c", "f")
	if len(p.get("f/d")) != 2 || len(p.get("f/d/e")) != 1 || len(p.get("ab")) != 1 || len(p.of) != 3 {
		t.Errorf("%d places", len(p.of))
	}
	p.move("f/d", "")
	if len(p.of) != 1 {
		t.Errorf("%d places", len(p.of))
	}
}

// A folder can be listed in parts or at once, and cannot be read as a file.
func TestFolderPieces(t *testing.T) {
	var all []fs.FileInfo
	for range 5 {
		all = append(all, allRoots{})
	}
	asked := 0
	f := &folder{info: allRoots{}, list: func() ([]fs.FileInfo, error) { asked++; return all, nil }}
	for i, want := range []int{2, 2, 1} {
		if got, err := f.Readdir(2); err != nil || len(got) != want {
			t.Errorf("piece %d: %d, %v", i, len(got), err)
		}
	}
	if got, err := f.Readdir(2); err != io.EOF || len(got) != 0 {
		t.Errorf("at the end: %d, %v", len(got), err)
	}
	if got, err := f.Readdir(0); err != nil || len(got) != 0 || asked != 1 {
		t.Errorf("all at the end: %d, %v; asked %d times", len(got), err, asked)
	}
	if got, err := (&folder{list: func() ([]fs.FileInfo, error) { return all, nil }}).Readdir(-1); err != nil || len(got) != 5 {
		t.Errorf("all: %d, %v", len(got), err)
	}
	if got, err := (&folder{list: func() ([]fs.FileInfo, error) { return nil, fs.ErrPermission }}).Readdir(1); err != fs.ErrPermission || got != nil {
		t.Errorf("none: %d, %v", len(got), err)
	}
	if _, err := f.Read(nil); err != vfs.ErrIsDir {
		t.Errorf("err = %v; want vfs.ErrIsDir", err)
	}
	if _, err := (&reading{}).Write(nil); err != fs.ErrPermission {
		t.Errorf("err = %v; want fs.ErrPermission", err)
	}
	if err := (&reading{}).Close(); err != nil {
		t.Error(err)
	}
}

// Errors are converted to those with a WebDAV status.
func TestPlain(t *testing.T) {
	other := errors.New("other")
	for err, want := range map[error]error{
		fs.ErrNotExist: fs.ErrNotExist, fs.ErrExist: fs.ErrExist, fs.ErrPermission: fs.ErrPermission, mount.ErrOtherArchive: fs.ErrPermission,
		mount.ErrUnsaved: fs.ErrPermission, vfs.ErrNotEmpty: fs.ErrPermission, other: nil,
	} {
		wrapped := fmt.Errorf("wrapped: %w", err)
		if got := plain(wrapped); want != nil && got != want || want == nil && got != wrapped {
			t.Errorf("%v became %v", err, got)
		}
	}
	if plain(nil) != nil {
		t.Error("nil was converted to an error")
	}
	if r := (allRoots{}); r.Name() != "/" || !r.IsDir() || r.Mode() != fs.ModeDir|0o555 || r.Size() != 0 || !r.ModTime().IsZero() || r.Sys() != nil {
		t.Errorf(`r = %+v; want r.Name() = "/", r.IsDir() = true, r.Mode() = fs.ModeDir | 0o555, r.Size() = 0, r.ModTime().IsZero() = true, r.Sys() = nil`, r)
	}
}
