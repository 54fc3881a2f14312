package page

import (
	"strconv"
	"strings"
	"testing"
)

// More than is kept in memory is not taken, whatever it claims to be.
func TestDropLimits(t *testing.T) {
	f, err := NewFiles(nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Drop("x", strings.NewReader(""), -1); err == nil {
		t.Error("a file of a negative size was taken")
	}
	f.held = maxDropped
	if _, err := f.Drop("one more", strings.NewReader("x"), 1); err == nil {
		t.Error("more was taken than is kept")
	}
	// What stays where it is takes no memory here.
	path, err := f.Link("large", strings.NewReader("x"), 1<<40)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := f.Stat(path); err != nil || info.Size() != 1<<40 {
		t.Errorf("%v, %v", info, err)
	}
}

// A flood of files is stopped, by their number and by what they hold together;
// files that are refused leave no room behind.
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
		t.Error("more files were taken than are kept")
	}
	if _, err := f.Drop("0", strings.NewReader("xy"), 2); err != nil { // in the place of another
		t.Error(err)
	}
	for range 3 {
		if _, err := f.Drop("0", strings.NewReader(""), maxDropped); err == nil {
			t.Fatal("more was taken than is kept")
		}
	}
	if want := int64(maxDroppedFiles + 1); f.held != want {
		t.Errorf("%d bytes are said to be held, not %d", f.held, want)
	}
}
