package gbx_test

import (
	"bytes"
	"errors"
	"math"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"pakbox/codec/lzo1x"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/code"
	"pakbox/gbx/engine"
	"pakbox/internal/testkit/leak"
)

// A body that claims to be huge is refused before it gets memory.
func TestHugeBodyClaim(t *testing.T) {
	packed := pack(join(nodeEnd), lzo1x.Fast)
	for _, size := range []int{math.MaxUint32, math.MaxInt32, 512 * len(packed)} {
		data := join("GBX", uint16(6), "BUCR", testClass, 0, 1, 0, size, len(packed), packed)
		n := leak.Allocated(func() {
			if _, err := gbx.Parse(data, registry()); !errors.Is(err, fault.Limit) {
				t.Errorf("%d bytes: %v", size, err)
			}
		})
		if n > 1<<20 {
			t.Errorf("refusing %d bytes took %d bytes of memory", size, n)
		}
	}
	// A well compressed body must not get round the limit either.
	body := append(bytes.Repeat([]byte{0}, 80<<20), join(nodeEnd)...)
	packed = pack(body, lzo1x.Fast)
	data := join("GBX", uint16(6), "BUCR", testClass, 0, 1, 0, len(body), len(packed), packed)
	n := leak.Allocated(func() {
		if _, err := gbx.Parse(data, registry()); !errors.Is(err, fault.Limit) {
			t.Errorf("%d bytes in %d: %v", len(body), len(data), err)
		}
	})
	if n > 1<<20 {
		t.Errorf("refusing %d bytes took %d bytes of memory", len(body), n)
	}
}

// For every file read, memory stays within 16 times its size plus
// 64 MiB, and values are re-encoded.
func checkMemory(t *testing.T, name string, data []byte, reg *gbx.Registry) *gbx.File {
	t.Helper()
	var f *gbx.File
	n := leak.Allocated(func() {
		var err error
		if f, err = gbx.Parse(data, reg); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	})
	if most := uint64(16*len(data) + 64<<20); n > most {
		t.Errorf("%s: reading %d bytes took %d bytes of memory", name, len(data), n)
	}
	if f == nil {
		return nil
	}
	body, err := f.EncodeBody()
	if err != nil || !bytes.Equal(body, f.BodyBytes()) {
		t.Errorf("%s: the body is coded differently (%v)", name, err)
	}
	return f
}

// compressed is a file whose body is mostly repetition.
func compressed(body []byte) []byte {
	packed := pack(body, lzo1x.Fast)
	return join("GBX", uint16(6), "BUCR", testClass, 0, 1, 0, len(body), len(packed), packed)
}

// Lists whose elements take far more memory than bytes, nodes without
// content, and chunks without content, millions of them in a small file.
func TestAmplification(t *testing.T) {
	type fat struct {
		Byte uint8
		Fat  [500]byte
	}
	reg := registry(
		chunkOf(testChunk, func(x *gbx.Coder, p *[]fat) {
			code.List(x, p, 1, "v")
			for i := range *p {
				x.U8(&(*p)[i].Byte, "b")
			}
			x.EndList()
		}),
		chunkOf(testChunk+1, func(x *gbx.Coder, p *[]fat) {
			for i := 0; code.While(x, p, i, "v"); i++ {
				x.U8(&(*p)[i].Byte, "b")
			}
		}),
		chunkOf(testChunk+2, func(x *gbx.Coder, p *[]gbx.Ref) {
			code.List(x, p, 4, "v")
			for i := range *p {
				x.MetaRef(&(*p)[i], "n")
			}
			x.EndList()
		}),
		chunkOf(testChunk+3, func(x *gbx.Coder, p *[100]uint64) {}),
		chunkOf(testChunk+4, func(x *gbx.Coder, p *[]string) {
			code.List(x, p, 4, "v")
			for i := range *p {
				x.String(&(*p)[i], "s")
			}
			x.EndList()
		}),
		chunkOf(testChunk+5, func(x *gbx.Coder, p *[]gbx.ID) {
			code.List(x, p, 4, "v")
			for i := range *p {
				x.ID(&(*p)[i], "s")
			}
			x.EndList()
		}),
	)
	const many = 1 << 20
	for name, body := range map[string][]byte{
		"list":     join(testChunk, 8*many, make([]byte, 8*many), nodeEnd),
		"while":    join(testChunk+1, bytes.Repeat([]byte{1, 0}, 4*many), byte(0), nodeEnd),
		"nodes":    join(testChunk+2, many, bytes.Repeat(join(testClass, nodeEnd), many), nodeEnd),
		"chunks":   join(bytes.Repeat(join(testChunk+3), 2*many), nodeEnd),
		"skipped":  join(bytes.Repeat(join(testChunk+3, skip, 0), many), nodeEnd),
		"unknown":  join(bytes.Repeat(join(testChunk+99, skip, 0), many), nodeEnd),
		"failing":  join(bytes.Repeat(join(testChunk+4, skip, 0), many), nodeEnd),
		"one text": join(testChunk+4, 1, text(make([]byte, 8*many)), nodeEnd),
		"strings":  join(testChunk+4, 2*many, make([]byte, 8*many), nodeEnd),
		"ids":      join(testChunk+5, many, 3, bytes.Repeat(join(0x40000000, 0), many), nodeEnd),
	} {
		checkMemory(t, name, compressed(body), reg)
	}
}

