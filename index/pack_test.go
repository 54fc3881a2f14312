package index_test

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/index"
)

// The index of an archive whose data file is missing, or a pointer of Git LFS, is damaged,
// and has the same error wherever it lies.
func TestLoneIndex(t *testing.T) {
	data, err := os.ReadFile("../samples/hello.eix")
	if err != nil {
		t.Fatal(err)
	}
	const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 7\n"
	for dir, want := range map[string][2]string{
		"a":        {"truncated", "the .epk file that belongs to it is missing"},
		"s3://b/c": {"truncated", "the .epk file that belongs to it is missing"},
		"pointer":  {"git_lfs_pointer", "hello.epk is a Git LFS pointer, which stands in a repository in the place of the file itself"},
	} {
		t.Run(dir, func(t *testing.T) {
			in := archive.Input{ReaderAt: bytes.NewReader(data), Size: int64(len(data)), Name: "hello.eix", Sibling: func(name string) (archive.Input, io.Closer, error) {
				if dir == "pointer" {
					return archive.Input{ReaderAt: strings.NewReader(pointer), Size: int64(len(pointer)), Name: name}, io.NopCloser(nil), nil
				}
				return archive.Input{}, nil, &fs.PathError{Op: "open", Path: dir + "/" + name, Err: fs.ErrNotExist}
			}}
			rows, err := new(index.Indexer).File(t.Context(), index.Source{Input: in, Path: dir + "/hello.eix"})
			if err != nil {
				t.Fatal(err)
			}
			f := table(rows, "files")[0]
			if f["status"] != index.StatusDamaged || f["error_kind"] != want[0] || f["error_message"] != want[1] {
				t.Errorf("%s: %v, %v, %v", dir, f["status"], f["error_kind"], f["error_message"])
			}
			if n := len(table(rows, "entries")); n == 0 {
				t.Error("its entries are not listed")
			}
		})
	}
}
