package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"pakbox/gbx"
	"pakbox/gbx/engine"
)

// files is a set of files and its size.
type files struct {
	paths []string
	bytes int64
}

// find collects the files below some folders whose names end in a suffix, in
// any case.
func find(suffix string, dirs ...string) (set files, err error) {
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(strings.ToLower(path), suffix) {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			set.paths = append(set.paths, path)
			set.bytes += info.Size()
			return nil
		})
		if err != nil {
			return set, err
		}
	}
	if len(set.paths) == 0 {
		return set, fmt.Errorf("no files in %s", strings.Join(dirs, ", "))
	}
	slices.Sort(set.paths)
	return set, nil
}

// gbx returns the corpus files of some classes, which are folders there.
func (b *bench) gbx(classes ...string) (files, error) {
	var dirs []string
	for _, class := range classes {
		dirs = append(dirs, filepath.Join(b.corpus, "gbx", class))
	}
	return find(".gbx", dirs...)
}

const (
	classMap    = "03043000"
	classReplay = "03093000"
	classGhost  = "03092000"
	classItem   = "2e002000"
)

// bodies writes the compressed bodies of GBX files as peers/lzo.c reads them,
// packed and raw.
func (b *bench) bodies(name string, set files) (packed, raw string, err error) {
	packed, raw = b.path(name+".packed"), b.path(name+".raw")
	if _, err := os.Stat(raw); err == nil {
		return packed, raw, nil
	}
	var p, r []byte
	for _, path := range set.paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return "", "", err
		}
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil || !f.IsCompressed() {
			continue
		}
		p, r = block(p, len(f.BodyBytes()), f.PackedBody()), block(r, len(f.BodyBytes()), f.BodyBytes())
	}
	if err := os.WriteFile(packed, p, 0o644); err != nil {
		return "", "", err
	}
	return packed, raw, os.WriteFile(raw, r, 0o644)
}

func block(b []byte, size int, stored []byte) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(size))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(stored)))
	return append(b, stored...)
}

// tree is a folder of mixed files to pack: objects, sources and pictures of
// Simutrans.
func (b *bench) tree() (dir string, set files, err error) {
	dir = b.path("tree")
	if _, err := os.Stat(dir); err != nil {
		for _, part := range []string{"pak", "source"} {
			if err := copyTree(filepath.Join(dir, part), filepath.Join(b.corpus, "simutrans", part)); err != nil {
				return "", set, err
			}
		}
	}
	set, err = find("", dir)
	return dir, set, err
}

// copyTree copies a folder so that it can be changed: the corpus is read-only.
func copyTree(to, from string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, name), 0o755)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), data, 0o644)
	})
}

// made runs a command that makes an input, once.
func (b *bench) made(path string, args ...string) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "PAKBOX_KEYS="+b.keys())
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", filepath.Base(args[0]), err, lastLine(out))
	}
	return nil
}

// keys is a keys file for the packs that are made here. The keys are no
// secret, nor those of any game.
func (b *bench) keys() string {
	path := b.path("keys")
	if _, err := os.Stat(path); err != nil {
		text := "* final:000102030405060708090A0B0C0D0E0F\neterpack-index 1,2,3,4\neterpack-data 5,6,7,8\n"
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			b.note("%v", err)
		}
	}
	return path
}

// fresh removes an output and makes the folder it goes into.
func fresh(path string) func() error {
	return func() error {
		if err := os.RemoveAll(path); err != nil {
			return err
		}
		return os.MkdirAll(filepath.Dir(path), 0o755)
	}
}

// freshFolder leaves an empty folder. What is in it is put aside, emptied, and
// stays until all is measured: ext4 gives out no number of a file that was
// deleted in the last minutes, and every new file looks at all of those first.
// After 10,000 files were deleted, creating as many takes cp fifteen times as
// long, and so everybody else.
func (b *bench) freshFolder(path string) func() error {
	return func() error {
		if err := b.putAside(path); err != nil {
			return err
		}
		return os.MkdirAll(path, 0o755)
	}
}

func (b *bench) putAside(path string) error {
	err := filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		return os.Truncate(path, 0)
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	if err := os.MkdirAll(b.path("aside"), 0o755); err != nil {
		return err
	}
	b.aside++
	return os.Rename(path, b.path("aside", fmt.Sprint(b.aside)))
}

var nameLine = regexp.MustCompile(`(?im)^(name *=[^\r\n]*)`)

// project is a folder of Simutrans sources: those of the corpus, several times
// over, with names of their own.
func (b *bench) project() (sources files, err error) {
	dir := b.path("project")
	if _, err := os.Stat(dir); err != nil {
		for i := range 4 {
			to := filepath.Join(dir, fmt.Sprint(i))
			if err := copyTree(to, filepath.Join(b.corpus, "simutrans", "source", "pak128")); err != nil {
				return sources, err
			}
			if err := rename(to, fmt.Sprint(i)); err != nil {
				return sources, err
			}
		}
	}
	return find(".dat", dir)
}

// rename gives the objects of sources names with a suffix.
func rename(dir, suffix string) error {
	sources, err := find(".dat", dir)
	if err != nil {
		return err
	}
	for _, path := range sources.paths {
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := os.WriteFile(path, nameLine.ReplaceAll(src, []byte("${1}"+suffix)), 0o644); err != nil {
			return err
		}
	}
	return nil
}
