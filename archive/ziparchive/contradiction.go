package ziparchive

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/internal/lib/wire"
)

// A zip states its files twice: in the directory at its end, and in a header before each
// content. Programs that unpack while they receive the file see the headers only. Files
// that state two things show one content to a scanner and another to its user.

// Sizes and signatures of APPNOTE.TXT 4.3.7, 4.3.12 and 4.3.15.
const (
	localSignature   = "PK\x03\x04"
	centralSignature = "PK\x01\x02"
	locatorSignature = "PK\x06\x07"
	localSize        = 30
	centralSize      = 46
	locatorSize      = 20
	end64Size        = 56
	flagDescriptor   = 8 // the sizes and the checksum follow the content
	extraZip64       = 1
	maxUint32        = 1<<32 - 1
	descriptorSize   = 24 // at most
)

// directory is the directory at the end of the archive.
type directory struct {
	begin, end int64 // of its records
	last       int64 // of the end record
	headers    []int64
}

// readDirectory reads at the offsets of headers in the directory. ok is false if that
// cannot be known.
func (a *Archive) readDirectory() (d directory, ok bool, err error) {
	from := max(0, a.in.Size-endReach)
	tail, err := wire.ReadAt(a.in, a.in.Size, from, a.in.Size-from, "end of the archive")
	if err != nil {
		return d, false, err
	}
	i := bytes.LastIndex(tail[:max(0, len(tail)-endSize+len(endSignature))], []byte(endSignature))
	if i < 0 {
		return d, false, nil
	}
	d.last = from + int64(i)
	size, offset := int64(binary.LittleEndian.Uint32(tail[i+12:])), int64(binary.LittleEndian.Uint32(tail[i+16:]))
	d.end = d.last
	if locator := i - locatorSize; locator >= 0 && string(tail[locator:locator+4]) == locatorSignature {
		at := int64(binary.LittleEndian.Uint64(tail[locator+8:]))
		if at < 0 || at > a.in.Size-end64Size {
			return d, false, nil
		}
		end, err := wire.ReadAt(a.in, a.in.Size, at, end64Size, "end of the archive")
		if err != nil {
			return d, false, err
		}
		size, offset, d.end = int64(binary.LittleEndian.Uint64(end[40:])), int64(binary.LittleEndian.Uint64(end[48:])), at
	}
	if size < 0 || offset < 0 || size > d.end {
		return d, false, nil
	}
	d.begin = d.end - size
	var magic [4]byte
	if _, err := a.in.ReadAt(magic[:], offset); err == nil && string(magic[:]) == centralSignature {
		d.begin = offset // as it is stated, although there may be something between it and the end
	}
	d.end = d.begin + size
	return d, a.readHeaders(&d, d.begin-offset), nil
}

// readHeaders reads the offsets of the headers from the records of the directory. base is
// the number of bytes before the archive, which most programs do not count.
func (a *Archive) readHeaders(d *directory, base int64) bool {
	if d.end > a.in.Size || base < 0 {
		return false
	}
	records := make([]byte, d.end-d.begin)
	if _, err := a.in.ReadAt(records, d.begin); err != nil && err != io.EOF {
		return false
	}
	for range a.stored {
		if len(records) < centralSize || string(records[:4]) != centralSignature {
			return false
		}
		name, extra, comment := int(binary.LittleEndian.Uint16(records[28:])), int(binary.LittleEndian.Uint16(records[30:])), int(binary.LittleEndian.Uint16(records[32:]))
		if len(records) < centralSize+name+extra+comment {
			return false
		}
		at := uint64(binary.LittleEndian.Uint32(records[42:]))
		if at == maxUint32 {
			sizes := [3]uint64{uint64(binary.LittleEndian.Uint32(records[24:])), uint64(binary.LittleEndian.Uint32(records[20:])), at}
			zip64(records[centralSize+name:][:extra], sizes[:])
			at = sizes[2]
		}
		if at > uint64(a.in.Size) {
			return false
		}
		d.headers = append(d.headers, base+int64(at))
		records = records[centralSize+name+extra+comment:]
	}
	return true
}

// zip64 replaces those of the sizes that are too large for their fields by the values in
// the extra field.
func zip64(extra []byte, sizes []uint64) {
	for len(extra) >= 4 {
		id, n := binary.LittleEndian.Uint16(extra), int(binary.LittleEndian.Uint16(extra[2:]))
		extra = extra[4:]
		if n > len(extra) {
			return
		}
		for field := extra[:n]; id == extraZip64 && len(sizes) > 0; sizes = sizes[1:] {
			if sizes[0] == maxUint32 && len(field) >= 8 {
				sizes[0], field = binary.LittleEndian.Uint64(field), field[8:]
			}
		}
		extra = extra[n:]
	}
}

