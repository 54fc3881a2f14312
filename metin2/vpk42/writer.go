package vpk42

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math"

	"github.com/zeebo/blake3"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/lib/bulk"
	"pakbox/internal/lib/parallel"
	"pakbox/metin2/internal/packname"
)

// File is the empty file that an archive is written to. It must be readable, because the
// HMAC covers the header, which is written last.
type File interface {
	io.ReaderAt
	io.WriterAt
}

// Write makes an archive of items, in the given order. The same items and options give
// the same bytes, except for time, salt and nonces.
func Write(ctx context.Context, f File, items []archive.Item, opts WriteOptions) error {
	h, err := opts.header()
	if err != nil {
		return err
	}
	if err := archive.CheckNew(items, packname.Root, func(name string) (string, error) { return nameKey(name), checkName(name) }); err != nil {
		return err
	}
	sources := make([]source, len(items))
	for i, item := range items {
		sources[i].item = item
	}
	var k *keys
	tail := bytes.NewReader(zeros[:trailerSize])
	if h.IsEncrypted {
		passphrase, err := askPassphrase(opts.Options)
		if err != nil {
			return err
		}
		if _, err := io.ReadFull(opts.random(), h.Salt[:]); err != nil {
			return fmt.Errorf("draw salt: %w", err)
		}
		if k, err = deriveKeys(passphrase, &h); err != nil {
			return err
		}
		tail = bytes.NewReader(nil)
	}
	w := newWriter(f, h, k, opts)
	return w.write(ctx, h.encode(), sources, tail)
}

// source is the origin of an entry in the new archive: an item, or an entry of an old
// archive that is copied as it is stored.
type source struct {
	item archive.Item
	kept *Entry
}

// writer writes one archive.
type writer struct {
	file   File
	header Header
	keys   *keys // nil unless the archive is encrypted
	random io.Reader
	opts   archive.Options
	packer *packer
	old    io.ReaderAt // the archive that holds the kept entries

	out    *bufio.Writer
	pos    int64
	table  []byte
	nonces []byte             // one for each source, and one for the table
	moved  map[[2]int64]int64 // from the old place of a kept block to its new offset
}

func newWriter(f File, h Header, k *keys, opts WriteOptions) *writer {
	level := max(int(h.CompressionLevel), 0)
	return &writer{
		file:   f,
		header: h,
		keys:   k,
		random: opts.random(),
		opts:   opts.Options,
		packer: &packer{compress: newCompressor(h.CompressionAlgorithm, level), algorithm: h.CompressionAlgorithm, level: level, keys: k},
		out:    bufio.NewWriterSize(io.NewOffsetWriter(f, 0), 1<<20),
		moved:  map[[2]int64]int64{},
	}
}

// write writes the whole archive. raw is the header; only the place of the table changes
// in it. tail is copied behind the table: the bytes between table and HMAC, or up to the
// end if the archive has no HMAC.
func (w *writer) write(ctx context.Context, raw []byte, sources []source, tail io.Reader) error {
	if w.keys != nil {
		w.nonces = make([]byte, (len(sources)+1)*nonceSize)
		if _, err := io.ReadFull(w.random, w.nonces); err != nil {
			return fmt.Errorf("draw nonces: %w", err)
		}
	}
	w.emit(raw)
	if err := w.writeRest(ctx, sources, tail); err != nil {
		return err
	}
	w.header.patchTable(raw)
	if _, err := w.file.WriteAt(raw, 0); err != nil {
		return err
	}
	if w.keys == nil {
		return nil
	}
	sum, err := w.keys.sum(ctx, w.file, w.pos)
	if err != nil {
		return err
	}
	_, err = w.file.WriteAt(sum, w.pos)
	return err
}

// writeRest writes everything behind the header except for the HMAC.
func (w *writer) writeRest(ctx context.Context, sources []source, tail io.Reader) error {
	if len(sources) > math.MaxInt32 {
		return fault.New(fault.Limit, "%d files are too many", len(sources))
	}
	for i := range sources {
		// Refuse it before anything is read.
		if s := &sources[i]; s.kept == nil && w.packer.large(s.item) && s.item.Size > maxPacked {
			return inItem(tooLarge(s.item.Size), s.item)
		}
	}
	if err := w.writeBlocks(ctx, sources); err != nil {
		return err
	}
	if err := w.writeTable(len(sources)); err != nil {
		return err
	}
	if _, err := bulk.Copy(ctx, w, tail); err != nil {
		return err
	}
	return w.out.Flush()
}

// Write appends p. An error is returned by Flush at the latest.
func (w *writer) Write(p []byte) (int, error) {
	n, err := w.out.Write(p)
	w.pos += int64(n)
	return n, err
}

