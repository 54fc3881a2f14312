// Chunkgen writes the Go code for all chunk sheets: one file per sheet, one
// list of classes per engine, and the list of engines.
//
//	go run pakbox/gbx/internal/chunkgen [folder]
//
// The folder is gbx/engine; each folder in it is one engine. A sheet with a
// mistake is reported and its old code stays, so that one unfinished sheet
// does not stop work on the others.
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	root := "."
	if len(os.Args) > 1 {
		root = os.Args[1]
	}
	files, problems := Generate(root)
	for path, content := range files {
		if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, content) {
			continue
		}
		if err := replace(path, content); err != nil {
			problems = append(problems, err)
		}
	}
	for _, err := range problems {
		fmt.Fprintln(os.Stderr, "chunkgen:", err)
	}
	if len(problems) > 0 {
		os.Exit(1)
	}
}

// replace writes a file in one step, because another program may be compiling it.
func replace(path string, content []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".chunkgen*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if _, err := f.Write(content); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Chmod(f.Name(), 0o644); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
