package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"pakbox"
	"pakbox/archive"
	"pakbox/metin2/vpk42"
	"pakbox/simutrans/compile"
)

// author and comment are written into the archives.
const (
	author  = "the pakbox project"
	comment = "a sample to try things on"
)

// made is the time stored in the archives.
var made = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

// archives makes one archive of each family of games.
func archives(ctx context.Context, dir string) error {
	if err := makeVPK(ctx, dir); err != nil {
		return err
	}
	if err := pack(ctx, filepath.Join(dir, "hello"), filepath.Join(dir, "hello.eix"), "eterpack"); err != nil {
		return err
	}
	return pack(ctx, filepath.Join(dir, "trackmania"), filepath.Join(dir, "Sample.Pack.Gbx"), "nadeopak")
}

// makeVPK makes the VPK with a fixed time.
func makeVPK(ctx context.Context, dir string) error {
	return fromFolder(ctx, filepath.Join(dir, "hello"), filepath.Join(dir, "hello.vpk"), vpk42.Format{}, archive.CreateOptions{}, func(stage *archive.Stage, items []archive.Item) error {
		f, err := stage.File()
		if err != nil {
			return err
		}
		return vpk42.Write(ctx, f, items, vpk42.WriteOptions{Algorithm: vpk42.LZ4, Level: 3, Author: author, Comment: comment, Created: made})
	})
}

// pack makes an archive of a folder as 'pakbox create' does.
func pack(ctx context.Context, folder, out, format string) error {
	f, ok := pakbox.Formats().ByName(format)
	creator, can := f.(archive.Creator)
	if !ok || !can {
		return fmt.Errorf("no format %s that can be written", format)
	}
	var opts archive.CreateOptions
	return fromFolder(ctx, folder, out, creator, opts, func(stage *archive.Stage, items []archive.Item) error {
		return creator.Create(ctx, stage, items, opts)
	})
}

// fromFolder calls create with the files of a folder, under the names that a format gives
// them and with one time for all.
func fromFolder(ctx context.Context, folder, out string, f archive.Format, opts archive.CreateOptions, create func(*archive.Stage, []archive.Item) error) error {
	src, err := pakbox.Open(ctx, folder, archive.Options{})
	if err != nil {
		return err
	}
	defer src.Close()
	items := archive.Items(src)
	names := opts.Names(f)
	for i := range items {
		items[i].Name, items[i].ModTime = names.OfFile(items[i].Name), made
	}
	stage, err := archive.NewStage(out, true)
	if err != nil {
		return err
	}
	defer stage.Abort()
	if err := create(stage, items); err != nil {
		return err
	}
	return stage.Commit()
}

// objects draws the pictures of the Simutrans objects and compiles them.
func objects(ctx context.Context, dir string) error {
	var trams, trees [][]voxel
	for _, to := range [][2]float64{{0, 1}, {-1, 0}, {-1, 1}, {1, 1}, {0, -1}, {1, 0}, {1, -1}, {-1, -1}} { // s w sw se n e ne nw
		trams = append(trams, tram(to[0], to[1]))
	}
	for _, height := range []int{8, 16, 26, 34, 40} {
		trees = append(trees, fir(height))
	}
	for name, models := range map[string][][]voxel{"tram": trams, "tree": trees} {
		data, err := sheet(models...)
		if err != nil {
			return err
		}
		if err := write(dir, "simutrans/"+name+".png", data); err != nil {
			return err
		}
	}
	folder := filepath.Join(dir, "simutrans") + string(filepath.Separator)
	made, err := compile.Run(ctx, compile.Options{Sources: []string{folder}, Out: folder, Cell: cell, Force: true})
	if err != nil {
		return err
	}
	var problems []string
	for _, p := range made.Problems {
		problems = append(problems, fmt.Sprint(p))
	}
	if len(problems) > 0 {
		return fmt.Errorf("the sources of objects: %s", strings.Join(problems, "; "))
	}
	return nil
}
