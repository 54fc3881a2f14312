package gbx

import (
	"encoding/binary"

	"pakbox/codec/lzo1x"
)

// SetBody says how the body is to be stored from now on: uncompressed, or
// compressed at a level. It discards the form that the file was read with.
func (f *File) SetBody(compressed bool, level lzo1x.Level) {
	f.BodyCompression = 'U'
	if compressed {
		f.BodyCompression = 'C'
	}
	f.level = level
	f.found = nil
}

// appendCompressed appends the sizes and the compressed form of a body.
func appendCompressed(out, body []byte, level lzo1x.Level) []byte {
	out = binary.LittleEndian.AppendUint32(out, uint32(len(body)))
	at := len(out)
	out = append(out, 0, 0, 0, 0)
	out = lzo1x.AppendCompress(out, body, level)
	binary.LittleEndian.PutUint32(out[at:], uint32(len(out)-at-4))
	return out
}
