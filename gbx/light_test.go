package gbx_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/classid"
)

// noting is a file that notes what was read of it.
type noting struct {
	data []byte
	read []bool
}

func (w *noting) ReadAt(p []byte, at int64) (int, error) {
	n := copy(p, w.data[min(int(at), len(w.data)):])
	for i := range n {
		w.read[int(at)+i] = true
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

const heavy = -1 << 31

// headerFile is a file with header chunks of so many bytes, whose name for files
// outside has so many bytes, and where each header chunk begins.
func headerFile(name int, sizes ...int) (data []byte, at []int) {
	var table, content []byte
	for i, n := range sizes {
		table = append(table, join(testChunk+i, n)...)
		n &^= heavy
		at = append(at, 21+8*len(sizes)+len(content))
		content = append(content, bytes.Repeat([]byte{byte(i + 1)}, n)...)
	}
	return join("GBX", uint16(6), "BUUR", testClass, 4+len(table)+len(content), len(sizes), table, content,
		2, 1, 0, 0, 1, text(strings.Repeat("n", name)), 1, 0, 0, make([]byte, 100_000)), at
}

// A header is read without its heavy chunks and without the body, and the heavy
// chunks when somebody asks for them.
func TestReadHeader(t *testing.T) {
	for _, test := range []struct {
		name  int
		sizes []int
	}{
		{5, nil}, {5, []int{10}}, {5, []int{10 | heavy}}, {5, []int{50_000 | heavy}}, {5, []int{50_000}},
		{5, []int{10, 50_000 | heavy}}, {5, []int{50_000 | heavy, 10}}, {5, []int{0, 50_000 | heavy, 20, heavy, 30_000 | heavy, 40}},
		{5, []int{50_000 | heavy, 10_000, 50_000 | heavy}}, {60_000, []int{50_000 | heavy}}, {5, []int{2000 | heavy, 2000}},
		{400, []int{10, 50_000 | heavy}}, {600, []int{10, 50_000 | heavy}}, {5, make([]int, 250)}, {5, append(make([]int, 260), 70_000|heavy)},
	} {
		data, at := headerFile(test.name, test.sizes...)
		file := &noting{data, make([]bool, len(data))}
		h, err := gbx.ReadHeader(file, int64(len(data)), registry())
		if err != nil || len(h.Chunks) != len(test.sizes) || h.NumNodes != 2 || len(h.Refs.External) != 1 || len(h.Refs.External[0].FileName) != test.name {
			t.Fatalf("%v: h = %+v, err = %v; want no error, h.Chunks of length len(test.sizes), h.NumNodes = 2, h.Refs.External of length 1, h.Refs.External[0].FileName of length %v", test, h, err, test.name)
		}
		light := 21 + 8*len(test.sizes) + test.name + 50
		inTable := len(test.sizes) <= 250 // as much as is read at first
		for i, c := range h.Chunks {
			n := test.sizes[i] &^ heavy
			if c.ID != classid.ID(testChunk+i) || c.Heavy != (test.sizes[i] < 0) {
				t.Fatalf("%v: chunk %d: %+v", test, i, c)
			}
			if !c.Heavy || !inTable {
				light += n
				if o := c.Body.(*gbx.Opaque); len(o.Bytes) != n || bytes.Trim(o.Bytes, string([]byte{byte(i + 1)})) != nil {
					t.Errorf("%v: chunk %d: %+v", test, i, c)
				}
				continue
			}
			if u := c.Body.(*gbx.Unread); u.Offset != int64(at[i]) || u.Size != int64(n) {
				t.Errorf("%v: chunk %d: %+v, begins at %d", test, i, u, at[i])
			}
			if n > 4000 && slices.Contains(file.read[at[i]+2048:at[i]+n], true) {
				t.Errorf("%v: chunk %d was read", test, i)
			}
		}
		count := 0
		for _, was := range file.read {
			if was {
				count++
			}
		}
		if count > 2048+512+4*light {
			t.Errorf("%v: %d bytes were read where %d matter", test, count, light)
		}
		if err := h.ReadHeavy(file, int64(len(data)), registry()); err != nil {
			t.Fatal(err)
		}
		for i, c := range h.Chunks {
			if o := c.Body.(*gbx.Opaque); !bytes.Equal(o.Bytes, data[at[i]:at[i]+test.sizes[i]&^heavy]) {
				t.Errorf("%v: chunk %d: %+v", test, i, o)
			}
		}
	}
}

// breaking is a file of which so many bytes can be read.
type breaking struct {
	data []byte
	good int64
	err  error
}

func (b *breaking) ReadAt(p []byte, at int64) (int, error) {
	if at+int64(len(p)) <= b.good {
		return copy(p, b.data[at:]), nil
	}
	return max(0, int(b.good-at)), b.err
}

// ReadHeader fails for a file that cannot be read, or that is shorter than its size.
func TestReadHeaderFails(t *testing.T) {
	data, at := headerFile(5, 10, 50_000|heavy, 3000)
	size := int64(len(data))
	behind := at[2] // where reading goes on behind the heavy chunk
	for _, good := range []int64{0, 2047, 2048, int64(behind), int64(behind) + 500} {
		where := good
		if good == 2048 {
			where = int64(behind)
		}
		_, err := gbx.ReadHeader(&breaking{data, good, io.ErrClosedPipe}, size, registry())
		if !errors.Is(err, io.ErrClosedPipe) || err.Error() != "read header: "+io.ErrClosedPipe.Error() {
			t.Errorf("%d bytes: %v", good, err)
		}
		_, err = gbx.ReadHeader(&breaking{data, good, io.EOF}, size, registry())
		var e *fault.Error
		if !errors.As(err, &e) || e.Kind != fault.Truncated || e.Offset != where || e.Field != "header" || !strings.HasSuffix(e.Message, fmt.Sprintf("the file ends after %d", where-map[bool]int64{true: 0, false: int64(behind)}[good < 2048])) {
			t.Errorf("%d bytes: %v", good, err)
		}
	}
	h, err := gbx.ReadHeader(bytes.NewReader(data), size, registry())
	if err != nil {
		t.Fatal(err)
	}
	if err := h.ReadHeavy(bytes.NewReader(data[:30_000]), 30_000, registry()); err == nil || err.Error() != fmt.Sprintf("header chunk at 0x%x: needs 50000 bytes, the file has 30000", at[1]) {
		t.Errorf(`err = %v; want an error, err = fmt.Sprintf("header chunk at 0x%%x: needs 50000 bytes, the file has 30000", at[1])`, err)
	}
}

// A table of header chunks that is out of order is read as a whole, and the
// fault has its offset.
func TestHeaderTableInDisorder(t *testing.T) {
	good, _ := headerFile(5, 10, 5000|heavy, 30)
	for _, test := range []struct {
		at, to int
		want   string
	}{
		{13, 4 + 24 + 5041, "userDataSize at 0x13dd: 1 bytes follow the header chunks"},
		{13, 4 + 24 + 5039, "chunkSize at 0x13bf: header chunk 3F0AA003 takes 30 bytes, and 29 bytes are there"},
		{13, 1 << 30, "userDataSize at 0x11: the file is cut off: the header chunks take 1073741824 bytes, and 105109 bytes are there"},
		{17, 700, "numHeaderChunks at 0x15: 700 header chunks do not fit into 5068 bytes"},
		{25, 11, "chunkSize at 0x13c0: header chunk 3F0AA003 takes 30 bytes, and 29 bytes are there"},
		{41, 31, "chunkSize at 0x13bf: header chunk 3F0AA003 takes 31 bytes, and 30 bytes are there"},
	} {
		data := bytes.Clone(good)
		copy(data[test.at:], join(test.to))
		_, err := gbx.Parse(data, registry())
		if err == nil || err.Error() != test.want {
			t.Errorf("word at %d: %v, want %s", test.at, err, test.want)
		}
		if _, err := gbx.ReadHeader(bytes.NewReader(data), int64(len(data)), registry()); err == nil || fault.KindOf(err) != fault.BadHeader && fault.KindOf(err) != fault.Truncated {
			t.Errorf("word at %d: ReadHeader: %v", test.at, err)
		}
	}
}
