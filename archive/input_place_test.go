package archive_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"testing"

	"pakbox"
	"pakbox/archive"
)

// closeCounter states how often it was closed.
type closeCounter int

func (c *closeCounter) Close() error { *c++; return nil }

// A file that is open already leads to the same places as its path, and is
// closed once, whether the place was found or not.
func TestLocateInput(t *testing.T) {
	data, err := os.ReadFile("../samples/hello.vpk")
	if err != nil {
		t.Fatal(err)
	}
	in := archive.Input{ReaderAt: bytes.NewReader(data), Size: int64(len(data)), Name: "hello.vpk"}
	var closed closeCounter
	p, err := pakbox.Formats().LocateInput(t.Context(), "dropped/hello.vpk", in, &closed, "readme.txt", archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := p.Open(p.Inner)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(f)
	f.Close()
	want, _ := os.ReadFile("../samples/hello/readme.txt")
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("got %q, %v", got, err)
	}
	if p.Path != "dropped/hello.vpk/readme.txt" || p.File != "dropped/hello.vpk" {
		t.Errorf("path %q, file %q", p.Path, p.File)
	}
	p.Close()
	if closed != 1 {
		t.Errorf("closed %d times", closed)
	}

	closed = 0
	_, err = pakbox.Formats().LocateInput(t.Context(), "dropped/hello.vpk", in, &closed, "absent", archive.Options{})
	if !isNotExist(err) || closed != 1 {
		t.Errorf("absent: %v, closed %d times", err, closed)
	}
}

func isNotExist(err error) bool { return errors.Is(err, fs.ErrNotExist) }
