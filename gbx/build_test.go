package gbx_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/classid"
)

// Files in these tests are built from parts: an int is a 32-bit word, a
// uint16 and a byte are what they are, a string is its bytes, a text has its
// length before it.
type text string

func join(parts ...any) []byte {
	var b []byte
	for _, p := range parts {
		switch p := p.(type) {
		case int:
			b = binary.LittleEndian.AppendUint32(b, uint32(p))
		case uint16:
			b = binary.LittleEndian.AppendUint16(b, p)
		case byte:
			b = append(b, p)
		case string:
			b = append(b, p...)
		case text:
			b = binary.LittleEndian.AppendUint32(b, uint32(len(p)))
			b = append(b, p...)
		case []byte:
			b = append(b, p...)
		default:
			panic(fmt.Sprintf("%T", p))
		}
	}
	return b
}

// lines joins lines as text files have them.
func lines(s ...string) string { return strings.Join(s, "\r\n") + "\r\n" }

// A made-up class with a chunk for whatever a test wants to code.
const (
	testClass = 0x3F0AA000
	testChunk = testClass | 1
	nodeEnd   = 0xFACADE01
	skip      = 0x534B4950
)

// single is a chunk that holds one value.
type single[T any] struct {
	V    T
	code func(x *gbx.Coder, p *T)
}

func (c *single[T]) Code(x *gbx.Coder) { c.code(x, &c.V) }

// chunkOf describes a chunk that holds one value.
func chunkOf[T any](id classid.ID, code func(x *gbx.Coder, p *T)) gbx.ChunkInfo {
	return gbx.ChunkInfo{ID: id, New: func() gbx.Body { return &single[T]{code: code} }}
}

// registry knows the test class with the given chunks.
func registry(chunks ...gbx.ChunkInfo) *gbx.Registry {
	return gbx.NewRegistry([]gbx.ClassInfo{{ID: testClass, Name: "CTest", Chunks: chunks}})
}

// binaryFile is a file with an uncompressed binary body.
func binaryFile(body ...any) []byte {
	return join("GBX", uint16(6), "BUUR", testClass, 0, 1, 0, join(body...))
}

// textFile is a text file with the given body.
func textFile(body string) []byte {
	return join("GBX", uint16(6), "TUUE", lines("3f0aa000", "0", "1", "0"), body)
}

// read parses a file and checks that it is saved, and its values coded, to
// the same bytes.
func read(t *testing.T, data []byte, reg *gbx.Registry) *gbx.File {
	t.Helper()
	f, err := gbx.Parse(data, reg)
	if err != nil {
		t.Fatalf("%q: %v", data, err)
	}
	saved, err := f.Encode()
	if err != nil || !bytes.Equal(saved, data) {
		t.Errorf("saved differently (%v):\n%q\n%q", err, data, saved)
	}
	for _, i := range f.Coverage().Inexact {
		if strings.HasPrefix(i.Reason, "compressed block: ") {
			continue // its content is damaged, but it is kept as stored
		}
		t.Errorf("%q: inexact: %+v", data, i)
	}
	return f
}

// readWhole is read for a file that must be understood to its end.
func readWhole(t *testing.T, data []byte, reg *gbx.Registry) *gbx.File {
	t.Helper()
	f := read(t, data, reg)
	for _, o := range f.Coverage().Opaque {
		t.Errorf("%q: opaque: %+v", data, o)
	}
	return f
}

// checkWatched reads a file value by value, as it is read for a visitor. It
// must be the same as the one read at once.
func checkWatched(t *testing.T, data []byte, f *gbx.File, reg *gbx.Registry) {
	t.Helper()
	watched, err := gbx.Trace(data, reg, blind{})
	if err != nil {
		t.Fatalf("%q: read for a visitor: %v", data, err)
	}
	checkSame(t, data, f, watched)
}

// checkSame compares a file with another that was read from the same bytes.
func checkSame(t *testing.T, data []byte, f, other *gbx.File) {
	t.Helper()
	want, _ := f.EncodeBody()
	got, err := other.EncodeBody()
	if err != nil || !bytes.Equal(got, want) || !reflect.DeepEqual(regions(other), regions(f)) {
		t.Fatalf("%.400q: read otherwise it is another file (%v):\n%.400q\n%.400q", data, err, want, got)
	}
	want, _ = f.EncodeHeader()
	if got, err := other.EncodeHeader(); err != nil || !bytes.Equal(got, want) {
		t.Fatalf("%.400q: read otherwise it has another header (%v):\n%.400q\n%.400q", data, err, want, got)
	}
}

// regions are the opaque regions of a file. Their reasons are left out: only
// before a visitor do they have the names of list elements.
func regions(f *gbx.File) []gbx.OpaqueRegion {
	list := f.Coverage().Opaque
	for i := range list {
		list[i].Reason, list[i].Misfit = "", nil
	}
	return list
}

// blind is a visitor that looks at nothing.
type blind struct{}

func (blind) Value(string, any)               {}
func (blind) Coded(string, any, int64, int64) {}
func (blind) Begin(string, any, int64)        {}
func (blind) End(int64)                       {}

// checkRead is read for bytes that need not be a file.
func checkRead(t *testing.T, data []byte, reg *gbx.Registry) {
	t.Helper()
	f, err := gbx.Parse(bytes.Clone(data), reg)
	if err == nil {
		checkWatched(t, data, read(t, data, reg), reg)
	} else if fault.KindOf(err) == "" {
		t.Fatalf("%q: error is not a fault: %v", data, err)
	} else if f, again := gbx.Salvage(bytes.Clone(data), reg); again == nil || f != nil && !codesBack(f) {
		t.Fatalf("%q: salvaged with %v", data, again)
	}
	checkReadHeader(t, data, f, reg)
}

// codesBack reports whether the values of a body give its bytes.
func codesBack(f *gbx.File) bool {
	body, err := f.EncodeBody()
	return err == nil && bytes.Equal(body, f.BodyBytes())
}

// checkReadHeader reads the header alone. It must be that of the file, once
// the heavy chunks are there.
func checkReadHeader(t *testing.T, data []byte, f *gbx.File, reg *gbx.Registry) {
	t.Helper()
	ra, size := bytes.NewReader(data), int64(len(data))
	h, err := gbx.ReadHeader(ra, size, reg)
	if err == nil {
		err = h.ReadHeavy(ra, size, reg)
	}
	if err != nil && fault.KindOf(err) == "" {
		t.Fatalf("%q: error is not a fault: %v", data, err)
	}
	if f == nil {
		return
	}
	if err != nil {
		t.Fatalf("%q: ReadHeader: %v", data, err)
	}
	want, _ := f.EncodeHeader()
	f.Header = *h
	if got, err := f.EncodeHeader(); err != nil || !bytes.Equal(got, want) {
		t.Fatalf("%q: ReadHeader gives another header (%v)", data, err)
	}
}
