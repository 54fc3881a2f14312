// Package formats derives from the list of formats what the programs of the Makefile try
// out, so that a new format is tried automatically.
package formats

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"

	"pakbox"
	"pakbox/archive"
)

// Packing lists the formats that can be made from any files.
func Packing() (all []archive.Creator) {
	for _, f := range pakbox.Formats() {
		if c, ok := f.(archive.Creator); ok && takesAny(c) {
			all = append(all, c)
		}
	}
	return all
}

// takesAny tries to make an archive from a meaningless file.
func takesAny(c archive.Creator) bool {
	dir, err := os.MkdirTemp("", "pakbox-formats-")
	if err != nil {
		return false
	}
	defer os.RemoveAll(dir)
	stage, err := archive.NewStage(filepath.Join(dir, "a"+Extension(c)), false)
	if err != nil {
		return false
	}
	defer stage.Abort()
	item := archive.Item{Name: "file", Size: 4, Open: func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader([]byte("any\n"))), nil
	}}
	return c.Create(context.Background(), stage, []archive.Item{item}, archive.CreateOptions{}) == nil
}

// Extension returns the usual extension of a format, "" for none.
func Extension(f archive.Format) string {
	if exts := f.Extensions(); len(exts) > 0 {
		return exts[0]
	}
	return ""
}
