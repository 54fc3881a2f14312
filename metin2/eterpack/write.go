package eterpack

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/lib/bulk"
	"pakbox/internal/lib/parallel"
	"pakbox/metin2/internal/packname"
	"pakbox/metin2/internal/xtea"
)

var params = []archive.Param{
	{Name: "eterpack-type", Usage: "how entries are stored: 0 raw, 1 compressed, 2 compressed and encrypted, auto is 1 where that helps and else 0; a compressed entry is one block, which takes about 1.1 times its size in memory to make", Default: "auto"},
	{Name: "eterpack-codec", Usage: "compression: lzo, or lz4 for clients built for it", Default: string(codecLZO)},
	{Name: "eterpack-index", Usage: "how the index is stored: encrypted or plain", Default: string(indexEncrypted)},
	packname.RootParam,
	{Name: "level", Usage: "compression level: 0 (store) to 12 (smallest), or fast", Default: "fast"},
}

// Params are the settings of Create.
func (Format) Params() []archive.Param { return params }

// maxLevel is the level of the best compression.
const maxLevel = 12

// typeAuto means the type that takes less space.
const typeAuto int8 = -1

// settings are the parsed params.
type settings struct {
	keys
	kind  int8
	codec codec
	form  indexForm
	level int // 0 is fast
}

func readSettings(opts archive.CreateOptions) (settings, error) {
	var s settings
	var err error
	if s.keys, err = newKeys(opts.Keys); err != nil {
		return s, err
	}
	switch v := opts.Param(params, "eterpack-type"); v {
	case "auto":
		s.kind = typeAuto
	case "0", "1", "2":
		s.kind = int8(v[0] - '0')
	default:
		return s, &archive.ParamError{Name: "eterpack-type", Value: v, Want: "auto, 0, 1 or 2 (other types need the server's secrets)"}
	}
	switch s.codec = codec(opts.Param(params, "eterpack-codec")); s.codec {
	case codecLZO, codecLZ4:
	default:
		return s, &archive.ParamError{Name: "eterpack-codec", Value: string(s.codec), Want: "lzo or lz4"}
	}
	switch s.form = indexForm(opts.Param(params, "eterpack-index")); s.form {
	case indexPlain, indexEncrypted:
	default:
		return s, &archive.ParamError{Name: "eterpack-index", Value: string(s.form), Want: "encrypted or plain"}
	}
	level := opts.Param(params, "level")
	if s.level, err = strconv.Atoi(level); level != "fast" && (err != nil || s.level < 0 || s.level > maxLevel) {
		return s, &archive.ParamError{Name: "level", Value: level, Want: fmt.Sprintf("0 to %d, or fast", maxLevel)}
	}
	if level == "0" && s.kind == typeAuto {
		s.kind = typeRaw
	}
	return s, nil
}

// Create writes the items as a new pack. The stage must be made for the .eix.
func (Format) Create(ctx context.Context, stage *archive.Stage, items []archive.Item, opts archive.CreateOptions) error {
	s, err := readSettings(opts)
	if err != nil {
		return err
	}
	data, err := dataNameFor(stage, s.keys)
	if err != nil {
		return err
	}
	if err := checkSizes(items); err != nil {
		return err
	}
	names := make([]string, len(items))
	for i, it := range items {
		names[i] = it.Name
	}
	page, err := packname.NewCodePage(opts.CodePage, names)
	if err != nil {
		return err
	}
	packname.Advise(opts, page, names)
	x := &index{form: s.form, marks: s.marks, codec: s.codec, records: make([]record, len(items))}
	jobs := make([]job, len(items))
	var stored [][]byte
	if err := archive.CheckNew(items, packname.Root, func(name string) (string, error) {
		raw, err := storeName(page, name)
		stored = append(stored, raw)
		return string(raw), err
	}); err != nil {
		return err
	}
	for i, name := range stored {
		x.records[i] = record{id: int32(i), name: name, nameCRC: nameCRC(name)}
		jobs[i] = job{items[i], s.kind, &x.records[i]}
	}
	epk, err := stage.Sibling(data)
	if err != nil {
		return err
	}
	w := &dataWriter{w: bufio.NewWriterSize(epk, 1<<20)}
	if err := w.writeAll(ctx, jobs, s, opts.Options); err != nil {
		return err
	}
	return writeIndex(stage, x, s)
}

