package picture

import (
	"math/bits"
	"slices"
)

// huffmanCode is the code of a symbol, with its first bit lowest. The length is 0 for a
// symbol that does not occur.
type huffmanCode struct {
	bits   uint16
	length uint8
}

// huffman makes codes for symbols from their counts. No code is longer than most bits.
// The codes are in the order that deflate requires (RFC 1951, 3.2.2). At least two
// symbols get a code, because some readers reject a code with one symbol.
func huffman(counts []int, most int) []huffmanCode {
	type node struct {
		count   int
		symbols []int
	}
	var list []node
	for i, n := range counts {
		if n > 0 {
			list = append(list, node{n, []int{i}})
		}
	}
	for i := 0; len(list) < 2; i++ {
		if counts[i] == 0 {
			list = append(list, node{1, []int{i}})
		}
	}
	// Joining lists like this is slow for many symbols, but here there are few.
	lengths := make([]int, len(counts))
	slices.SortStableFunc(list, func(a, b node) int { return a.count - b.count })
	for len(list) > 1 {
		joined := node{list[0].count + list[1].count, slices.Concat(list[0].symbols, list[1].symbols)}
		for _, s := range joined.symbols {
			lengths[s]++
		}
		list = list[2:]
		at, _ := slices.BinarySearchFunc(list, joined.count, func(n node, count int) int { return n.count - count })
		list = slices.Insert(list, at, joined)
	}
	limit(lengths, most)
	return canonical(lengths)
}

// limit shortens the codes that are too long, and lengthens others until the code is
// valid again.
func limit(lengths []int, most int) {
	room := 0 // how much of the code space is used, counted in codes of the longest length
	for i, l := range lengths {
		if l > 0 {
			lengths[i] = min(l, most)
			room += 1 << (most - lengths[i])
		}
	}
	for room > 1<<most {
		longest := -1
		for i, l := range lengths {
			if l > 0 && l < most && (longest < 0 || l > lengths[longest]) {
				longest = i
			}
		}
		lengths[longest]++
		room -= 1 << (most - lengths[longest])
	}
	// Readers reject an incomplete code, in which some bit sequences have no meaning.
	for room < 1<<most {
		i := slices.IndexFunc(lengths, func(l int) bool { return l > 1 && 1<<(most-l) <= 1<<most-room })
		room += 1 << (most - lengths[i])
		lengths[i]--
	}
}

// canonical assigns codes to symbols, given the lengths of the codes.
func canonical(lengths []int) []huffmanCode {
	codes := make([]huffmanCode, len(lengths))
	next := 0
	for l := 1; l <= 15; l++ {
		for i := range lengths {
			if lengths[i] == l {
				codes[i] = huffmanCode{bits.Reverse16(uint16(next)) >> (16 - l), uint8(l)}
				next++
			}
		}
		next <<= 1
	}
	return codes
}

// bitWriter writes bits, lowest bit first.
type bitWriter struct {
	out  []byte
	held uint64
	n    int
}

func (b *bitWriter) add(value, n int) {
	b.held |= uint64(value) << b.n
	for b.n += n; b.n >= 8; b.n -= 8 {
		b.out = append(b.out, byte(b.held))
		b.held >>= 8
	}
}

func (b *bitWriter) code(c huffmanCode) { b.add(int(c.bits), int(c.length)) }

// end fills the last byte with zero bits.
func (b *bitWriter) end() {
	if b.n > 0 {
		b.out = append(b.out, byte(b.held))
		b.held, b.n = 0, 0
	}
}

// block writes the header of the stream's last block, with the lengths of its codes (RFC
// 1951, 3.2.7). A run of zero lengths is written as a repetition.
func (b *bitWriter) block(letters, distances []huffmanCode) {
	type entry struct{ symbol, extra, bits int }
	var list []entry
	lengths := []int{}
	for _, c := range slices.Concat(letters, distances) {
		lengths = append(lengths, int(c.length))
	}
	counts := make([]int, 19)
	for i := 0; i < len(lengths); {
		n := 0
		for i+n < len(lengths) && lengths[i+n] == 0 && n < 138 {
			n++
		}
		e := entry{symbol: lengths[i]}
		switch {
		case n >= 11:
			e = entry{18, n - 11, 7}
		case n >= 3:
			e = entry{17, n - 3, 3}
		default:
			n = 1
		}
		i += n
		list = append(list, e)
		counts[e.symbol]++
	}
	order := []int{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}
	codes := huffman(counts, 7)
	b.add(1|2<<1, 3) // the last block, with dynamic codes
	b.add(len(letters)-257, 5)
	b.add(len(distances)-1, 5)
	b.add(len(order)-4, 4)
	for _, s := range order {
		b.add(int(codes[s].length), 3)
	}
	for _, e := range list {
		b.code(codes[e.symbol])
		b.add(e.extra, e.bits)
	}
}

// lengthCode returns the symbol for a length of 3 to 258, and its extra bits.
func lengthCode(length int) (symbol, n, extra int) {
	if length == longest {
		return 285, 0, 0
	}
	length -= 3
	if length < 8 {
		return 257 + length, 0, 0
	}
	n = bits.Len(uint(length)) - 3
	return 257 + 4*n + 4 + (length>>n - 4), n, length & (1<<n - 1)
}

// distanceCode returns the symbol for a distance of 1 to 32768, and its extra bits.
func distanceCode(distance int) (symbol, n, extra int) {
	distance--
	if distance < 4 {
		return distance, 0, 0
	}
	n = bits.Len(uint(distance)) - 2
	return 2*n + 2 + (distance>>n - 2), n, distance & (1<<n - 1)
}
