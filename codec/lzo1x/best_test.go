package lzo1x

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestTree compares what the tree finds with what trying all distances finds.
func TestTree(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	twice := noise(r, compareLen+500, 256)
	inputs := map[string][]byte{
		"bits":    noise(r, 4000, 2),
		"letters": noise(r, 4000, 8),
		"records": records(r, 4000),
		"copies":  copies(r, 4000),
		// Equal positions of which one takes the place of the other.
		"repeats": slices.Concat(noise(r, 1000, 3), twice, noise(r, 1000, 3), twice, noise(r, 1000, 3), twice[:800]),
	}
	tree := new(tree)
	for name, src := range inputs {
		tree.open(len(src))
		for pos := range src {
			var want []match
			best := 1
			within := src[:min(len(src), pos+compareLen)]
			for distance := 1; distance <= min(pos, m4Max); distance++ {
				if length := matchLen(within, pos, distance); length > best {
					best = length
					want = append(want, match{length, distance})
				}
			}
			if got := tree.insert(src, pos); !slices.Equal(got, want) {
				t.Fatalf("%s, position %d: found %v, want %v", name, pos, got, want)
			}
		}
	}
}

// TestBestIsBest compares Best with the shortest stream of all, found by trying
// every literal and every match. It may rarely miss that by a byte.
func TestBestIsBest(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	missed := 0
	for _, shape := range shapes {
		for range 100 {
			src := shape.make(r, r.IntN(250))
			best, shortest := len(appendCompress(nil, src, Best)), shortestStream(src)
			missed += best - shortest
			if best < shortest || best > shortest+1 {
				t.Errorf("%s of %d bytes: %d by Best, the shortest stream has %d", shape.name, len(src), best, shortest)
			}
		}
	}
	if missed > 10 {
		t.Errorf("%d of %d are a byte too long", missed, 100*len(shapes))
	}
}

func shortestStream(src []byte) int {
	// rest[pos][n] is the shortest end of a stream from pos on, after n
	// literals that are still to be written.
	rest := make([][]int, len(src)+1)
	for pos := len(src); pos >= 0; pos-- {
		rest[pos] = make([]int, pos+1)
		matches := nearestMatches(src, pos)
		for n := range rest[pos] {
			literals := literalBytes(n, pos == n)
			shortest := literals + 3 // end marker
			if pos < len(src) {
				shortest = rest[pos+1][n+1]
			}
			for _, m := range matches {
				if bytes, ok := matchBytes(m, n); ok {
					shortest = min(shortest, literals+bytes+rest[pos+m.length][0])
				}
			}
			rest[pos][n] = shortest
		}
	}
	return rest[0][0]
}

// nearestMatches returns the nearest match of each length at pos.
func nearestMatches(src []byte, pos int) (matches []match) {
	length := 2
	for distance := 1; distance <= pos; distance++ {
		for ; length <= matchLen(src, pos, distance); length++ {
			matches = append(matches, match{length, distance})
		}
	}
	return matches
}

func literalBytes(n int, first bool) int {
	switch {
	case n == 0 || n <= 3 && !first:
		return n
	case n <= 18 || n <= 238 && first:
		return 1 + n
	default: // 273 is more than any input here
		return 2 + n
	}
}

// matchBytes states how many bytes a match takes, if it is possible at all after
// n literals. No distance here is above 2048.
func matchBytes(m match, n int) (int, bool) {
	switch {
	case m.length == 2:
		return 2, n >= 1 && n <= 3 && m.distance <= 1024
	case m.length <= 8:
		return 2, true
	case m.length <= 33:
		return 3, true
	default:
		return 4, true
	}
}
