package page

import (
	"strconv"
	"strings"
	"testing"
)

// Drop refuses content above the memory limit, whatever size the client states.
func TestDropLimits(t *testing.T) {
	f, err := NewFiles(nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Drop("x", strings.NewReader(""), -1); err == nil {
		t.Error("Drop accepted a negative size")
	}
	f.held = maxDropped
	if _, err := f.Drop("one more", strings.NewReader("x"), 1); err == nil {
		t.Error("Drop accepted a file above the limit")
	}
	// A file that stays on disk takes no memory.
	path, err := f.Link("large", strings.NewReader("x"), 1<<40)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := f.Stat(path); err != nil || info.Size() != 1<<40 {
		t.Errorf("info = %v, err = %v; want no error, info.Size() = 1 << 40", info, err)
	}
}

// The number of dropped files and their total size are limited. A refused file must not
// count.
func TestDropFlood(t *testing.T) {
	f, err := NewFiles(nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range maxDroppedFiles {
		if _, err := f.Drop(strconv.Itoa(i), strings.NewReader("x"), 1); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := f.Drop("one more", strings.NewReader("x"), 1); err == nil {
		t.Error("Drop accepted more files than the limit")
	}
	if _, err := f.Drop("0", strings.NewReader("xy"), 2); err != nil { // replaces another file
		t.Error(err)
	}
	for range 3 {
		if _, err := f.Drop("0", strings.NewReader(""), maxDropped); err == nil {
			t.Fatal("Drop accepted more bytes than the limit")
		}
	}
	if want := int64(maxDroppedFiles + 1); f.held != want {
		t.Errorf("held = %d bytes, want %d", f.held, want)
	}
}
