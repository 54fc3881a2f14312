package lz4

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pakbox/internal/testkit/tier"
)

func compress(tb testing.TB, src []byte, level Level) []byte {
	tb.Helper()
	out, err := AppendCompress(nil, src, level)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// decode decodes a block by the specification and checks the rules
// for an encoder: where matches may lie and how the block ends.
func decode(block []byte) (out []byte, err error) {
	length := func(n int) int {
		for more := n == tokenMax; more && len(block) > 0; block = block[1:] {
			n += int(block[0])
			more = block[0] == 255
		}
		return n
	}
	lastMatch := math.MinInt
	for len(block) > 0 {
		token := block[0]
		block = block[1:]
		lit := length(int(token >> 4))
		if lit > len(block) {
			return nil, fmt.Errorf("%d literals, %d bytes left", lit, len(block))
		}
		out = append(out, block[:lit]...)
		block = block[lit:]
		if len(block) == 0 {
			switch {
			case token&tokenMax != 0:
				return nil, errors.New("last token has a match length")
			case lastMatch >= 0 && lit < 5:
				return nil, fmt.Errorf("only %d literals at the end", lit)
			case lastMatch > len(out)-12:
				return nil, fmt.Errorf("last match at %d of %d", lastMatch, len(out))
			}
			return out, nil
		}
		if len(block) < 2 {
			return nil, errors.New("cut in an offset")
		}
		dist := int(block[0]) | int(block[1])<<8
		block = block[2:]
		lastMatch = len(out)
		if dist == 0 || dist > len(out) {
			return nil, fmt.Errorf("distance %d at %d", dist, len(out))
		}
		for range length(int(token&tokenMax)) + 4 {
			out = append(out, out[len(out)-dist])
		}
	}
	return nil, errors.New("no last literals")
}

// checkBlock fails if block is not src, for the strict decoder and for Decompress.
func checkBlock(tb testing.TB, block, src []byte) {
	tb.Helper()
	if len(block) > MaxCompressedLen(len(src)) {
		tb.Errorf("%d bytes give %d, more than the bound", len(src), len(block))
	}
	out, err := decode(block)
	if err != nil || !bytes.Equal(out, src) {
		tb.Fatalf("block of %d bytes is wrong: %v", len(src), err)
	}
	buf := make([]byte, len(src))
	n, err := Decompress(buf, block)
	if err != nil || !bytes.Equal(buf[:n], src) {
		tb.Fatalf("block of %d bytes is wrong for Decompress: %v", len(src), err)
	}
}

// shape is an input made for tests.
type shape struct {
	name string
	data []byte
}

// shapeNamed returns one of the shapes.
func shapeNamed(name string) []byte {
	all := shapes()
	return all[slices.IndexFunc(all, func(s shape) bool { return s.name == name })].data
}

// shapes returns inputs that between them reach every branch of the encoders.
func shapes() []shape {
	rnd := rand.New(rand.NewPCG(1, 2))
	random := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(rnd.Uint32())
		}
		return b
	}
	letters := func(n int, alphabet string) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = alphabet[rnd.IntN(len(alphabet))]
		}
		return b
	}
	repeat := func(n int, unit []byte) []byte {
		return bytes.Repeat(unit, n/len(unit)+1)[:n]
	}
	all := []shape{
		{"empty", nil},
		{"random", random(100_000)},
		{"zeros", make([]byte, 1<<20)},
		{"two letters", letters(40_000, "ab")},
		{"words", letters(200_000, "the quick brown fox ")},
		{"period 2", repeat(70_000, []byte("xy"))},
		{"period 300", repeat(200_000, random(300))},
	}
	add := func(kind string, n int, data ...[]byte) {
		all = append(all, shape{fmt.Sprint(kind, " ", n), slices.Concat(data...)})
	}
	for n := 1; n <= 40; n++ {
		add("zeros", n, make([]byte, n))
		add("random", n, random(n))
		add("letters", n, repeat(n, []byte("abc")))
	}
	// Lengths at which one more byte is needed, for literals and for matches.
	for _, n := range []int{14, 15, 16, 17, 269, 270, 271, 524, 525, 526, windowSize, 70_000} {
		unit := random(n)
		add("literals", n, unit, make([]byte, 50))
		add("match", n+4, random(9), make([]byte, n+4+1), random(20))
		add("copy", n, unit, random(3), unit, random(20))
	}
	// The farthest distance, and one more.
	unit := random(100)
	for _, n := range []int{65534, 65535, 65536, 65537} {
		add("distance", n, unit, random(n-100), unit, random(20))
	}
	var runs, rows []byte
	row := random(700)
	for range 400 {
		runs = append(append(runs, make([]byte, rnd.IntN(300))...), byte(rnd.Uint32()))
		row[rnd.IntN(len(row))]++
		rows = append(rows, row...)
	}
	return append(all, shape{"runs", runs}, shape{"rows", rows})
}

