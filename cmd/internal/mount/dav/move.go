package dav

import (
	"context"
	"io"
	"path"

	"pakbox/cmd/internal/mount"
)

// copyTree copies a file or a folder, also from one tree to another.
func copyTree(ctx context.Context, a *mount.Tree, from string, b *mount.Tree, to string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	info, err := a.Stat(from)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return copyFile(a, from, b, to)
	}
	list, err := a.ReadDir(from)
	if err != nil {
		return err
	}
	if err := b.Mkdir(to); err != nil {
		return err
	}
	for _, i := range list {
		if err := copyTree(ctx, a, path.Join(from, i.Name()), b, path.Join(to, i.Name())); err != nil {
			return err
		}
	}
	return nil
}

func copyFile(a *mount.Tree, from string, b *mount.Tree, to string) error {
	src, err := a.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	return b.Put(to, io.NewSectionReader(src, 0, src.Size()))
}
