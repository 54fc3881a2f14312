package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// pkg is one version of a package in the registry, and the hash of its archive.
type pkg struct{ name, version, integrity string }

// fetch unpacks a package below dir/node_modules.
func (p pkg) fetch(dir string) error {
	cmd := exec.Command("npm", "pack", "--silent", "--pack-destination", dir, p.name+"@"+p.version)
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("npm pack %s: %w", p.name, err)
	}
	data, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("%s-%s.tgz", p.file(), p.version)))
	if err != nil {
		return err
	}
	sum := sha512.Sum512(data)
	if got := "sha512-" + base64.StdEncoding.EncodeToString(sum[:]); got != p.integrity {
		return fmt.Errorf("%s %s: the registry gave %s, not %s", p.name, p.version, got, p.integrity)
	}
	return unpack(data, filepath.Join(dir, "node_modules", p.name))
}

// file returns the package's name for file names.
func (p pkg) file() string { return strings.NewReplacer("@", "", "/", "-").Replace(p.name) }

// licence returns the text of a package's licence; if there is a choice, MIT's. For a
// package without such a file the text is in the folder licence.
func (p pkg) licence(dir string) ([]byte, error) {
	if text, err := os.ReadFile(filepath.Join("licence", p.file()+".txt")); err == nil {
		return text, nil
	}
	dir = filepath.Join(dir, "node_modules", p.name)
	text, err := os.ReadFile(filepath.Join(dir, "LICENSE-MIT.txt"))
	if err != nil {
		return os.ReadFile(filepath.Join(dir, "LICENSE"))
	}
	return text, nil
}

// unpack writes the files of a package's archive, which are all below package/.
func unpack(data []byte, dir string) error {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		_, name, _ := strings.Cut(h.Name, "/")
		if h.Typeflag != tar.TypeReg || name == "" {
			continue
		}
		content, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		if err := root.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := root.WriteFile(name, content, 0o666); err != nil {
			return err
		}
	}
}
