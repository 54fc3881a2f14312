package nadeopak

import (
	"bytes"
	"crypto/md5"
	"errors"
	"io"

	"pakbox/codec/zinflate"
	"pakbox/fault"
	"pakbox/internal/lib/nadeocrypt"
)

// start is where the i-th entry's data begins in the file.
func (p *Pack) start(i int) int64 { return p.dataStart() + int64(p.Files[i].Offset) }

// slotSize is the length of what is stored for an entry, with its IV and its
// padding. Before version 17 it is not written down.
func (p *Pack) slotSize(f *File) int64 {
	switch {
	case p.Version >= 17:
		return int64(f.Size)
	case f.Flags.Encrypted():
		return nadeocrypt.BlockSize + nadeocrypt.Padded(f.StoredSize())
	}
	return f.StoredSize()
}

// maxRatio is more than deflate can do; LZ4 does less.
const maxRatio = 1040

// checkRange refuses an entry whose data is not inside the file.
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

// lacks says what would be needed to read an entry and is not there, as far
// as that is known without reading it.
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

// ctr tells whether an entry is encrypted in counter mode.
func (p *Pack) ctr(f *File) bool {
	return p.Version >= 18 && f.Flags&IsSeekable != 0 && !f.Compressed()
}

// layers is the stack of streams that an entry is read through.
type layers struct {
	top    source
	crypt  *nadeocrypt.Reader // nil if the entry is clear
	mixing bool               // nodes alter the cipher, if the entry is a GBX
}

// source is a stream that can tell what it has decoded and not handed out.
type source interface {
	io.Reader
	Buffered() []byte
	// Ended tells whether nothing more will be read from below: what is
	// buffered is the end, and it has been checked as far as it can be.
	Ended() bool
}

// plainSource reads stored bytes.
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

// keyFits tries the key. What is not compressed decrypts to something with any
// key, so for such an entry the smallest compressed one has to vouch, if there
// is one and the header has not been opened with the same key.
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

// unpack puts the decompressor of the pack's version on top of a stream.
func (p *Pack) unpack(f *File, src source) source {
	switch {
	case !f.Compressed():
		return src
	case p.Version >= 18:
		return newLZ4Reader(src, int64(f.CompressedSize), int64(f.UncompressedSize), p.Dictionary)
	}
	return zinflate.NewPageReader(src)
}

// Reader returns the content of the i-th entry. A GBX whose nodes alter the
// cipher is decoded whole, everything else as it is read; if its nodes cannot
// be followed to the end, the beginning that is certain is read before the
// error. What is stored as it is can also be read anywhere: then the reader is
// an io.ReaderAt.
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

// beginning reads data, and then err where there is one.
func beginning(data []byte, err error) io.Reader {
	if err == nil {
		return bytes.NewReader(data)
	}
	return io.MultiReader(bytes.NewReader(data), failed{err})
}

type failed struct{ err error }

func (f failed) Read([]byte) (int, error) { return 0, f.err }

// Decode returns the whole content of the i-th entry. With an error it
// returns the beginning that is certain all the same.
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

// sniff reads the first bytes to see whether the entry is a GBX. They are on
// the first page, which nothing can have altered. An error comes up again
// with the next read.
func (l *layers) sniff() (head []byte, gbx bool) {
	head = make([]byte, 3)
	n, _ := io.ReadFull(l.top, head)
	return head[:n], string(head[:n]) == "GBX"
}

// checked passes on the content of an entry and compares its length with the
// table at the end. Its errors are faults of the entry.
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

// describe turns an error of the layers into a fault. If the entry is
// encrypted and what is stored is intact, it is the key that is wrong; but a
// GBX that begins like one was decrypted with the right key.
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

// intact tells whether a checksum vouches for an entry's stored bytes, and
// the key was not vouched for by the header.
func (p *Pack) intact(i int) bool {
	switch {
	case p.headerNeedsKey():
		return false // the header was opened with the same key
	case p.Version >= 14 && p.known():
		ok, err := p.slotHolds(i)
		return ok && err == nil
	}
	ok, err := p.contentsHold()
	return ok && err == nil
}

// checkSlot is slotHolds as an error.
func (p *Pack) checkSlot(i int) error {
	if holds, err := p.slotHolds(i); holds || err != nil {
		return err
	}
	return fault.At(fault.HashMismatch, p.start(i), "file.checksum", "the MD5 of the stored slot differs")
}

// slotHolds compares an entry's checksum with what is stored for it.
func (p *Pack) slotHolds(i int) (bool, error) {
	f := &p.Files[i]
	sum := md5.New()
	n, err := io.Copy(sum, io.NewSectionReader(p.ra, p.start(i), p.slotSize(f)))
	if err != nil || n != p.slotSize(f) {
		return false, err
	}
	return [16]byte(sum.Sum(nil)) == f.Checksum, nil
}
