package gbx_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/adler32"
	"reflect"
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/code"
)

// journal is a visitor that writes down what it is shown, and where it lies.
type journal struct {
	lines []string
	depth int
	now   string // the value that was announced
	body  int    // the line with which the body begins
	// A chunk is shown before its ID when it is written, and behind that, which
	// takes up so many bytes, when it is read.
	idSize int
}

func (j *journal) add(format string, args ...any) {
	j.lines = append(j.lines, strings.Repeat(" ", j.depth)+fmt.Sprintf(format, args...))
}

func (j *journal) Begin(name string, p any, offset int64) {
	if _, ok := p.(*gbx.Node); ok && j.depth == 0 {
		j.body = len(j.lines)
	}
	if _, ok := p.(*gbx.Chunk); ok {
		offset -= int64(j.idSize)
	}
	j.add("%s %d", name, offset)
	j.depth++
}

func (j *journal) End(offset int64) {
	j.depth--
	j.add("end %d", offset)
}

func (j *journal) Value(name string, p any) { j.now = name }

func (j *journal) Coded(name string, p any, offset, length int64) {
	if j.now != name {
		j.add("coded without being announced:")
	}
	j.now = ""
	value := reflect.ValueOf(p).Elem().Interface()
	switch p := p.(type) {
	case *gbx.Opaque:
		value = fmt.Sprintf("%q", p.Bytes)
	case *[]byte:
		value = "bytes"
	}
	j.add("%s = %v %d+%d", name, value, offset, length)
}

// checkShown looks at a file as it is read, and as it is written. Names, values
// and places must be the same.
func checkShown(t *testing.T, data []byte, reg *gbx.Registry) {
	t.Helper()
	var written journal
	found := journal{idSize: 4}
	if data[5] == 'T' {
		found.idSize = len(lines("3f0aa001"))
	}
	f, err := gbx.Trace(data, reg, &found)
	if err != nil {
		t.Fatalf("%.400q: %v", data, err)
	}
	if err := f.Walk(&written); err != nil {
		t.Fatalf("%.400q: %v", data, err)
	}
	checkLines(t, written.lines[written.body:], found.lines)
	if written.depth != 0 || found.depth != 0 {
		t.Errorf("%.400q: %d groups stay open when it is written, %d when it is read", data, written.depth, found.depth)
	}
}

// checkLines reports the first line that differs.
func checkLines(t *testing.T, got, want []string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		if g, w := append(got, "nothing")[min(i, len(got))], append(want, "nothing")[min(i, len(want))]; g != w {
			t.Errorf("line %d is %q, want %q", i, g, w)
			return
		}
	}
}

func TestShownAlike(t *testing.T) {
	for _, c := range constructs() {
		for _, content := range c.good {
			checkShown(t, binaryFile(testChunk, content, nodeEnd), registry(c.info))
			checkShown(t, binaryFile(testChunk, skip, len(content), content, nodeEnd), registry(c.info))
		}
	}
	for _, p := range primitives() {
		if p.name == "encapsulated" {
			continue // what is in it is shown before its size is written
		}
		for content := range p.good {
			checkShown(t, textFile(lines("3f0aa001")+content+lines("facade01")), registry(p.info))
		}
	}
}

// fields has a value of every kind that is coded at once where nobody watches.
type fields struct {
	A gbx.Vec2
	B gbx.Vec3
	C gbx.Vec4
	D gbx.Quat
	E gbx.Color
	F gbx.Int2
	G gbx.Int3
	H gbx.Int4
	I gbx.Byte3
	J gbx.Mat3
	K gbx.Iso4
	L gbx.Box
	M gbx.TransQuat
	N int64
	O uint64
	P int16
	Q uint16
	R int8
	S gbx.Hash128
	T gbx.Hash256
}

func (f *fields) Code(x *gbx.Coder) {
	x.Vec2(&f.A, "A")
	x.Vec3(&f.B, "B")
	x.Vec4(&f.C, "C")
	x.Quat(&f.D, "D")
	x.Color(&f.E, "E")
	x.Int2(&f.F, "F")
	x.Int3(&f.G, "G")
	x.Int4(&f.H, "H")
	x.Byte3(&f.I, "I")
	x.Mat3(&f.J, "J")
	x.Iso4(&f.K, "K")
	x.Box(&f.L, "L")
	x.TransQuat(&f.M, "M")
	x.I64(&f.N, "N")
	x.U64(&f.O, "O")
	x.I16(&f.P, "P")
	x.U16(&f.Q, "Q")
	x.I8(&f.R, "R")
	x.Hash128(&f.S, "S")
	x.Hash256(&f.T, "T")
}

