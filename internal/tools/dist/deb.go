package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"fmt"
	"io"
	"path"
	"strings"
	"time"
)

// writeDeb writes a Debian package, whose architectures are called as Go calls
// them. It holds the files of the archive, where Debian looks for them, and
// nothing runs when it is installed or removed.
func writeDeb(w io.Writer, at commit, arch string, files []file) error {
	var data, sums bytes.Buffer
	t, err := newTarball(&data, at.time)
	if err != nil {
		return err
	}
	size := 0
	for _, f := range files {
		name, content, err := debianPlace(f)
		if err != nil {
			return err
		}
		if name == "" {
			continue
		}
		if err := t.add(file{"./" + name, f.mode, content}); err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", md5.Sum(content), name)
		size += (len(content) + 1023) / 1024
	}
	if err := t.close(); err != nil {
		return err
	}
	var control bytes.Buffer
	if t, err = newTarball(&control, at.time); err != nil {
		return err
	}
	for _, f := range []file{{"./control", 0o644, []byte(debianControl(at.version, arch, size))}, {"./md5sums", 0o644, sums.Bytes()}} {
		if err := t.add(f); err != nil {
			return err
		}
	}
	if err := t.close(); err != nil {
		return err
	}
	return writeAr(w, at.time, []file{{"debian-binary", 0o644, []byte("2.0\n")}, {"control.tar.gz", 0o644, control.Bytes()}, {"data.tar.gz", 0o644, data.Bytes()}})
}

// debianControl describes the package. A version begins with a digit.
func debianControl(version, arch string, kilobytes int) string {
	return fmt.Sprintf(`Package: pakbox
Version: %s
Architecture: %s
Maintainer: the pakbox project <pakbox@localhost>
Installed-Size: %d
Section: utils
Priority: optional
Description: opens, explains, checks, edits and rebuilds files of games
 GBX and NadeoPak (TrackMania, ManiaPlanet), VPK of 42pak, EIX/EPK of Metin2
 and Simutrans objects, with the same commands for every format.
`, strings.TrimPrefix(version, "v"), arch, kilobytes)
}

// debianPlace says where a file of the archive stands in a system, and as what;
// "" for one that Debian has no place for.
func debianPlace(f file) (name string, content []byte, err error) {
	base := path.Base(f.name)
	switch {
	case f.name == "pakbox":
		return "usr/bin/pakbox", f.data, nil
	case strings.HasPrefix(f.name, "man/"):
		content, err = zipped(f.data)
		return "usr/share/" + f.name + ".gz", content, err
	case base == "pakbox.bash":
		return "usr/share/bash-completion/completions/pakbox", f.data, nil
	case base == "_pakbox":
		return "usr/share/zsh/vendor-completions/_pakbox", f.data, nil
	case base == "pakbox.fish":
		return "usr/share/fish/vendor_completions.d/pakbox.fish", f.data, nil
	case base == "LICENSE":
		return "usr/share/doc/pakbox/copyright", f.data, nil
	case base == "CHANGELOG.md":
		content, err = zipped(f.data)
		return "usr/share/doc/pakbox/changelog.gz", content, err
	case path.Dir(f.name) == ".":
		return "usr/share/doc/pakbox/" + base, f.data, nil
	}
	return "", nil, nil
}

// zipped compresses without a name and a time.
func zipped(data []byte) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = z.Write(data)
	if err != nil {
		return nil, err
	}
	err = z.Close()
	return b.Bytes(), err
}

// writeAr writes the archive that a Debian package is: a header of sixty bytes
// for each file, and an even number of bytes.
func writeAr(w io.Writer, at time.Time, files []file) error {
	var b bytes.Buffer
	b.WriteString("!<arch>\n")
	for _, f := range files {
		fmt.Fprintf(&b, "%-16s%-12d%-6d%-6d%-8o%-10d`\n", f.name, at.Unix(), 0, 0, 0o100000|uint32(f.mode), len(f.data))
		b.Write(f.data)
		if len(f.data)%2 == 1 {
			b.WriteByte('\n')
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// tarball writes a compressed tar. Only what is written here is in the headers:
// no users, no access times, no name of the machine.
type tarball struct {
	zip  *gzip.Writer
	tar  *tar.Writer
	time time.Time
	dirs map[string]bool // written already
}

func newTarball(w io.Writer, at time.Time) (*tarball, error) {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	return &tarball{z, tar.NewWriter(z), at, map[string]bool{}}, err
}

// add writes a file, and before it the folders that it lies in.
func (t *tarball) add(f file) error {
	for i, c := range f.name {
		if dir := f.name[:i]; c == '/' && !t.dirs[dir] {
			t.dirs[dir] = true
			if err := t.tar.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: dir + "/", Mode: 0o755, ModTime: t.time, Format: tar.FormatUSTAR}); err != nil {
				return err
			}
		}
	}
	h := &tar.Header{Typeflag: tar.TypeReg, Name: f.name, Mode: int64(f.mode), Size: int64(len(f.data)), ModTime: t.time, Format: tar.FormatUSTAR}
	if err := t.tar.WriteHeader(h); err != nil {
		return err
	}
	_, err := t.tar.Write(f.data)
	return err
}

func (t *tarball) close() error {
	if err := t.tar.Close(); err != nil {
		return err
	}
	return t.zip.Close()
}
