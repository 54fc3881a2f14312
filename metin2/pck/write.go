package pck

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/lib/bulk"
	"pakbox/internal/lib/parallel"
	"pakbox/metin2/internal/codepage"
	"pakbox/metin2/internal/packname"
)

var params = []archive.Param{
	{Name: "level", Usage: "compression level of Zstandard: 1 to 22", Default: "17"},
	{Name: "pck-encrypt", Usage: "extensions of the files to encrypt, with commas between them, or all, or none", Default: ".py"},
	packname.RootParam,
}

// Params are the settings of Create.
func (Format) Params() []archive.Param { return params }

// settings are the parsed params.
type settings struct {
	key     []byte
	level   int
	encrypt []string // extensions of files to encrypt; "all" for all files
}

func readSettings(opts archive.CreateOptions) (s settings, err error) {
	if s.key, err = findKey(opts.Keys); err != nil {
		return s, err
	}
	level := opts.Param(params, "level")
	if s.level, err = strconv.Atoi(level); err != nil || s.level < 1 || s.level > 22 {
		return s, &archive.ParamError{Name: "level", Value: level, Want: "1 to 22"}
	}
	if list := opts.Param(params, "pck-encrypt"); list != "none" {
		s.encrypt = strings.Split(strings.ToLower(list), ",")
	}
	return s, nil
}

// encrypts reports whether a new entry of that name is encrypted.
func (s settings) encrypts(name string) bool {
	return slices.Contains(s.encrypt, "all") || slices.Contains(s.encrypt, strings.ToLower(path.Ext(name)))
}

// Create writes the items as a new pack.
func (Format) Create(ctx context.Context, stage *archive.Stage, items []archive.Item, opts archive.CreateOptions) error {
	s, err := readSettings(opts)
	if err != nil {
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
	sources := make([]source, 0, len(items))
	if err := archive.CheckNew(items, packname.Root, func(name string) (string, error) {
		raw, err := packname.StoreName(page, name, maxName)
		sources = append(sources, source{record: newRecord(s, raw, name)})
		return string(raw), err
	}); err != nil {
		return err
	}
	for i := range items {
		sources[i].item = items[i]
	}
	return write(ctx, stage, sources, s, opts.Options)
}

func newRecord(s settings, raw []byte, name string) record {
	r := record{name: raw}
	if s.encrypts(name) {
		r.encrypted = 1
	}
	return r
}

// Edit writes the pack with the edits applied. Entries that stay are copied as
// they are stored, with their records. If nothing changes, the result is the
// same file.
func (a *Archive) Edit(ctx context.Context, stage *archive.Stage, edits []archive.Edit, opts archive.CreateOptions) error {
	s, err := readSettings(opts)
	if err != nil {
		return err
	}
	if len(edits) == 0 {
		file, err := stage.File()
		if err != nil {
			return err
		}
		_, err = bulk.Copy(ctx, file, io.NewSectionReader(a.in, 0, a.in.Size))
		return err
	}
	sources, err := a.plan(edits, s)
	if err != nil {
		return err
	}
	return write(ctx, stage, sources, s, opts.Options)
}

// plan lists the sources of the edited pack.
func (a *Archive) plan(edits []archive.Edit, s settings) ([]source, error) {
	after, err := archive.Plan(a.Tree, edits, true)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(after))
	for i := range after {
		names[i] = after[i].Name
	}
	page, err := a.pageFor(names)
	if err != nil {
		return nil, err
	}
	sources := make([]source, len(after))
	for i, it := range after {
		src := source{item: it.Item}
		if it.From == nil || a.Entries()[*it.From].Name != it.Name {
			raw, err := packname.StoreName(page, it.Name, maxName)
			if err != nil {
				return nil, err
			}
			src.record = newRecord(s, raw, it.Name)
		}
		if it.From != nil {
			old := a.records[*it.From]
			if err := old.check(a.dataSize(), recordAt(*it.From)); fault.KindOf(err) == fault.EntryRange {
				return nil, fault.InEntry(err, it.Name)
			}
			src.kept = io.NewSectionReader(a.in, a.dataBegin+int64(old.offset), int64(old.stored))
			if src.record.name != nil {
				old.name = src.record.name
			}
			src.record = old
		}
		sources[i] = src
	}
	return sources, nil
}