// findContradictions reports files that the headers state otherwise than the directory.
func (a *Archive) findContradictions(ctx context.Context, report *archive.Report) error {
	d, ok, err := a.readDirectory()
	if err != nil || !ok {
		return err
	}
	if headers := slices.Sorted(slices.Values(d.headers)); len(slices.Compact(headers)) < len(d.headers) {
		return nil // files that share a header share their data: see findOverlaps of package archive
	}
	type part struct{ from, to int64 }
	var parts []part
	for i, f := range a.stored {
		if err := ctx.Err(); err != nil {
			return err
		}
		data, err := f.DataOffset()
		if err != nil || data-d.headers[i] < localSize || data-d.headers[i] > localSize+2<<16 {
			return nil // the directory counts from another place
		}
		header, err := wire.ReadAt(a.in, a.in.Size, d.headers[i], data-d.headers[i], "header of a file")
		if err != nil || string(header[:4]) != localSignature {
			return nil
		}
		if field, states := contradiction(f, header); field != "" {
			report.Add(finding.Error, fault.InEntry(fault.At(fault.BadEntry, d.headers[i], field, "the header before the content states another %s than the directory%s", field, states), entryName(f)))
		}
		parts = append(parts, part{d.headers[i], data + int64(f.CompressedSize64)})
	}
	slices.SortFunc(parts, func(x, y part) int { return cmp.Compare(x.from, y.from) })
	at := int64(0)
	for _, p := range append(parts, part{d.begin, d.begin}) {
		if hidden, ok := a.hidden(at, p.from); ok {
			report.Add(finding.Warning, fault.At(fault.TrailingData, hidden, "", "a file between the others is not in the directory"))
		}
		at = max(at, p.to)
	}
	return a.findSecondEnd(d, report)
}

// contradiction compares the header of a file with its record in the directory. It returns
// the first field that differs, and what the header states.
func contradiction(f *zip.File, header []byte) (field, states string) {
	r := wire.NewReader(header[6:localSize], 0)
	flags, method := r.U16("flags"), r.U16("method")
	r.U32("time")
	sum := uint64(r.U32("crc32"))
	sizes := [2]uint64{1: uint64(r.U32("stored size"))}
	sizes[0] = uint64(r.U32("size"))
	name := int(r.U16("length of the name"))
	if localSize+name > len(header) || string(header[localSize:localSize+name]) != f.Name {
		return "name", ": " + fmt.Sprintf("%q", header[localSize:min(localSize+name, len(header))])
	}
	if method != f.Method {
		return "method", ": " + methodName(method)
	}
	if (flags^f.Flags)&flagEncrypted != 0 {
		return "encryption", ""
	}
	zip64(header[localSize+name:], sizes[:])
	for _, v := range []struct {
		field         string
		local, listed uint64
	}{{"crc32", sum, uint64(f.CRC32)}, {"size", sizes[0], f.UncompressedSize64}, {"stored size", sizes[1], f.CompressedSize64}} {
		if v.local != v.listed && !(flags&flagDescriptor != 0 && v.local == 0) {
			return v.field, ""
		}
	}
	return "", ""
}

// hidden looks for a header between two files. A few bytes behind a file may repeat its
// sizes.
func (a *Archive) hidden(from, to int64) (at int64, ok bool) {
	if to-from < localSize {
		return 0, false
	}
	begin := make([]byte, min(to-from, descriptorSize+4))
	if n, err := a.in.ReadAt(begin, from); n < len(begin) && err != nil {
		return 0, false
	}
	i := bytes.Index(begin, []byte(localSignature))
	return from + int64(i), i >= 0
}

// findSecondEnd reports another end record behind the directory. Programs that look for
// the first one see another directory.
func (a *Archive) findSecondEnd(d directory, report *archive.Report) error {
	tail := make([]byte, max(0, min(a.in.Size-d.end, 2*endReach)))
	if _, err := a.in.ReadAt(tail, d.end); err != nil && err != io.EOF {
		return err
	}
	for i := 0; ; i++ {
		next := bytes.Index(tail[i:], []byte(endSignature))
		if next < 0 {
			return nil
		}
		if i += next; d.end+int64(i) != d.last {
			report.Add(finding.Warning, fault.At(fault.TrailingData, d.end+int64(i), "", "a second end record; other programs may see other files"))
			return nil
		}
	}
}
