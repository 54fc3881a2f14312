// Package folderindex keeps indexes of folders in the user's cache, so that questions about
// a collection need no index that the user has made before.
package folderindex

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"pakbox/index/scan"
	"pakbox/index/sqlite"
)

// File returns the path of the index of files and folders. Their paths in the index are
// those that the user typed, so each working directory has an index of its own.
func File(roots []string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q", dir, roots))
	return filepath.Join(cache, "pakbox", "index", fmt.Sprintf("%x.pakbox.sqlite", sum[:12])), nil
}

// Update brings an index in the cache up to date with its files and folders. Only the user
// can read it, because it lists files of folders that others may not see.
func Update(ctx context.Context, file string, roots []string, o scan.Options) (scan.Result, error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return scan.Result{}, err
	}
	if f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL, 0o600); err == nil { // SQLite keeps the mode of an empty file
		f.Close()
	}
	db, err := sqlite.Open(ctx, file)
	if err != nil {
		return scan.Result{}, err
	}
	defer db.Close()
	cache := filepath.ToSlash(filepath.Dir(file))
	o.Skip = func(path string) bool { // a home folder contains the cache
		abs, err := filepath.Abs(filepath.FromSlash(path))
		return err == nil && strings.HasPrefix(filepath.ToSlash(abs)+"/", cache+"/")
	}
	return scan.Run(ctx, db, roots, o)
}
