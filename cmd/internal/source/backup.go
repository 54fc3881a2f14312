package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"pakbox/archive/pack"
	"pakbox/fault"
)

// Protected returns an error if the file from which s was opened is read-only: its owner
// wants it to stay unchanged.
func (o *Opener) Protected(s *Source) error {
	files, err := o.outerFiles(s)
	if err != nil {
		return nil // replacing it will report the error
	}
	for _, file := range files {
		if err := NotReadOnly(file); err != nil {
			return err
		}
	}
	return nil
}

// NotReadOnly returns an error if a file is read-only. The file need not exist.
func NotReadOnly(file string) error {
	const ownerWrites = 0o200
	info, err := os.Stat(file)
	if err != nil || info.IsDir() || info.Mode()&ownerWrites != 0 {
		return nil
	}
	return fault.WithHint(&fs.PathError{Op: "replace", Path: file, Err: errors.New("is read-only")}, "--force changes it all the same")
}

// Backup copies the file from which s was opened, before it is replaced: FILE becomes
// FILE.bak, or FILE.bak2 and so on if that exists. If an archive consists of several
// files, all are copied.
func (o *Opener) Backup(s *Source) (copies []string, err error) {
	files, err := o.outerFiles(s)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		to, err := copyBeside(file)
		if err != nil {
			return copies, err
		}
		copies = append(copies, to)
	}
	return copies, nil
}

// outerFiles returns the files on disk from which s was opened.
func (o *Opener) outerFiles(s *Source) (files []string, err error) {
	p := s.Place
	for p.Outer != nil {
		p = p.Outer
	}
	if IsFolder(p.File) {
		return nil, &fs.PathError{Op: "back up", Path: p.File, Err: errors.New("is a folder; only files are backed up")}
	}
	names, err := os.ReadDir(filepath.Dir(p.File))
	if err != nil {
		return nil, err
	}
	base := filepath.Base(p.File)
	for _, n := range names {
		if n.Name() == base || pack.SameArchive(n.Name(), base, o.Extensions(p.Format())) {
			files = append(files, filepath.Join(filepath.Dir(p.File), n.Name()))
		}
	}
	return files, nil
}

// BackupPath copies a file that is about to be replaced. The file need not exist.
func BackupPath(file string) (string, error) {
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
		return "", nil
	}
	return copyBeside(file)
}

// copyBeside copies a file under a new name beside it.
func copyBeside(file string) (string, error) {
	src, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer src.Close()
	info, err := src.Stat()
	if err != nil {
		return "", err
	}
	to, dst := file+".bak", (*os.File)(nil)
	for n := 2; ; n++ {
		dst, err = os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm())
		if !errors.Is(err, fs.ErrExist) {
			break
		}
		to = fmt.Sprintf("%s.bak%d", file, n)
	}
	if err != nil {
		return "", err
	}
	_, err = io.Copy(dst, src)
	if err == nil {
		err = dst.Sync()
	}
	if err := errors.Join(err, dst.Close()); err != nil {
		os.Remove(to)
		return "", err
	}
	return to, os.Chtimes(to, info.ModTime(), info.ModTime())
}
