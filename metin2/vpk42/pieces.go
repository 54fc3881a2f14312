package vpk42

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
	"github.com/zeebo/blake3"

	"pakbox/archive"
	"pakbox/codec/lz4"
	"pakbox/internal/lib/bulk"
)

// largeAbove is the size from which an entry is processed piece by piece, so that memory
// does not grow with it. LZ4 is an exception: its encoder needs the whole content, though
// not the whole block.
const largeAbove = 16 << 20

// errNotShorter stops compression when its output is not shorter than its input.
var errNotShorter = errors.New("the compressed form is not shorter")

// pieces writes a large item directly into the file: compressed if that is shorter,
// otherwise uncompressed.
func (w *writer) pieces(ctx context.Context, item archive.Item, nonce []byte) (Entry, error) {
	if err := w.out.Flush(); err != nil {
		return Entry{}, err
	}
	size, err := knownSize(ctx, item)
	if err != nil {
		return Entry{}, inItem(err, item)
	}
	item.Size = size
	e := newEntry(item.Name)
	e.DataOffset, e.OriginalSize = w.pos, size
	err = errNotShorter
	if w.packer.compress != nil && size > prefixSize {
		e.IsCompressed = true
		err = w.attempt(ctx, item, &e, nonce)
	}
	if err == errNotShorter {
		if e.IsCompressed && w.keys != nil {
			// A nonce must not be used twice: the overwritten attempt was encrypted with
			// it.
			if _, err := io.ReadFull(w.random, nonce); err != nil {
				return Entry{}, fmt.Errorf("draw nonce: %w", err)
			}
		}
		e.IsCompressed = false
		err = w.attempt(ctx, item, &e, nonce)
	}
	if err != nil {
		return Entry{}, inItem(err, item)
	}
	w.pos += e.StoredSize
	w.out.Reset(io.NewOffsetWriter(w.file, w.pos))
	return e, nil
}

// knownSize returns the size of an item. If the item does not state it, it reads the item
// to its end.
func knownSize(ctx context.Context, item archive.Item) (int64, error) {
	size := item.Size
	if size < 0 {
		rc, err := item.Open()
		if err != nil {
			return 0, err
		}
		defer rc.Close()
		if size, err = bulk.Copy(ctx, io.Discard, rc); err != nil {
			return 0, err
		}
	}
	if size > maxPacked {
		return 0, tooLarge(size)
	}
	return size, nil
}

// attempt writes an item in the form given by e.
func (w *writer) attempt(ctx context.Context, item archive.Item, e *Entry, nonce []byte) error {
	rc, err := item.Open()
	if err != nil {
		return err
	}
	defer rc.Close()
	out := &pieceWriter{w: bufio.NewWriterSize(io.NewOffsetWriter(w.file, e.DataOffset), bulk.Block)}
	if w.keys != nil {
		e.IsEncrypted, e.Nonce = true, nonce
		out.gcm = newGCMStream(w.keys, nonce)
	}
	hash := hashers.Get().(*blake3.Hasher)
	defer hashers.Put(hash)
	hash.Reset()
	content := &countedReader{r: io.TeeReader(rc, hash)}
	if e.IsCompressed {
		out.most = item.Size - 1
		err = w.packer.stream(ctx, out, content, item.Size)
	} else {
		_, err = bulk.Copy(ctx, out, content)
	}
	if err == nil {
		// Read to the end, because some readers check their content there.
		_, err = bulk.Copy(ctx, io.Discard, content)
	}
	if err == nil {
		err = item.CheckSize(content.n)
	}
	if err == nil {
		err = out.w.Flush()
	}
	e.StoredSize, e.ContentHash = out.n, hash.Sum(nil)
	if out.gcm != nil {
		e.AuthTag = out.gcm.tag()
	}
	return err
}

// stream compresses content of a known size. The size is written first.
func (p *packer) stream(ctx context.Context, out io.Writer, content io.Reader, size int64) error {
	prefix := []byte{byte(size), byte(size >> 8), byte(size >> 16), byte(size >> 24)}
	if _, err := out.Write(prefix); err != nil {
		return err
	}
	var enc io.WriteCloser
	switch p.algorithm {
	case LZ4:
		raw := make([]byte, size)
		if n, err := io.ReadFull(&contextReader{ctx, content}, raw); err != nil && err != io.ErrUnexpectedEOF {
			return err
		} else if int64(n) < size {
			return nil // the caller will find the wrong size
		}
		return lz4.Compress(out, raw, levelLZ4(p.level))
	case Zstandard:
		z, err := zstd.NewWriter(nil, zstd.WithEncoderCRC(false), zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.EncoderLevelFromZstd(min(p.level, 19))))
		if err != nil {
			return err
		}
		z.ResetContentSize(out, size)
		enc = z
	default:
		enc = brotli.NewWriterLevel(out, min(p.level, brotli.BestCompression))
	}
	n, err := bulk.Copy(ctx, enc, io.LimitReader(content, size))
	if err == nil && n < size {
		return nil // the caller will find the wrong size
	}
	if closeErr := enc.Close(); err == nil {
		err = closeErr
	}
	return err
}

// pieceWriter encrypts and counts the bytes of one block.
type pieceWriter struct {
	w    *bufio.Writer
	gcm  *gcmStream // nil if the archive is not encrypted
	buf  []byte
	n    int64
	most int64 // limit of bytes that are worth writing; 0 for none
}

func (w *pieceWriter) Write(p []byte) (int, error) {
	if w.most > 0 && w.n+int64(len(p)) > w.most {
		return 0, errNotShorter
	}
	w.n += int64(len(p))
	if w.gcm == nil {
		return w.w.Write(p)
	}
	for done := 0; done < len(p); { // p may be as long as the content: encrypt it in pieces
		w.buf = append(w.buf[:0], p[done:min(done+bulk.Block, len(p))]...)
		w.gcm.seal(w.buf, w.buf)
		if _, err := w.w.Write(w.buf); err != nil {
			return done, err
		}
		done += len(w.buf)
	}
	return len(p), nil
}

// countedReader counts the bytes read.
type countedReader struct {
	r io.Reader
	n int64
}

func (c *countedReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// contextReader fails when its context is cancelled.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c *contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p[:min(len(p), bulk.Block)])
}