// dataNameFor returns the name of the data file beside the stage's index.
func dataNameFor(stage *archive.Stage, k keys) (string, error) {
	name := filepath.Base(stage.Named())
	ext := filepath.Ext(name)
	if strings.EqualFold(ext, dataExt) || strings.EqualFold(ext, k.dataExt) {
		return "", fmt.Errorf("%s: a pack is written under the name of its %s file; the %s is made beside it", name, indexExt, dataExt)
	}
	return withExt(name, sameCase(k.dataExtFor(ext), ext)), nil
}

func writeIndex(stage *archive.Stage, x *index, s settings) error {
	data, err := x.encode(s.keys.index, s.level)
	if err != nil {
		return err
	}
	eix, err := stage.File()
	if err != nil {
		return err
	}
	_, err = eix.Write(data)
	return err
}

// checkSizes refuses content that is too large for a pack, before anything is read.
func checkSizes(items []archive.Item) error {
	for _, it := range items {
		if it.Size > math.MaxInt32 {
			return fault.InEntry(errTooLarge(), it.Name)
		}
	}
	return nil
}

func errTooLarge() error {
	return fault.New(fault.Limit, "the content is larger than 2 GiB, which a pack cannot hold")
}

// job is content to be written into a slot. Its record has the name; the other fields are
// set when the content is written.
type job struct {
	archive.Item
	kind   int8
	record *record
}

// packBudget limits the content in memory while packing. Raw content above streamSize is
// copied in pieces.
const (
	packBudget = 64 << 20
	streamSize = 4 << 20
)

// streams reports whether the content is copied in pieces, without being in memory as a
// whole.
func (j *job) streams() bool {
	return j.kind == typeRaw && (j.Size < 0 || j.Size > streamSize)
}

// packed is the content in its stored form; data is nil for content that streams.
type packed struct {
	kind int8
	size int64
	data []byte
}

// writeAll packs the content of all jobs in parallel and writes it in order.
func (w *dataWriter) writeAll(ctx context.Context, jobs []job, s settings, opts archive.Options) error {
	var total int64
	for i := range jobs {
		total += max(jobs[i].Size, 0)
	}
	opts.Begin(total)
	err := parallel.Ordered(ctx, opts.Workers, len(jobs), packBudget,
		func(i int) int64 {
			if jobs[i].streams() {
				return 0
			}
			return 2 * max(jobs[i].Size, 0) // the content and, if it is small, its packed form
		},
		func(ctx context.Context, i int) (packed, error) {
			if jobs[i].streams() {
				return packed{}, nil
			}
			p, err := pack(ctx, &jobs[i], s)
			return p, fault.InEntry(err, jobs[i].Name)
		},
		func(i int, p packed) error {
			defer opts.Advance(max(jobs[i].Size, 0))
			j := &jobs[i]
			if j.streams() {
				return fault.InEntry(w.stream(ctx, j), j.Name)
			}
			if err := j.Item.CheckSize(p.size); err != nil {
				return err
			}
			return fault.InEntry(w.put(j.record, p.kind, p.data), j.Name)
		})
	if err != nil {
		return err
	}
	return w.w.Flush()
}

// pack reads the content and gives it its stored form.
func pack(ctx context.Context, j *job, s settings) (packed, error) {
	rc, err := j.Open()
	if err != nil {
		return packed{}, err
	}
	defer rc.Close()
	if j.Size > streamSize {
		return packLarge(ctx, j, rc, s)
	}
	// The size of the file is known. A buffer of that size takes half the memory
	// of a growing one.
	var buf bytes.Buffer
	buf.Grow(int(max(j.Size, 0)) + bytes.MinRead)
	if err := copyContent(ctx, &buf, rc); err != nil {
		return packed{}, err
	}
	content := buf.Bytes()
	raw := packed{typeRaw, int64(len(content)), content}
	if j.kind == typeRaw {
		return raw, nil
	}
	kind, key := j.sealed(s)
	data, err := encodeObject(content, s.marks.object, key, s.codec, s.level)
	// An empty file stays a crypted object. As a raw entry it would have no data, and a
	// client that maps zero bytes of the file maps all of it.
	if j.kind == typeAuto && len(data) >= len(content) && len(content) > 0 {
		return raw, err
	}
	return packed{kind, raw.size, data}, err
}

