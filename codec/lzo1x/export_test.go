package lzo1x

import "slices"

// AppendDecompress appends the content of a stream, which has at most limit bytes.
func AppendDecompress(dst, src []byte, limit int) ([]byte, error) {
	n, _, err := measure(src, limit)
	if err != nil {
		return dst, err
	}
	dst = slices.Grow(dst, n)
	if _, err := Decompress(dst[len(dst):len(dst)+n], src); err != nil {
		return dst, err
	}
	return dst[:len(dst)+n], nil
}