func TestRoundTrip(t *testing.T) {
	for _, s := range shapes() {
		src := s.data
		t.Run(s.name, func(t *testing.T) {
			for level := Fast; level <= Max; level++ {
				checkBlock(t, compress(t, src, level), src)
			}
		})
	}
}

func TestRealData(t *testing.T) {
	for _, sample := range samples {
		t.Run(sample.name, func(t *testing.T) {
			src := sample.load(t, sampleSize)
			before := math.MaxInt
			for level := Fast; level <= Max; level++ {
				block := compress(t, src, level)
				checkBlock(t, block, src)
				if len(block) > before {
					t.Errorf("level %d gives %d bytes, level %d gave %d", level, len(block), level-1, before)
				}
				before = len(block)
			}
		})
	}
}

// TestLiblz4 decodes with liblz4, and holds sizes against its own.
func TestLiblz4(t *testing.T) {
	p := startLiblz4(t)
	for _, s := range shapes() {
		for level := Fast; level <= Max; level++ {
			if out := p.decompress(t, compress(t, s.data, level), len(s.data)); !bytes.Equal(out, s.data) {
				t.Errorf("liblz4 does not decode %q at level %d", s.name, level)
			}
		}
	}
	for _, sample := range samples {
		t.Run(sample.name, func(t *testing.T) {
			src := sample.load(t, sampleSize)
			for level := Fast; level <= Max; level++ {
				ours := compress(t, src, level)
				if !bytes.Equal(p.decompress(t, ours, len(src)), src) {
					t.Errorf("liblz4 does not decode level %d", level)
				}
				theirs, _ := p.compress(t, src, level)
				more := float64(len(ours))/float64(len(theirs)) - 1
				t.Logf("level %2d: %7d bytes, %+.2f %% to liblz4", level, len(ours), 100*more)
				if more > 0.01 {
					t.Errorf("level %d: %d bytes, liblz4 gives %d", level, len(ours), len(theirs))
				}
			}
		})
	}
}

func TestKnownBlocks(t *testing.T) {
	digits := []byte("0123456789")
	for _, test := range []struct {
		name      string
		src, want []byte
	}{
		{"empty", nil, []byte{0}},
		{"too short for a match", make([]byte, 12), append([]byte{12 << 4}, make([]byte, 12)...)},
		{"shortest with a match", make([]byte, 13), []byte{0x13, 0, 1, 0, 0x50, 0, 0, 0, 0, 0}},
		{"hundred zeros", make([]byte, 100), []byte{0x1F, 0, 1, 0, 75, 0x50, 0, 0, 0, 0, 0}},
		{
			"three times ten digits", bytes.Repeat(digits, 3),
			slices.Concat([]byte{0xAB}, digits, []byte{10, 0, 0x50}, digits[5:]),
		},
		{
			"only literals", []byte("abcdefghijklmnopqrstuvwxyz"),
			append([]byte{0xF0, 11}, "abcdefghijklmnopqrstuvwxyz"...),
		},
	} {
		for level := Fast; level <= Max; level++ {
			if got := compress(t, test.src, level); !bytes.Equal(got, test.want) {
				t.Errorf("%s, level %d: % x, want % x", test.name, level, got, test.want)
			}
		}
	}
}

// TestDistance checks that the window is used to its end and not beyond.
func TestDistance(t *testing.T) {
	near, far := shapeNamed("distance 65535"), shapeNamed("distance 65536")
	for level := Fast; level <= Max; level++ {
		if saved := MaxCompressedLen(len(near)) - len(compress(t, near, level)); saved < 50 {
			t.Errorf("level %d saves %d bytes at distance 65535", level, saved)
		}
		if saved := MaxCompressedLen(len(far)) - len(compress(t, far, level)); saved > 50 {
			t.Errorf("level %d saves %d bytes at distance 65536", level, saved)
		}
	}
}

// TestIndependent checks that blocks compressed before leave no trace, also
// where the count of positions starts again.
func TestIndependent(t *testing.T) {
	a, b := shapeNamed("words"), shapeNamed("rows")
	encode := func(e *encoder, src []byte, level Level) []byte {
		out := block{src: src, dst: make([]byte, MaxCompressedLen(len(src)))}
		e.encode(&out, &efforts[level])
		out.finish()
		return out.dst[:out.n]
	}
	for level := Level(2); level <= Max; level++ {
		want := encode(new(encoder), b, level)
		e := new(encoder)
		e.used = math.MaxUint32 - uint32(2*len(a)+len(b)+3*history) // room for two more
		for range 5 {
			checkBlock(t, encode(e, a, level), a)
			if !bytes.Equal(encode(e, b, level), want) {
				t.Fatalf("level %d: result depends on the block before (count %d)", level, e.used)
			}
		}
	}
	want := compress(t, b, Fast)
	compress(t, a, Fast)
	if !bytes.Equal(compress(t, b, Fast), want) {
		t.Error("level 1: result depends on the block before")
	}
}

