package compile_test

import (
	"os"
	"path/filepath"
	"testing"

	"pakbox/simutrans/compile"
)

// Compiling must not replace a file that only has the name of its output, and must replace
// what an earlier run has written.
func TestForeignOutput(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "x.dat")
	if err := os.WriteFile(source, []byte("obj=good\nname=Coal\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{filepath.Join(dir, "all.pak"), filepath.Join(dir, "good.Coal.pak")} {
		target := out
		if filepath.Base(out) != "all.pak" {
			target = dir + string(filepath.Separator)
		}
		run := func() error {
			_, err := compile.Run(t.Context(), compile.Options{Sources: []string{source}, Out: target, Force: true})
			return err
		}
		if err := os.WriteFile(out, []byte("a letter"), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := run(); err == nil {
			t.Errorf("%s: a foreign file was replaced", filepath.Base(out))
		}
		if data, _ := os.ReadFile(out); string(data) != "a letter" {
			t.Errorf("%s holds %q", filepath.Base(out), data)
		}
		os.Remove(out)
		for range 2 {
			if err := run(); err != nil {
				t.Error(err)
			}
		}
	}
}
