package main

import (
	"archive/zip"
	"io"
	"io/fs"
	"time"
)

// file is one file of an archive.
type file struct {
	name string
	mode fs.FileMode
	data []byte
}

// writeTarGz packs files below a folder.
func writeTarGz(w io.Writer, folder string, at time.Time, files []file) error {
	t, err := newTarball(w, at)
	if err != nil {
		return err
	}
	for _, f := range files {
		f.name = folder + "/" + f.name
		if err := t.add(f); err != nil {
			return err
		}
	}
	return t.close()
}

// writeZip is the same for systems where people expect zips.
func writeZip(w io.Writer, folder string, at time.Time, files []file) error {
	z := zip.NewWriter(w)
	for _, f := range files {
		h := &zip.FileHeader{Name: folder + "/" + f.name, Method: zip.Deflate, Modified: at}
		h.SetMode(f.mode)
		dst, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := dst.Write(f.data); err != nil {
			return err
		}
	}
	return z.Close()
}
