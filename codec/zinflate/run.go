package zinflate

// reader takes bits from the input, lowest first. It reads no byte before it is needed.
type reader struct {
	in   []byte
	pos  int
	bits uint64
	n    uint // number of bits held, always fewer than 48
}

// need makes k bits available. It returns false if the input ends; the bits held stay.
func (r *reader) need(k uint) bool {
	for r.n < k {
		if r.pos == len(r.in) {
			return false
		}
		r.bits |= uint64(r.in[r.pos]) << r.n
		r.pos++
		r.n += 8
	}
	return true
}

func (r *reader) drop(k uint) {
	r.bits >>= k
	r.n -= k
}

func (r *reader) take(k uint) int {
	v := int(r.bits & (1<<k - 1))
	r.drop(k)
	return v
}

// symbol decodes one code but not its extra bits.
func (r *reader) symbol(t *table) (entry, bool) {
	for {
		e := t.lookup(r.bits)
		if e.bits() <= r.n {
			r.drop(e.bits())
			return e, true
		}
		if r.pos == len(r.in) {
			return 0, false
		}
		r.bits |= uint64(r.in[r.pos]) << r.n
		r.pos++
		r.n += 8
	}
}

// run decodes until the input is used up, the output reaches limit, or the data ends. It
// returns the number of consumed bytes.
func (z *Inflater) run(in []byte, limit int) int {
	r := &reader{in: in, bits: z.bits, n: z.nbits}
	for z.advance(r, limit) {
	}
	return z.leave(r)
}

// advance decodes one step: a header, a symbol or a copy. It returns false if it lacks
// input or room.
func (z *Inflater) advance(r *reader, limit int) bool {
	switch z.state {
	case stHeader:
		return z.header(r)
	case stBlock:
		return z.block(r)
	case stStoredLen:
		return z.storedLen(r)
	case stStored:
		return z.stored(r, limit)
	case stCounts, stCodeLens, stLens:
		return z.codes(r)
	case stSymbol:
		z.fast(r, limit)
		return z.state != stSymbol || z.literalOrLength(r)
	case stLengthExtra, stDistance, stDistExtra:
		return z.match(r)
	case stLiteral:
		if z.pos == limit {
			return false
		}
		z.buf[z.pos] = byte(z.length)
		z.pos++
		z.state = stSymbol
		return true
	case stMatch:
		if z.pos == limit {
			return false
		}
		if z.dist > z.pos {
			z.fail(r.pos, "distance reaches before the beginning")
			return true
		}
		z.copyMatch(limit)
		return true
	}
	return false
}

func (z *Inflater) header(r *reader) bool {
	if !r.need(16) {
		return false
	}
	cmf, flg := uint(r.bits&0xff), uint(r.bits>>8&0xff)
	switch {
	case (cmf<<8+flg)%31 != 0:
		z.fail(r.pos, "header check bits are wrong")
	case cmf&15 != 8:
		z.fail(r.pos, "compression method is not deflate")
	case cmf>>4 > 7:
		z.fail(r.pos, "window is larger than 32 KiB")
	case flg&0x20 != 0:
		z.fail(r.pos, "a preset dictionary is asked for")
	default:
		r.drop(16)
		z.state = stBlock
	}
	return true
}

func (z *Inflater) block(r *reader) bool {
	if z.last {
		r.drop(r.n & 7)
		if z.state = stCheck; z.raw {
			z.state = stDone
		}
		return false
	}
	if !r.need(3) {
		return false
	}
	z.last = r.take(1) == 1
	switch r.take(2) {
	case 0:
		r.drop(r.n & 7)
		z.state = stStoredLen
	case 1:
		z.lit, z.distTab = &fixedTables()[0], &fixedTables()[1]
		z.state = stSymbol
	case 2:
		z.state = stCounts
	case 3:
		z.fail(r.pos, "block type 3 does not exist")
	}
	return true
}

func (z *Inflater) storedLen(r *reader) bool {
	if !r.need(32) {
		return false
	}
	length, inverse := r.take(16), r.take(16)
	if length != inverse^0xffff {
		z.fail(r.pos, "stored block's length differs from its complement")
		return true
	}
	z.length = length
	z.state = stStored
	return true
}

func (z *Inflater) stored(r *reader, limit int) bool {
	if z.length == 0 {
		z.state = stBlock
		return true
	}
	n := min(z.length, len(r.in)-r.pos, limit-z.pos)
	copy(z.buf[z.pos:], r.in[r.pos:r.pos+n])
	r.pos += n
	z.pos += n
	z.length -= n
	return n > 0
}

