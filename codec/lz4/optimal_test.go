package lz4

import (
	"math"
	"math/rand/v2"
	"testing"
)

// optimal is the size of the smallest block that src can have: all ways to cover
// it with literals and matches are priced, each from its literals on.
func optimal(src []byte) int {
	more := func(n int) int { // bytes of a length that its nibble cannot hold
		if n < 15 {
			return 0
		}
		return (n-15)/255 + 1
	}
	n := len(src)
	longest := make([]int, n)
	for p := range longest {
		for q := max(0, p-65535); q < p && p <= n-12; q++ {
			k := 0
			for p+k < n-5 && src[p+k] == src[q+k] {
				k++
			}
			longest[p] = max(longest[p], k)
		}
	}
	least := make([]int, n+1) // up to here, where a match ends
	for i := range least[1:] {
		least[i+1] = math.MaxInt / 2
	}
	whole := math.MaxInt
	for at := range n + 1 {
		if least[at] >= math.MaxInt/2 {
			continue
		}
		whole = min(whole, least[at]+1+more(n-at)+n-at)
		for p := at; p < n; p++ {
			for length := 4; length <= longest[p]; length++ {
				price := least[at] + 1 + more(p-at) + p - at + 2 + more(length-4)
				least[p+length] = min(least[p+length], price)
			}
		}
	}
	return whole
}

// small are short inputs in which much repeats.
func small() (all [][]byte) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for i := range 300 {
		letters, n := 2+i%6, 30+rnd.IntN(220)
		var b []byte
		for len(b) < n {
			switch rnd.IntN(6) {
			case 0: // a run
				for c, k := byte(rnd.IntN(letters)), 1+rnd.IntN(40); k > 0; k-- {
					b = append(b, c)
				}
			case 1: // what was there before
				if len(b) > 8 {
					from := rnd.IntN(len(b) - 4)
					b = append(b, b[from:from+min(len(b)-from, 1+rnd.IntN(30))]...)
				}
			default:
				b = append(b, byte(rnd.IntN(letters)), byte(rnd.IntN(40)))
			}
		}
		all = append(all, b)
	}
	return all
}

// On short inputs the best level finds a smallest block, and the others from 2 up
// come near: no block is more than a few bytes larger.
func TestOptimal(t *testing.T) {
	most := [Max + 1]int{2: 7, 3: 3, 4: 3, 5: 3, 6: 3, 7: 3, 8: 3, 9: 3, 10: 2, 11: 2, 12: 0}
	for i, src := range small() {
		want := optimal(src)
		for level := Fast + 1; level <= Max; level++ {
			packed := compress(t, src, level)
			checkBlock(t, packed, src)
			if more := len(packed) - want; more < 0 || more > most[level] {
				t.Errorf("input %d, level %d: %d bytes, and %d are enough", i, level, len(packed), want)
			}
		}
	}
}
