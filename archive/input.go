package archive

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"pakbox/fault"
	"pakbox/internal/lib/vfs"
)

// Input is the file that an archive is read from.
type Input struct {
	io.ReaderAt
	Size int64
	// Name is the file's base name, for messages and for formats that come in
	// pairs of files.
	Name string
	// Sibling opens the file of that name in the same folder. If there is no such file,
	// it takes one whose name differs only in letter case. Sibling is nil if there is no
	// folder.
	Sibling func(name string) (Input, io.Closer, error)

	seen seen // the file of the file system, if it is one
}

// Prefix returns the first n bytes, or fewer if the file is shorter.
func (in Input) Prefix(n int) []byte {
	b := make([]byte, min(int64(n), in.Size))
	got, _ := in.ReadAt(b, 0)
	return b[:got]
}

// Is reports whether in is the file at path.
func (in Input) Is(path string) bool {
	f, ok := in.ReaderAt.(interface{ Stat() (fs.FileInfo, error) })
	if !ok {
		return false
	}
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	other, err := os.Stat(filepath.Clean(path))
	return err == nil && os.SameFile(mine, other)
}

// lfsPointer is the beginning of the text that Git LFS leaves in a repository in place of
// a large file.
const lfsPointer = "version https://git-lfs.github.com/spec/v1"

// CheckPointer refuses a pointer that Git LFS has left in place of the file.
func (in Input) CheckPointer() error {
	if string(in.Prefix(len(lfsPointer))) != lfsPointer {
		return nil
	}
	return fault.New(fault.Pointer, "%s is a Git LFS pointer, which stands in a repository in the place of the file itself", in.Name)
}

// errNoFile reports a file that can only be read from its beginning to its end.
var errNoFile = errors.New("is a pipe or a device: send it to standard input, and name it -")

// OpenFile opens a file of the file system as an [Input].
func OpenFile(path string) (Input, io.Closer, error) {
	in, closer, err := openFile(path)
	return in, closer, fault.System(err)
}

func openFile(path string) (Input, io.Closer, error) { return openFileOf(committed{}, path) }

// openFileOf opens a file that may belong to a committed set.
func openFileOf(set committed, path string) (Input, io.Closer, error) {
	main, err := findTarget(path)
	if err != nil {
		return Input{}, nil, err
	}
	if set.moves == nil {
		set = committedBeside(main.path, main.old)
	}
	now, known := path, main.old
	if at := set.at(main.path); at != main.path {
		now, known = at, nil
	}
	// Look before opening, because opening a pipe waits for a writer.
	if known == nil || !known.IsDir() && !known.Mode().IsRegular() { // a file of a cloud on Windows is described as irregular
		known, _ = os.Stat(now)
	}
	if known != nil && !known.IsDir() && !known.Mode().IsRegular() {
		return Input{}, nil, &fs.PathError{Op: "open", Path: path, Err: errNoFile}
	}
	f, err := os.Open(now)
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
		return Input{}, nil, &fs.PathError{Op: "open", Path: path, Err: vfs.ErrIsDir}
	}
	dir := filepath.Dir(path)
	return Input{
		ReaderAt: f,
		Size:     countedSize(main.path, f, info),
		Name:     filepath.Base(path),
		Sibling: func(name string) (Input, io.Closer, error) {
			in, closer, err := openFileOf(set, filepath.Join(dir, inAnyCase(os.DirFS(dir), name)))
			return in, closer, fault.System(err)
		},
		seen: seen{path: path, info: info},
	}, f, nil
}

// inAnyCase returns the name of the file in dir that is called name. If it is missing,
// letter case may differ.
func inAnyCase(dir fs.FS, name string) string {
	if _, err := fs.Stat(dir, name); err == nil {
		return name
	}
	files, _ := fs.ReadDir(dir, ".")
	for _, f := range files {
		if strings.EqualFold(f.Name(), name) {
			return f.Name()
		}
	}
	return name
}
