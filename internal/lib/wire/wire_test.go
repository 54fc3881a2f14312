package wire_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"testing"

	"pakbox/fault"
	"pakbox/internal/lib/wire"
)

func TestReaderReadsLittleEndian(t *testing.T) {
	r := wire.NewReader([]byte{
		1,
		2, 1,
		4, 3, 2, 1,
		8, 7, 6, 5, 4, 3, 2, 1,
		0xff, 0xfe, 0xff, 0xfd, 0xff, 0xff, 0xff,
		0, 0, 0x80, 0x3f,
		'a', 'b',
	}, 100)
	if got := r.U8("a"); got != 1 {
		t.Errorf("U8 = got = %#x; want 1", got)
	}
	if got := r.U16("b"); got != 0x0102 {
		t.Errorf("U16 = got = %#x; want 0x0102", got)
	}
	if got := r.U32("c"); got != 0x01020304 {
		t.Errorf("U32 = got = %#x; want 0x01020304", got)
	}
	if got := r.U64("d"); got != 0x0102030405060708 {
		t.Errorf("U64 = got = %#x; want 0x0102030405060708", got)
	}
	if got := r.I8("e"); got != -1 {
		t.Errorf("I8 = got = %d; want -1", got)
	}
	if got := r.I16("f"); got != -2 {
		t.Errorf("I16 = got = %d; want -2", got)
	}
	if got := r.I32("g"); got != -3 {
		t.Errorf("I32 = got = %d; want -3", got)
	}
	if got := r.F32("h"); got != 1 {
		t.Errorf("F32 = got = %v; want 1", got)
	}
	if r.Offset() != 126 || r.Len() != 2 {
		t.Errorf("Offset = %d, Len = %d", r.Offset(), r.Len())
	}
	if got := r.Bytes(2, "i"); string(got) != "ab" || cap(got) != 2 {
		t.Errorf("Bytes = %q with room for %d", got, cap(got))
	}
	if r.Err() != nil {
		t.Errorf("r.Err() = %v; want nil", r.Err())
	}
}

func TestFirstErrorStays(t *testing.T) {
	r := wire.NewReader([]byte{1, 2, 3}, 0x10)
	r.U8("first")
	if got := r.U32("second"); got != 0 {
		t.Errorf("U32 past the end = %d", got)
	}
	r.U8("third")
	var e *fault.Error
	if !errors.As(r.Err(), &e) {
		t.Fatalf("Err = %v", r.Err())
	}
	if e.Kind != fault.Truncated || e.Offset != 0x11 || e.Field != "second" {
		t.Errorf("error = %+v", e)
	}
	if r.Len() != 0 {
		t.Errorf("%d bytes remain after an error; a loop until Len is 0 would not end", r.Len())
	}
}

func TestCountIsCheckedAgainstWhatRemains(t *testing.T) {
	for _, test := range []struct {
		count   uint32
		rest    int
		minSize int
		ok      bool
	}{
		{3, 12, 4, true},
		{3, 11, 4, false},
		{0, 0, 4, true},
		{0xffffffff, 1 << 10, 1, false},
	} {
		data := binary.LittleEndian.AppendUint32(nil, test.count)
		r := wire.NewReader(append(data, make([]byte, test.rest)...), 0)
		n := r.Count(test.minSize, "count")
		if ok := r.Err() == nil; ok != test.ok || ok && n != int(test.count) || !ok && n != 0 {
			t.Errorf("%+v: got %d, %v", test, n, r.Err())
		}
	}
}

func TestNegativeLength(t *testing.T) {
	r := wire.NewReader(make([]byte, 8), 0)
	if b := r.Bytes(-1, "x"); b != nil || !errors.Is(r.Err(), fault.Corrupt) {
		t.Errorf("Bytes(-1) = %v, %v", b, r.Err())
	}
}

func TestReadAt(t *testing.T) {
	data := []byte("0123456789")
	for _, test := range []struct {
		size, off, n int64
		want         string
		kind         fault.Kind
	}{
		{10, 2, 3, "234", ""},
		{10, 10, 0, "", ""},
		{10, 8, 3, "", fault.Truncated},
		{10, -1, 3, "", fault.Truncated},
		{10, 11, 0, "", fault.Truncated},
		{10, 4, 1 << 62, "", fault.Truncated},
		{1 << 40, 8, 3, "", fault.Truncated}, // the size is a lie
	} {
		got, err := wire.ReadAt(bytes.NewReader(data), test.size, test.off, test.n, "x")
		if fault.KindOf(err) != test.kind || string(got) != test.want {
			t.Errorf("%+v: got %q, %v", test, got, err)
		}
	}
	broken := errors.New("disk on fire")
	if _, err := wire.ReadAt(failing{broken}, 10, 0, 4, "x"); !errors.Is(err, broken) {
		t.Errorf("an I/O error became %v", err)
	}
}

