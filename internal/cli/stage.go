package cli

import (
	"os"

	"pakbox/archive"
)

// stageFile writes a file whole or not at all.
func stageFile(path string, overwrite bool, write func(f *os.File) error) error {
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

func stageBytes(path string, data []byte, overwrite bool) error {
	return stageFile(path, overwrite, func(f *os.File) error {
		_, err := f.Write(data)
		return err
	})
}
