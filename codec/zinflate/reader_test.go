package zinflate_test

import (
	"bytes"
	"compress/flate"
	"errors"
	"io"
	"io/fs"
	"math/rand"
	"testing"
	"testing/iotest"

	"pakbox/codec/zinflate"
)

// deflated gives contents of several sizes and what the standard library makes
// of them.
func deflated(t *testing.T) map[string]string {
	t.Helper()
	rng := rand.New(rand.NewSource(1))
	all := map[string]string{}
	for _, size := range []int{0, 1, 100, 32 << 10, 300_000} {
		for _, letters := range []int{1, 7, 256} {
			content := make([]byte, size)
			for i := range content {
				content[i] = byte(rng.Intn(letters))
			}
			var packed bytes.Buffer
			w, err := flate.NewWriter(&packed, flate.DefaultCompression)
			if err != nil {
				t.Fatal(err)
			}
			w.Write(content)
			w.Close()
			all[string(content)] = packed.String()
		}
	}
	return all
}

// Deflated content comes back, regardless of the sizes of reads, and bytes
// behind it are not read.
func TestNewReader(t *testing.T) {
	for content, packed := range deflated(t) {
		for name, pieces := range map[string]func(io.Reader) io.Reader{"whole": func(r io.Reader) io.Reader { return r }, "bytes": iotest.OneByteReader, "end with data": iotest.DataErrReader} {
			r := zinflate.NewReader(pieces(bytes.NewReader([]byte(packed + "behind"))))
			if err := iotest.TestReader(r, []byte(content)); err != nil {
				t.Errorf("%d bytes, %s: %v", len(content), name, err)
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// Damage, an early end and errors of the source are distinguished.
func TestReaderErrors(t *testing.T) {
	broken := errors.New("broken")
	for content, packed := range deflated(t) {
		if len(packed) < 8 {
			continue
		}
		got, err := io.ReadAll(zinflate.NewReader(bytes.NewReader([]byte(packed[:len(packed)-1]))))
		if err != io.ErrUnexpectedEOF || !bytes.HasPrefix([]byte(content), got) {
			t.Errorf("%d bytes cut off: %v", len(content), err)
		}
		if _, err := io.ReadAll(zinflate.NewReader(io.MultiReader(bytes.NewReader([]byte(packed[:4])), iotest.ErrReader(broken)))); err != broken {
			t.Errorf("a source that breaks: %v", err)
		}
	}
	var corrupt *zinflate.CorruptError
	if _, err := io.ReadAll(zinflate.NewReader(bytes.NewReader([]byte{0xff, 0xff}))); !errors.As(err, &corrupt) {
		t.Errorf("a block of no kind: %v", err)
	}
	r := zinflate.NewReader(bytes.NewReader(nil))
	r.Close()
	if _, err := r.Read(make([]byte, 1)); err != fs.ErrClosed || r.Close() != nil {
		t.Errorf("closed: %v", err)
	}
}
