package archive

import (
	"os"
	"path/filepath"
	"testing"
)

// Where the system cannot swap two folders in one step, it takes three; if one
// of them fails, all is as it was.
func TestExchangeInSteps(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	for _, folder := range []string{a, b} {
		if err := os.MkdirAll(filepath.Join(folder, "was "+filepath.Base(folder)), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	holds := func(folder, name string) {
		t.Helper()
		if list, err := os.ReadDir(folder); err != nil || len(list) != 1 || list[0].Name() != name {
			t.Errorf("%s: %v, %v", folder, list, err)
		}
	}
	for _, swap := range []func(a, b string) error{exchangeInSteps, exchange} {
		if err := swap(a, b); err != nil {
			t.Fatal(err)
		}
		holds(a, "was b")
		holds(b, "was a")
		if err := swap(a, b); err != nil {
			t.Fatal(err)
		}
	}
	missing := filepath.Join(dir, "missing")
	if exchangeInSteps(missing, b) == nil || exchangeInSteps(a, missing) == nil {
		t.Error("swapped with a folder that is not there")
	}
	holds(a, "was a")
	holds(b, "was b")
	if list, _ := os.ReadDir(dir); len(list) != 2 {
		t.Errorf("left behind: %v", list)
	}
}