// emit is Write without an error: Flush returns it.
func (w *writer) emit(p []byte) { w.Write(p) }

// nonce is the nonce of the i-th source. The nonce of the table comes after all sources.
func (w *writer) nonce(i int) []byte {
	if w.nonces == nil {
		return nil
	}
	return w.nonces[i*nonceSize : (i+1)*nonceSize]
}

// writeBudget limits the memory of the entries that are being packed.
const writeBudget = 128 << 20

// writeBlocks writes the data of all sources, and packs several at a time.
func (w *writer) writeBlocks(ctx context.Context, sources []source) error {
	var total int64
	for _, s := range sources {
		total += max(0, s.item.Size)
	}
	w.opts.Begin(total)
	return parallel.Ordered(ctx, w.opts.Workers, len(sources), writeBudget,
		func(i int) int64 {
			if w.waits(&sources[i]) {
				return 0
			}
			return w.packer.cost(sources[i].item)
		},
		func(_ context.Context, i int) (packed, error) {
			if w.waits(&sources[i]) {
				return packed{}, nil
			}
			return w.packer.pack(sources[i].item, w.nonce(i))
		},
		func(i int, p packed) error {
			w.emit(zeros[:alignUp(w.pos)-w.pos])
			e, err := p.entry, error(nil)
			counted, end := w.opts.Portion(sources[i].item.Size)
			switch s := &sources[i]; {
			case s.kept != nil:
				e, err = w.copyKept(ctx, s, counted)
			case w.packer.streams(s.item):
				e, err = w.stream(ctx, s.item)
			case w.packer.large(s.item):
				e, err = w.pieces(ctx, s.item, w.nonce(i))
			default:
				e.DataOffset = w.pos
				_, err = w.Write(p.data)
			}
			if err != nil {
				return err
			}
			if w.header.FileNamesMangled && e.raw == nil {
				e.StoredName = MangledName(e.FileName)
			}
			w.table = e.append(w.table)
			w.packer.buffers.put(p.data)
			end()
			return nil
		})
}

// waits reports whether a source is read only when it is written, not packed ahead.
func (w *writer) waits(s *source) bool {
	return s.kept != nil || w.packer.streams(s.item) || w.packer.large(s.item)
}

// stream stores an item uncompressed, without holding it in memory.
func (w *writer) stream(ctx context.Context, item archive.Item) (Entry, error) {
	hash := hashers.Get().(*blake3.Hasher)
	defer hashers.Put(hash)
	hash.Reset()
	e := newEntry(item.Name)
	e.DataOffset = w.pos
	n, err := item.CopyTo(ctx, io.MultiWriter(hash, w))
	if err != nil {
		return Entry{}, inItem(err, item)
	}
	e.OriginalSize, e.StoredSize = n, n
	e.ContentHash = hash.Sum(nil)
	return e, nil
}

// copyKept copies an entry of the old archive. Entries that shared a block still share
// it.
func (w *writer) copyKept(ctx context.Context, s *source, counted func(io.Reader) io.Reader) (Entry, error) {
	e := *s.kept
	if e.FileName != s.item.Name {
		e.FileName, e.StoredName, e.raw = s.item.Name, s.item.Name, nil
	}
	place := [2]int64{e.DataOffset, e.StoredSize}
	if off, ok := w.moved[place]; ok && e.StoredSize > 0 {
		e.DataOffset = off
		return e, nil
	}
	section := io.NewSectionReader(w.old, e.DataOffset, e.StoredSize)
	e.DataOffset = w.pos
	w.moved[place] = w.pos
	n, err := bulk.Copy(ctx, w, counted(section))
	if err == nil && n < e.StoredSize {
		err = readFault(nil, place[0]+n)
	}
	return e, inItem(err, s.item)
}

// writeTable writes the table and sets its place in the header.
func (w *writer) writeTable(count int) error {
	table := w.table
	if w.keys != nil {
		table = w.keys.sealTable(table, w.nonce(count))
	}
	if len(table) > math.MaxInt32 {
		return fault.New(fault.Limit, "an entry table of %d bytes is too large for the format", len(table))
	}
	w.header.EntryCount = int32(count)
	w.header.EntryTableOffset = w.pos
	w.header.EntryTableSize = int32(len(table))
	w.emit(table)
	return nil
}

// newEntry starts the record of a new entry.
func newEntry(name string) Entry { return Entry{FileName: name, StoredName: name} }

// inItem adds the name of the item to an error.
func inItem(err error, item archive.Item) error {
	if err == nil || fault.KindOf(err) != "" {
		return fault.InEntry(err, item.Name)
	}
	return fmt.Errorf("%s: %w", item.Name, err)
}