// Counts and indices at the ends of their range are refused before anything
// is allocated for them.
func TestExtremes(t *testing.T) {
	reg := registry(
		chunkOf(testChunk, method((*gbx.Coder).Ref)),
		chunkOf(testChunk+1, list((*gbx.Coder).U32)),
		chunkOf(testChunk+2, method((*gbx.Coder).String)),
		chunkOf(testChunk+3, method((*gbx.Coder).Data)),
	)
	for _, id := range []int{testChunk, testChunk + 1, testChunk + 2, testChunk + 3} {
		for _, n := range []int{math.MaxUint32, math.MaxUint32 - 1, math.MaxInt32, math.MaxInt32 + 1, 1 << 24, 0xFFFF, 1 << 16} {
			for _, claimed := range []int{1, math.MaxInt32, math.MaxUint32} {
				data := join("GBX", uint16(6), "BUUR", testClass, 0, claimed, 0, id, n, testClass, nodeEnd, nodeEnd)
				cost := leak.Allocated(func() { checkRead(t, data, reg) })
				if cost > 8<<20 {
					t.Errorf("chunk %x, number %x: %d bytes of memory", id, n, cost)
				}
			}
		}
	}
}

// Nodes, encapsulated blocks, folders and compound shapes may only nest so
// deep, and what is deeper is kept.
func TestNesting(t *testing.T) {
	reg := registry(
		chunkOf(testChunk, method((*gbx.Coder).MetaRef)),
		chunkOf(testChunk+1, method((*gbx.Coder).Ref)),
	)
	const deep = 100000
	body := join(bytes.Repeat(join(testChunk, testClass), deep), bytes.Repeat(join(nodeEnd), deep+1))
	f := checkMemory(t, "nodes", binaryFile(body), reg)
	if o := f.Coverage().Opaque; len(o) != 1 || o[0].Bytes < int64(len(body))-8*250 {
		t.Errorf("opaque: %+v", o)
	}
	var refs []byte
	for i := range deep {
		refs = append(refs, join(testChunk+1, i+1, testClass)...)
	}
	f = checkMemory(t, "references", binaryFile(refs, bytes.Repeat(join(nodeEnd), deep+1)), reg)
	if len(f.Coverage().Opaque) != 1 {
		t.Errorf("opaque: %+v", f.Coverage().Opaque)
	}
	var folders []byte
	for range deep {
		folders = append(folders, join(1, 0)...)
	}
	data := join("GBX", uint16(6), "BUUR", testClass, 0, 1, 1, 0, folders, 0, 0, 0, 0, 0, 0)
	if _, err := gbx.Parse(data, reg); !errors.Is(err, fault.Limit) {
		t.Errorf("folders: %v", err)
	}
	// A compound surface holds surfaces, which may be compound.
	surface := join("GBX", uint16(6), "BUUR", 0x0900C000, 0, 1, 0, 0x0900C003, 0, bytes.Repeat(join(13, 1), deep), make([]byte, 64))
	checkMemory(t, "compound surfaces", surface, engine.Registry())
}

// A chunk whose inner blocks reach beyond it stays within itself.
func TestRegions(t *testing.T) {
	reg := registry(
		chunkOf(testChunk, func(x *gbx.Coder, p *uint32) {
			var e gbx.Encapsulation
			st := x.Encapsulated(&e, "v")
			x.U32(p, "v")
			x.EndEncapsulated(&e, st)
		}),
		chunkOf(testChunk+1, method((*gbx.Coder).MetaRef)),
		chunkOf(testChunk+2, method((*gbx.Coder).U32)),
	)
	for _, content := range [][]byte{
		join(0, 4, 1, 2), join(0, 8, 1), join(0, 3, 1, 2), join(0, 0), join(0), join(), join(0, 12, 1, 2, 3),
	} {
		f := read(t, binaryFile(testChunk, skip, len(content), content, testChunk+2, 7, nodeEnd), reg)
		if v, ok := gbx.Find[*single[uint32]](&gbx.Node{Chunks: f.Body.Chunks[1:]}); len(f.Body.Chunks) != 2 || !ok || v.V != 7 {
			t.Errorf("% x: what follows is lost: %+v", content, f.Body)
		}
	}
	// A node with an opaque end inside a chunk with a size.
	content := join(testClass, 0x3F0AC001, 5)
	f := read(t, binaryFile(testChunk+1, skip, len(content), content, testChunk+2, 7, nodeEnd), reg)
	if inner := f.Body.Chunks[0].Body.(*single[gbx.Ref]).V.Node; inner == nil || inner.Tail == nil || len(inner.Tail.Bytes) != 8 || len(f.Body.Chunks) != 2 {
		t.Errorf("body: %+v", f.Body)
	}
}

// pack compresses a body alone.
func pack(body []byte, level lzo1x.Level) []byte {
	packed, err := lzo1x.AppendCompress(nil, body, level)
	if err != nil {
		panic(err)
	}
	return packed
}

// A file takes the time of its own content: reading a small file must not take longer
// because a large one was read before it, though both use the same tables.
func TestSmallAfterLarge(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection would drop the tables
	reg := registry()
	fastest := func() time.Duration {
		least := time.Hour
		for range 50 {
			start := time.Now()
			read(t, binaryFile(testChunk, skip, 0, nodeEnd), reg)
			least = min(least, time.Since(start))
		}
		return least
	}
	before := fastest()
	read(t, binaryFile(bytes.Repeat(join(testChunk, skip, 0), 1<<19), nodeEnd), reg)
	if after := fastest(); after > 10*before+200*time.Microsecond {
		t.Errorf("reading a small file took %v, and %v after a file with 524,288 chunks", before, after)
	}
}
