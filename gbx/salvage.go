package gbx

import (
	"encoding/binary"

	"pakbox/codec/lzo1x"
)

// Salvage reads a damaged body as far as possible. It returns the error of [Parse]
// together with the File; the File is nil if the header cannot be read. Do not save this
// File: the rest of the body would be lost.
func Salvage(data []byte, reg *Registry) (*File, error) {
	f, err := Parse(data, reg)
	if err == nil {
		return f, nil
	}
	x := newCoder(reg)
	defer x.release()
	budget := budgetFor(int64(len(data)))
	f, bad := readHeader(x, data, &budget)
	if bad != nil {
		return nil, err
	}
	f.body = f.unpackable(&budget)
	f.decodeBody(x, &budget, nil)
	return f, err
}

// unpackable decompresses the body up to the first error.
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
	n, _ := lzo1x.Decompress(body, packed) // Parse has returned this error already
	return body[:n]
}
