package lzo1x

// Decompress decodes src, which must hold one stream and nothing else, into
// dst and returns the number of bytes decoded. It is for callers who know how
// much the stream holds: more than len(dst) is an error, less is not. Bytes of
// dst beyond those decoded may change too. The slices must not overlap, save
// that src may lie [DecompressGap] bytes or more behind the start of dst: it is then
// written over while it is read.
func Decompress(dst, src []byte) (n int, err error) {
	n, read, err := decompressPrefix(dst, src)
	if err == nil && read < len(src) {
		err = &Error{ErrTrailing, read}
	}
	return n, err
}

// decompressPrefix is [Decompress] for a stream that may have other bytes
// behind it. It also returns the length of the stream with its end marker.
func decompressPrefix(dst, src []byte) (n, read int, err error) {
	d := decoder{reader: reader{src: src}, dst: dst}
	for {
		at := d.pos
		in, ok := d.next()
		if !ok {
			return d.n, at, &Error{ErrTruncated, at}
		}
		if in == (instruction{}) {
			return d.n, d.pos, nil
		}
		if err := d.apply(in); err != nil {
			return d.n, at, &Error{err, at}
		}
		d.run()
	}
}

// DecompressGap returns how far behind the start of its output a stream must lie to be
// decoded in the same buffer, and how many bytes it holds; more than limit are
// an error. Such a buffer is little larger than the output, if the encoder did
// not waste much. The stream is gone through, but nothing is decoded.
func DecompressGap(src []byte, limit int) (delay, n int, err error) {
	n, ahead, err := measure(src, limit)
	return max(ahead, 0) + outSlack, n, err
}

// measure returns how many bytes a stream holds, or what is wrong with it, and
// how far the output is ahead of the input at most. Both are looked at before
// and after the literals of an instruction: those must not be written over by
// the match before them, nor what follows by them.
func measure(src []byte, limit int) (n, ahead int, err error) {
	r := reader{src: src}
	for {
		at := r.pos
		in, ok := r.next()
		switch {
		case !ok:
			return 0, 0, &Error{ErrTruncated, at}
		case in == instruction{} && r.pos < len(src):
			return 0, 0, &Error{ErrTrailing, r.pos}
		case in == instruction{}:
			return n, ahead, nil
		}
		if err := in.check(n, limit, len(src)-r.pos); err != nil {
			return 0, 0, &Error{err, at}
		}
		n += in.length
		ahead = max(ahead, n-r.pos)
		r.pos += in.literals
		n += in.literals
	}
}

// check tells whether an instruction can be carried out after n of at most
// limit bytes of output, with the given number of bytes left to read.
func (in instruction) check(n, limit, left int) error {
	switch {
	case in.distance > n:
		return ErrLookBehind
	case in.length+in.literals > limit-n:
		return ErrOutputFull
	case in.literals > left:
		return ErrTruncated
	}
	return nil
}

// decoder carries out the instructions of a stream: apply does it with every
// check, run faster for as long as there is room.
type decoder struct {
	reader
	dst []byte
	n   int // bytes of dst written
}

func (d *decoder) apply(in instruction) error {
	if err := in.check(d.n, len(d.dst), len(d.src)-d.pos); err != nil {
		return err
	}
	repeat(d.dst[d.n-in.distance:d.n+in.length], in.distance)
	d.n += in.length
	d.n += copy(d.dst[d.n:], d.src[d.pos:d.pos+in.literals])
	d.pos += in.literals
	return nil
}

// repeat fills b with repetitions of its first bytes. Each round copies all
// that is there, so that none reads what it writes.
func repeat(b []byte, period int) {
	for period < len(b) {
		period += copy(b[period:], b[:period])
	}
}
