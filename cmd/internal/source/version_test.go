package source_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"pakbox/cmd/internal/source"
	"pakbox/fault"
)

// A keys file or a source that another program has changed since it was read, or has made
// meanwhile, must stay as it is.
func TestVersionReplace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.keys")
	replace := func(v source.Version) error {
		return v.Replace(func(f *os.File) error { _, err := f.WriteString("mine"); return err })
	}
	_, none, err := source.ReadVersion(path, 100)
	if !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("ReadVersion of no file = %v", err)
	}
	os.WriteFile(path, []byte("theirs"), 0o600)
	if err := replace(none); !errors.Is(err, fault.Access) {
		t.Errorf("replacing a file that appeared = %v", err)
	}
	data, v, err := source.ReadVersion(path, 100)
	if string(data) != "theirs" || err != nil {
		t.Fatalf("ReadVersion = %q, %v", data, err)
	}
	os.WriteFile(path, []byte("theirs, changed"), 0o600)
	if err := replace(v); !errors.Is(err, fault.Access) {
		t.Errorf("replacing a changed file = %v", err)
	}
	if data, _ := os.ReadFile(path); string(data) != "theirs, changed" {
		t.Errorf("the file holds %q", data)
	}
	if _, v, err = source.ReadVersion(path, 100); err != nil {
		t.Fatal(err)
	}
	if err := replace(v); err != nil {
		t.Error(err)
	}
	if _, _, err := source.ReadVersion(path, 1); err == nil {
		t.Error("ReadVersion accepted a file above its limit")
	}
}
