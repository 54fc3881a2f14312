package lzo1x

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden file anew")

// The same input and level give the same stream, on every machine and in every build of a
// version: files that are saved twice are the same. A change of the search shows here as
// other streams, with the difference in bytes.
func TestSameStreams(t *testing.T) {
	var lines strings.Builder
	for _, l := range levels {
		for _, shape := range shapes {
			r := rand.New(rand.NewPCG(21, 22))
			hash, size := sha256.New(), 0
			for _, n := range []int{0, 1, 2, 3, 4, 5, 17, 24, 25, 31, 60, 240, 300, 1000, 5000, 20000, 70000} {
				packed := appendCompress(nil, shape.make(r, n), l.level)
				hash.Write(packed)
				size += len(packed)
			}
			fmt.Fprintf(&lines, "%s, %s: %d bytes, %s\n", l.name, shape.name, size, hex.EncodeToString(hash.Sum(nil)[:8]))
		}
	}
	got := lines.String()
	const golden = "testdata/streams.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	known := strings.Split(string(want), "\n")
	for line := range strings.Lines(got) {
		if !slices.Contains(known, strings.TrimSuffix(line, "\n")) {
			t.Errorf("not in %s: %s", golden, line)
		}
	}
	if strings.Count(got, "\n") != len(known)-1 {
		t.Errorf("%d lines, and %s has %d", strings.Count(got, "\n"), golden, len(known)-1)
	}
}
