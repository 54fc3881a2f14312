package archive

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"pakbox/fault"
)

// Input is the file that an archive is read from.
type Input struct {
	io.ReaderAt
	Size int64
	// Name is the file's base name, for messages and for formats that come in
	// pairs of files.
	Name string
	// Sibling opens the file of that name in the same folder. It is nil where
	// there is no folder.
	Sibling func(name string) (Input, io.Closer, error)
}

// Prefix returns the first n bytes, or fewer if the file is shorter.
func (in Input) Prefix(n int) []byte {
	b := make([]byte, min(int64(n), in.Size))
	got, _ := in.ReadAt(b, 0)
	return b[:got]
}

// errNoFile is about what can only be read from its beginning to its end.
var errNoFile = errors.New("is a pipe or a device: send it to standard input, and name it -")

// OpenFile opens a file of the file system as an [Input].
func OpenFile(path string) (Input, io.Closer, error) {
	in, closer, err := openFile(path)
	return in, closer, fault.System(err)
}

func openFile(path string) (Input, io.Closer, error) {
	// A set of files whose writer was killed in the middle of its renames.
	if err := finishCommit(path); err != nil {
		return Input{}, nil, err
	}
	// Looked at before it is opened, because opening a pipe waits for a writer.
	if info, err := os.Stat(path); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return Input{}, nil, &fs.PathError{Op: "open", Path: path, Err: errNoFile}
	}
	f, err := os.Open(path)
	if err != nil {
		return Input{}, nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return Input{}, nil, err
	}
	if info.IsDir() {
		f.Close()
		return Input{}, nil, &fs.PathError{Op: "open", Path: path, Err: ErrIsDir}
	}
	dir := filepath.Dir(path)
	return Input{
		ReaderAt: f,
		Size:     info.Size(),
		Name:     filepath.Base(path),
		Sibling: func(name string) (Input, io.Closer, error) {
			return OpenFile(filepath.Join(dir, name))
		},
	}, f, nil
}
