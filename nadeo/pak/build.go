package pak

import (
	"bufio"
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"math"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/lib/parallel"
	"pakbox/nadeo/internal/crypt"
)

// target is the file that a pack is written to. Its header is written last, because it
// holds checksums of everything else.
type target interface {
	io.ReaderAt
	io.WriterAt
}

// build is a pack that is about to be written: its headers as far as they are known, and
// the origin of the content for each row of the file table.
type build struct {
	Header
	Directory
	encoder
	source  *Pack // pack that unchanged entries are copied from; nil if none exists
	origins []origin
	iv      uint64 // IV of the header and the metadata section
	records []MetaRecord
	opts    archive.Options
}

// origin is where the content of an entry comes from: an entry of the source, or an item.
type origin struct {
	from int // number of the entry in the source; -1 for an item
	item archive.Item
	meta *carriedRecord // its metadata record; nil for the old one, or one from the content
}

// headerSizes are the sizes of the header area that Nadeo reserves from version 15 on.
var headerSizes = []uint32{0x4000, 0x100000, maxHeader}

// image encodes the private header. folders is the length up to the end of the folder
// table.
func (b *build) image() (image []byte, folders int) {
	var c coder
	b.Directory.code(&c, b.Version, func() { folders = len(c.w) })
	return c.w, folders
}

// layout sets where the data begins. This is known early, because the length of the
// private header does not depend on its values.
func (b *build) layout() error {
	image, _ := b.image()
	at := int64(len(b.Header.bytes()))
	end := at + int64(len(image))
	if b.headerEncrypted() {
		end = at + crypt.BlockSize + int64(len(padded(b.Version, image)))
	}
	switch {
	case b.Version < 6:
		b.DataStart = uint32(end)
	case b.Version < 15:
		b.DataStart = uint32(crypt.Padded(end))
	default:
		for _, size := range headerSizes {
			if int64(b.HeaderMaxSize) < end && int64(size) >= end {
				b.HeaderMaxSize = size
			}
		}
		if int64(b.HeaderMaxSize) < end {
			return fault.New(fault.Limit, "the header needs %d bytes, the format allows %d", end, maxHeader)
		}
	}
	return nil
}

func (b *build) dataStart() int64 {
	if b.Version < 15 {
		return int64(b.DataStart)
	}
	return int64(b.HeaderMaxSize)
}

// write writes the whole pack.
func (b *build) write(ctx context.Context, dst target) error {
	if err := b.layout(); err != nil {
		return err
	}
	end, err := b.writeSlots(ctx, dst)
	if err != nil {
		return err
	}
	if end, err = b.writeMetadata(dst, end); err != nil {
		return err
	}
	if end > math.MaxUint32 {
		return fault.New(fault.Limit, "the pack would have %d bytes, more than the format can hold", end)
	}
	if b.Version >= 16 {
		b.FileSize = uint32(end)
	}
	if err := b.writeHeader(dst); err != nil {
		return err
	}
	if b.Version < 6 {
		return nil
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(dst, checkedOffset, end-checkedOffset)); err != nil {
		return err
	}
	_, err = dst.WriteAt(sum.Sum(nil), checksumOffset)
	return err
}

// encoded is a new entry ready to be written.
type encoded struct {
	file   File
	slot   []byte
	record []byte
}

// buildBudget limits the content in memory at one time.
const buildBudget = 128 << 20

// writeSlots writes the data of the entries, one behind the other in the order of the
// table. New entries are encoded in parallel.
func (b *build) writeSlots(ctx context.Context, dst target) (end int64, err error) {
	var total int64
	for _, o := range b.origins {
		total += o.cost()
	}
	b.opts.Begin(total)
	pos := b.dataStart()
	w := bufio.NewWriterSize(io.NewOffsetWriter(dst, pos), 256<<10)
	err = parallel.Ordered(ctx, b.opts.Workers, len(b.origins), buildBudget,
		func(i int) int64 { return b.origins[i].cost() },
		func(ctx context.Context, i int) (encoded, error) {
			if b.origins[i].from >= 0 {
				return encoded{file: b.Files[i]}, nil
			}
			e, err := b.encodeItem(i)
			return e, fault.InEntry(err, b.origins[i].item.Name)
		},
		func(i int, e encoded) error {
			b.Files[i] = e.file
			if pos-b.dataStart() > math.MaxUint32 {
				return fault.New(fault.Limit, "the pack would be larger than the format can hold")
			}
			b.Files[i].Offset = uint32(pos - b.dataStart())
			var n int64
			var err error
			if from := b.origins[i].from; from >= 0 {
				n, err = b.source.copySlot(w, from)
				if m := b.origins[i].meta; m != nil && m.data != nil {
					b.records = append(b.records, MetaRecord{i, m.data})
				}
			} else {
				var k int
				k, err = w.Write(e.slot)
				n = int64(k)
				if e.record != nil {
					b.records = append(b.records, MetaRecord{i, e.record})
				}
			}
			pos += n
			b.opts.Advance(b.origins[i].cost())
			return err
		})
	if err != nil {
		return 0, err
	}
	return pos, w.Flush()
}

