package gbx

import (
	"encoding/binary"

	"pakbox/codec/lzo1x"
)

// Salvage reads as much as there is of a file that [Parse] refuses because its
// body breaks off or does not unpack. The error is that of Parse; the File is
// nil if not even the header can be read. It is to be looked at: saved, it would
// be another file.
func Salvage(data []byte, reg *Registry) (*File, error) {
	f, err := Parse(data, reg)
	if err == nil {
		return f, nil
	}
	x := newCoder(reg)
	defer x.release()
	f = &File{reg: reg, found: data}
	budget := int64(memoryBase) + memoryFactor*int64(len(data))
	end, broken := f.parseHeader(x, data, 0, &budget)
	if broken != nil {
		return nil, err
	}
	f.bodyAt = end
	f.body = f.unpackable(&budget)
	f.decodeBody(x, &budget, nil)
	return f, err
}

// unpackable is the part of a compressed body before the place where it breaks.
func (f *File) unpackable(budget *int64) []byte {
	packed := f.found[f.bodyAt:]
	if len(packed) < 8 {
		return nil
	}
	size := int64(binary.LittleEndian.Uint32(packed))
	stored := int64(binary.LittleEndian.Uint32(packed[4:]))
	packed = packed[8:]
	packed = packed[:min(int64(len(packed)), stored)]
	body := make([]byte, max(0, min(size, 255*int64(len(packed))+64, *budget)))
	*budget -= int64(len(body))
	n, _ := lzo1x.Decompress(body, packed) // that it breaks is known
	return body[:n]
}
