package drives

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/lib/walk"
)

// Layout has the folder of each drive in the file system. A drive without a folder is
// empty.
type Layout struct {
	ManiaPlanet string // contains Packs and GameData
	Personal    string
	Common      string // contains PacksCache
	Temp        string
}

// FindLayout recognises a game folder. It is either a folder with subfolders named like
// the drives, or the game's own folder, which may have such subfolders too.
func FindLayout(root string) (Layout, error) {
	entries, err := os.ReadDir(root)
	if err != nil {
		return Layout{}, err
	}
	var l Layout
	own := false
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		own = own || strings.EqualFold(e.Name(), "GameData") || strings.EqualFold(e.Name(), "Packs")
		for name, field := range l.fields() {
			if strings.EqualFold(e.Name(), string(name)) {
				*field = filepath.Join(root, e.Name())
			}
		}
	}
	if l == (Layout{}) || l.ManiaPlanet == "" && own {
		l.ManiaPlanet = root
	}
	return l, nil
}

func (l *Layout) fields() map[DriveName]*string {
	return map[DriveName]*string{ManiaPlanet: &l.ManiaPlanet, Personal: &l.Personal, Common: &l.Common, Temp: &l.Temp}
}

// Game is a game folder with its drives. It must be closed.
type Game struct {
	drives  map[DriveName]*Drive
	closers []io.Closer
	// Problems are the errors of archives that could not be opened, for example because a
	// key is missing. Their files are missing from the drives.
	Problems []error
}

// Open builds the drives. Archives are opened with the given formats.
func Open(ctx context.Context, layout Layout, formats archive.Registry, opts archive.Options) (*Game, error) {
	g := &Game{drives: map[DriveName]*Drive{}}
	for _, name := range DriveNames {
		g.drives[name] = newDrive(name)
	}
	for name, dir := range layout.fields() {
		if *dir == "" {
			continue
		}
		if err := g.addFolder(ctx, name, *dir); err != nil {
			return nil, err
		}
	}
	for _, place := range []struct{ dir, sub string }{{layout.ManiaPlanet, "Packs"}, {layout.Common, "PacksCache"}} {
		if err := g.addArchives(ctx, place.dir, place.sub, formats, opts); err != nil {
			g.Close()
			return nil, err
		}
	}
	for _, d := range g.drives {
		d.finish()
	}
	return g, nil
}

// Close closes the archives.
func (g *Game) Close() error {
	var errs []error
	for _, c := range g.closers {
		errs = append(errs, c.Close())
	}
	g.closers = nil
	return errors.Join(errs...)
}

// Drive returns a drive by its name, without regard to case; nil if none exists.
func (g *Game) Drive(name DriveName) *Drive {
	for known, d := range g.drives {
		if strings.EqualFold(string(known), string(name)) {
			return d
		}
	}
	return nil
}

// Find finds a file: on one drive if the path is written "Drive:path", otherwise on all
// drives in the order of DriveNames.
func (g *Game) Find(name string) (*File, error) {
	if drive, rest, ok := strings.Cut(name, ":"); ok {
		d := g.Drive(DriveName(drive))
		if d == nil {
			return nil, fmt.Errorf("%s: unknown drive %q", name, drive)
		}
		if f, ok := d.Lookup(strings.TrimLeft(rest, `/\`)); ok {
			return f, nil
		}
	} else {
		for _, drive := range DriveNames {
			if f, ok := g.drives[drive].Lookup(name); ok {
				return f, nil
			}
		}
	}
	return nil, &fs.PathError{Op: "find", Path: name, Err: fs.ErrNotExist}
}

// addFolder adds the files below a folder.
func (g *Game) addFolder(ctx context.Context, drive DriveName, dir string) error {
	return walk.Files(dir, func(e walk.Entry, info fs.FileInfo) error {
		if err := ctx.Err(); err != nil || !info.Mode().IsRegular() {
			return err
		}
		g.drives[drive].add(&File{
			Drive: drive, Path: e.Rel(), Size: info.Size(),
			Origin: Origin{"folder", dir}, disk: e.Path,
		})
		return nil
	})
}

// addArchives adds the files of all packs and zip files in the folder sub of dir.
func (g *Game) addArchives(ctx context.Context, dir, sub string, formats archive.Registry, opts archive.Options) error {
	if dir == "" {
		return nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !e.IsDir() || !strings.EqualFold(e.Name(), sub) {
			continue
		}
		folder := filepath.Join(dir, e.Name())
		files, err := os.ReadDir(folder)
		if err != nil {
			return err
		}
		slices.SortFunc(files, func(a, b fs.DirEntry) int {
			return strings.Compare(strings.ToLower(a.Name()), strings.ToLower(b.Name()))
		})
		for _, f := range files {
			if f.Type().IsRegular() && isArchive(f.Name()) {
				if err := g.addArchive(ctx, filepath.Join(folder, f.Name()), formats, opts); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func isArchive(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, ".pak") || strings.HasSuffix(name, ".zip") || strings.HasSuffix(name, ".pack.gbx")
}

// addArchive adds the files of one archive. Resource.pak is a drive of its own. All
// others belong to the game's data: their paths are below GameData, even if the stored
// names do not begin with it.
func (g *Game) addArchive(ctx context.Context, name string, formats archive.Registry, opts archive.Options) error {
	in, closer, err := archive.OpenFile(name)
	if err != nil {
		return err
	}
	a, err := formats.Open(ctx, in, opts)
	if err != nil {
		closer.Close()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		g.Problems = append(g.Problems, fault.InFile(err, name))
		return nil
	}
	g.closers = append(g.closers, closer)
	drive := ManiaPlanet
	if strings.EqualFold(filepath.Base(name), "Resource.pak") {
		drive = Resource
	}
	d := g.drives[drive]
	for i, e := range a.Entries() {
		f := &File{Drive: drive, Path: e.Name, Size: e.Size, Origin: Origin{a.Format(), name}, from: a, index: i}
		if drive == Resource {
			d.index = append(d.index, f)
		} else if first, _, _ := strings.Cut(e.Name, "/"); !strings.EqualFold(first, gameData) {
			f.Path = gameData + "/" + e.Name
		}
		if fs.ValidPath(f.Path) {
			d.add(f)
		}
	}
	return nil
}

const gameData = "GameData"
