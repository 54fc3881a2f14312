package engine_test

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/testkit/corpus"
)

// files calls test with every file of the corpus.
func files(tb testing.TB, test func(path string, data []byte)) {
	tb.Helper()
	for path, data := range corpus.GBX(tb) {
		test(path, data)
	}
}

// Every file is saved to the same bytes, understood to the last of them, and
// the values of every chunk are coded to the bytes they came from.
func TestCorpusIdentity(t *testing.T) {
	stay := corpus.StaysOpaque(t)
	if len(stay) != 2 {
		t.Errorf("%d files may stay opaque, want the foreign and the damaged one", len(stay))
	}
	files(t, func(path string, data []byte) {
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Errorf("%s: %v", path, err)
			return
		}
		saved, err := f.Encode()
		if err != nil || !bytes.Equal(saved, data) {
			t.Errorf("%s: saved differently (%v)", path, err)
		}
		cover := f.Coverage()
		for _, i := range cover.Inexact {
			t.Errorf("%s: chunk %v at 0x%x: %s", path, i.Chunk, i.Offset, i.Reason)
		}
		if stay[corpus.Name(path)] != (len(cover.Opaque) > 0) {
			t.Errorf("%s: %d of %d bytes understood: %v", path, cover.DecodedBytes, cover.BodyBytes, cover.Opaque)
		}
	})
}

// A reader that knows nothing keeps everything.
func TestCorpusWithoutSheets(t *testing.T) {
	empty := gbx.NewRegistry()
	files(t, func(path string, data []byte) {
		f, err := gbx.Parse(data, empty)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			return
		}
		body, err := f.EncodeBody()
		if err != nil || !bytes.Equal(body, f.BodyBytes()) {
			t.Errorf("%s: body coded differently (%v)", path, err)
		}
	})
}

// ReadHeader gives the same header as reading the whole file.
func TestCorpusReadHeader(t *testing.T) {
	files(t, func(path string, data []byte) {
		h, err := gbx.ReadHeader(bytes.NewReader(data), int64(len(data)), engine.Registry())
		if err != nil {
			t.Errorf("%s: %v", path, err)
			return
		}
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Errorf("%s: %v", path, err)
			return
		}
		if h.Class != f.Class || len(h.Chunks) != len(f.Chunks) || h.NumNodes != f.NumNodes ||
			len(h.Refs.External) != len(f.Refs.External) {
			t.Errorf("%s: header differs", path)
		}
	})
}

// Heavy chunks are left in the file and read when they are asked for; then
// nothing is missing.
func TestCorpusReadHeavy(t *testing.T) {
	unread := 0
	files(t, func(path string, data []byte) {
		ra := &counted{ReaderAt: bytes.NewReader(data)}
		h, err := gbx.ReadHeader(ra, int64(len(data)), engine.Registry())
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		whole, err := f.EncodeHeader()
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		heavy := int64(0)
		for _, c := range h.Chunks {
			if u, ok := c.Body.(*gbx.Unread); ok {
				heavy += u.Size
				unread++
			}
		}
		// A long reference table is read in steps, the steps before it again.
		if most := 2*(int64(len(whole))-heavy) + 4<<10; ra.n > most {
			t.Errorf("%s: %d bytes were read, of a header with %d of which %d are heavy", path, ra.n, len(whole), heavy)
		}
		if err := h.ReadHeavy(ra, int64(len(data)), engine.Registry()); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		f.Header = *h
		if again, err := f.EncodeHeader(); err != nil || !bytes.Equal(again, whole) {
			t.Errorf("%s: the header is not the same (%v)", path, err)
		}
	})
	if unread == 0 {
		t.Error("no file has a heavy chunk")
	}
}

// counted counts the bytes that are read.
type counted struct {
	io.ReaderAt
	n int64
}

func (c *counted) ReadAt(b []byte, off int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(b, off)
	c.n += int64(n)
	return n, err
}

// The list of unknowns has exactly the fields that the sheets mark as unknown.
func TestUnknownsAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/formats/gbx-unknown.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	for _, class := range engine.Registry().Classes() {
		sheet, _ := engine.Sheet(class.Name)
		for line := range strings.Lines(sheet) {
			if _, what, ok := strings.Cut(line, `unsupported "`); ok {
				what = strings.TrimRight(what, "\"\n")
				if !strings.Contains(page, class.Name) || !strings.Contains(page, what) {
					t.Errorf("%s: %q is not in gbx-unknown.md", class.Name, what)
				}
			}
		}
	}
	for line := range strings.Lines(page) {
		row := strings.Split(strings.Trim(line, "| \n"), " | ")
		if len(row) != 3 {
			continue
		}
		if sheet, ok := engine.Sheet(row[0]); ok && !strings.Contains(sheet, `unsupported "`+row[2]+`"`) {
			t.Errorf("%s: its sheet no longer gives up on %q", row[0], row[2])
		}
	}
}