// beyondASCII reports whether any name depends on the code page.
func (a *Archive) beyondASCII() bool {
	return slices.ContainsFunc(a.records, func(r record) bool { return bytes.ContainsFunc(r.name, func(c rune) bool { return c >= 0x80 }) })
}

// source is an entry of the new pack: new content, or the stored bytes of an old entry.
type source struct {
	item   archive.Item
	kept   *io.SectionReader
	record record
}

// packBudget limits the content in memory while packing. An entry above streamSize is
// packed piece by piece.
const (
	packBudget = 64 << 20
	streamSize = 8 << 20
)

func (s *source) streams() bool { return s.kept != nil || s.item.Size < 0 || s.item.Size > streamSize }

// write writes a pack: first the data, behind the room for the table, then the table.
func write(ctx context.Context, stage *archive.Stage, sources []source, s settings, opts archive.Options) error {
	file, err := stage.File()
	if err != nil {
		return err
	}
	begin := recordAt(len(sources))
	out := bufio.NewWriterSize(io.NewOffsetWriter(file, begin), 1<<20)
	packer := newPacker(s)
	var total, at int64
	for i := range sources {
		total += max(sources[i].item.Size, 0)
	}
	opts.Begin(total)
	err = parallel.Ordered(ctx, opts.Workers, len(sources), packBudget,
		func(i int) int64 {
			if sources[i].streams() {
				return 0
			}
			return 2 * sources[i].item.Size
		},
		func(ctx context.Context, i int) (p packed, err error) {
			if !sources[i].streams() {
				p, err = packer.pack(ctx, &sources[i])
			}
			return p, fault.InEntry(err, sources[i].item.Name)
		},
		func(i int, p packed) error {
			src := &sources[i]
			counted, end := opts.Portion(src.item.Size)
			defer end()
			n, err := int64(len(p.data)), error(nil)
			switch {
			case src.kept != nil:
				n, err = bulk.Copy(ctx, out, counted(src.kept))
			case src.streams():
				n, err = packer.stream(ctx, out, src)
			default:
				src.record.size, src.record.nonce = uint64(p.size), p.nonce
				_, err = out.Write(p.data)
			}
			src.record.offset, src.record.stored = uint64(at), uint64(n)
			at += n
			return fault.InEntry(err, src.item.Name)
		})
	if err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	_, err = file.WriteAt(encodeTable(sources, s.key), 0)
	return err
}

// encodeTable returns the head and the records.
func encodeTable(sources []source, key []byte) []byte {
	table := make([]byte, headSize, recordAt(len(sources)))
	for i := range sources {
		table = append(table, sources[i].record.encode()...)
	}
	binary.LittleEndian.PutUint64(table, uint64(len(sources)))
	binary.LittleEndian.PutUint64(table[8:], uint64(len(table)))
	nonce, _ := nonceOf(context.Background(), "", bytes.NewReader(table)) // cannot fail: the table is in memory
	copy(table[16:], nonce[:])
	cryptRecords(table[headSize:], key, nonce[:])
	return table
}

// pageFor returns the code page for new names: that of the pack, or a suitable one if all
// names of the pack are ASCII.
func (a *Archive) pageFor(names []string) (*codepage.Page, error) {
	if a.beyondASCII() {
		return a.page, nil
	}
	return packname.NewCodePage(a.askedPage, names)
}

// CheckName refuses a name that the format cannot hold; writable mounts call it. Names
// that are new together may still need a code page that none of them has.
func (a *Archive) CheckName(name string) error {
	page, err := a.pageFor([]string{name})
	if err == nil {
		_, err = packname.StoreName(page, name, maxName)
	}
	return err
}
