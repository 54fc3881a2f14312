package cli

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"pakbox/cmd/internal/cli/kit"
)

// The dictionary itself cannot be here; what happens once it is found can.
func TestKeepDictionary(t *testing.T) {
	dir := t.TempDir()
	k, err := openKeyring(filepath.Join(dir, "my.keys"), false)
	if err != nil {
		t.Fatal(err)
	}
	want := []byte("DDS a dictionary")
	for range 2 { // the second time it is there already
		if err := k.keepDictionary(want); err != nil {
			t.Fatal(err)
		}
	}
	a := kit.New(context.Background(), kit.Env{Stdout: io.Discard})
	if err := saveKeyring(a, k); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(k.path)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := keysFile.ReadKeys(text)
	if err != nil {
		t.Fatal(err)
	}
	file, _ := keys.Key("lz4-dictionary")
	got, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(got, want) || !filepath.IsAbs(file) {
		t.Errorf("%q holds %q, %v", file, got, err)
	}
	if len(k.added) != 1 || len(k.unchanged) != 1 {
		t.Errorf("added %q, unchanged %q", k.added, k.unchanged)
	}
	for _, name := range []string{file, k.path} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s may be read by others: %v", name, info.Mode())
		}
	}
	if err := k.keepDictionary([]byte("another")); err == nil {
		t.Error("a dictionary was replaced without being asked to")
	}
}

// For any name of a pack, its line contains its key.
func TestKeyLine(t *testing.T) {
	for _, name := range []string{"Stadium", "My Pack", "a#b", "tab\tbed", " around "} {
		keys, err := keysFile.ReadKeys([]byte("x 1\n" + keyLine(name, "00ff") + " # tail\n"))
		if got, _ := keys.Key(name); err != nil || got != "00ff" || len(keys) != 2 {
			t.Errorf(`%q: got = %q, err = %v; want no error, got = "00ff", keys of length 2`, name, got, err)
		}
	}
}
