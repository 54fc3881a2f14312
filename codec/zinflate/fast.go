package zinflate

import "encoding/binary"

// fast decodes whole symbols while eight input bytes are there to load at
// once and there is room to write. What it loaded and did not use it gives
// back, so the input position is the one the careful path would have reached.
func (z *Inflater) fast(r *reader, limit int) {
	if z.pos == limit || len(r.in)-r.pos < 8 {
		return // nothing would be loaded, so nothing may be given back
	}
	in, pos, b, n := r.in, r.pos, r.bits, r.n
	lit, litMask := z.lit.entries, z.lit.mask
	dist, distMask := z.distTab.entries, z.distTab.mask
	buf, out := z.buf[:limit], z.pos
	for out < limit && pos+8 <= len(in) {
		b |= binary.LittleEndian.Uint64(in[pos:]) << (n & 63)
		pos += int((63 - n) >> 3)
		n |= 56
		e := lit[b&litMask]
		if e&kindMask == kindTable {
			e = lit[int(e>>16)+int(b>>(e&15)&(1<<(e>>4&15)-1))]
		}
		b >>= e & 15
		n -= uint(e & 15)
		if e&kindMask == kindLiteral {
			buf[out] = byte(e >> 16)
			out++
			// 41 bits or more are left: enough for two more codes.
			for range 2 {
				e = lit[b&litMask]
				if e&kindMask != kindLiteral || out >= limit {
					break
				}
				b >>= e & 15
				n -= uint(e & 15)
				buf[out] = byte(e >> 16)
				out++
			}
			continue
		}
		if e&kindMask != kindBase {
			if e&kindMask == kindEnd {
				z.state = stBlock
			} else {
				z.fail(pos-int(n>>3), "literal or length code does not exist")
			}
			break
		}
		x := uint(e >> 4 & 15)
		length := int(e>>16) + int(b&(1<<x-1))
		b >>= x
		n -= x
		e = dist[b&distMask]
		if e&kindMask == kindTable {
			e = dist[int(e>>16)+int(b>>(e&15)&(1<<(e>>4&15)-1))]
		}
		b >>= e & 15
		n -= uint(e & 15)
		if e&kindMask != kindBase {
			z.fail(pos-int(n>>3), "distance code does not exist")
			break
		}
		x = uint(e >> 4 & 15)
		distance := int(e>>16) + int(b&(1<<x-1))
		b >>= x
		n -= x
		if distance > out {
			z.fail(pos-int(n>>3), "distance reaches before the beginning")
			break
		}
		src := out - distance
		if length <= distance && length <= limit-out {
			copy(buf[out:out+length], buf[src:src+length])
			out += length
			continue
		}
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
