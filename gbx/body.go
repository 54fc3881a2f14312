package gbx

import "encoding/binary"

// appendCompressed appends the sizes and the compressed form of a body.
func appendCompressed(out, body []byte) []byte {
	packed := compress(body)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(body)))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(packed)))
	return append(out, packed...)
}

// compress writes one run of literals, which is a valid LZO stream.
func compress(body []byte) []byte {
	out := make([]byte, 0, len(body)+len(body)/255+16)
	switch n := len(body); {
	case n == 0:
	case n <= 238:
		out = append(out, byte(n+17))
	default:
		out = append(out, 0)
		for n -= 18; n > 255; n -= 255 {
			out = append(out, 0)
		}
		out = append(out, byte(n))
	}
	out = append(out, body...)
	return append(out, 0x11, 0, 0)
}
