package vpk42

import (
	"bytes"
	"strings"
	"testing"

	"pakbox/fault"
)

// Decoders and buffers are used again, also after streams that were wrong: what
// came before must not show.
func TestDecodersAfterDamage(t *testing.T) {
	large := []byte(strings.Repeat("far more than sixty-four times as long ", 300_000)) // streams: above what is believed at once
	small := []byte(strings.Repeat("some words, and others ", 100))
	const limit = 64 << 20
	for _, algorithm := range []Algorithm{LZ4, Zstandard, Brotli} {
		compress := newCompressor(algorithm, 3)
		var buffers bufferPool
		check := func(what string, content []byte) {
			t.Helper()
			stored, err := compressEntry(compress, content, nil)
			if err != nil {
				t.Fatal(err)
			}
			for i := range buffers.free { // nobody may count on what a buffer holds
				b := buffers.free[i][:cap(buffers.free[i])]
				copy(b, bytes.Repeat([]byte{0xEE}, len(b)))
			}
			got, err := decompressEntry(algorithm, stored, int64(len(content)), limit, &buffers)
			if err != nil || !bytes.Equal(got, content) {
				t.Errorf("%s, after %s: %d of %d bytes, %v", algorithm, what, len(got), len(content), err)
			}
			buffers.put(got)
		}
		for _, content := range [][]byte{small, large} {
			stored, err := compressEntry(compress, content, nil)
			if err != nil {
				t.Fatal(err)
			}
			cut := stored[:len(stored)-len(stored)/4]
			flipped := bytes.Clone(stored)
			for i := prefixSize + 8; i < len(flipped); i += 7 {
				flipped[i] ^= 0x55
			}
			for what, damaged := range map[string][]byte{"a stream cut off": cut, "a stream of nonsense": flipped} {
				if got, err := decompressEntry(algorithm, damaged, int64(len(content)), limit, &buffers); err == nil && bytes.Equal(got, content) {
					t.Errorf("%s: %s was not noticed", algorithm, what)
				} else if err != nil && fault.KindOf(err) == "" {
					t.Errorf("%s: %s: %v has no kind", algorithm, what, err)
				}
				check(what, small)
				check(what, large)
			}
		}
	}
}
