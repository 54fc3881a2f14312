package fault_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"pakbox/fault"
)

func TestFieldWithoutOffset(t *testing.T) {
	e := fault.New(fault.BadHeader, "is wrong")
	e.Field = "count"
	if got := e.Error(); got != "count: is wrong" {
		t.Errorf(`got = %v; want "count: is wrong"`, got)
	}
	cause := &fault.Error{Kind: fault.Corrupt, Offset: fault.NoOffset, Err: io.ErrUnexpectedEOF}
	if got := cause.Error(); got != "unexpected EOF" {
		t.Errorf(`got = %v; want "unexpected EOF"`, got)
	}
}

// An error that has its place already is the same value afterwards.
func TestPlaceIsSetOnce(t *testing.T) {
	err := fault.InFile(fault.InEntry(fault.New(fault.Corrupt, "bad"), "inner"), "inner.vpk")
	if fault.InEntry(err, "outer") != err || fault.InFile(err, "outer.vpk") != err {
		t.Error("a place was set again")
	}
	if got := err.Error(); got != "inner.vpk: inner: bad" {
		t.Errorf(`got = %v; want "inner.vpk: inner: bad"`, got)
	}
}

func TestSystemKinds(t *testing.T) {
	dir := t.TempDir()
	exists := os.Mkdir(dir, 0o777)
	link := os.Symlink("x", filepath.Join(dir, "none", "link"))
	for _, test := range []struct {
		err  error
		kind fault.Kind
		text string
	}{
		{exists, fault.Exists, dir + ": exists already"},
		{link, fault.NotFound, filepath.Join(dir, "none", "link") + ": no such file or folder"},
		{&fs.PathError{Op: "open", Path: "p", Err: fs.ErrPermission}, fault.Permission, "p: permission denied"},
		{&fs.PathError{Op: "read", Path: "p", Err: errors.New("odd")}, fault.Access, "p: odd"},
	} {
		err := fault.System(test.err)
		if fault.KindOf(err) != test.kind || err.Error() != test.text || !errors.Is(err, test.err) {
			t.Errorf("System(%v) = %s %q, want %s %q", test.err, fault.KindOf(err), err, test.kind, test.text)
		}
	}
	if err := fault.System(io.EOF); err != io.EOF {
		t.Errorf("an error of no file became %v", err)
	}
}
