package eterpack

import (
	"fmt"

	"github.com/klauspost/compress/s2"
)

// Crypted objects of some forks of the client begin with this mark and are compressed
// with Snappy. Otherwise they are like all others. Their entries have type 6.
const (
	snappyMark = "MCSP"
	typeSnappy = 6
)

const codecSnappy codec = "snappy"

// decodeSnappy unpacks a stream into exactly size bytes.
func decodeSnappy(stream []byte, size int) ([]byte, error) {
	if n, err := s2.DecodedLen(stream); err != nil || n != size {
		return nil, fmt.Errorf("snappy: the stream holds %d bytes, not %d: %v", n, size, err)
	}
	return s2.Decode(make([]byte, size), stream)
}
