package main

import (
	"fmt"
	"slices"
)

// codecs are the ways a 42pak archive is compressed, and the program that
// compresses the same way.
var codecs = []struct {
	name  string
	pack  []string // settings of pakbox create
	peer  string
	level string   // the peer's
	out   string   // its flag for the output, "" if that follows the input
	test  []string // its arguments to test an archive
}{
	{"lz4-1", []string{"--algorithm", "lz4", "--level", "1"}, "lz4", "-1", "", []string{"-q", "-t"}},
	{"lz4-9", []string{"--algorithm", "lz4", "--level", "9"}, "lz4", "-9", "", []string{"-q", "-t"}},
	{"zstd-3", []string{"--vpk-version", "2", "--algorithm", "zstd", "--level", "3"}, "zstd", "-3", "-o", []string{"-q", "-t"}},
	{"brotli-5", []string{"--vpk-version", "2", "--algorithm", "brotli", "--level", "5"}, "brotli", "-5", "-o", []string{"-t"}},
}

// vpkRows are about 42pak archives. The peers work on a tar of the same files.
func (b *bench) vpkRows() (list []maker) {
	for i := range codecs {
		list = append(list,
			maker{"vpk42/pack-" + codecs[i].name, func(string) (row, error) { return b.vpkPack(i) }},
			maker{"vpk42/extract-" + codecs[i].name, func(string) (row, error) { return b.vpkExtract(i) }},
			maker{"vpk42/verify-" + codecs[i].name, func(string) (row, error) { return b.vpkVerify(i) }},
		)
	}
	return append(list, maker{"vpk42/pack-stored", b.vpkStored}, maker{"vpk42/list", b.vpkList})
}

// packed makes the archives of a codec: pakbox's and the peer's.
func (b *bench) packed(i int) (vpk, tar, peerFile string, set files, err error) {
	c := codecs[i]
	dir, set, err := b.tree()
	if err != nil {
		return "", "", "", set, err
	}
	if tar, err = b.tar(); err != nil {
		return "", "", "", set, err
	}
	vpk, peerFile = b.path(c.name+".vpk"), b.path(c.name+".tar."+c.peer)
	if err := b.made(vpk, append([]string{b.pakbox, "create", vpk, dir}, c.pack...)...); err != nil {
		return "", "", "", set, err
	}
	if program(c.peer) != "" {
		err = b.made(peerFile, "sh", "-c", fmt.Sprintf("%s -c %s %s > %s", c.peer, c.level, tar, peerFile))
	}
	return vpk, tar, peerFile, set, err
}

// tar is a tar of the folder that tree makes.
func (b *bench) tar() (string, error) {
	dir, _, err := b.tree()
	if err != nil {
		return "", err
	}
	tar := b.path("tree.tar")
	return tar, b.made(tar, "tar", "-C", dir, "-cf", tar, ".")
}

// arguments leaves out what is empty.
func arguments(list ...string) []string {
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}

// copying is the floor of whatever writes files: copying them.
func (b *bench) copying(dir string) command {
	out := b.path("out-copy")
	return floor("cp -r", "cp", "-r", dir, out).with(b.freshFolder(out))
}

func (b *bench) vpkPack(i int) (row, error) {
	c := codecs[i]
	_, tar, _, set, err := b.packed(i)
	out, theirs := b.path("out.vpk"), b.path("out."+c.peer)
	ours := b.cli(append([]string{"create", out, b.path("tree")}, c.pack...)...).with(fresh(out))
	ours.name = "pakbox create"
	return row{
		what: "pack a folder with " + c.name, bytes: set.bytes, units: len(set.paths),
		ours: ours,
		refs: []command{peer(c.peer+" "+c.level+" of a tar", c.peer, arguments(c.level, "-f", tar, c.out, theirs)...).with(fresh(theirs))},
	}, err
}

func (b *bench) vpkExtract(i int) (row, error) {
	c := codecs[i]
	vpk, _, peerFile, set, err := b.packed(i)
	out, theirs := b.path("out-ours"), b.path("out-theirs")
	untar := peer(c.peer+" | tar x", c.peer).with(b.freshFolder(theirs))
	untar.args = []string{"sh", "-c", fmt.Sprintf("%s -dc %s | tar -C %s -xf -", c.peer, peerFile, theirs)}
	return row{
		what: "extract a folder packed with " + c.name, bytes: set.bytes, units: len(set.paths),
		ours: b.cli("extract", vpk, "-C", out).with(b.freshFolder(out)),
		refs: []command{untar, b.copying(b.path("tree"))},
	}, err
}

func (b *bench) vpkVerify(i int) (row, error) {
	c := codecs[i]
	vpk, _, peerFile, set, err := b.packed(i)
	return row{
		what: "verify an archive packed with " + c.name, bytes: set.bytes, units: len(set.paths),
		ours: b.cli("verify", vpk),
		refs: []command{peer(c.peer+" -t", c.peer, append(c.test, peerFile)...)},
	}, err
}

func (b *bench) vpkStored(string) (row, error) {
	dir, set, err := b.tree()
	out, tar := b.path("out.vpk"), b.path("out.tar")
	ours := b.cli("create", out, dir, "--algorithm", "none").with(fresh(out))
	ours.name = "pakbox create"
	return row{
		what: "pack a folder without compression", bytes: set.bytes, units: len(set.paths),
		ours: ours,
		refs: []command{floor("tar c", "tar", "-C", dir, "-cf", tar, ".").with(fresh(tar)), b.copying(dir)},
	}, err
}

func (b *bench) vpkList(string) (row, error) {
	dir, n, err := b.manyFiles(10_000)
	if err != nil {
		return row{}, err
	}
	vpk, zip := b.path("many.vpk"), b.path("many.zip")
	if err := b.made(vpk, b.pakbox, "create", vpk, dir); err != nil {
		return row{}, err
	}
	if err := b.zipped(zip, dir); err != nil {
		return row{}, err
	}
	return row{
		what: "list an archive of many small files", units: n,
		ours: b.cli("ls", vpk),
		refs: []command{peer("unzip -l of a zip", "unzip", "-l", zip)},
	}, nil
}
