// Package engine holds the chunks of Nadeo's engines: a folder for each engine, a
// sheet for each class, and the code generated from the sheets.
package engine

import (
	"context"
	"os"
	"sync"

	"pakbox/fault"
	"pakbox/gbx"
)

//go:generate go run pakbox/gbx/internal/chunkgen .

var (
	registry     *gbx.Registry
	makeRegistry sync.Once
)

// Registry returns the registry of all classes. It is made inside the function, not in a
// variable, so that the linker leaves out all classes of a program that does not call it.
func Registry() *gbx.Registry {
	makeRegistry.Do(func() { registry = gbx.NewRegistry(engines()...) })
	return registry
}

// Open reads the GBX file at path, with the chunks of all engines. All errors contain the
// path.
func Open(ctx context.Context, path string) (*gbx.File, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, fault.System(err)
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return nil, fault.System(err)
	}
	f, err := gbx.Open(ctx, in, info.Size(), Registry())
	return f, fault.InFile(err, path)
}

// Sheet returns the chunk sheet of a class as text.
func Sheet(class string) (string, bool) {
	for _, fs := range sheets() {
		if text, err := fs.ReadFile(class + ".chunks"); err == nil {
			return string(text), true
		}
	}
	return "", false
}
