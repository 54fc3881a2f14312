package source

import (
	"io/fs"
	"os"

	"pakbox/archive"
	"pakbox/internal/lib/regular"
)

// StageFile writes a file completely or not at all.
func StageFile(path string, overwrite bool, write func(f *os.File) error) error {
	stage, err := archive.NewStage(path, overwrite)
	if err != nil {
		return err
	}
	defer stage.Abort()
	f, err := stage.File()
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		return err
	}
	return stage.Commit()
}

// StageBytes is StageFile for content in memory.
func StageBytes(path string, data []byte, overwrite bool) error {
	return StageFile(path, overwrite, func(f *os.File) error {
		_, err := f.Write(data)
		return err
	})
}

// Version is a file as it was read. A change that was computed from it replaces only this
// version.
type Version struct {
	path string
	info fs.FileInfo // nil for a new file
}

// ReadVersion reads a file of at most limit bytes that is going to be replaced. A missing
// file is an error with a version too, which only a new file can replace.
func ReadVersion(path string, limit int64) ([]byte, Version, error) {
	v := Version{path: path}
	f, err := regular.Open(path)
	if err != nil {
		return nil, v, err
	}
	defer f.Close()
	if v.info, err = f.Stat(); err != nil {
		return nil, v, err
	}
	data, err := regular.ReadFrom(f, limit)
	return data, v, err
}

// Replace writes a new version of the file, unless another program has changed it since.
func (v Version) Replace(write func(f *os.File) error) error {
	stage, err := archive.NewStage(v.path, true)
	if err != nil {
		return err
	}
	defer stage.Abort()
	stage.ExpectFile(v.path, v.info)
	f, err := stage.File()
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		return err
	}
	return stage.Commit()
}

// replaceFile replaces the file on disk from which s was opened, unless another program has
// changed it since, and closes s.
func replaceFile(s *Source, data []byte) error {
	defer s.Close()
	stage, err := archive.NewStage(s.Place.File, true)
	if err != nil {
		return err
	}
	defer stage.Abort()
	stage.Expect(s.Place)
	f, err := stage.File()
	if err == nil {
		_, err = f.Write(data)
	}
	if err == nil {
		err = stage.Check()
	}
	if err != nil {
		return err
	}
	s.Close() // Windows cannot replace an open file
	return stage.Commit()
}
