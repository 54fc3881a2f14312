package webp

import (
	"math/bits"
	"slices"
)

// bitWriter writes numbers with their lowest bit first.
type bitWriter struct {
	out  []byte
	hold uint64
	n    uint
}

func (w *bitWriter) put(v uint32, n uint) {
	w.hold |= uint64(v) << w.n
	for w.n += n; w.n >= 8; w.n -= 8 {
		w.out = append(w.out, byte(w.hold))
		w.hold >>= 8
	}
}

func (w *bitWriter) bytes() []byte {
	if w.n > 0 {
		w.put(0, 8-w.n)
	}
	return w.out
}

// Sizes of the alphabets. The symbols for lengths of copies follow the 256 values of
// green.
const (
	greens, values, distances = 256 + 24, 256, 40
	longest, shortest         = 4096, 3
)

// step is one pixel, or a copy of length pixels. above means that pixels of the row above
// are copied; otherwise the pixel to the left is repeated.
type step struct {
	pixel
	length int
	above  bool
}

// steps splits the picture into single pixels and copies.
func (p *picture) steps() []step {
	var out []step
	for i := 0; i < len(p.pixels); {
		left, above := p.same(i, 1), p.same(i, p.width)
		if n := max(left, above); n >= shortest {
			out = append(out, step{length: n, above: above > left})
			i += n
			continue
		}
		out = append(out, step{pixel: p.pixels[i]})
		i++
	}
	return out
}

// same counts the pixels from i on that equal the pixels back positions earlier.
func (p *picture) same(i, back int) int {
	n := 0
	for back <= i && i+n < len(p.pixels) && n < longest && p.pixels[i+n] == p.pixels[i+n-back] {
		n++
	}
	return n
}

// distance is the symbol for the distance of a copy: 0 for the row above, 1 for the pixel
// to the left. The format has short codes for both.
func (s step) distance() int {
	if s.above {
		return 0
	}
	return 1
}

// lengthCode returns the symbol of a length, and its n extra bits.
func lengthCode(length int) (symbol int, extra uint32, n uint) {
	v := uint32(length - 1)
	if v < 4 {
		return int(v), 0, 0
	}
	high := uint(bits.Len32(v)) - 1
	n = high - 1
	return int(2*high) + int(v>>n&1), v & (1<<n - 1), n
}

// picture writes pixels with five prefix codes. A whole picture may have several sets of
// codes; one bit marks this one as having a single set.
func (w *bitWriter) picture(p *picture, whole bool) {
	w.put(0, 1) // no cache of colours
	if whole {
		w.put(0, 1)
	}
	steps := p.steps()
	counts := [5][]int{make([]int, greens), make([]int, values), make([]int, values), make([]int, values), make([]int, distances)}
	for _, s := range steps {
		if s.length > 0 {
			symbol, _, _ := lengthCode(s.length)
			counts[0][256+symbol]++
			counts[4][s.distance()]++
			continue
		}
		for c, v := range s.pixel {
			counts[c][v]++
		}
	}
	var codes [5]prefixCode
	for i, c := range counts {
		codes[i] = newPrefixCode(c, 15)
		w.prefixCode(codes[i])
	}
	for _, s := range steps {
		if s.length > 0 {
			symbol, extra, n := lengthCode(s.length)
			codes[0].put(w, 256+symbol)
			w.put(extra, n)
			codes[4].put(w, s.distance())
			continue
		}
		for c, v := range s.pixel {
			codes[c].put(w, int(v))
		}
	}
}

// prefixCode is a prefix code: the length of the code of each symbol, 0 for a symbol that
// does not occur. An only symbol takes no bits.
type prefixCode struct {
	lengths []uint8
	codes   []uint32
	used    []int
}

func (c *prefixCode) put(w *bitWriter, symbol int) {
	if len(c.used) > 1 {
		w.put(c.codes[symbol], uint(c.lengths[symbol]))
	}
}

