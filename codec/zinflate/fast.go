package zinflate

import "encoding/binary"

// fast decodes symbols while there are eight bytes of input and room for output. It
// returns unused input bits, so that the position is the same as after the careful path.
func (z *Inflater) fast(r *reader, limit int) {
	if z.pos == limit || len(r.in)-r.pos < 8 {
		return // too little input: nothing was loaded, so nothing must be returned
	}
	in, pos, b, n := r.in, r.pos, r.bits, r.n
	lit, dist := &z.lit.entries, &z.distTab.entries
	buf, out := z.buf[:limit], z.pos
	for out < limit && pos+8 <= len(in) {
		b |= binary.LittleEndian.Uint64(in[pos:]) << (n & 63)
		pos += int((63 - n) >> 3)
		n |= 56
		e := lit[b&rootMask]
		if e&kindMask == kindLiteral {
			b >>= e & 31
			n -= uint(e & 31)
			buf[out] = byte(e >> 16)
			out++
			// At least 46 bits are left: enough for two more codes of up to rootBits.
			e = lit[b&rootMask]
			if e&kindMask != kindLiteral || limit-out < 2 {
				continue
			}
			b >>= e & 31
			n -= uint(e & 31)
			buf[out] = byte(e >> 16)
			out++
			e = lit[b&rootMask]
			if e&kindMask != kindLiteral {
				continue
			}
			b >>= e & 31
			n -= uint(e & 31)
			buf[out] = byte(e >> 16)
			out++
			continue
		}
		if e&kindMask == kindTable {
			e = lit[e.full(b)&(tableSize-1)]
		}
		code := b
		b >>= e & 31
		n -= uint(e & 31)
		if e&kindMask != kindBase {
			if e&kindMask == kindLiteral {
				buf[out] = byte(e >> 16)
				out++
				continue
			}
			if e&kindMask == kindEnd {
				z.state = stBlock
			} else {
				z.fail(pos-int(n>>3), "literal or length code does not exist")
			}
			break
		}
		length := e.full(code)
		e = dist[b&rootMask]
		if e&kindMask == kindTable {
			e = dist[e.full(b)&(tableSize-1)]
		}
		code = b
		b >>= e & 31
		n -= uint(e & 31)
		if e&kindMask != kindBase {
			z.fail(pos-int(n>>3), "distance code does not exist")
			break
		}
		distance := e.full(code)
		if distance > out {
			z.fail(pos-int(n>>3), "distance reaches before the beginning")
			break
		}
		if limit-out >= length+copyRoom {
			copyRepeating(buf[out-distance:out+length+copyRoom], distance, length)
			out += length
			continue
		}
		src := out - distance
		for length > 0 && out < limit {
			buf[out] = buf[src]
			out++
			src++
			length--
		}
		if length > 0 {
			z.length, z.dist, z.state = length, distance, stMatch
			break
		}
	}
	pos -= int(n >> 3)
	n &= 7
	r.pos, r.bits, r.n = pos, b&(1<<n-1), n
	z.pos = out
}

// copyRoom is how many bytes copyRepeating may write beyond its target.
const copyRoom = 16

// copyRepeating copies length bytes from the start of buf to at, word by word. It may
// copy bytes that it wrote before, so that they repeat. Bytes behind the target may
// change.
func copyRepeating(buf []byte, at, length int) {
	end := at + length
	for at < 8 {
		// The bytes up to at repeat. Each copy doubles their number.
		binary.LittleEndian.PutUint64(buf[at:], binary.LittleEndian.Uint64(buf))
		at *= 2
	}
	for from := 0; at < end; from, at = from+16, at+16 {
		binary.LittleEndian.PutUint64(buf[at:], binary.LittleEndian.Uint64(buf[from:]))
		binary.LittleEndian.PutUint64(buf[at+8:], binary.LittleEndian.Uint64(buf[from+8:]))
	}
}
