package eterpack

import (
	"bytes"
	"testing"
)

func TestCodecs(t *testing.T) {
	for _, c := range []codec{codecLZO, codecLZ4} {
		for _, level := range []int{0, 1, 9, maxLevel} {
			for _, content := range [][]byte{{}, {1}, text(20), text(100000), noise(5000), make([]byte, 1<<20)} {
				stream, err := c.compress([]byte("before"), content, level)
				if err != nil {
					t.Fatal(err)
				}
				if len(stream)-len("before") > c.bound(len(content)) {
					t.Errorf("%s: %d bytes became %d, beyond the bound", c, len(content), len(stream))
				}
				for _, first := range []codec{codecLZO, codecLZ4} {
					got, used, err := decompress(nil, stream[len("before"):], len(content), first, nil)
					if err != nil || used != c || !bytes.Equal(got, content) {
						t.Errorf("%s level %d, %d bytes: taken for %s, %v", c, level, len(content), used, err)
					}
				}
			}
		}
	}
}

// TestBothCodecsFit uses a stream that both codecs unpack to 548 bytes, which
// takes some care to make: LZ4 sees one run of literals with a long count,
// LZO1X a run of 223 literals, a match of 5 bytes, a run of 320 and the end.
func TestBothCodecsFit(t *testing.T) {
	const size = 548
	stream := []byte{0xf0, 0xff, 0xff, size - 15 - 255 - 255}
	stream = append(stream, text(220)...)
	stream = append(stream, 0x80, 0)
	stream = append(stream, 0, 0, 320-18-255)
	stream = append(stream, text(320)...)
	stream = append(stream, lzoEnd...)
	for _, first := range []codec{codecLZO, codecLZ4} {
		if _, used, err := decompress(nil, stream, size, first, nil); err != nil || used != first {
			t.Errorf("%s is asked first, %s answers, %v", first, used, err)
		}
	}
	asLZ4 := func(b []byte) bool { return bytes.Equal(b, stream[4:]) }
	if _, used, err := decompress(nil, stream, size, codecLZO, asLZ4); err != nil || used != codecLZ4 {
		t.Errorf("what the content must be does not settle it: %s, %v", used, err)
	}
}
