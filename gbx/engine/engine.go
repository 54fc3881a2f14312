// Package engine holds the chunks of Nadeo's engines: a folder for each engine, a
// sheet for each class, and the code generated from the sheets.
package engine

import (
	"sync"

	"pakbox/gbx"
)

//go:generate go run pakbox/gbx/internal/chunkgen .

var (
	registry     *gbx.Registry
	makeRegistry sync.Once
)

// Registry returns the registry of all classes. It is made in the function, and not
// in a variable: a program without a call goes without all classes.
func Registry() *gbx.Registry {
	makeRegistry.Do(func() { registry = gbx.NewRegistry(engines()...) })
	return registry
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
