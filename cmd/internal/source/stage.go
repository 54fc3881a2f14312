package source

import (
	"os"

	"pakbox/archive"
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