func (o *origin) cost() int64 { return max(0, o.item.Size) }

// copySlot copies the stored data of an entry unchanged.
func (p *Pack) copySlot(w io.Writer, i int) (int64, error) {
	want := p.slotSize(&p.Files[i])
	n, err := io.Copy(w, io.NewSectionReader(p.ra, p.start(i), want))
	if err == nil && n != want {
		err = fault.InEntry(fault.At(fault.Truncated, p.start(i), "file.data", "%d bytes are stored, %d are there", want, n), p.paths[i])
	}
	return n, err
}

func (b *build) encodeItem(i int) (encoded, error) {
	item := b.origins[i].item
	src, err := item.Open()
	if err != nil {
		return encoded{}, err
	}
	defer src.Close()
	limit := b.opts.EntryLimit()
	content, err := io.ReadAll(io.LimitReader(src, limit+1))
	if err != nil {
		return encoded{}, err
	}
	if int64(len(content)) > limit {
		return encoded{}, fault.New(fault.Limit, "has more than %d bytes", limit)
	}
	if err := item.CheckSize(int64(len(content))); err != nil {
		return encoded{}, err
	}
	e := encoded{file: b.Files[i]}
	if head, _ := parseGBXHead(content); head != nil || e.file.ClassID == 0 {
		e.file.ClassID = classIDOf(item.Name, content)
	}
	if e.slot, err = b.encode(&e.file, content); err != nil {
		return encoded{}, err
	}
	e.record, err = b.recordFor(&b.origins[i], &e.file, content)
	return e, err
}

// writeMetadata writes the metadata section at the end: the old one unchanged if it is
// still right, otherwise a new one.
func (b *build) writeMetadata(dst target, at int64) (end int64, err error) {
	if b.source != nil && !b.source.hasMetadata() && !b.carriesRecords() {
		return at, nil
	}
	if b.source != nil {
		kept, same, err := b.keptRecords()
		if err != nil {
			return 0, err
		}
		if same {
			return b.copyMetadata(dst, at)
		}
		b.records = mergeRecords(kept, b.records)
	}
	b.GbxHeadersStart, b.GbxHeadersSize, b.GbxHeadersComprSize, b.GbxHeadersMD5 = 0, 0, 0, [16]byte{}
	if b.Version >= 18 && len(b.records) == 0 && b.source == nil {
		for i := range b.Files {
			b.Files[i].MetaOffset = noMetadata
		}
		return at, nil
	}
	packed, size := packMetadata(b.Version, b.records, b.Files)
	if b.Version >= 2 {
		b.GbxHeadersSize, b.GbxHeadersComprSize = uint32(size), uint32(len(packed))
	}
	// The game ignores the end of the section unless it fills a page.
	packed = append(packed, make([]byte, -len(packed)&(crypt.PageSize-1))...)
	if b.headerEncrypted() {
		packed = sealed(b.Version, b.headerKey(b.packKey()), b.iv, packed, nil)
	}
	return b.placeMetadata(dst, at, packed)
}

func (b *build) packKey() Key {
	if b.key == nil {
		return Key{}
	}
	return *b.key
}

func (b *build) placeMetadata(dst target, at int64, section []byte) (int64, error) {
	b.GbxHeadersStart = uint32(at)
	if b.Version >= 14 {
		b.GbxHeadersMD5 = md5.Sum(section)
	}
	_, err := dst.WriteAt(section, at)
	return at + int64(len(section)), err
}

