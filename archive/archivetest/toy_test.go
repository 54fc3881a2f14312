package archivetest_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	"io"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/lib/wire"
)

// toy is a whole format, to copy from: "TOY1", then the contents, then a table
// of names, sizes and CRC-32s, then the size and the CRC-32 of the table.
type toy struct{}

func (toy) Name() string                { return "toy" }
func (toy) Description() string         { return "a toy" }
func (toy) Extensions() []string        { return []string{".toy"} }
func (toy) Params() []archive.Param     { return nil }
func (toy) Match(in archive.Input) bool { return string(in.Prefix(4)) == "TOY1" }

func (toy) Open(_ context.Context, in archive.Input, _ archive.Options) (archive.Archive, error) {
	end, err := wire.ReadAt(in, in.Size, in.Size-8, 8, "end")
	if err != nil {
		return nil, err
	}
	at := in.Size - 8 - int64(binary.LittleEndian.Uint32(end))
	table, err := wire.ReadAt(in, in.Size, at, in.Size-8-at, "table")
	if err != nil {
		return nil, err
	}
	if crc32.ChecksumIEEE(table) != binary.LittleEndian.Uint32(end[4:]) {
		return nil, fault.At(fault.TableCorrupt, at, "table", "the checksum of the table does not fit")
	}
	var entries []archive.Entry
	var sums []uint32
	r := wire.NewReader(table, at)
	for offset := int64(4); r.Len() > 0; {
		e := archive.Entry{Name: string(r.Bytes(int(r.U16("name")), "name")), Size: int64(r.U32("size")), Offset: offset}
		e.StoredSize = e.Size
		entries, sums, offset = append(entries, e), append(sums, r.U32("sum")), offset+e.Size
	}
	if r.Err() != nil {
		return nil, r.Err()
	}
	return toyArchive{archive.NewTree(entries, false, func(i int) (io.ReadCloser, error) {
		data, err := wire.ReadAt(in, at, entries[i].Offset, entries[i].Size, "data")
		if err == nil && crc32.ChecksumIEEE(data) != sums[i] {
			err = fault.At(fault.HashMismatch, entries[i].Offset, "data", "the CRC-32 does not fit")
		}
		return io.NopCloser(bytes.NewReader(data)), fault.InEntry(err, entries[i].Name)
	})}, nil
}

type toyArchive struct{ *archive.Tree }

func (toyArchive) Format() string { return "toy" }

func (a toyArchive) Edit(ctx context.Context, stage *archive.Stage, edits []archive.Edit, opts archive.CreateOptions) error {
	plan, err := archive.Plan(a.Tree, edits, false)
	if err != nil {
		return err
	}
	items := make([]archive.Item, len(plan))
	for i := range plan {
		items[i] = plan[i].Item
	}
	return toy{}.Create(ctx, stage, items, opts)
}

func (toy) Create(ctx context.Context, stage *archive.Stage, items []archive.Item, opts archive.CreateOptions) error {
	file, err := stage.File()
	if err == nil {
		err = archive.CheckNew(items, archive.Root{}, nil)
	}
	if err != nil {
		return err
	}
	out := bufio.NewWriter(file)
	out.WriteString("TOY1")
	opts.BeginItems(items)
	var table []byte
	for _, it := range items {
		sum := crc32.NewIEEE()
		n, err := it.CopyTo(ctx, io.MultiWriter(out, sum))
		if err != nil {
			return err
		}
		table = append(binary.LittleEndian.AppendUint16(table, uint16(len(it.Name))), it.Name...)
		table, _ = binary.Append(table, binary.LittleEndian, [2]uint32{uint32(n), sum.Sum32()})
		opts.Advance(max(it.Size, 0))
	}
	out.Write(table)
	binary.Write(out, binary.LittleEndian, [2]uint32{uint32(len(table)), crc32.ChecksumIEEE(table)})
	return out.Flush()
}
