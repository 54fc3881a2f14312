package main

import (
	"fmt"
	"os"
	"path/filepath"

	"pakbox/internal/tools/formats"
)

// archiveRows are about the other archives. None of the game formats has a
// peer that runs here, so that their reference is the same job with a zip, or
// with zstd where that packs the same way.
func (b *bench) archiveRows() []maker {
	list := []maker{
		{"zip/pack", b.zipPack},
		{"zip/extract", b.zipExtract},
		{"zip/verify", b.zipVerify},
		{"zip/list", b.zipList},
	}
	for _, f := range packed() {
		list = append(list,
			maker{f.name + "/pack", func(string) (row, error) { return b.archivePack(f) }},
			maker{f.name + "/extract", func(string) (row, error) { return b.archiveExtract(f) }},
			maker{f.name + "/verify", func(string) (row, error) { return b.archiveVerify(f) }},
			maker{f.name + "/list", func(string) (row, error) { return b.archiveList(f) }},
		)
	}
	return list
}

// format is an archive format and the settings to make one of it.
type format struct {
	name     string
	file     string
	settings []string
	beside   string // the program that packs most like it: zip or zstd
	level    string // its level
}

// special are the formats that are not made with their defaults, by name.
var special = map[string][]format{
	"eterpack": {{"eterpack", "tree.eix", []string{"--eterpack-type", "2"}, "zip", "-6"}},
	"pck":      {{"pck", "tree.pck", nil, "zstd", "-17"}},
	"nadeopak": {
		{"nadeopak3", "tree3.pak", []string{"--format", "nadeopak", "--version", "3", "--encrypt=true"}, "zip", "-9"},
		{"nadeopak18", "tree18.Pack.Gbx", []string{"--format", "nadeopak", "--version", "18"}, "zip", "-6"},
	},
	"zip": {}, "vpk42": {}, "folder": {}, // have rows of their own, or none
}

// packed are the formats that can be made of any files.
func packed() (all []format) {
	for _, f := range formats.Packing() {
		if list, ok := special[f.Name()]; ok {
			all = append(all, list...)
		} else {
			all = append(all, format{f.Name(), "tree" + formats.Extension(f), []string{"--format", f.Name()}, "zip", "-6"})
		}
	}
	return all
}

// zipped makes a zip with the program of that name, or else with pakbox.
func (b *bench) zipped(out, dir string) error {
	if program("zip") == "" {
		return b.made(out, b.pakbox, "create", out, dir)
	}
	return b.made(out, "sh", "-c", fmt.Sprintf("cd %s && zip -q -r %s .", dir, out))
}

func (b *bench) zipInput() (zip string, set files, err error) {
	dir, set, err := b.tree()
	if err != nil {
		return "", set, err
	}
	zip = b.path("tree.zip")
	return zip, set, b.zipped(zip, dir)
}

func (b *bench) zipPack(string) (row, error) {
	dir, set, err := b.tree()
	out, theirs := b.path("out-ours.zip"), b.path("out-theirs.zip")
	zip := peer("zip -6 -r", "zip", "-q", "-r", theirs, ".").with(fresh(theirs))
	zip.dir = dir
	return row{
		what: "pack a folder as zip", bytes: set.bytes, units: len(set.paths),
		ours: b.cli("create", out, dir).with(fresh(out)), refs: []command{zip},
	}, err
}

// unzip is a zip extracted by the program of that name.
func (b *bench) unzip(zip string) command {
	out := b.path("out-unzip")
	return peer("unzip", "unzip", "-q", zip, "-d", out).with(b.freshFolder(out))
}

func (b *bench) zipExtract(string) (row, error) {
	zip, set, err := b.zipInput()
	out := b.path("out-ours")
	return row{
		what: "extract a zip", bytes: set.bytes, units: len(set.paths),
		ours: b.cli("extract", zip, "-C", out).with(b.freshFolder(out)),
		refs: []command{b.unzip(zip), b.copying(b.path("tree"))},
	}, err
}

func (b *bench) zipVerify(string) (row, error) {
	zip, set, err := b.zipInput()
	return row{
		what: "verify a zip", bytes: set.bytes, units: len(set.paths),
		ours: b.cli("verify", zip), refs: []command{peer("unzip -t", "unzip", "-q", "-t", zip)},
	}, err
}