func (b *build) copyMetadata(dst target, at int64) (int64, error) {
	p := b.source
	start := int64(p.GbxHeadersStart)
	if start > p.size || p.size-start > maxHeader {
		return 0, fault.At(fault.TableCorrupt, start, "gbxHeadersStart", "a metadata section of %d bytes cannot be", p.size-start)
	}
	section, err := io.ReadAll(io.NewSectionReader(p.ra, start, p.size-start))
	if err != nil {
		return 0, err
	}
	return b.placeMetadata(dst, at, section)
}

// keptRecords returns the records of entries that are kept, with their new numbers, and
// whether the section can stay unchanged.
func (b *build) keptRecords() (kept []MetaRecord, same bool, err error) {
	now := make(map[int]int, len(b.origins)) // from the old number to the new one
	for i, o := range b.origins {
		if o.from >= 0 {
			now[o.from] = i
		}
	}
	unmoved := func(file int) bool { i, ok := now[file]; return ok && i == file }
	records, err := b.source.Metadata()
	if err != nil {
		// The section cannot be read, perhaps because the dictionary is missing. It can
		// stay if no entry with a record has moved.
		if b.Version < 18 || len(b.records) > 0 {
			return nil, false, err
		}
		for i := range b.source.Files {
			if b.source.Files[i].MetaOffset != noMetadata && !unmoved(i) {
				return nil, false, err
			}
		}
		return nil, true, nil
	}
	same = len(b.records) == 0
	for i := range b.origins {
		same = same && (b.origins[i].from < 0 || b.origins[i].meta == nil)
	}
	for _, rec := range records {
		same = same && unmoved(rec.File)
		if i, ok := now[rec.File]; ok && b.origins[i].meta == nil {
			kept = append(kept, MetaRecord{i, rec.Data})
		}
	}
	return kept, same, nil
}

// mergeRecords puts records in ascending order of their files.
func mergeRecords(a, b []MetaRecord) []MetaRecord {
	merged := make([]MetaRecord, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0].File < b[0].File {
			merged, a = append(merged, a[0]), a[1:]
		} else {
			merged, b = append(merged, b[0]), b[1:]
		}
	}
	return append(append(merged, a...), b...)
}

// writeHeader writes both headers and the bytes up to the data.
func (b *build) writeHeader(dst target) error {
	image, folders := b.image()
	b.HeaderMD5 = b.sumImage(image)
	copy(image, b.HeaderMD5[:])
	head := b.Header.bytes()
	if b.headerEncrypted() {
		pages := crypt.Pages{}
		if x := folderMix(b.Folders); x != 0 {
			pages[headerMixPage(folders)] = x
		}
		head = append(head, sealed(b.Version, b.headerKey(b.packKey()), b.iv, image, pages)...)
	} else {
		head = append(head, image...)
	}
	fill, err := b.fill(int64(len(head)))
	if err != nil {
		return err
	}
	_, err = dst.WriteAt(append(head, fill...), 0)
	return err
}

// fill returns the bytes between the header and the data. An edited pack keeps them
// unchanged.
func (b *build) fill(from int64) ([]byte, error) {
	fill := make([]byte, b.dataStart()-from)
	if b.source == nil || b.Version < 15 || b.source.dataStart() <= from {
		return fill, nil
	}
	n := min(int64(len(fill)), b.source.dataStart()-from)
	if _, err := b.source.ra.ReadAt(fill[:n], from); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	// If the old header was longer, clear the rest of its ciphertext.
	if old := b.source.headerEnd() - from; old > 0 {
		clear(fill[:min(old, n)])
	}
	return fill, nil
}

// headerEnd is the offset behind the stored private header.
func (p *Pack) headerEnd() int64 {
	if !p.headerEncrypted() {
		return p.headerAt + p.headerLen
	}
	page := int64(crypt.PageSize)
	return p.headerAt + crypt.BlockSize + (p.headerLen+page-1)/page*page
}

// newIV derives the IV of a new pack from its content, so that the same input gives the
// same pack.
func newIV(h *Header, d *Directory) uint64 {
	var c coder
	d.code(&c, h.Version, func() {})
	sum := md5.Sum(append(h.bytes(), c.w...))
	return binary.LittleEndian.Uint64(sum[:])
}
