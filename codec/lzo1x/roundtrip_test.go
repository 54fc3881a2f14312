package lzo1x

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	anchore "github.com/anchore/go-lzo"

	"pakbox/internal/testkit/tier"
)

var levels = []struct {
	name  string
	level Level
}{
	{"fast", Fast},
	{"best", Best},
}

// shapes make inputs that drive the encoders into different corners.
var shapes = []struct {
	name string
	make func(r *rand.Rand, n int) []byte
}{
	{"zeros", func(r *rand.Rand, n int) []byte { return make([]byte, n) }},
	{"noise", func(r *rand.Rand, n int) []byte { return noise(r, n, 256) }},
	{"bits", func(r *rand.Rand, n int) []byte { return noise(r, n, 2) }},
	{"few letters", func(r *rand.Rand, n int) []byte { return noise(r, n, 8) }},
	{"short period", func(r *rand.Rand, n int) []byte {
		return bytes.Repeat(noise(r, 1+r.IntN(20), 256), n)[:n]
	}},
	{"long period", func(r *rand.Rand, n int) []byte {
		return bytes.Repeat(noise(r, 40000+r.IntN(20000), 256), 1+n/40000)[:n]
	}},
	{"records", records},
	{"copies", copies},
	{"least gain", leastGain},
	{"noise and zeros", noiseAndZeros},
}

func noise(r *rand.Rand, n, letters int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.IntN(letters))
	}
	return b
}

func records(r *rand.Rand, n int) []byte {
	b := make([]byte, 0, n+16)
	for i := 0; len(b) < n; i++ {
		b = fmt.Appendf(b, "%04x\x00\x00%c\x00", i/7, 'a'+r.IntN(6))
	}
	return b[:n]
}

// leastGain makes what [MaxCompressedLen] calls the worst case.
func leastGain(r *rand.Rand, n int) []byte {
	b := noise(r, 20000, 256)
	for len(b) < n {
		b = append(b, noise(r, 19, 256)...)
		b = append(b, b[len(b)-17000:][:4]...)
	}
	return b[:n]
}

func noiseAndZeros(r *rand.Rand, n int) []byte {
	var b []byte
	for len(b) < n {
		b = append(b, noise(r, r.IntN(600), 256)...)
		b = append(b, make([]byte, r.IntN(600))...)
	}
	return b[:n]
}

// copies makes literals and matches of all lengths and distances, the limits of
// the instructions among them.
func copies(r *rand.Rand, n int) []byte {
	distances := []int{1, 7, 8, m1NearMax, m2Max, m1FarMax, m3Max, 2 * m3Max, m4Max}
	b := noise(r, 4, 256)
	for len(b) < n {
		b = append(b, noise(r, r.IntN(1+1<<r.IntN(9)), 256)...)
		distance := distances[r.IntN(len(distances))] + r.IntN(3) - 1
		if r.IntN(2) == 0 {
			distance = 1 + r.IntN(1<<(1+r.IntN(16)))
		}
		if distance < 1 || distance > len(b) {
			continue
		}
		for range 2 + r.IntN(1+1<<r.IntN(10)) {
			b = append(b, b[len(b)-distance])
		}
	}
	return b[:n]
}

// TestRoundTrip codes inputs of all shapes and many lengths and decodes them
// here and with an independent decoder.
func TestRoundTrip(t *testing.T) {
	lengths, long := 20, 1<<19 // far more than a match reaches back
	if tier.IsQuick() {
		lengths, long = 4, 1<<17
	}
	for _, l := range levels {
		for _, shape := range shapes {
			t.Run(l.name+"/"+shape.name, func(t *testing.T) {
				t.Parallel()
				r := rand.New(rand.NewPCG(1, 2))
				for n := range 300 {
					checkRoundTrip(t, shape.make(r, n), l.level)
				}
				for range lengths {
					checkRoundTrip(t, shape.make(r, r.IntN(1<<(10+r.IntN(8)))), l.level)
				}
				checkRoundTrip(t, shape.make(r, long), l.level)
			})
		}
	}
}

func checkRoundTrip(t *testing.T, src []byte, level Level) {
	t.Helper()
	packed := appendCompress(nil, src, level)
	if len(packed) > MaxCompressedLen(len(src)) {
		t.Fatalf("%d bytes: coded in %d, above the bound %d", len(src), len(packed), MaxCompressedLen(len(src)))
	}
	buf := make([]byte, 1+CompressGap(len(src))+len(src))
	copy(buf[1+CompressGap(len(src)):], src)
	if again := appendCompress(buf[:1], buf[1+CompressGap(len(src)):], level); !bytes.Equal(again[1:], packed) {
		t.Fatalf("%d bytes: coded differently within one buffer", len(src))
	}
	dst := make([]byte, len(src))
	if n, err := Decompress(dst, packed); err != nil || n != len(src) || !bytes.Equal(dst, src) {
		t.Fatalf("%d bytes: decoded %d: %v", len(src), n, err)
	}
	delay, n, err := DecompressGap(packed, len(src))
	if err != nil || n != len(src) {
		t.Fatalf("%d bytes: %d to decode within one buffer: %v", len(src), n, err)
	}
	if most := MaxCompressedLen(len(src)) + outSlack; delay+len(packed) > most {
		t.Fatalf("%d bytes: a buffer of %d to decode within, above the bound %d", len(src), delay+len(packed), most)
	}
	buf = append(make([]byte, delay, delay+len(packed)), packed...)
	buf = append(buf, make([]byte, max(0, len(src)-len(buf)))...)
	if n, err := Decompress(buf[:len(src)], buf[delay:][:len(packed)]); err != nil || n != len(src) || !bytes.Equal(buf[:n], src) {
		t.Fatalf("%d bytes: decoded %d within one buffer: %v", len(src), n, err)
	}
	clear(dst)
	if n, err := anchore.Decompress(packed, dst); err != nil || n != len(src) || !bytes.Equal(dst, src) {
		t.Fatalf("%d bytes: the other decoder gives %d: %v", len(src), n, err)
	}
	if out, err := AppendDecompress(nil, packed, len(src)); err != nil || !bytes.Equal(out, src) {
		t.Fatalf("%d bytes: measured and decoded %d: %v", len(src), len(out), err)
	}
}