func (b *bench) zipList(string) (row, error) {
	dir, n, err := b.manyFiles(10_000)
	if err != nil {
		return row{}, err
	}
	zip := b.path("many.zip")
	return row{
		what: "list a zip of many small files", units: n,
		ours: b.cli("ls", zip), refs: []command{peer("unzip -l", "unzip", "-l", zip)},
	}, b.zipped(zip, dir)
}

// archive makes an archive of a folder.
func (b *bench) archive(f format, file, dir string) (string, error) {
	out := b.path(file)
	return out, b.made(out, append([]string{b.pakbox, "create", out, dir}, f.settings...)...)
}

func (b *bench) archivePack(f format) (row, error) {
	dir, set, err := b.tree()
	out := b.path("pack", f.file)
	ours := b.cli(append([]string{"create", out, dir}, f.settings...)...).with(b.freshFolder(filepath.Dir(out)))
	ours.name = "pakbox create"
	theirs := b.path("out-theirs." + f.beside)
	var other command
	switch f.beside {
	case "zip":
		other = peer("zip "+f.level+" -r", "zip", f.level, "-q", "-r", theirs, ".")
		other.dir = dir
	case "zstd":
		var tar string
		if tar, err = b.tar(); err != nil {
			return row{}, err
		}
		other = peer("zstd "+f.level+" of a tar", "zstd", f.level, "-q", tar, "-o", theirs)
	}
	return row{what: "pack a folder as " + f.name, bytes: set.bytes, units: len(set.paths), ours: ours, refs: []command{other.with(fresh(theirs))}}, err
}

func (b *bench) archiveExtract(f format) (row, error) {
	dir, set, err := b.tree()
	if err != nil {
		return row{}, err
	}
	file, err := b.archive(f, f.file, dir)
	if err != nil {
		return row{}, err
	}
	zip, _, err := b.zipInput()
	out := b.path("out-ours")
	return row{
		what: "extract a folder from " + f.name, bytes: set.bytes, units: len(set.paths),
		ours: b.cli("extract", file, "-C", out).with(b.freshFolder(out)),
		refs: []command{b.unzip(zip), b.copying(dir)},
	}, err
}

func (b *bench) archiveVerify(f format) (row, error) {
	dir, set, err := b.tree()
	if err != nil {
		return row{}, err
	}
	file, err := b.archive(f, f.file, dir)
	if err != nil {
		return row{}, err
	}
	zip, _, err := b.zipInput()
	return row{
		what: "verify an archive of " + f.name, bytes: set.bytes, units: len(set.paths),
		ours: b.cli("verify", file), refs: []command{peer("unzip -t of a zip", "unzip", "-q", "-t", zip)},
	}, err
}

func (b *bench) archiveList(f format) (row, error) {
	dir, n, err := b.manyFiles(10_000)
	if err != nil {
		return row{}, err
	}
	zip := b.path("many.zip")
	if err := b.zipped(zip, dir); err != nil {
		return row{}, err
	}
	file, err := b.archive(f, "many-"+f.file, dir)
	return row{
		what: "list an archive of many small files", units: n,
		ours: b.cli("ls", file), refs: []command{peer("unzip -l of a zip", "unzip", "-l", zip)},
	}, err
}

// manyFiles is a folder of n small files: the beginnings of a few real ones,
// over and over, so that every ten are as much work as the first ten.
func (b *bench) manyFiles(n int) (dir string, count int, err error) {
	dir = b.path(fmt.Sprintf("many-%d", n))
	if _, err := os.Stat(dir); err == nil {
		return dir, n, nil
	}
	contents, err := b.beginnings(10, 2<<10)
	if err != nil {
		return "", 0, err
	}
	for i := range n {
		path := filepath.Join(dir, fmt.Sprintf("%03d", i/1000), fmt.Sprintf("file%03d.bin", i%1000))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return "", 0, err
		}
		if err := os.WriteFile(path, contents[i%len(contents)], 0o644); err != nil {
			return "", 0, err
		}
	}
	return dir, n, nil
}

// beginnings returns the first bytes of n files.
func (b *bench) beginnings(n, size int) (list [][]byte, err error) {
	_, set, err := b.tree()
	if err != nil {
		return nil, err
	}
	for i := 0; i < len(set.paths) && len(list) < n; i += max(1, len(set.paths)/(2*n)) {
		data, err := os.ReadFile(set.paths[i])
		if err != nil {
			return nil, err
		}
		if len(data) >= size {
			list = append(list, data[:size])
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no files of %d bytes in the corpus", size)
	}
	return list, nil
}
