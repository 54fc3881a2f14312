package question

import (
	"archive/zip"
	"bytes"
	"context"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"pakbox/cmd/internal/source"
	"pakbox/fault"
	"pakbox/internal/lib/walk"
)

// File is an answer that is a file, such as a picture.
type File struct {
	Name string // name to save the file under
	Type string // media type; "" for files that no browser shows
	Data []byte
	Say  any // a struct with fields for the JSON of a command that saved the file; nil for none
	// Notes are remarks for people. Those of a file that Write makes, and Say, may be known
	// only after it.
	Notes []string
	// Write, if it is not nil, writes the file at a path, and Data is nil: the file is large,
	// or it is several files or a folder. Programs of other languages get its bytes, and
	// several files as a zip.
	Write func(ctx context.Context, path string, force bool) error
}

// maxMade limits the size of files that are sent to programs of other languages.
const maxMade = 512 << 20

// Load makes the bytes of a file that is written by a function.
func (f *File) Load(ctx context.Context, o *source.Opener) error {
	if f.Write == nil {
		return nil
	}
	name, data, err := madeIn(o, path.Base(f.Name), func(path string) error { return f.Write(ctx, path, false) })
	if err == nil {
		f.Name, f.Data, f.Write, f.Say = name, data, nil, nil // the report names temporary files
	}
	return err
}

// madeIn lets a function write a file called base in a temporary folder, and returns the
// name and the content of what it has written; several files are returned as a zip.
func madeIn(o *source.Opener, base string, write func(path string) error) (name string, data []byte, err error) {
	dir, err := o.TempDir()
	if err != nil {
		return "", nil, fault.System(err)
	}
	target := filepath.Join(dir, base)
	if err := write(target); err != nil {
		return "", nil, err
	}
	if info, err := os.Stat(target); err == nil && info.IsDir() {
		data, err = zipped(target)
		return base + ".zip", data, err
	}
	files, err := filesIn(dir)
	if err != nil {
		return "", nil, err
	}
	if len(files) == 1 && filepath.Dir(files[0]) == dir {
		data, err = os.ReadFile(files[0])
		return filepath.Base(files[0]), data, err
	}
	data, err = zipped(dir)
	return strings.TrimSuffix(base, path.Ext(base)) + ".zip", data, err
}

// filesIn lists the files in a folder and below. It rejects more bytes than may be sent.
func filesIn(dir string) (files []string, err error) {
	size := int64(0)
	err = walk.Files(dir, func(e walk.Entry, info fs.FileInfo) error {
		files, size = append(files, e.Path), size+info.Size()
		return nil
	})
	if err == nil && size > maxMade {
		err = fault.New(fault.Limit, "the new file of %d bytes is larger than %d", size, int64(maxMade))
	}
	return files, fault.System(err)
}

// zipped puts the files below a folder into a zip.
func zipped(dir string) ([]byte, error) {
	files, err := filesIn(dir)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, file := range files {
		rel, err := filepath.Rel(dir, file)
		if err != nil {
			return nil, err
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		w, err := z.Create(filepath.ToSlash(rel))
		if err != nil {
			return nil, err
		}
		if _, err := io.Copy(w, bytes.NewReader(data)); err != nil {
			return nil, err
		}
	}
	err = z.Close()
	return b.Bytes(), err
}