// codes reads the header of a dynamic block: counts, code length code, code
// lengths.
func (z *Inflater) codes(r *reader) bool {
	switch z.state {
	case stCounts:
		if !r.need(14) {
			return false
		}
		z.nlen, z.ndist, z.ncode = r.take(5)+257, r.take(5)+1, r.take(4)+4
		if z.nlen > maxLitLen || z.ndist > maxDist {
			z.fail(r.pos, "too many length or distance symbols")
			return true
		}
		z.have = 0
		z.state = stCodeLens
	case stCodeLens:
		for ; z.have < z.ncode; z.have++ {
			if !r.need(3) {
				return false
			}
			z.lens[codeLenOrder[z.have]] = uint8(r.take(3))
		}
		for ; z.have < len(codeLenOrder); z.have++ {
			z.lens[codeLenOrder[z.have]] = 0
		}
		if !z.dynLit.build(z.lens[:len(codeLenOrder)], false, codeLenMeaning) {
			z.fail(r.pos, "the code lengths do not form a prefix code")
			return true
		}
		z.have = 0
		z.state = stLens
	case stLens:
		return z.codeLens(r)
	}
	return true
}

func (z *Inflater) codeLens(r *reader) bool {
	for total := z.nlen + z.ndist; z.have < total; {
		e := z.dynLit.lookup(r.bits)
		for e.bits() > r.n {
			if !r.need(r.n + 1) {
				return false
			}
			e = z.dynLit.lookup(r.bits)
		}
		if e.value() < 16 {
			r.drop(e.bits())
			z.lens[z.have] = uint8(e.value())
			z.have++
			continue
		}
		kind := repeats[e.value()-16]
		if !r.need(e.bits() + kind.extra) {
			return false
		}
		r.drop(e.bits())
		var value uint8
		if e.value() == 16 {
			if z.have == 0 {
				z.fail(r.pos, "a code length repeats what is not there")
				return true
			}
			value = z.lens[z.have-1]
		}
		n := kind.base + r.take(kind.extra)
		if z.have+n > total {
			z.fail(r.pos, "code lengths repeat past their end")
			return true
		}
		for range n {
			z.lens[z.have] = value
			z.have++
		}
	}
	return z.startSymbols(r)
}

// repeats are the code length symbols 16, 17 and 18; RFC 1951, 3.2.7.
var repeats = [3]struct {
	extra uint
	base  int
}{{2, 3}, {3, 3}, {7, 11}}

func (z *Inflater) startSymbols(r *reader) bool {
	switch {
	case z.lens[256] == 0:
		z.fail(r.pos, "block has no code for its end")
	case !z.dynLit.build(z.lens[:z.nlen], true, litLenMeaning):
		z.fail(r.pos, "the literal and length codes do not form a prefix code")
	case !z.dynDist.build(z.lens[z.nlen:z.nlen+z.ndist], true, distMeaning):
		z.fail(r.pos, "the distance codes do not form a prefix code")
	default:
		z.lit, z.distTab = &z.dynLit, &z.dynDist
		z.state = stSymbol
	}
	return true
}

func (z *Inflater) literalOrLength(r *reader) bool {
	e, ok := r.symbol(z.lit)
	if !ok {
		return false
	}
	switch e.kind() {
	case kindLiteral:
		z.length = e.value()
		z.state = stLiteral
	case kindEnd:
		z.state = stBlock
	case kindBase:
		z.length, z.have = e.value(), int(e.extra())
		z.state = stLengthExtra
	default:
		z.fail(r.pos, "literal or length code does not exist")
	}
	return true
}

func (z *Inflater) match(r *reader) bool {
	switch z.state {
	case stLengthExtra:
		if !r.need(uint(z.have)) {
			return false
		}
		z.length += r.take(uint(z.have))
		z.state = stDistance
	case stDistance:
		e, ok := r.symbol(z.distTab)
		if !ok {
			return false
		}
		if e.kind() != kindBase {
			z.fail(r.pos, "distance code does not exist")
			return true
		}
		z.dist, z.have = e.value(), int(e.extra())
		z.state = stDistExtra
	case stDistExtra:
		if !r.need(uint(z.have)) {
			return false
		}
		z.dist += r.take(uint(z.have))
		z.state = stMatch
	}
	return true
}

// copyMatch writes as much of the pending match as fits.
func (z *Inflater) copyMatch(limit int) {
	n := min(z.length, limit-z.pos)
	src := z.pos - z.dist
	if z.dist >= n {
		copy(z.buf[z.pos:z.pos+n], z.buf[src:])
	} else {
		for i := range n { // source and target overlap: bytes repeat
			z.buf[z.pos+i] = z.buf[src+i]
		}
	}
	z.pos += n
	if z.length -= n; z.length == 0 {
		z.state = stSymbol
	}
}