func TestAppend(t *testing.T) {
	src := shapeNamed("words")
	prefix := []byte("prefix")
	buf := slices.Grow(slices.Clone(prefix), MaxCompressedLen(len(src)))
	for level := Fast; level <= Max; level++ {
		var out []byte
		allocs := 1.0
		// The pool may be emptied at any time, so one clean run is enough.
		for attempt := 0; allocs > 0 && attempt < 10; attempt++ {
			allocs = testing.AllocsPerRun(1, func() {
				out, _ = AppendCompress(buf, src, level)
			})
		}
		if allocs > 0 {
			t.Errorf("level %d: %v allocations", level, allocs)
		}
		if !bytes.HasPrefix(out, prefix) || &out[0] != &buf[0] {
			t.Errorf("level %d: result is not appended in place", level)
		}
		checkBlock(t, out[len(prefix):], src)
	}
}

// TestLead compresses within one buffer.
func TestLead(t *testing.T) {
	all := append(shapes(), shape{"far", slices.Concat(noiseBytes(1<<18), shapeNamed("words"), noiseBytes(1<<18))})
	for _, s := range all {
		start := 1 + CompressGap(len(s.data))
		for level := Fast; level <= Max; level++ {
			if tier.IsQuick() && level%4 != 0 {
				continue
			}
			buf := append(make([]byte, start), s.data...)
			got, err := AppendCompress(buf[:1], buf[start:], level)
			if err != nil || !bytes.Equal(got[1:], compress(t, s.data, level)) {
				t.Errorf("%s, level %d: another block within one buffer: %v", s.name, level, err)
			}
		}
	}
}

func TestLevelRange(t *testing.T) {
	dst := []byte("as it was")
	for _, level := range []Level{math.MinInt, -1, 0, 13, math.MaxInt} {
		out, err := AppendCompress(dst, dst, level)
		if !errors.Is(err, ErrLevel) || string(out) != "as it was" {
			t.Errorf("level %d: %q, %v", level, out, err)
		}
	}
}

func FuzzRoundTrip(f *testing.F) {
	for i, s := range shapes() {
		if len(s.data) <= 5000 {
			f.Add(s.data, uint8(i))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, seed uint8) {
		// The level, and how often the data is repeated to reach long matches.
		level := Fast + Level(seed)%Max
		if repeats := int(seed / uint8(Max)); len(src)*repeats <= 200_000 {
			src = bytes.Repeat(src, max(repeats, 1))
		}
		checkBlock(t, compress(t, src, level), src)
	})
}

// Written piece by piece a block has the same bytes, also where a run of
// literals or a match is longer than a piece.
func TestCompress(t *testing.T) {
	tier.All(t, "much time")
	long := append(append(noiseBytes(3*spillSize), make([]byte, 300*spillSize)...), noiseBytes(100)...)
	inputs := map[string][]byte{"literals and a match longer than a piece": long, "noise": noiseBytes(2*spillSize + 5), "": nil}
	for _, s := range shapes() {
		inputs[s.name] = s.data
	}
	// Literals that are longer than a piece, and matches with all of their length in the
	// token, or only a part of it.
	all := unmatched(spillSize*5/4 + 400)
	for _, n := range []int{4, 18, 19, 20, 300} {
		inputs[fmt.Sprint("literals longer than a piece, and a match of ", n)] = slices.Concat(all[:len(all)-400], all[len(all)-1000:len(all)-1000+n], all[len(all)-300:])
	}
	for name, src := range inputs {
		for _, level := range []Level{Fast, 4, Max} {
			if len(src) > 1<<24 && level == Max {
				continue
			}
			var got bytes.Buffer
			if err := Compress(&got, src, level); err != nil || !bytes.Equal(got.Bytes(), compress(t, src, level)) {
				t.Errorf("%s, level %d: %v, %d bytes, or other ones", name, level, err, got.Len())
			}
		}
	}
	if err := Compress(io.Discard, nil, Max+1); !errors.Is(err, ErrLevel) {
		t.Errorf("level %d: %v", Max+1, err)
	}
	full := errors.New("full")
	if err := Compress(failing{full}, noiseBytes(3*spillSize), Fast); err != full {
		t.Errorf("a writer that fails: %v", err)
	}
}

type failing struct{ error }

func (f failing) Write([]byte) (int, error) { return 0, f.error }

// unmatched is noise in which no four bytes are duplicated.
func unmatched(n int) []byte {
	b := noiseBytes(n)
	seen := map[uint32]bool{}
	for i := range n - 3 {
		for seen[load32(b, i)] {
			b[i+3]++
		}
		seen[load32(b, i)] = true
	}
	return b
}

func noiseBytes(n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{7}).Read(b)
	return b
}
