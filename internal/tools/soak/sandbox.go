//go:build linux

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// sandbox is a small world for one process: the damaged file, a target folder,
// and nothing else. Whatever appears in it outside the target is a finding. It
// is deep enough that paths with a few "../" stay inside even where it cannot
// be made the process's root.
type sandbox struct {
	name    string
	top     string // the world
	base    string // the folder in it that pakbox runs in
	input   string // the damaged file, as pakbox is told of it
	size    int64  // of the input
	content map[string]int64
}

func newSandbox(s *soak, name string) (*sandbox, error) {
	b := &sandbox{name: name, top: filepath.Join(s.work, name)}
	b.base = filepath.Join(b.top, "a", "b", "c", "d")
	for _, dir := range []string{"out", "in", "tmp"} {
		if err := os.MkdirAll(filepath.Join(b.base, dir), 0o777); err != nil {
			return nil, err
		}
	}
	return b, firstError(
		os.Link(s.pakbox, filepath.Join(b.top, "pakbox")),
		os.Link(filepath.Join(s.work, "keys"), filepath.Join(b.base, "keys")))
}

func firstError(errs ...error) error {
	i := slices.IndexFunc(errs, func(err error) bool { return err != nil })
	if i < 0 {
		return nil
	}
	return errs[i]
}

// root is the folder to lock the process into, if that can be done.
func (b *sandbox) root() string {
	if canChroot() {
		return b.top
	}
	return ""
}

// inside is a path of the sandbox as the process sees it.
func (b *sandbox) inside(name string) string {
	path := filepath.Join(b.base, name)
	if canChroot() {
		return "/" + strings.TrimPrefix(path, b.top+"/")
	}
	return path
}

// fill puts a damaged input into place of the last one.
func (b *sandbox) fill(in input, data [][]byte) error {
	dir := filepath.Join(b.base, "in")
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	b.input, b.size = filepath.Join("in", in.name()), 0
	for i, name := range []string{in.path, in.beside}[:len(data)] {
		b.size += int64(len(data[i]))
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), data[i], 0o666); err != nil {
			return err
		}
	}
	return b.remember()
}

// inputs are the damaged files.
func (b *sandbox) inputs() (names []string) {
	dir := filepath.Join(b.base, "in")
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		names = append(names, filepath.Join(dir, e.Name()))
	}
	return names
}

// remember notes what is there.
func (b *sandbox) remember() error {
	b.content = map[string]int64{}
	all, err := files(b.top)
	for name, info := range all {
		b.content[name] = mark(info)
	}
	return err
}

// mark tells a file from a changed one.
func mark(info os.FileInfo) int64 {
	if info.IsDir() {
		return 0
	}
	return info.ModTime().UnixNano() ^ info.Size()
}

// strays lists what has appeared, changed or vanished outside the target,
// links in the target, and, if extracting is not what was asked for, anything
// in the target.
func (b *sandbox) strays(extracting bool) (names []string, err error) {
	all, err := files(b.top)
	if err != nil {
		return nil, err
	}
	target := strings.TrimPrefix(filepath.Join(b.base, "out"), b.top+"/") + "/"
	for name, info := range all {
		was, known := b.content[name]
		in := strings.HasPrefix(name, target) && name != target
		regular := info.IsDir() || info.Mode().IsRegular()
		if in && extracting && regular {
			continue
		}
		if !known || was != mark(info) {
			names = append(names, name)
		}
	}
	for name := range b.content {
		if _, ok := all[name]; !ok {
			names = append(names, name+" (gone)")
		}
	}
	slices.Sort(names)
	return names, nil
}

// empty clears the target, and takes what has strayed for known.
func (b *sandbox) empty() error {
	out := filepath.Join(b.base, "out")
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	if err := os.Mkdir(out, 0o777); err != nil {
		return err
	}
	return b.remember()
}
