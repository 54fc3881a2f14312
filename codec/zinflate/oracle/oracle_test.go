// Package oracle compares zinflate with the zlib library itself, in its pure
// Go translation: every call must consume and produce the same number of bytes
// and the same bytes. It is a module of its own, because the translation is
// large and only this test needs it: run it in this folder.
package oracle

import (
	"bytes"
	"compress/zlib"
	"math/rand/v2"
	"testing"
	"unsafe"

	"modernc.org/libc"
	"modernc.org/libc/sys/types"
	zlibc "modernc.org/z/lib"

	"pakbox/codec/zinflate"
	"pakbox/internal/testkit/tier"
)

// zstream is one inflate state of the zlib library. Its buffers live in C
// memory, because the translation takes addresses.
type zstream struct {
	tls     *libc.TLS
	strm    uintptr
	in, out uintptr
}

const bufSize = 1 << 16

func newZstream(tb testing.TB) *zstream {
	tls := libc.NewTLS()
	alloc := func(n int) uintptr {
		p := libc.Xcalloc(tls, 1, types.Size_t(n))
		if p == 0 {
			tb.Fatal("no memory")
		}
		return p
	}
	z := &zstream{tls: tls, in: alloc(bufSize), out: alloc(bufSize)}
	z.strm = alloc(int(unsafe.Sizeof(zlibc.Z_stream{})))
	version := alloc(8)
	copy(cbytes(version, 8), "1.2.11\x00")
	if rc := zlibc.XinflateInit_(tls, z.strm, version, int32(unsafe.Sizeof(zlibc.Z_stream{}))); rc != zlibc.Z_OK {
		tb.Fatalf("inflateInit: %d", rc)
	}
	tb.Cleanup(func() {
		zlibc.XinflateEnd(tls, z.strm)
		for _, p := range []uintptr{z.in, z.out, z.strm, version} {
			libc.Xfree(tls, p)
		}
		tls.Close()
	})
	return z
}

func cbytes(p uintptr, n int) []byte {
	return unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&p))), n)
}

func (z *zstream) step(in []byte, room int) (nin int, out []byte, rc int32) {
	s := *(**zlibc.Z_stream)(unsafe.Pointer(&z.strm))
	copy(cbytes(z.in, bufSize), in)
	s.Fnext_in, s.Favail_in = z.in, uint32(len(in))
	s.Fnext_out, s.Favail_out = z.out, uint32(room)
	rc = zlibc.Xinflate(z.tls, z.strm, zlibc.Z_SYNC_FLUSH)
	n := room - int(s.Favail_out)
	return len(in) - int(s.Favail_in), bytes.Clone(cbytes(z.out, n)), rc
}

// compare runs one stream through both decoders, with the buffer sizes that
// sizes yields, and returns the number of calls.
func compare(t *testing.T, stream []byte, sizes func() (in, out int)) int {
	t.Helper()
	if len(stream) > 1 && stream[1]&0x20 != 0 {
		return 0 // zlib reads a dictionary's checksum before it asks for one; zinflate refuses at once
	}
	oracle := newZstream(t)
	var z zinflate.Inflater
	pos, calls := 0, 0
	inSize, outSize := sizes()
	page := stream[:min(inSize, len(stream))]
	idle := 0
	for {
		calls++
		wantIn, wantOut, rc := oracle.step(page, outSize)
		out := make([]byte, outSize)
		nin, nout, done, err := z.Step(page, out)
		bad := rc == zlibc.Z_DATA_ERROR || rc == zlibc.Z_NEED_DICT
		if bad != (err != nil) {
			t.Fatalf("call %d at %d: zlib returned %d, zinflate %v", calls, pos, rc, err)
		}
		if !bytes.Equal(out[:nout], wantOut) || !bad && nin != wantIn {
			t.Fatalf("call %d at %d, %d in, %d out: zlib took %d and gave %d, zinflate took %d and gave %d",
				calls, pos, len(page), outSize, wantIn, len(wantOut), nin, nout)
		}
		if done != (rc == zlibc.Z_STREAM_END) {
			t.Fatalf("call %d: zlib returned %d, zinflate is done = %v", calls, rc, done)
		}
		if done || bad {
			return calls
		}
		pos += nin
		page = page[nin:]
		inSize, outSize = sizes()
		if len(page) == 0 {
			page = stream[pos:min(pos+inSize, len(stream))]
		}
		if nin == 0 && nout == 0 {
			if idle++; idle > 8 { // the input has ended, or there is never room
				return calls
			}
		} else {
			idle = 0
		}
	}
}