// Values are what the standard library reads from the same bytes, whether they
// are read at once or shown one by one, and give the same bytes again.
func TestFields(t *testing.T) {
	size := binary.Size(fields{})
	data := make([]byte, size)
	for i := range data {
		data[i] = byte(i * 37 % 112) // no float of such bytes is not a number
	}
	var want fields
	if err := binary.Read(bytes.NewReader(data), binary.LittleEndian, &want); err != nil {
		t.Fatal(err)
	}
	var got fields
	if err := gbx.DecodeRecord(data, &got); err != nil || got != want {
		t.Errorf("read as %+v, want %+v (%v)", got, want, err)
	}
	if again, err := gbx.EncodeRecord(&want); err != nil || !bytes.Equal(again, data) {
		t.Errorf("written as % x, want % x (%v)", again, data, err)
	}
	reg := registry(gbx.ChunkInfo{ID: testChunk, New: func() gbx.Body { return new(fields) }})
	file := binaryFile(testChunk, data, nodeEnd)
	checkShown(t, file, reg)
	var j journal
	f, err := gbx.Trace(file, reg, &j)
	if v, ok := gbx.Find[*fields](f.Body); err != nil || !ok || *v != want {
		t.Errorf("shown as %+v, want %+v (%v)", v, want, err)
	}
	if err := f.Walk(&j); err != nil {
		t.Fatal(err)
	}
	if body, err := f.EncodeBody(); err != nil || !bytes.Equal(body, f.BodyBytes()) {
		t.Errorf("written as % x (%v)", body, err)
	}
	var e *fault.Error
	for n := range size {
		if err := gbx.DecodeRecord(data[:n], new(fields)); !errors.As(err, &e) || e.Kind != fault.Truncated || e.Offset > int64(n) || e.Offset <= int64(n)-32 {
			t.Errorf("cut after %d bytes: %v", n, err)
		}
	}
}

// block is the content of a compressed block: a name and a node.
type block struct {
	Name gbx.ID
	Node gbx.Ref
}

func (b *block) Code(x *gbx.Coder) {
	x.ID(&b.Name, "name")
	x.Ref(&b.Node, "node")
}

type zlibBlock = gbx.Zlib[block, *block]

// shownFile is a file with whatever a visitor may be shown, and the classes it
// is of.
func shownFile() ([]byte, *gbx.Registry) {
	header := chunkOf(testChunk, method((*gbx.Coder).ID))
	header.Header = true
	reg := registry(
		header,
		chunkOf(testChunk, method((*gbx.Coder).Ref)),
		chunkOf(testChunk+1, func(x *gbx.Coder, p *[]gbx.Int2) {
			code.List(x, p, 8, "list")
			for i := range *p {
				x.Int2(&(*p)[i], x.ElemName(i))
			}
			x.EndList()
		}),
		chunkOf(testChunk+2, func(x *gbx.Coder, p *gbx.Ref) {
			var e gbx.Encapsulation
			st := x.Encapsulated(&e, "frame")
			x.Ref(p, "ref")
			x.EndEncapsulated(&e, st)
		}),
		chunkOf(testChunk+3, func(x *gbx.Coder, p *gbx.Ref) { x.Direct(p, testClass, "direct") }),
		chunkOf(testChunk+4, func(x *gbx.Coder, p *zlibBlock) { p.Code(x, block{}, "block") }),
	)
	inner := join(testClass, testChunk+9, "tail")
	id := join(3, 0x40000000, text("head"))
	return join("GBX", uint16(6), "BUUR", testClass,
		12+len(id), 1, testChunk, len(id), id,
		4, 2, 1,
		1, text("Media"), 0,
		0, text("a.dds"), 2, 1, 1,
		4, 9, 3, 0,
		testChunk, 1, testClass, nodeEnd,
		testChunk, 1,
		testChunk, 2,
		testChunk, -1,
		testChunk+1, skip, 12, 1, 5, -6,
		testChunk+2, 0, 16, testClass, testChunk+3, 0, nodeEnd,
		testChunk+3, testChunk+3, 0, nodeEnd,
		testChunk+4, stored(join(3, 0x40000000, text("in"), 1, inner)),
		testChunk+8, skip, 3, "???",
		testChunk+2, skip, 8+len(inner), 0, len(inner), inner,
		testChunk+9, "rest"), reg
}

// stored is a compressed block in which nothing is compressed.
func stored(content []byte) []byte {
	n := uint16(len(content))
	b := join("\x78\x01\x01", n, ^n, content)
	b = binary.BigEndian.AppendUint32(b, adler32.Checksum(content))
	return join(len(content), len(b), b)
}

// deepJournal also looks inside compressed blocks.
type deepJournal struct{ journal }

func (j *deepJournal) Inside(found, coded []byte, err error) bool {
	j.add("inside: %d bytes, the same %t, %v", len(found), bytes.Equal(found, coded), err)
	return false
}

