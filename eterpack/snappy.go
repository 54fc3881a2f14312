package eterpack

import (
	"fmt"

	"github.com/klauspost/compress/s2"
)

// Objects of some forks begin with this mark. They are compressed with Snappy, and
// otherwise like all others; type 6 is that of their entries.
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
