package pak

import (
	"bytes"
	"crypto/md5"
	"errors"
	"io"

	"pakbox/codec/zinflate"
	"pakbox/fault"
	nadeocrypt "pakbox/nadeo/internal/crypt"
)

// start is the offset of the i-th entry's data in the file.
func (p *Pack) start(i int) int64 { return p.dataStart() + int64(p.Files[i].Offset) }

// slotSize is the length of an entry's stored data, with its IV and its padding. Before
// version 17 the pack does not state it.
func (p *Pack) slotSize(f *File) int64 {
	switch {
	case p.Version >= 17:
		return int64(f.Size)
	case f.Flags.Encrypted():
		return nadeocrypt.BlockSize + nadeocrypt.Padded(f.StoredSize())
	}
	return f.StoredSize()
}

// maxRatio is more than the best compression of deflate; LZ4 compresses less.
const maxRatio = 1040

// checkRange returns an error if the data of an entry is not inside the file.
func (p *Pack) checkRange(i int) error {
	f := &p.Files[i]
	need := f.StoredSize()
	if need > 0 && f.Flags.Encrypted() {
		need += nadeocrypt.BlockSize
	}
	start, slot := p.start(i), p.slotSize(f)
	switch {
	case need == 0 && f.UncompressedSize == 0:
		return nil
	case p.Version >= 17 && need > slot:
		return fault.At(fault.EntryRange, start, "file.size", "%d bytes do not fit into a slot of %d", need, slot)
	case f.Compressed() && int64(f.UncompressedSize) > need*maxRatio:
		return fault.At(fault.SizeMismatch, start, "file.uncompressedSize", "%d bytes cannot come from %d", f.UncompressedSize, need)
	case start > p.size || need > p.size-start:
		return fault.At(fault.EntryRange, start, "file.offset", "%d bytes do not lie inside the file", need)
	}
	return nil
}

// lacks returns why an entry cannot be read, as far as that is known without reading it,
// for example a missing key.
func (p *Pack) lacks(i int) error {
	f := &p.Files[i]
	if err := p.checkRange(i); err != nil {
		return err
	}
	if f.Flags.Encrypted() && f.StoredSize() > 0 && p.Key == nil {
		return fault.At(fault.KeyRequired, p.start(i), "file.data", "the content is encrypted with the pack's own key, which is not known")
	}
	return nil
}

// ctr reports whether an entry is encrypted in counter mode.
func (p *Pack) ctr(f *File) bool {
	return p.Version >= 18 && f.Flags&IsSeekable != 0 && !f.Compressed()
}

// layers are the streams that an entry is read through.
type layers struct {
	top    source
	crypt  *nadeocrypt.Reader // nil if the entry is not encrypted
	mixing bool               // nodes change the cipher, if the entry is a GBX
}

// source is a stream. Buffered returns bytes that it has decoded but not returned yet.
type source interface {
	io.Reader
	Buffered() []byte
	// Ended reports whether the buffered bytes are the last ones, and whether their
	// checksum, if any, is right.
	Ended() bool
}

// plainSource reads stored bytes without decrypting them.
type plainSource struct{ *io.SectionReader }

func (plainSource) Buffered() []byte { return nil }
func (plainSource) Ended() bool      { return false }

func (p *Pack) layers(i int) (*layers, error) {
	if err := p.lacks(i); err != nil {
		return nil, err
	}
	f := &p.Files[i]
	size := f.StoredSize()
	if size == 0 {
		return &layers{top: plainSource{io.NewSectionReader(p.ra, 0, 0)}}, nil
	}
	if !f.Flags.Encrypted() {
		return &layers{top: p.unpack(f, plainSource{io.NewSectionReader(p.ra, p.start(i), size)})}, nil
	}
	if !f.Compressed() && !p.keyFits() {
		return nil, fault.At(fault.WrongKey, p.start(i), "file.data", "the key does not fit: it does not open another entry, which is intact")
	}
	part := io.NewSectionReader(p.ra, p.start(i), nadeocrypt.BlockSize+nadeocrypt.Padded(size))
	alg := nadeocrypt.CBC
	if p.ctr(f) {
		alg = nadeocrypt.CTR
	}
	crypt := nadeocrypt.NewReader(part, p.dataCipher(), alg, size)
	return &layers{
		top:    p.unpack(f, crypt),
		crypt:  crypt,
		mixing: alg == nadeocrypt.CBC && f.Flags&DontUseDummyWrite == 0,
	}, nil
}

// keyFits reports whether the key is right, as far as that can be tested. Uncompressed
// data decrypts to something with any key. So the smallest compressed entry is tried, if
// there is one. No test is needed if the key has already opened the header.
func (p *Pack) keyFits() bool {
	p.keyOnce.Do(func() {
		p.keyWrong = false
		if p.headerNeedsKey() {
			return
		}
		probe := -1
		for i := range p.Files {
			f := &p.Files[i]
			if f.Flags.Encrypted() && f.Compressed() && f.CompressedSize > 0 && p.checkRange(i) == nil &&
				(probe < 0 || f.CompressedSize < p.Files[probe].CompressedSize) {
				probe = i
			}
		}
		if probe < 0 {
			return
		}
		l, err := p.layers(probe)
		if err == nil {
			_, err = io.ReadFull(l.top, make([]byte, 1))
		}
		p.keyWrong = err != nil && fault.KindOf(p.describe(probe, err, true)) == fault.WrongKey
	})
	return !p.keyWrong
}

