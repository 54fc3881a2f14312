package zinflate_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"hash/adler32"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	kzlib "github.com/klauspost/compress/zlib"

	"pakbox/codec/zinflate"
)

func deflate(tb testing.TB, data []byte, level int) []byte {
	var b bytes.Buffer
	w, err := zlib.NewWriterLevel(&b, level)
	if err != nil {
		tb.Fatal(err)
	}
	w.Write(data)
	w.Close()
	return b.Bytes()
}

// text makes n bytes that compress about as well as a program's data does.
func text(n int) []byte {
	rng := rand.New(rand.NewPCG(7, 9))
	words := make([][]byte, 400)
	for i := range words {
		words[i] = make([]byte, 2+rng.IntN(9))
		for j := range words[i] {
			words[i][j] = byte('a' + rng.IntN(26))
		}
	}
	var b []byte
	for len(b) < n {
		b = append(b, words[rng.IntN(len(words))]...)
		b = binary.LittleEndian.AppendUint32(b, rng.Uint32N(1<<rng.IntN(20)))
	}
	return b[:n]
}

// storedBlocks is a zlib stream of stored blocks of the given lengths, whose
// layout is known to the byte.
func storedBlocks(data []byte, lens ...int) []byte {
	b := []byte{0x78, 0x01}
	at := 0
	for i, n := range lens {
		var final byte
		if i == len(lens)-1 {
			final = 1
		}
		b = append(b, final)
		b = binary.LittleEndian.AppendUint16(b, uint16(n))
		b = binary.LittleEndian.AppendUint16(b, ^uint16(n))
		b = append(b, data[at:at+n]...)
		at += n
	}
	return binary.BigEndian.AppendUint32(b, adler32.Checksum(data))
}

// pageSource counts the pages it gave away.
type pageSource struct {
	r     io.Reader
	bytes int
}

func (s *pageSource) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	s.bytes += n
	return n, err
}

func (s *pageSource) pages() int { return (s.bytes + zinflate.PageIn - 1) / zinflate.PageIn }

// In this stream the 1,024th output byte is the last byte of the sixth page. A
// decoder that looks one byte ahead asks for the seventh page too early.
func TestNoByteIsReadAhead(t *testing.T) {
	data := text(3000)
	var lens []int
	for range 101 {
		lens = append(lens, 10)
	}
	lens = append(lens, 14, 1976) // 2 + 102*5 + 1024 = 6*256
	stream := storedBlocks(data, lens...)
	src := &pageSource{r: bytes.NewReader(stream)}
	r := zinflate.NewPageReader(src)
	got := make([]byte, zinflate.PageOut)
	if src.pages() != 0 {
		t.Fatal("a page was read before a byte was asked for")
	}
	for i := range got {
		if _, err := r.Read(got[i : i+1]); err != nil {
			t.Fatal(err)
		}
		if src.pages() != 6 {
			t.Fatalf("%d pages read for byte %d, want 6", src.pages(), i)
		}
	}
	if !bytes.Equal(got, data[:len(got)]) {
		t.Fatal("wrong bytes")
	}
	rest, err := io.ReadAll(r)
	if err != nil || !bytes.Equal(rest, data[len(got):]) {
		t.Fatalf("rest: %d bytes, %v", len(rest), err)
	}
}