// sample makes data that a compressor answers with all kinds of blocks.
func sample(rng *rand.Rand, n int) []byte {
	data := make([]byte, 0, n+1000)
	for len(data) < n {
		switch k := rng.IntN(4); {
		case k == 0: // noise
			for range rng.IntN(600) {
				data = append(data, byte(rng.Uint32()))
			}
		case k == 1 && len(data) > 10: // repetition from anywhere before
			at := rng.IntN(len(data))
			for i := range rng.IntN(700) {
				data = append(data, data[at+i%(len(data)-at)])
			}
		case k == 2: // runs
			b := byte(rng.Uint32())
			for range rng.IntN(900) {
				data = append(data, b)
			}
		default: // text of few letters
			for range rng.IntN(500) {
				data = append(data, "etaoin shrdlu\n"[rng.IntN(14)])
			}
		}
	}
	return data[:n]
}

func deflate(t testing.TB, rng *rand.Rand, data []byte) []byte {
	var b bytes.Buffer
	levels := []int{zlib.HuffmanOnly, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	w, err := zlib.NewWriterLevel(&b, levels[rng.IntN(len(levels))])
	if err != nil {
		t.Fatal(err)
	}
	for len(data) > 0 {
		n := min(len(data), 1+rng.IntN(20000))
		w.Write(data[:n])
		data = data[n:]
		if rng.IntN(3) == 0 {
			w.Flush()
		}
	}
	w.Close()
	return b.Bytes()
}

func pages(in, out int) func() (int, int) {
	return func() (int, int) { return in, out }
}

func TestEveryStepAgreesWithZlib(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	streams := 60
	if tier.IsLong() {
		streams = 400
	}
	calls := 0
	for range streams {
		stream := deflate(t, rng, sample(rng, rng.IntN(60000)))
		calls += compare(t, stream, pages(zinflate.PageIn, zinflate.PageOut))
		calls += compare(t, stream, func() (int, int) { return 1 + rng.IntN(700), rng.IntN(1500) })
		calls += compare(t, stream, pages(1, 1+rng.IntN(300)))
		calls += compare(t, stream, pages(60000, 1+rng.IntN(60000)))
	}
	t.Logf("%d calls over %d streams agree", calls, streams)
}

func TestDamagedStreamsAgreeWithZlib(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 600 {
		stream := deflate(t, rng, sample(rng, rng.IntN(5000)))
		for range 1 + rng.IntN(3) {
			stream[rng.IntN(len(stream))] ^= 1 << rng.IntN(8)
		}
		compare(t, stream, func() (int, int) { return 1 + rng.IntN(300), rng.IntN(1100) })
	}
}

// FuzzStep gives both decoders the same bytes and buffer sizes.
func FuzzStep(f *testing.F) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 20 {
		f.Add(deflate(f, rng, sample(rng, 2000)), uint16(256), uint16(1024))
	}
	f.Add([]byte{0x78, 0x9c, 0x63, 0, 0, 0, 0, 1, 0, 1}, uint16(1), uint16(1))
	f.Fuzz(func(t *testing.T, stream []byte, in, out uint16) {
		compare(t, stream, pages(1+int(in)%60000, int(out)%60000))
	})
}
