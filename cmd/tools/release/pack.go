package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// pack makes an archive of a folder: a zip for Windows, otherwise a tar.gz. The headers
// have names, sizes, the time of the commit, and whether a file is the program. They have
// no owners, and nothing of this machine.
func pack(out, dir string, at time.Time) error {
	name := filepath.Base(dir)
	windows := strings.Contains(name, "-windows-")
	if windows {
		name += ".zip"
	} else {
		name += ".tar.gz"
	}
	file, err := os.Create(filepath.Join(out, name))
	if err != nil {
		return err
	}
	defer file.Close()
	if windows {
		err = packZip(file, dir, at)
	} else {
		err = packTar(file, dir, filepath.Base(dir), at)
	}
	if err != nil {
		return err
	}
	return file.Close()
}

func packZip(w io.Writer, dir string, at time.Time) error {
	z := zip.NewWriter(w)
	err := each(dir, filepath.Base(dir), func(name string, mode fs.FileMode, data []byte) error {
		h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: at}
		h.SetMode(mode)
		dst, err := z.CreateHeader(h)
		if err == nil {
			_, err = dst.Write(data)
		}
		return err
	})
	if err != nil {
		return err
	}
	return z.Close()
}

func packTar(w io.Writer, dir, top string, at time.Time) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	err = each(dir, top, func(name string, mode fs.FileMode, data []byte) error {
		h := &tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: int64(mode), Size: int64(len(data)), ModTime: at, Format: tar.FormatUSTAR}
		err := t.WriteHeader(h)
		if err == nil {
			_, err = t.Write(data)
		}
		return err
	})
	if err != nil {
		return err
	}
	if err := t.Close(); err != nil {
		return err
	}
	return z.Close()
}

// each calls add for every file below a folder, sorted by name. The names start with top.
func each(dir, top string, add func(name string, mode fs.FileMode, data []byte) error) error {
	return fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		if base := path.Base(name); base == "pakbox" || base == "pakbox.exe" || base == "bin.js" {
			mode = 0o755
		}
		return add(top+"/"+name, mode, data)
	})
}

// thirdParty collects the licences of all modules in a program, which must be distributed
// with it.
func thirdParty(ctx context.Context, system, program string) ([]byte, error) {
	list, err := output(ctx, system, "go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}", program)
	if err != nil {
		return nil, err
	}
	goroot, err := output(ctx, "", "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	modules := append(strings.Split(list, "\n"), "Go "+runtime.Version()+" "+strings.TrimSpace(goroot))
	slices.Sort(modules)
	text := []byte("pakbox contains the works below. Their licences:\n")
	section := func(title string, files ...string) error {
		text = fmt.Appendf(text, "\n%s\n%s\n\n", strings.Repeat("=", 72), title)
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			text = append(text, data...)
		}
		return nil
	}
	for _, m := range slices.Compact(modules) {
		fields := strings.Fields(m)
		if len(fields) != 3 {
			continue
		}
		var files []string
		for _, pattern := range []string{"LICEN[SC]E*", "font/gofont/ttfs/README"} { // typefaces have their own licence
			found, err := filepath.Glob(filepath.Join(fields[2], filepath.FromSlash(pattern)))
			if err != nil {
				return nil, err
			}
			files = append(files, found...)
		}
		if len(files) == 0 {
			return nil, fmt.Errorf("%s has no licence file", fields[0])
		}
		if err := section(fields[0]+" "+fields[1], files...); err != nil {
			return nil, err
		}
	}
	err = section("The scripts of the explorer", filepath.Join("cmd", "internal", "page", "web", "shell", "vendor", "LICENSES.txt"))
	return text, err
}