// After the k-th refill the number of pages read is the smallest P for which
// the first P pages decode to 0x400*k bytes or more.
func TestPagesFollowTheRule(t *testing.T) {
	for _, level := range []int{0, 1, 6, 9, zlib.HuffmanOnly} {
		data := text(40000)
		stream := deflate(t, data, level)
		decodable := func(pages int) int { // D(P)
			var z zinflate.Inflater
			_, n, _, err := z.Step(stream[:min(pages*zinflate.PageIn, len(stream))], make([]byte, len(data)+1))
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		src := &pageSource{r: bytes.NewReader(stream)}
		r := zinflate.NewPageReader(src)
		page := make([]byte, zinflate.PageOut)
		for k := 1; k*zinflate.PageOut <= len(data); k++ {
			if _, err := io.ReadFull(r, page); err != nil {
				t.Fatal(err)
			}
			want := 0
			for decodable(want) < k*zinflate.PageOut {
				want++
			}
			if src.pages() != want {
				t.Fatalf("level %d, refill %d: %d pages, want %d", level, k, src.pages(), want)
			}
		}
	}
}

// With the output full, zlib decodes one symbol more before it returns.
func TestOneSymbolIsDecodedIntoAFullBuffer(t *testing.T) {
	// Fixed codes, all nine bits long (bytes from 144): byte k of the output
	// is complete after 3+9(k+1) bits.
	data := bytes.Repeat([]byte{200, 220, 240, 201, 211}, 8)
	var bits []byte
	put := func(v uint, n int) {
		for i := n - 1; i >= 0; i-- {
			bits = append(bits, byte(v>>i&1))
		}
	}
	bits = append(bits, 1, 1, 0) // final, type 1 (low bit first)
	for _, c := range data {
		put(0x190+uint(c)-144, 9)
	}
	put(0, 7)
	packed := make([]byte, (len(bits)+7)/8)
	for i, b := range bits {
		packed[i/8] |= b << (i % 8)
	}
	stream := append([]byte{0x78, 0x01}, packed...)
	stream = binary.BigEndian.AppendUint32(stream, adler32.Checksum(data))
	var z zinflate.Inflater
	pos := 0
	for k := range data {
		nin, nout, _, err := z.Step(stream[pos:], make([]byte, 1))
		if err != nil || nout != 1 {
			t.Fatalf("byte %d: %d produced, %v", k, nout, err)
		}
		pos += nin
		want := 2 + (3+9*(k+2)+7)/8 // byte k and the symbol behind it
		if k == len(data)-1 {
			want = len(stream) // the end of the block and the checksum
		}
		if pos != want {
			t.Fatalf("byte %d: %d bytes consumed, want %d", k, pos, want)
		}
	}
}

func TestBadStreams(t *testing.T) {
	good := deflate(t, text(500), 6)
	for name, stream := range map[string][]byte{
		"header check":      {0x78, 0x9d, 0, 0},
		"method":            {0x79, 0x18},
		"preset dictionary": {0x78, 0x20 | 0x1b&^0x20},
		"block type":        {0x78, 0x01, 7},
		"stored length":     {0x78, 0x01, 1, 5, 0, 5, 0},
		"far distance":      {0x78, 0x01, 0x03, 0x12, 0x00, 0x00},
		"checksum":          append(bytes.Clone(good[:len(good)-1]), good[len(good)-1]^1),
	} {
		_, err := io.ReadAll(zinflate.NewPageReader(bytes.NewReader(stream)))
		var corrupt *zinflate.CorruptError
		if !errors.As(err, &corrupt) {
			t.Errorf("%s: err = %v; want err of the type of corrupt", name, err)
		}
	}
	for n := range len(good) {
		if _, err := io.ReadAll(zinflate.NewPageReader(bytes.NewReader(good[:n]))); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatalf("cut at %d: %v", n, err)
		}
	}
	failure := errors.New("disk on fire")
	if _, err := io.ReadAll(zinflate.NewPageReader(io.MultiReader(bytes.NewReader(good[:0]), broken{failure}))); !errors.Is(err, failure) {
		t.Errorf("a failing source: %v", err)
	}
}

type broken struct{ err error }

func (b broken) Read([]byte) (int, error) { return 0, b.err }

func TestReset(t *testing.T) {
	var z zinflate.Inflater
	for i := range 3 {
		data := text(100000 - i)
		out := make([]byte, len(data))
		_, n, done, err := z.Step(deflate(t, data, 6), out)
		if err != nil || !done || !bytes.Equal(out[:n], data) {
			t.Fatalf("round %d: %d bytes, done %v, %v", i, n, done, err)
		}
		z.Reset()
	}
}

// whole decodes a stream by Append, into a buffer that grows by so many bytes at
// a time.
func whole(stream []byte, grow func() int) (buf []byte, err error) {
	var z zinflate.Inflater
	for n := 0; ; {
		nin, end, done, err := z.Append(stream, buf, n)
		if err != nil || done {
			return buf[:end], err
		}
		if end < len(buf) && nin == 0 && end == n {
			return buf[:end], io.ErrUnexpectedEOF
		}
		stream, n = stream[nin:], end
		if n == len(buf) {
			buf = append(buf, make([]byte, grow())...)
		}
	}
}

