// Samples remakes what is in samples/ but for its README, the folder hello and
// the sources of objects, which are written by hand: archives of that folder, a
// map with an item and a run, a pack of them, Simutrans objects. The same code
// gives the same bytes, which a test holds against what is committed.
//
//	make samples
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	dir := flag.String("o", "samples", "the `folder` that holds the samples")
	flag.Parse()
	if err := remake(context.Background(), *dir); err != nil {
		fmt.Fprintln(os.Stderr, "samples:", err)
		os.Exit(1)
	}
}

// remake makes all samples in a folder that has the hand-written files.
func remake(ctx context.Context, dir string) error {
	for _, part := range []func(context.Context, string) error{runs, archives, objects} {
		if err := part(ctx, dir); err != nil {
			return err
		}
	}
	return nil
}

// write makes a file of the samples.
func write(dir, name string, data []byte) error {
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o666)
}
