package zinflate

import (
	"math/bits"
	"sync"
)

const (
	maxLitLen = 286 // number of symbols that a dynamic block may define
	maxDist   = 30
	rootBits  = 10 // codes up to this length need one look-up

	fixedLitLen = 288 // symbols of the fixed code, two of them unused
)

// entry is the meaning of a code. Bits 0-4: length of the code and its extra bits; 8-11:
// length of the code; 12-14: kind; 16-31: value. A link to a second table has the width
// of that table in place of extra bits.
type entry uint32

const (
	kindLiteral entry = iota << 12
	kindBase          // value is the base of a length or distance
	kindEnd           // end of block
	kindInvalid       // no such code
	kindTable         // value is the beginning of the second table
	kindMask    entry = 7 << 12
)

// meaningOf returns the entry of a code before its length is known.
func meaningOf(kind entry, extra uint8, value uint16) entry {
	return kind | entry(extra) | entry(value)<<16
}

// withBits returns the entry for a code of n bits.
func (e entry) withBits(n uint8) entry { return e + entry(n) + entry(n)<<8 }

func (e entry) bits() uint  { return uint(e >> 8 & 15) }
func (e entry) whole() uint { return uint(e & 31) }
func (e entry) extra() uint { return e.whole() - e.bits() }
func (e entry) kind() entry { return e & kindMask }
func (e entry) value() int  { return int(e >> 16) }

// full returns the value of an entry plus its extra bits. b begins with the code.
func (e entry) full(b uint64) int { return e.value() + int(b&(1<<e.whole()-1)>>e.bits()) }

const (
	rootMask = 1<<rootBits - 1
	// tableSize is the room for all tables of a code, at most 1,332 entries for 286
	// symbols of up to 15 bits (zlib's examples/enough.c).
	tableSize = 2048
)

// table decodes a prefix code. Codes longer than rootBits continue in a second table.
type table struct {
	entries [tableSize]entry
}

// lookup finds the entry of the code at the lowest bit of b. Missing bits count as zero;
// the entry is valid if it is not longer than the bits held.
func (t *table) lookup(b uint64) entry {
	e := t.entries[b&rootMask]
	if e.kind() == kindTable {
		e = t.entries[e.full(b)&(tableSize-1)]
	}
	return e
}

// build fills t from the code lengths of the symbols, and returns false if they form no
// prefix code. As in zlib, a single code of one bit is accepted if partial is set, and no
// code at all is always accepted. Unused codes decode to kindInvalid.
func (t *table) build(lens []uint8, partial bool, meaning func(symbol int) entry) bool {
	var count [16]int
	longest := 0
	for _, n := range lens {
		count[n]++
		longest = max(longest, int(n))
	}
	if longest == 0 {
		fillEntries(t.entries[:1<<rootBits], noCode)
		return true
	}
	count[0] = 0
	var next [16]int
	left, code := 1, 0
	for n := 1; n < 16; n++ {
		code = (code + count[n-1]) << 1
		next[n] = code
		if left = left<<1 - count[n]; left < 0 {
			return false
		}
	}
	if left > 0 && !(partial && longest == 1) {
		return false
	}
	// The first bit of a code comes first, so codes are reversed for the look-up.
	var codes [fixedLitLen]uint16
	for symbol, n := range lens {
		if n > 0 {
			codes[symbol] = bits.Reverse16(uint16(next[n])) >> (16 - n)
			next[n]++
		}
	}
	t.fill(lens, codes[:len(lens)], left > 0, meaning)
	return true
}

// noCode is the entry for bits without a code. Its length of one bit is the same as in
// zlib.
const noCode = kindInvalid | 1 | 1<<8

func fillEntries(list []entry, e entry) {
	for i := range list {
		list[i] = e
	}
}

func (t *table) fill(lens []uint8, codes []uint16, partial bool, meaning func(int) entry) {
	root := t.entries[:1<<rootBits]
	if partial {
		fillEntries(root, noCode)
	}
	// A second table is as wide as the longest code that starts with its root entry.
	var width [1 << rootBits]uint8
	for symbol, n := range lens {
		if n > rootBits {
			prefix := codes[symbol] & rootMask
			width[prefix] = max(width[prefix], n-rootBits)
		}
	}
	end := 1 << rootBits
	for prefix, w := range width {
		if w > 0 {
			root[prefix] = meaningOf(kindTable, w, uint16(end)).withBits(rootBits)
			end += 1 << w
		}
	}
	for symbol, n := range lens {
		if n == 0 {
			continue
		}
		e, code, to := meaning(symbol).withBits(n), int(codes[symbol]), root
		if n > rootBits {
			link := root[code&rootMask]
			to = t.entries[link.value() : link.value()+1<<link.extra()]
			code, n = code>>rootBits, n-rootBits
		}
		for i := code; i < len(to); i += 1 << n {
			to[i] = e
		}
	}
}

// RFC 1951, section 3.2.5.
var (
	lengthBase  = [...]uint16{3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258}
	lengthExtra = [...]uint8{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0}
	distBase    = [maxDist]uint16{1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577}
	distExtra   = [maxDist]uint8{0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13}
)

func litLenMeaning(symbol int) entry {
	switch {
	case symbol < 256:
		return meaningOf(kindLiteral, 0, uint16(symbol))
	case symbol == 256:
		return kindEnd
	case symbol < maxLitLen:
		return meaningOf(kindBase, lengthExtra[symbol-257], lengthBase[symbol-257])
	}
	return kindInvalid
}

func distMeaning(symbol int) entry {
	if symbol < maxDist {
		return meaningOf(kindBase, distExtra[symbol], distBase[symbol])
	}
	return kindInvalid
}

func codeLenMeaning(symbol int) entry { return meaningOf(kindLiteral, 0, uint16(symbol)) }

// codeLenOrder is the order in which the lengths of the code length code are stored.
var codeLenOrder = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// fixedTables are the codes of a block with fixed codes; RFC 1951, 3.2.6.
var fixedTables = sync.OnceValue(func() *[2]table {
	var lens [fixedLitLen]uint8
	for i := range lens {
		switch {
		case i < 144:
			lens[i] = 8
		case i < 256:
			lens[i] = 9
		case i < 280:
			lens[i] = 7
		default:
			lens[i] = 8
		}
	}
	var t [2]table
	t[0].build(lens[:], false, litLenMeaning)
	for i := range 32 {
		lens[i] = 5
	}
	t[1].build(lens[:32], false, distMeaning)
	return &t
})
