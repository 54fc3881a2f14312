package vpk42

import "github.com/pierrec/lz4/v4"

type lz4Fast struct{ c lz4.Compressor }

func (c *lz4Fast) compress(dst, src []byte) (int, error) {
	n, err := c.c.CompressBlock(src, dst)
	if err != nil {
		return 0, nil
	}
	return n, nil
}

func newLZ4(level int) compressor { return new(lz4Fast) }
