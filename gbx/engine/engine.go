// Package engine holds everything pakbox knows about the chunks of Nadeo's
// engines: one folder per engine, one chunk sheet per class, and the code
// generated from the sheets.
package engine

import (
	"sync"

	"pakbox/gbx"
)

//go:generate go run pakbox/gbx/internal/chunkgen .

// Registry returns the registry of all classes.
var Registry = sync.OnceValue(func() *gbx.Registry { return gbx.NewRegistry(engines...) })

// Sheet returns the chunk sheet of a class as text.
func Sheet(class string) (string, bool) {
	for _, fs := range sheets() {
		if text, err := fs.ReadFile(class + ".chunks"); err == nil {
			return string(text), true
		}
	}
	return "", false
}