// Short pieces that repeat are copied by words, each length and distance in its
// own way.
func TestAppend(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var data []byte
	for range 3000 {
		piece := make([]byte, 1+rng.IntN(40))
		for i := range piece {
			piece[i] = byte(rng.Uint32())
		}
		data = append(data, bytes.Repeat(piece, 1+rng.IntN(20))...)
	}
	data = append(data, bytes.Repeat([]byte{0xff}, 100000)...) // the largest sums
	for _, level := range []int{0, 1, 6, 9, zlib.HuffmanOnly} {
		stream := deflate(t, data, level)
		for _, most := range []int{1 << 20, 5000, 300, 20} {
			got, err := whole(stream, func() int { return 1 + rng.IntN(most) })
			if err != nil || !bytes.Equal(got, data) {
				t.Fatalf("level %d, pieces of up to %d bytes: %d bytes of %d, %v", level, most, len(got), len(data), err)
			}
		}
	}
}

// FuzzInflate: what the standard library decodes, the page reader decodes the
// same, and Append; what one refuses, the others refuse.
func FuzzInflate(f *testing.F) {
	for _, level := range []int{0, 1, 9, zlib.HuffmanOnly} {
		f.Add(deflate(f, text(3000), level))
	}
	f.Add([]byte{0x78, 0x01, 1, 0, 0, 0xff, 0xff, 0, 0, 0, 1})
	f.Fuzz(func(t *testing.T, stream []byte) {
		got, err := io.ReadAll(io.LimitReader(zinflate.NewPageReader(bytes.NewReader(stream)), 1<<20))
		if len(got) < 1<<20 {
			all, err2 := whole(stream, func() int { return 1000 })
			if (err == nil) != (err2 == nil) || err == nil && !bytes.Equal(got, all) {
				t.Fatalf("Append: %d bytes, %v; Step: %d bytes, %v", len(all), err2, len(got), err)
			}
		}
		std, err2 := zlib.NewReader(bytes.NewReader(stream))
		if err2 != nil {
			if err == nil {
				t.Fatalf("decoded %d bytes of what the standard library refuses: %v", len(got), err2)
			}
			return
		}
		want, err2 := io.ReadAll(io.LimitReader(std, 1<<20))
		if (err == nil) != (err2 == nil) {
			t.Fatalf("zinflate: %v, standard library: %v", err, err2)
		}
		if err == nil && !bytes.Equal(got, want) {
			t.Fatal("different bytes")
		}
	})
}

// BenchmarkInflate reports speed in multiples of the standard library's.
func BenchmarkInflate(b *testing.B) {
	data := text(16 << 20)
	stream := deflate(b, data, 6)
	reference := func() int64 {
		r, err := zlib.NewReader(bytes.NewReader(stream))
		if err != nil {
			b.Fatal(err)
		}
		n, _ := io.Copy(io.Discard, r)
		return n
	}
	for name, decode := range map[string]func() int64{
		"pages": func() int64 {
			n, _ := io.Copy(io.Discard, zinflate.NewPageReader(bytes.NewReader(stream)))
			return n
		},
		"whole": func() int64 {
			var z zinflate.Inflater
			var n int64
			out := make([]byte, 64<<10)
			for in, done := stream, false; !done; {
				var nin, nout int
				nin, nout, done, _ = z.Step(in, out)
				in, n = in[nin:], n+int64(nout)
			}
			return n
		},
		"klauspost": func() int64 {
			r, _ := kzlib.NewReader(bytes.NewReader(stream))
			n, _ := io.Copy(io.Discard, r)
			return n
		},
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if n := decode(); n != int64(len(data)) {
					b.Fatalf("%d bytes", n)
				}
			}
			ours := b.Elapsed() / time.Duration(b.N)
			b.ReportMetric(float64(timed(reference))/float64(ours), "x-std")
		})
	}
}

// timed returns the best of five runs: what the machine can do.
func timed(f func() int64) time.Duration {
	best := time.Duration(1 << 62)
	for range 5 {
		start := time.Now()
		f()
		best = min(best, time.Since(start))
	}
	return best
}