// unpack adds the decompressor of the pack's version to a stream.
func (p *Pack) unpack(f *File, src source) source {
	switch {
	case !f.Compressed():
		return src
	case p.Version >= 18:
		return newLZ4Reader(src, int64(f.CompressedSize), int64(f.UncompressedSize), p.Dictionary)
	}
	return zinflate.NewPageReader(src)
}

// Reader returns the content of the i-th entry. A GBX whose nodes change the cipher is
// decoded as a whole, everything else while it is read. If its nodes cannot be followed
// to the end, the reader gives the certain beginning and then the error. Content that is
// stored plainly has random access: its reader is an io.ReaderAt.
func (p *Pack) Reader(i int) (io.Reader, error) {
	l, err := p.layers(i)
	if err != nil {
		return nil, fault.InEntry(err, p.paths[i])
	}
	if plain, ok := l.top.(plainSource); ok {
		return plain.SectionReader, nil
	}
	if l.mixing {
		head, gbx := l.sniff()
		if gbx {
			return beginning(p.walk(i, l, head)), nil
		}
		return p.checked(i, io.MultiReader(bytes.NewReader(head), l.top)), nil
	}
	return p.checked(i, l.top), nil
}

// beginning returns a reader that gives data, and then err if it is not nil.
func beginning(data []byte, err error) io.Reader {
	if err == nil {
		return bytes.NewReader(data)
	}
	return io.MultiReader(bytes.NewReader(data), failed{err})
}

type failed struct{ err error }

func (f failed) Read([]byte) (int, error) { return 0, f.err }

// Decode returns the whole content of the i-th entry. With an error it returns the
// beginning that is certain.
func (p *Pack) Decode(i int) ([]byte, error) {
	l, err := p.layers(i)
	if err != nil {
		return nil, fault.InEntry(err, p.paths[i])
	}
	var head []byte
	if l.mixing {
		var gbx bool
		if head, gbx = l.sniff(); gbx {
			return p.walk(i, l, head)
		}
	}
	return io.ReadAll(p.checked(i, io.MultiReader(bytes.NewReader(head), l.top)))
}

// sniff reads the first bytes to see whether the entry is a GBX. They are on the first
// page, before any change of the cipher. The next read returns the same error.
func (l *layers) sniff() (head []byte, gbx bool) {
	head = make([]byte, 3)
	n, _ := io.ReadFull(l.top, head)
	return head[:n], string(head[:n]) == "GBX"
}

// checked returns the content of an entry, and compares its length with the table at the
// end. Its errors are faults of the entry.
func (p *Pack) checked(i int, src io.Reader) io.Reader {
	return &checkedReader{p: p, i: i, src: src, left: int64(p.Files[i].UncompressedSize)}
}

type checkedReader struct {
	p    *Pack
	i    int
	src  io.Reader
	left int64
	err  error
}

func (c *checkedReader) Read(p []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	n, err := c.src.Read(p)
	if int64(n) > c.left {
		n, err = int(c.left), errTooLong
	}
	c.left -= int64(n)
	switch {
	case err == io.EOF && c.left > 0:
		size := int64(c.p.Files[c.i].UncompressedSize)
		err = fault.InEntry(fault.At(fault.SizeMismatch, size-c.left, "file.uncompressedSize", "the content ends after %d bytes of %d", size-c.left, size), c.p.paths[c.i])
	case err != nil && err != io.EOF:
		err = fault.InEntry(c.p.describe(c.i, err, true), c.p.paths[c.i])
	}
	c.err = err
	return n, err
}

// describe turns an error of the layers into a fault. If the entry is encrypted and its
// stored data is intact, the key is wrong. keyInDoubt is false for data that begins like
// a GBX, because then the key is right.
func (p *Pack) describe(i int, err error, keyInDoubt bool) error {
	f := &p.Files[i]
	var bad *zinflate.CorruptError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF) && !f.Compressed():
		return fault.At(fault.Truncated, p.start(i), "file.data", "the stored data ends early")
	case errors.As(err, &bad), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, errTooLong), errors.Is(err, errLZ4):
		if keyInDoubt && f.Flags.Encrypted() && p.intact(i) {
			return fault.At(fault.WrongKey, p.start(i), "file.data", "the key does not fit: the stored data is intact, but decrypted it makes no sense")
		}
		if errors.Is(err, errTooLong) {
			return fault.At(fault.SizeMismatch, p.start(i), "file.uncompressedSize", "%s", err)
		}
		e := fault.Wrap(fault.DecompressFailed, err, "the content cannot be unpacked")
		e.Offset, e.Field = p.start(i), "file.data"
		return e
	}
	return err
}

// intact reports whether a checksum proves that the stored data of an entry is intact. It
// is false if the header has already proved the key.
func (p *Pack) intact(i int) bool {
	switch {
	case p.headerNeedsKey():
		return false // the same key opened the header
	case p.Version >= 14 && p.known():
		ok, err := p.slotHolds(i)
		return ok && err == nil
	}
	ok, err := p.contentsHold()
	return ok && err == nil
}

// checkSlot returns an error if slotHolds is false.
func (p *Pack) checkSlot(i int) error {
	if holds, err := p.slotHolds(i); holds || err != nil {
		return err
	}
	return fault.At(fault.HashMismatch, p.start(i), "file.checksum", "the MD5 of the stored slot differs")
}

// slotHolds compares an entry's checksum with its stored data.
func (p *Pack) slotHolds(i int) (bool, error) {
	f := &p.Files[i]
	sum := md5.New()
	n, err := io.Copy(sum, io.NewSectionReader(p.ra, p.start(i), p.slotSize(f)))
	if err != nil || n != p.slotSize(f) {
		return false, err
	}
	return [16]byte(sum.Sum(nil)) == f.Checksum, nil
}
