package lz4

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// kinds are contents that encoders find hard in different ways, the same on every
// run.
func kinds() map[string][]byte {
	rng := rand.New(rand.NewPCG(7, 11))
	const size = 96 << 10
	text := make([]byte, 0, size)
	words := make([]string, 600)
	for i := range words {
		word := make([]byte, 2+rng.IntN(9))
		for j := range word {
			word[j] = "etaoinshrdlucmfwypvbgkqjxz"[min(rng.IntN(26), rng.IntN(26))]
		}
		words[i] = string(word)
	}
	for len(text) < size {
		text = append(append(text, words[min(rng.IntN(600), rng.IntN(600))]...), ' ')
	}
	runs := make([]byte, 0, size)
	for len(runs) < size {
		c, n := byte(rng.IntN(5)), 1+rng.IntN(rng.IntN(400)+1)
		for range n {
			runs = append(runs, c)
		}
	}
	var table []byte
	for i := range uint32(size / 16) {
		for _, v := range []uint32{i, i * 3 / 7, rng.Uint32N(50) << 20, 0x3f800000 + rng.Uint32N(9)} {
			table = binary.LittleEndian.AppendUint32(table, v)
		}
	}
	far := make([]byte, 0, size)
	for len(far) < size {
		if n := 4 + rng.IntN(40); len(far) > 70_000 && rng.IntN(3) > 0 {
			at := len(far) - 60_000 - rng.IntN(8000)
			far = append(far, far[at:at+n]...)
		} else {
			far = append(far, byte(rng.Uint32()), byte(rng.Uint32()), byte(rng.Uint32()))
		}
	}
	return map[string][]byte{"text": text, "runs": runs, "table": table, "far": far}
}

// No level packs worse than it did: whoever changes the search sees here what it
// costs.
func TestRatio(t *testing.T) {
	most := map[string][]int{ // from the fastest level to the best
		"far":   {90095, 80172, 79428, 79335, 79333, 79333, 79333, 79333, 79333, 79327, 79327, 79327},
		"runs":  {4453, 2486, 2264, 2133, 2059, 2016, 2018, 2022, 2021, 1994, 2004, 1936},
		"table": {55200, 48245, 47822, 47744, 47700, 47640, 47590, 47549, 47531, 47493, 47468, 47467},
		"text":  {42042, 40525, 39971, 39563, 39299, 39183, 39180, 39180, 39180, 38820, 38820, 38819},
	}
	for kind, content := range kinds() {
		for level := Fast; level <= Max; level++ {
			packed, err := AppendCompress(nil, content, level)
			if err != nil {
				t.Fatal(err)
			}
			if i := int(level - Fast); len(packed) > most[kind][i] {
				t.Errorf("%s, level %d: %d bytes, before %d", kind, level, len(packed), most[kind][i])
			}
			checkBlock(t, packed, content)
		}
	}
}
