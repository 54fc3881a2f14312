package index_test

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"testing"

	"pakbox/archive"
	"pakbox/index"
)

// The index of an archive whose data file is missing is damaged, and says so in the
// same words wherever it lies.
func TestLoneIndex(t *testing.T) {
	data, err := os.ReadFile("../samples/hello.eix")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"a", "s3://b/c"} {
		in := archive.Input{ReaderAt: bytes.NewReader(data), Size: int64(len(data)), Name: "hello.eix", Sibling: func(name string) (archive.Input, io.Closer, error) {
			return archive.Input{}, nil, &fs.PathError{Op: "open", Path: dir + "/" + name, Err: fs.ErrNotExist}
		}}
		rows, err := new(index.Indexer).File(t.Context(), index.Source{Input: in, Path: dir + "/hello.eix"})
		if err != nil {
			t.Fatal(err)
		}
		f := table(rows, "files")[0]
		if f["status"] != index.StatusDamaged || f["error_kind"] != "truncated" || f["error_message"] != "the .epk file that belongs to it is missing" {
			t.Errorf("%s: %v, %v, %v", dir, f["status"], f["error_kind"], f["error_message"])
		}
		if n := len(table(rows, "entries")); n == 0 {
			t.Error("its entries are not listed")
		}
	}
}
