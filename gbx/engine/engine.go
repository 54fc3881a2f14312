// Package engine holds the chunks of Nadeo's engines: a folder for each engine, a
// sheet for each class, and the code generated from the sheets.
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
