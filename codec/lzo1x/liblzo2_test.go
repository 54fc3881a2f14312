package lzo1x

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"pakbox/internal/testkit/liblzo2"
)

// startLiblzo2 gives liblzo2 bodies to work on.
func startLiblzo2(tb testing.TB, bodies []body) *liblzo2.Process {
	tb.Helper()
	list := make([]liblzo2.Body, len(bodies))
	for i, b := range bodies {
		list[i] = liblzo2.Body{Raw: b.raw, Packed: b.packed}
	}
	return liblzo2.Start(tb, list)
}

// TestLiblzo2 has liblzo2 decode what is coded here, and decodes what it has
// coded, which holds kinds of match that the games do not use. Best must be about
// as good as the best of liblzo2 on every input.
func TestLiblzo2(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	var best, fast []body
	for _, shape := range shapes {
		for _, n := range []int{0, 1, 2, 5, 30, 300, 5000, 60000} {
			raw := shape.make(r, n)
			best = append(best, body{shape.name, raw, appendCompress(nil, raw, Best)})
			fast = append(fast, body{shape.name, raw, appendCompress(nil, raw, Fast)})
		}
	}
	lib := startLiblzo2(t, append(fast, best...))
	if good := lib.Unpack(t, "lzo1x_decompress_safe"); good != len(fast)+len(best) {
		t.Errorf("liblzo2 decodes %d of %d streams", good, len(fast)+len(best))
	}
	lib = startLiblzo2(t, best)
	for _, coder := range []string{"lzo1x_1", "lzo1x_1_15", "lzo1x_999"} {
		for i, packed := range lib.Pack(t, coder+"_compress") {
			b := best[i]
			raw, err := AppendDecompress(nil, packed, len(b.raw))
			if err != nil || !bytes.Equal(raw, b.raw) {
				t.Errorf("%s of %d bytes by %s: %v", b.file, len(b.raw), coder, err)
			}
			if most := len(packed) + len(packed)/200; coder == "lzo1x_999" && len(b.packed) > most {
				t.Errorf("%s of %d bytes: %d by %s, %d by Best", b.file, len(b.raw), len(packed), coder, len(b.packed))
			}
		}
	}
}