// A visitor is shown the names, values and offsets of a file.
func TestShown(t *testing.T) {
	data, reg := shownFile()
	f := read(t, data, reg)
	var j deepJournal
	if err := f.Walk(&j); err != nil {
		t.Fatal(err)
	}
	checkLines(t, j.lines, strings.Split(strings.TrimSpace(shown), "\n"))
	want := gbx.Coverage{
		BodyBytes:    216,
		DecodedBytes: 216 - 3 - 8 - 8, // compressed bytes are understood
		Opaque: []gbx.OpaqueRegion{
			{Chunk: testChunk + 9, Class: testClass, Offset: 22, Bytes: 8, Cause: gbx.UnknownTail, Reason: "at 0x16: unknown chunk 3F0AA00A of CTest without a size, so that it cannot be skipped"},
			{Chunk: testChunk + 8, Class: testClass, Offset: 173, Bytes: 3, Cause: gbx.UnknownChunk, Reason: "unknown chunk"},
			{Chunk: testChunk + 9, Class: testClass, Offset: 200, Bytes: 8, Cause: gbx.UnknownTail, Reason: "at 0xc8: unknown chunk 3F0AA00A of CTest without a size, so that it cannot be skipped"},
			{Chunk: testChunk + 9, Class: testClass, Offset: 208, Bytes: 8, Cause: gbx.UnknownTail, Reason: "at 0xd0: unknown chunk 3F0AA00A of CTest without a size, so that it cannot be skipped"},
		},
		Chunks: []gbx.ChunkCoverage{
			{ID: testChunk, Header: true, Count: 1, Bytes: 16, Decoded: 16},
			{ID: 0, Count: 1, Bytes: 8},
			{ID: testChunk, Count: 4, Bytes: 40, Decoded: 40},
			{ID: testChunk + 1, Count: 1, Bytes: 24, Decoded: 24},
			{ID: testChunk + 2, Count: 2, Bytes: 28 - 8 + 32, Decoded: 28 - 8 + 24}, // without the chunk inside, and the opaque end
			{ID: testChunk + 3, Count: 3, Bytes: 24, Decoded: 24},
			{ID: testChunk + 4, Count: 1, Bytes: 53, Decoded: 53},
			{ID: testChunk + 8, Count: 1, Bytes: 15, Decoded: 12},
		},
		Exact: true,
	}
	got := f.Coverage()
	for i := range got.Opaque {
		if o := &got.Opaque[i]; (o.Misfit == nil) != (o.Reason == "unknown chunk") {
			t.Errorf("%s: misfit %v", o.Reason, o.Misfit)
		}
		got.Opaque[i].Misfit = nil
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("coverage %+v\nwant %+v", got, want)
	}
}

// shown is what a walk shows of the file: header and body, each counted from its
// beginning, and the content of the block counted from that.
const shown = `
classID = 3F0AA000 9+4
header 29
 v = head 29+16
end 45
numNodes = 4 45+4
ancestorLevel = 1 53+4
folders 57
 [0] 61
  name = Media 61+9
  folders 70
  end 74
 end 74
end 74
externals 74
 [0] 74
  flags = 0 74+4
  fileName = a.dds 78+9
  nodeIndex = 2 87+4
  useFile = true 91+4
  folderIndex = 1 95+4
 end 99
 [1] 99
  flags = 4 99+4
  resourceIndex = 9 103+4
  nodeIndex = 3 107+4
  useFile = false 111+4
 end 115
end 115
node 0
 chunk 0
  v 4
   class = 3F0AA000 8+4
   node 12
   end 16
  end 16
 end 16
 chunk 16
  v 20
  end 24
 end 24
 chunk 24
  v 28
  end 32
 end 32
 chunk 32
  v 36
  end 40
 end 40
 chunk 40
  list 52
   [0] 56
    x = 5 56+4
    y = -6 60+4
   end 64
  end 64
 end 64
 chunk 64
  frame 68
   version = 0 68+4
   ref 76
    class = 3F0AA000 76+4
    node 80
     chunk 80
      direct 84
      end 88
     end 88
    end 92
   end 92
  end 92
 end 92
 chunk 92
  direct 96
   node 96
    chunk 96
     direct 100
     end 104
    end 104
   end 108
  end 108
 end 108
 chunk 108
  block 112
   uncompressedSize = 30 112+4
   compressed = bytes 116+45
   content 0
    name = in 0+14
    node 14
     class = 3F0AA000 18+4
     node 22
      opaque = "\n\xa0\n?tail" 22+8
     end 30
    end 30
   end 30
   inside: 30 bytes, the same true, <nil>
  end 161
 end 161
 chunk 161
  opaque = "???" 173+3
 end 176
 chunk 176
  frame 188
   version = 0 188+4
   ref 196
    class = 3F0AA000 196+4
    node 200
     opaque = "\n\xa0\n?tail" 200+8
    end 208
   end 208
  end 208
 end 208
 opaque = "\n\xa0\n?rest" 208+8
end 216
`
