package lzo1x

// Decompress decodes src, one whole stream, into dst and returns the number of
// decoded bytes. A stream with more than len(dst) bytes is an error. The bytes of
// dst after the decoded ones may change. The slices must not overlap, but src may
// lie [DecompressGap] bytes or more after the start of dst.
func Decompress(dst, src []byte) (n int, err error) {
	n, read, err := decompressPrefix(dst, src)
	if err == nil && read < len(src) {
		err = &Error{ErrTrailing, read}
	}
	return n, err
}

// decompressPrefix is [Decompress] for a stream with bytes after it. It also
// returns the length of the stream.
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
// decoded in the same buffer, and the number of decoded bytes. More than limit bytes are
// an error. Nothing is decoded.
func DecompressGap(src []byte, limit int) (delay, n int, err error) {
	n, ahead, err := measure(src, limit)
	return max(ahead, 0) + outSlack, n, err
}

// measure returns the number of decoded bytes, and the largest distance by which the
// output gets ahead of the input.
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

// check reports whether an instruction is possible after n of limit bytes of output, with
// left bytes of input.
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

// decoder executes instructions. Its method apply checks everything; its method run is
// fast.
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

// repeat fills b with repetitions of its first period bytes. Source and target of a copy
// never overlap.
func repeat(b []byte, period int) {
	for period < len(b) {
		period += copy(b[period:], b[:period])
	}
}
