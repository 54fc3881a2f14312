package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"pakbox"
	"pakbox/cmd/internal/cli"
	"pakbox/cmd/internal/cli/kit"
	"pakbox/internal/testkit/peer"
)

// TestExportedTypes: the compiler of TypeScript takes the layouts of all classes.
func TestExportedTypes(t *testing.T) {
	tsc := filepath.Join(peer.NPM(t, "typescript@5.9.2"), "node_modules", ".bin", "tsc")
	var out bytes.Buffer
	if code := cli.Run(t.Context(), kit.Env{Args: []string{"class", "--export", "ts"}, Stdout: &out, Stderr: io.Discard, Getenv: func(string) string { return "" }, Formats: pakbox.Formats()}); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	file := filepath.Join(t.TempDir(), "classes.ts")
	if err := os.WriteFile(file, out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	if said, err := exec.Command(tsc, "--noEmit", "--strict", "--target", "es2022", file).CombinedOutput(); err != nil {
		t.Errorf("%v\n%.2000s", err, said)
	}
}