type failing struct{ err error }

func (f failing) ReadAt([]byte, int64) (int, error) { return 0, f.err }

var _ io.ReaderAt = failing{}

// FuzzReader drives the cursor with a program of reads: whatever the data and
// the program, it stays inside the data and keeps its first error.
func FuzzReader(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5}, []byte("some data to read from, long enough"))
	f.Add([]byte{4, 4, 4}, []byte{0xff, 0xff, 0xff, 0xff})
	f.Add([]byte{}, []byte{})
	f.Fuzz(func(t *testing.T, program, data []byte) {
		r := wire.NewReader(data, 7)
		var first error
		for _, op := range program {
			before := r.Offset()
			switch op % 6 {
			case 0:
				r.U8("a")
			case 1:
				r.U16("b")
			case 2:
				r.U32("c")
			case 3:
				r.U64("d")
			case 4:
				if n := r.Count(1+int(op/6), "e"); n*(1+int(op/6)) > r.Len() {
					t.Fatalf("Count let %d through with %d bytes left", n, r.Len())
				}
			case 5:
				n := int(op)/6 - 3
				if b := r.Bytes(n, "f"); b != nil && len(b) != n {
					t.Fatalf("Bytes(%d) gave %d", n, len(b))
				}
			}
			if r.Offset() < before || r.Offset() > 7+int64(len(data)) {
				t.Fatalf("cursor at %d after %d", r.Offset(), before)
			}
			if first == nil {
				first = r.Err()
			} else if r.Err() != first {
				t.Fatalf("first error %v replaced by %v", first, r.Err())
			}
		}
	})
}

// Past the end every number is 0, and the first error has the offset of the end.
func TestNumbersPastTheEnd(t *testing.T) {
	for _, test := range []struct {
		bytes int
		read  func(r *wire.Reader) uint64
	}{
		{1, func(r *wire.Reader) uint64 { return uint64(r.U8("x")) }}, {2, func(r *wire.Reader) uint64 { return uint64(r.U16("x")) }},
		{4, func(r *wire.Reader) uint64 { return uint64(r.U32("x")) }}, {8, func(r *wire.Reader) uint64 { return r.U64("x") }},
		{1, func(r *wire.Reader) uint64 { return uint64(r.I8("x")) }}, {2, func(r *wire.Reader) uint64 { return uint64(r.I16("x")) }},
		{4, func(r *wire.Reader) uint64 { return uint64(r.I32("x")) }}, {8, func(r *wire.Reader) uint64 { return uint64(r.I64("x")) }},
		{3, func(r *wire.Reader) uint64 { r.Skip(3, "x"); return 0 }},
	} {
		whole := bytes.Repeat([]byte{0xff}, test.bytes)
		r := wire.NewReader(whole, 7)
		if test.read(r); r.Err() != nil || r.Len() != 0 || r.Offset() != 7+int64(test.bytes) {
			t.Errorf("%d bytes of %d: %v", test.bytes, test.bytes, r.Err())
		}
		r = wire.NewReader(whole[1:], 7)
		var e *fault.Error
		if n := test.read(r); n != 0 || !errors.As(r.Err(), &e) || e.Offset != 7 || e.Field != "x" || e.Kind != fault.Truncated {
			t.Errorf("%d bytes of %d: %d, %v", test.bytes, test.bytes-1, n, r.Err())
		}
	}
	r := wire.NewReader(nil, 0)
	if b := r.Bytes(0, "nothing"); r.Err() != nil || len(b) != 0 {
		t.Errorf("no bytes at the end: %v", r.Err())
	}
}

// A file in memory is used as it is, if it is the whole file.
func TestWhole(t *testing.T) {
	content := wire.Content("0123456789")
	if got := wire.Whole(content, 10); len(got) != 10 || &got[0] != &content[0] {
		t.Errorf("got = %q; want got of length 10, &got[0] = &content[0]", got)
	}
	if wire.Whole(content, 9) != nil || wire.Whole(bytes.NewReader(content), 10) != nil {
		t.Error("a part, or what is not in memory, is the whole file")
	}
	part := make([]byte, 4)
	if n, err := content.ReadAt(part, 8); n != 2 || err != io.EOF || string(part[:2]) != "89" {
		t.Errorf(`n = %d, err = %v; want n = 2, err = io.EOF, part[:2] = "89"`, n, err)
	}
}