// TestDecoderPeer damages streams and checks that both decoders agree on what
// is still good.
func TestDecoderPeer(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	agreed := 0
	times := 3000
	if tier.IsQuick() {
		times /= 6
	}
	for range times {
		src := copies(r, r.IntN(4000))
		packed := appendCompress(nil, src, Level(r.IntN(2)))
		for range 1 + r.IntN(3) {
			packed[r.IntN(len(packed))] = byte(r.IntN(256))
		}
		room := len(src) + r.IntN(50)
		if comparePeer(t, packed, room) {
			agreed++
		}
	}
	if agreed < times/20 {
		t.Errorf("only %d damaged streams were still good", agreed)
	}
}

// comparePeer decodes with both decoders. The other one wants an end marker
// with length 3, otherwise they must agree. It returns true if both decode.
func comparePeer(t *testing.T, packed []byte, room int) bool {
	t.Helper()
	own, other := make([]byte, room), make([]byte, room)
	n, ownErr := Decompress(own, packed)
	m, otherErr := anchore.Decompress(packed, other)
	if n > room {
		t.Fatalf("%d bytes in room for %d", n, room)
	}
	if ownErr != nil || otherErr != nil {
		if otherErr == nil {
			t.Fatalf("%x: %v, but the other decoder gives %d bytes", packed, ownErr, m)
		}
		if ownErr == nil && otherErr != anchore.ErrDecompressionFailed {
			t.Fatalf("%x: decoded to %d bytes, but the other decoder fails with %v", packed, n, otherErr)
		}
		return false
	}
	if !bytes.Equal(own[:n], other[:m]) {
		t.Fatalf("%x: the decoders differ", packed)
	}
	return true
}

// encoders returns new encoders of all levels.
func encoders() []encoder { return []encoder{new(fastEncoder), new(bestEncoder)} }

type encoder interface {
	encode(w *writer, src []byte) int
}

// TestSameAgain checks that what an encoder has done before does not show, not
// even where its numbers of positions start again.
func TestSameAgain(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	fast, best := new(fastEncoder), new(bestEncoder)
	encode := func(e encoder, src []byte) []byte {
		w := writer{out: make([]byte, MaxCompressedLen(len(src)))}
		e.encode(&w, src)
		return w.out[:w.n]
	}
	for i := range 40 {
		src := copies(r, 1000+r.IntN(30000))
		if i%10 == 9 { // this input just fits, the next one does not
			fast.next = 1<<32 - uint64(len(src)) - 1
			best.tree.next = fast.next
		}
		for level, e := range []encoder{fast, best} {
			if !bytes.Equal(encode(e, src), encode(encoders()[level], src)) {
				t.Fatalf("%s, input %d: differs from that of a new encoder", levels[level].name, i)
			}
		}
	}
}

// TestAppend checks that what is there is kept, and that room is used.
func TestAppend(t *testing.T) {
	src := copies(rand.New(rand.NewPCG(7, 8)), 5000)
	for _, l := range levels {
		alone := appendCompress(nil, src, l.level)
		room := make([]byte, 3, 3+MaxCompressedLen(len(src)))
		copy(room, "abc")
		out := appendCompress(room, src, l.level)
		if string(out[:3]) != "abc" || !bytes.Equal(out[3:], alone) || &out[0] != &room[0] {
			t.Errorf("%s: AppendCompress to a slice with room gives something else", l.name)
		}
	}
}

func TestNoAllocation(t *testing.T) {
	src := copies(rand.New(rand.NewPCG(7, 8)), 5000)
	packed := appendCompress(nil, src, Best)
	out := make([]byte, MaxCompressedLen(len(src)))
	w := new(writer)
	for i, e := range encoders() {
		if n := testing.AllocsPerRun(10, func() { *w = writer{out: out}; e.encode(w, src) }); n > 0 {
			t.Errorf("%s: %v allocations", levels[i].name, n)
		}
	}
	if n := testing.AllocsPerRun(10, func() { AppendDecompress(out[:0], packed, len(src)) }); n > 0 {
		t.Errorf("AppendDecompress: %v allocations", n)
	}
}

// An invalid level, and an input that positions cannot count, are rejected,
// and dst stays unchanged.
func TestRefusedInput(t *testing.T) {
	for _, level := range []Level{-1, Best + 1} {
		if out, err := AppendCompress([]byte("as it was"), []byte("x"), level); !errors.Is(err, ErrLevel) || string(out) != "as it was" {
			t.Errorf("level %d: %q, %v", level, out, err)
		}
	}
	if strconv.IntSize < 64 || tier.IsQuick() { // clearing 2 GiB takes a second
		return
	}
	large := make([]byte, MaxInput+1) // memory that nobody touches costs nothing
	if out, err := AppendCompress([]byte("as it was"), large, Fast); !errors.Is(err, ErrTooLarge) || string(out) != "as it was" {
		t.Errorf("2 GiB: %d bytes, %v", len(out), err)
	}
}
