package explore

import (
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
