package vpk42

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
	"github.com/zeebo/blake3"

	"pakbox/fault"
	"pakbox/internal/lib/bulk"
)

// isLarge reports whether an entry is decoded piece by piece.
func (e *Entry) isLarge() bool {
	return (e.IsCompressed || e.IsEncrypted) && max(e.OriginalSize, e.StoredSize) > largeAbove
}

// largeFile is the content of a large entry, decoded while it is read. A wrong tag or
// hash is reported at its end, as for content that is stored uncompressed. The HMAC of
// the whole archive was checked before.
type largeFile struct {
	entry   *Entry
	src     *sealedReader
	decoder io.Reader
	close   func()
	hash    *blake3.Hasher
	n       int64
	err     error
}

// openLarge opens an entry that check has accepted.
func (a *Archive) openLarge(e *Entry) (*largeFile, error) {
	if max(e.StoredSize, e.OriginalSize) > a.limit {
		return nil, fault.At(fault.Limit, e.offset, "StoredSize", "%d bytes are stored for %d, the limit is %d", e.StoredSize, e.OriginalSize, a.limit)
	}
	f := &largeFile{entry: e, hash: hashers.Get().(*blake3.Hasher), close: func() {}}
	f.hash.Reset()
	f.src = &sealedReader{r: io.NewSectionReader(a.in, e.DataOffset, e.StoredSize)}
	if e.IsEncrypted {
		f.src.gcm = newGCMStream(a.keys, e.Nonce)
	}
	if !e.IsCompressed {
		f.decoder = f.src
		return f, nil
	}
	src := bufio.NewReaderSize(f.src, bulk.Block)
	var prefix [prefixSize]byte
	if _, err := io.ReadFull(src, prefix[:]); err != nil {
		f.Close()
		return nil, readFault(err, e.DataOffset)
	}
	if size := int64(int32(uint32(prefix[0]) | uint32(prefix[1])<<8 | uint32(prefix[2])<<16 | uint32(prefix[3])<<24)); size != e.OriginalSize {
		f.Close()
		return nil, fault.At(fault.SizeMismatch, e.DataOffset, "OriginalSize", "the data declares %d bytes, but the table declares %d", size, e.OriginalSize)
	}
	return f, f.startDecoder(a.header.CompressionAlgorithm, src)
}

func (f *largeFile) startDecoder(algorithm Algorithm, src *bufio.Reader) error {
	switch algorithm {
	case LZ4:
		if most := maxExpansionLZ4 * (f.entry.StoredSize - prefixSize); f.entry.OriginalSize > most {
			f.Close()
			return fault.At(fault.Limit, f.entry.DataOffset, "OriginalSize", "claims %d bytes in an LZ4 block of %d, which holds %d at most",
				f.entry.OriginalSize, f.entry.StoredSize-prefixSize, most)
		}
		f.decoder = &lz4Reader{src: src}
	case Zstandard:
		d := zstdDecoders.Get().(*zstd.Decoder)
		f.close = func() { d.Reset(nil); zstdDecoders.Put(d) }
		if err := d.Reset(src); err != nil {
			f.Close()
			return fault.Wrap(fault.DecompressFailed, err, "Zstandard stream")
		}
		f.decoder = d
	default:
		r := brotliReaders.Get().(*brotli.Reader)
		f.close = func() { brotliReaders.Put(r) }
		r.Reset(src) // cannot fail
		f.decoder = r
	}
	return nil
}

func (f *largeFile) Read(p []byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	n, err := f.decoder.Read(p)
	f.n += int64(n)
	f.hash.Write(p[:n])
	switch {
	case f.n > f.entry.OriginalSize:
		err = otherSize("data", f.entry.OriginalSize)
	case err == io.EOF:
		err = f.end()
	case errors.Is(err, zstd.ErrWindowSizeExceeded):
		err = windowZstd(err)
	case err != nil && fault.KindOf(err) == "":
		err = fault.Wrap(fault.DecompressFailed, err, "compressed data")
	}
	if err != nil && err != io.EOF {
		err = fault.InEntry(at(err, f.entry.DataOffset), f.entry.FileName)
	}
	f.err = err
	return n, err
}

// end checks tag, size and hash at the end of the content.
func (f *largeFile) end() error {
	if _, err := io.Copy(io.Discard, f.src); err != nil { // the tag also covers bytes that the decoder did not need
		return err
	}
	switch {
	case f.src.n < f.entry.StoredSize:
		return readFault(nil, f.entry.DataOffset+f.src.n)
	case f.src.gcm != nil && !bytes.Equal(f.src.gcm.tag(), f.entry.AuthTag):
		return fault.At(fault.DataAuthFailed, f.entry.DataOffset, "AuthTag", "the data's authentication tag does not fit")
	case f.n != f.entry.OriginalSize:
		return otherSize("data", f.entry.OriginalSize)
	case !bytes.Equal(f.hash.Sum(nil), f.entry.ContentHash):
		return hashMismatch(f.entry)
	}
	return io.EOF
}

func (f *largeFile) Close() error {
	if f.hash != nil {
		hashers.Put(f.hash)
		f.close()
		f.hash, f.err = nil, fs.ErrClosed
	}
	return nil
}

// sealedReader reads stored data, and decrypts it if it is encrypted.
type sealedReader struct {
	r   io.Reader
	gcm *gcmStream
	n   int64
}

func (s *sealedReader) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	s.n += int64(n)
	if s.gcm != nil {
		s.gcm.open(p[:n], p[:n])
	}
	return n, err
}
