package serve

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"pakbox/cmd/internal/cli/kit"
	"pakbox/cmd/internal/folderindex"
	"pakbox/cmd/internal/page"
	"pakbox/cmd/internal/page/indexed"
	"pakbox/cmd/internal/source"
	"pakbox/index"
	"pakbox/index/scan"
)

// openCollection opens an index file. name is its name on the page.
func openCollection(ctx context.Context, file, name string, folders []string, files *page.Files) (*indexed.Collection, error) {
	c, err := indexed.Open(ctx, file, name)
	if err != nil {
		return nil, err
	}
	first, err := c.First(ctx)
	if err != nil {
		c.Close()
		return nil, err
	}
	if base, found := baseOf(first, file, folders, files); found {
		c.At(func(path string) string {
			name, _ := files.Named(onDisk(base, path))
			return name
		})
	}
	return c, nil
}

// gatherer returns the function that makes an index of the served folders in the user's
// cache. It is nil if no folder is served, and if the user has no cache.
func gatherer(a *kit.App, paths []string, files *page.Files, own bool) (func(context.Context) (page.Collection, error), error) {
	file, err := folderindex.File(paths)
	if err != nil || !slices.ContainsFunc(paths, source.IsFolder) {
		return nil, nil
	}
	options := scan.Options{Indexer: index.Indexer{Formats: a.Env.Formats}, Workers: max(1, runtime.GOMAXPROCS(0)/2)} // the page needs the others
	if options.Indexer.Options, err = a.WithoutAsking().Options(""); err != nil {
		return nil, err
	}
	name := filepath.Base(file)
	switch {
	case len(paths) == 1:
		name = paths[0] // the commands take a folder too
	case own:
		name = file
	}
	return func(ctx context.Context) (page.Collection, error) {
		if _, err := folderindex.Update(ctx, file, paths, options); err != nil {
			return nil, err
		}
		return openCollection(ctx, file, name, paths, files)
	}, nil
}

// baseOf finds the folder to which the paths of an index are relative. pakbox index was
// run in this folder, in the folder of the index, or in a parent of the served files.
// found is false if other files are served.
func baseOf(paths []string, file string, folders []string, files *page.Files) (base string, found bool) {
	bases := []string{".", filepath.Dir(file)}
	for _, dir := range folders {
		bases = append(bases, filepath.Dir(dir), dir)
	}
	for _, b := range bases {
		base, err := filepath.Abs(b)
		if err == nil && slices.ContainsFunc(paths, func(path string) bool {
			_, served := files.Named(onDisk(base, path))
			_, err := os.Stat(onDisk(base, path))
			return served && err == nil
		}) {
			return base, true
		}
	}
	return "", false
}

// onDisk converts a path of the index to a path on disk.
func onDisk(base, path string) string {
	if path = filepath.FromSlash(path); filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(base, path)
}