// sealed returns the type of a compressed entry, and its key.
func (j *job) sealed(s settings) (int8, *xtea.Cipher) {
	if j.kind == typeEncrypted {
		return typeEncrypted, s.data
	}
	return typeCompress, nil
}

// packLarge packs content in place, so that it takes little more memory than the content.
// If packing does not save space, the content is already overwritten; the job then
// becomes a raw entry that is streamed.
func packLarge(ctx context.Context, j *job, rc io.Reader, s settings) (packed, error) {
	room, content := objectRoom(int(j.Size), s.codec)
	buf := bytes.NewBuffer(content[:0])
	if _, err := bulk.Copy(ctx, buf, io.LimitReader(rc, j.Size)); err != nil {
		return packed{}, err
	}
	more, err := bulk.Copy(ctx, io.Discard, rc)
	if err != nil {
		return packed{}, err
	}
	if err := j.Item.CheckSize(int64(buf.Len()) + more); err != nil {
		return packed{}, err
	}
	kind, key := j.sealed(s)
	data, err := encodeWithin(room, content, s.marks.object, key, s.codec, s.level)
	if err == nil && j.kind == typeAuto && len(data) >= len(content) {
		j.kind = typeRaw
		return packed{}, nil
	}
	return packed{kind, j.Size, data}, err
}

// copyContent copies all of src, up to the size limit of a record.
func copyContent(ctx context.Context, dst io.Writer, src io.Reader) error {
	limited := &io.LimitedReader{R: src, N: math.MaxInt32 + 1}
	if _, err := bulk.Copy(ctx, dst, limited); err != nil {
		return err
	}
	if limited.N <= 0 {
		return errTooLarge()
	}
	return nil
}

// slotUnit is the unit of slot sizes.
const slotUnit = 256

// slotSize is the size of the slot for n bytes: whole units, and at least one byte more
// than needed.
func slotSize(n int64) int64 { return n + slotUnit - n%slotUnit }

// dataWriter fills a data file slot by slot.
type dataWriter struct {
	w   *bufio.Writer
	pos int64
}

var zeros [slotUnit]byte

// put writes data into a new slot, and fills in the record.
func (w *dataWriter) put(r *record, kind int8, data []byte) error {
	if err := w.room(int64(len(data))); err != nil {
		return err
	}
	if _, err := w.w.Write(data); err != nil {
		return err
	}
	return w.finish(r, kind, int64(len(data)), crc32.ChecksumIEEE(data))
}

// stream is put for raw content that is too large for memory.
func (w *dataWriter) stream(ctx context.Context, j *job) error {
	if err := w.room(max(j.Size, 0)); err != nil {
		return err
	}
	rc, err := j.Open()
	if err != nil {
		return err
	}
	defer rc.Close()
	sum := crc32.NewIEEE()
	n := counter(0)
	if err := copyContent(ctx, io.MultiWriter(w.w, sum, &n), rc); err != nil {
		return err
	}
	if err := j.Item.CheckSize(int64(n)); err != nil {
		return err
	}
	if err := w.room(int64(n)); err != nil {
		return err
	}
	return w.finish(j.record, typeRaw, int64(n), sum.Sum32())
}

// counter counts the bytes written to it.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// room returns an error if n more bytes could not be addressed.
func (w *dataWriter) room(n int64) error {
	if w.pos+slotSize(n) > math.MaxInt32 {
		return fault.New(fault.Limit, "the %s would grow beyond 2 GiB, which its index cannot address", dataExt)
	}
	return nil
}

// finish pads the slot and fills in the record.
func (w *dataWriter) finish(r *record, kind int8, n int64, sum uint32) error {
	slot := slotSize(n)
	r.kind, r.dataSize, r.slotSize = kind, int32(n), int32(slot)
	r.position, r.dataCRC, r.raw = int32(w.pos), sum, nil
	w.pos += slot
	_, err := w.w.Write(zeros[:slot-n])
	return err
}

// align pads the data file to a whole slot, so that a new slot can begin.
func (w *dataWriter) align() error {
	if rest := w.pos % slotUnit; rest != 0 {
		w.pos += slotUnit - rest
		_, err := w.w.Write(zeros[rest:])
		return err
	}
	return nil
}
