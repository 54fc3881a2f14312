package ziparchive

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/fault"
)

// Impossible sizes are reported, and no memory is allocated for them.
func TestImpossibleSizes(t *testing.T) {
	for _, sizes := range [][2]uint64{{1 << 63, 10}, {10, 1 << 63}} {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		if _, err := w.CreateRaw(&zip.FileHeader{Name: "x", UncompressedSize64: sizes[0], CompressedSize64: sizes[1]}); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		a, err := Open(t.Context(), archive.Input{ReaderAt: bytes.NewReader(b.Bytes()), Size: int64(b.Len())}, archive.Options{})
		if err != nil {
			t.Fatal(err)
		}
		e := a.Entries()[0]
		if e.Size < 0 || e.StoredSize < 0 || fault.KindOf(e.Problem) != fault.BadEntry {
			t.Errorf("%d: e = %+v; want e.Size at least 0, e.StoredSize at least 0, e.Problem of kind fault.BadEntry", sizes, e)
		}
	}
}

// A file of more than 2 GB that pakbox has written must be readable for callers that do not
// keep it in memory, and is refused for others.
func TestLargeContent(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	stored := make([]byte, 3_000_000_000/deflateRatio+1)
	raw, err := w.CreateRaw(&zip.FileHeader{Name: "x", Method: zip.Deflate, UncompressedSize64: 3e9, CompressedSize64: uint64(len(stored))})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := raw.Write(stored); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		opts    archive.Options
		refused bool
	}{{archive.Options{}, true}, {archive.Options{Streams: true}, false}, {archive.Options{Streams: true, MaxEntrySize: 1e9}, true}} {
		a, err := Open(t.Context(), archive.Input{ReaderAt: bytes.NewReader(b.Bytes()), Size: int64(b.Len())}, test.opts)
		if err != nil {
			t.Fatal(err)
		}
		f, err := a.Open("x")
		if errors.Is(err, fault.Limit) != test.refused {
			t.Errorf("%+v: Open = %v, refused is %v, want %v", test.opts, err, errors.Is(err, fault.Limit), test.refused)
		}
		if err == nil {
			f.Close()
		}
	}
}

// Bytes after the end of an archive are found behind its comment, wherever the
// signature stands.
func TestRest(t *testing.T) {
	end := func(comment string) string {
		return endSignature + strings.Repeat("\x00", endSize-6) + string([]byte{byte(len(comment)), 0}) + comment
	}
	for _, test := range []struct{ file, want string }{
		{"", ""}, {"short", ""}, {end(""), ""}, {end("") + "x", "x"}, {"local files" + end("comment"), ""},
		{"local files" + end("comment") + "more", "more"}, {end("old") + end(""), ""}, {end("") + endSignature, endSignature},
		{end("a comment that is cut")[:endSize+3], ""},
	} {
		a := &Archive{in: archive.Input{ReaderAt: strings.NewReader(test.file), Size: int64(len(test.file))}}
		if got, err := a.rest(); err != nil || string(got) != test.want {
			t.Errorf("%q: got = %q, err = %v; want no error, got = %q", test.file, got, err, test.want)
		}
	}
	long := strings.Repeat("x", 2*endReach)
	if got, err := (&Archive{in: archive.Input{ReaderAt: strings.NewReader(long), Size: int64(len(long))}}).rest(); err != nil || got != nil {
		t.Errorf("no end: %d bytes, %v", len(got), err)
	}
}

// A comment longer than zip can say is refused, in an edit too.
func TestCommentLimit(t *testing.T) {
	for n, ok := range map[int]bool{65535: true, 65536: false} {
		stage, err := archive.NewStage(filepath.Join(t.TempDir(), "x.zip"), false)
		if err != nil {
			t.Fatal(err)
		}
		defer stage.Abort()
		err = Format{}.Create(t.Context(), stage, nil, archive.CreateOptions{Params: map[string]string{"comment": strings.Repeat("c", n)}})
		if (err == nil) != ok || err != nil && !strings.HasPrefix(err.Error(), "comment: ") {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

// Every error of the standard library about a damaged file has its kind.
func TestFaults(t *testing.T) {
	other := errors.New("other")
	for err, want := range map[error]fault.Kind{
		zip.ErrChecksum: fault.HashMismatch, zip.ErrAlgorithm: fault.UnsupportedAlgorithm, zip.ErrFormat: fault.TableCorrupt,
		io.ErrUnexpectedEOF: fault.Truncated, io.EOF: fault.Truncated, other: "",
	} {
		if got := asFault(err); fault.KindOf(got) != want || !errors.Is(got, err) {
			t.Errorf("%v: got = %v; want got of kind %v, got matching %v", err, got, want, err)
		}
	}
}

// Content of unknown size, and much of it, goes straight into the archive: it is
// opened when its turn comes, and not before.
func TestLargeItemsAreStreamed(t *testing.T) {
	for size, want := range map[int64]bool{-1: true, 0: false, streamSize: false, streamSize + 1: true} {
		opened := false
		it := archive.Item{Name: "x", Size: size, Open: func() (io.ReadCloser, error) { opened = true; return nil, errors.New("opened") }}
		p, err := pack(t.Context(), it, 6)
		if streams := err == nil && p.data == nil && !opened; streams != want {
			t.Errorf("%d bytes: %v, %v", size, streams, err)
		}
	}
}