// newPrefixCode makes a Huffman code. If a code is longer than longest bits, the counts
// of rare symbols are raised until all codes fit.
func newPrefixCode(counts []int, longest int) prefixCode {
	c := prefixCode{lengths: make([]uint8, len(counts)), codes: make([]uint32, len(counts))}
	for i, n := range counts {
		if n > 0 {
			c.used = append(c.used, i)
		}
	}
	for least := 1; len(c.used) > 0; least *= 2 {
		if c.build(counts, least) <= longest {
			break
		}
	}
	c.number()
	return c
}

// build sets the lengths with Huffman's algorithm, and returns the largest one.
func (c *prefixCode) build(counts []int, least int) int {
	type tree struct {
		count   int
		symbols []int
	}
	var list []tree
	clear(c.lengths)
	for _, s := range c.used {
		list = append(list, tree{max(counts[s], least), []int{s}})
	}
	if len(list) == 1 {
		c.lengths[c.used[0]] = 1
		return 1
	}
	deepest := 0
	for len(list) > 1 {
		slices.SortStableFunc(list, func(a, b tree) int { return b.count - a.count })
		a, b := list[len(list)-1], list[len(list)-2]
		joined := append(slices.Clone(a.symbols), b.symbols...)
		for _, s := range joined {
			c.lengths[s]++
			deepest = max(deepest, int(c.lengths[s]))
		}
		list = append(list[:len(list)-2], tree{a.count + b.count, joined})
	}
	return deepest
}

// number assigns codes to symbols: shorter ones first, then by symbol. Bits are reversed
// because the highest bit of a code comes first in the file.
func (c *prefixCode) number() {
	next := uint32(0)
	for length := uint8(1); length <= 15; length++ {
		next <<= 1
		for _, s := range c.used {
			if c.lengths[s] == length {
				c.codes[s] = bits.Reverse32(next) >> (32 - length)
				next++
			}
		}
	}
}

// lengthOrder is the order of the symbols in the code for code lengths.
var lengthOrder = [19]int{17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}

// prefixCode writes a code: one or two symbols directly, more symbols as a list of code
// lengths, which has a prefix code of its own.
func (w *bitWriter) prefixCode(c prefixCode) {
	if n := len(c.used); n == 0 || n <= 2 && c.used[n-1] < 256 {
		symbols := append(slices.Clone(c.used), make([]int, 1-min(n, 1))...) // a code without symbols is written as symbol 0
		w.put(1, 1)
		w.put(uint32(len(symbols)-1), 1)
		w.put(1, 1) // the first symbol has 8 bits
		for _, s := range symbols {
			w.put(uint32(s), 8)
		}
		return
	}
	w.put(0, 1)
	list := runs(c.lengths)
	counts := make([]int, len(lengthOrder))
	for _, r := range list {
		counts[r.symbol]++
	}
	code := newPrefixCode(counts, 7)
	stored := len(lengthOrder)
	for stored > 4 && code.lengths[lengthOrder[stored-1]] == 0 {
		stored--
	}
	w.put(uint32(stored-4), 4)
	for _, s := range lengthOrder[:stored] {
		w.put(uint32(code.lengths[s]), 3)
	}
	w.put(0, 1) // code lengths of all symbols follow
	for _, r := range list {
		code.put(w, r.symbol)
		w.put(r.extra, r.bits)
	}
}

// run is a code length, or a symbol that stands for several zero lengths.
type run struct {
	symbol int
	extra  uint32
	bits   uint
}

func runs(lengths []uint8) []run {
	var out []run
	for i := 0; i < len(lengths); {
		zeros := 0
		for i+zeros < len(lengths) && lengths[i+zeros] == 0 && zeros < 138 {
			zeros++
		}
		switch {
		case zeros >= 11:
			out = append(out, run{18, uint32(zeros - 11), 7})
		case zeros >= 3:
			out = append(out, run{17, uint32(zeros - 3), 3})
		default:
			out, zeros = append(out, run{symbol: int(lengths[i])}), 1
		}
		i += zeros
	}
	return out
}
