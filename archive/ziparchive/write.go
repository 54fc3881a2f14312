package ziparchive

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"fmt"
	"hash/crc32"
	"io"
	"strconv"
	"sync"

	"github.com/klauspost/compress/flate"

	"pakbox/archive"
	"pakbox/internal/lib/bulk"
	"pakbox/internal/lib/parallel"
)

// Create writes the items, compressed in parallel.
func (Format) Create(ctx context.Context, stage *archive.Stage, items []archive.Item, opts archive.CreateOptions) error {
	if err := archive.CheckNew(items, archive.Root{}, nil); err != nil {
		return err
	}
	edited := make([]archive.Edited, len(items))
	for i, it := range items {
		edited[i].Item = it
	}
	return write(ctx, stage, nil, edited, opts.Param(params, "comment"), opts)
}

// Edit writes the archive with the edits applied. Unchanged entries, folders and the
// bytes behind the archive are copied as they are stored.
func (a *Archive) Edit(ctx context.Context, stage *archive.Stage, edits []archive.Edit, opts archive.CreateOptions) error {
	entries := make([]archive.Entry, len(a.stored))
	for i, f := range a.stored {
		entries[i] = archive.Entry{Name: entryName(f), Size: int64(f.UncompressedSize64)}
	}
	items, err := archive.Plan(archive.NewTree(entries, false, nil), edits, false)
	if err != nil {
		return err
	}
	comment := a.comment
	if c, ok := opts.Params["comment"]; ok {
		comment = c
	}
	return write(ctx, stage, a, items, comment, opts)
}

// packBudget limits the content in memory while packing.
const packBudget = 64 << 20

// packed is an item ready to be written. data is the compressed content; nil for an item
// that is copied or streamed.
type packed struct {
	header *zip.FileHeader
	data   []byte
}

func write(ctx context.Context, stage *archive.Stage, old *Archive, items []archive.Edited, comment string, opts archive.CreateOptions) error {
	level, err := strconv.Atoi(opts.Param(params, "level"))
	if err != nil || level < 0 {
		return &archive.ParamError{Name: "level", Value: opts.Param(params, "level"), Want: "a number from 0"}
	}
	level = min(level, flate.BestCompression)
	f, err := stage.File()
	if err != nil {
		return err
	}
	buf := bufio.NewWriterSize(f, 1<<20)
	w := zip.NewWriter(buf)
	// Streamed items use the same codec and level as the others; the compressor of the
	// standard library has a fixed level.
	w.RegisterCompressor(zip.Deflate, func(dst io.Writer) (io.WriteCloser, error) { return flate.NewWriter(dst, level) })
	if err := w.SetComment(comment); err != nil {
		return fmt.Errorf("comment: %w", err)
	}
	var total int64
	for _, it := range items {
		total += max(it.Size, 0)
	}
	opts.Begin(total)
	err = parallel.Ordered(ctx, opts.Workers, len(items), packBudget,
		func(i int) int64 { return max(items[i].Size, 0) },
		func(ctx context.Context, i int) (packed, error) {
			if items[i].From != nil {
				return packed{}, nil
			}
			return pack(ctx, items[i].Item, level)
		},
		func(i int, p packed) error {
			counted, end := opts.Portion(items[i].Size)
			defer end()
			switch {
			case items[i].From != nil:
				return copyRaw(ctx, w, old.stored[*items[i].From], items[i].Name, counted)
			case p.data == nil:
				return stream(ctx, w, p.header, items[i].Item)
			}
			return writePacked(w, p)
		})
	if err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	if old != nil {
		rest, err := old.rest()
		if err != nil {
			return err
		}
		if _, err := buf.Write(rest); err != nil {
			return err
		}
	}
	return buf.Flush()
}

// streamSize is the content size from which an item is compressed straight
// into the archive instead of in memory.
const streamSize = packBudget / 2

// compressors keeps compressors for reuse, by level: making one costs much more than
// compressing a small file.
var compressors [flate.BestCompression + 1]sync.Pool

func compressor(level int, dst io.Writer) *flate.Writer {
	if c, ok := compressors[level].Get().(*flate.Writer); ok {
		c.Reset(dst)
		return c
	}
	c, _ := flate.NewWriter(dst, level) // fails only for an invalid level
	return c
}

func pack(ctx context.Context, it archive.Item, level int) (packed, error) {
	h := newHeader(it.Name, it.ModTime)
	if level == 0 {
		h.Method = zip.Store
	}
	if it.Size < 0 || it.Size > streamSize {
		return packed{header: h}, nil
	}
	raw, err := it.ReadAll(ctx)
	if err != nil {
		return packed{}, err
	}
	h.CRC32 = crc32.ChecksumIEEE(raw)
	h.UncompressedSize64 = uint64(len(raw))
	data := raw
	if h.Method == zip.Deflate {
		var out bytes.Buffer
		c := compressor(level, &out)
		c.Write(raw) // cannot fail: it writes into memory
		c.Close()
		compressors[level].Put(c)
		data = out.Bytes()
	}
	if len(data) >= len(raw) {
		h.Method, data = zip.Store, raw
	}
	h.CompressedSize64 = uint64(len(data))
	return packed{h, append([]byte{}, data...)}, nil
}

func writePacked(w *zip.Writer, p packed) error {
	dst, err := w.CreateRaw(p.header)
	if err != nil {
		return err
	}
	_, err = dst.Write(p.data)
	return err
}

func stream(ctx context.Context, w *zip.Writer, h *zip.FileHeader, it archive.Item) error {
	dst, err := w.CreateHeader(h)
	if err != nil {
		return err
	}
	_, err = it.CopyTo(ctx, dst)
	return err
}

func copyRaw(ctx context.Context, w *zip.Writer, f *zip.File, name string, counted func(io.Reader) io.Reader) error {
	src, err := f.OpenRaw()
	if err != nil {
		return err
	}
	h := f.FileHeader
	if name != entryName(f) { // without a new name the header stays as it is stored
		setName(&h, name)
	}
	dst, err := w.CreateRaw(&h)
	if err != nil {
		return err
	}
	_, err = bulk.Copy(ctx, dst, counted(src))
	return err
}

var (
	_ archive.Creator = Format{}
	_ archive.Editor  = (*Archive)(nil)
)
