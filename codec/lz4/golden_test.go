package lz4

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"hash"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden file anew")

// The same input and level give the same block, on every machine and in every build of
// a version: archives that are made twice are the same. A change of the search shows here
// as other blocks, and belongs into the list of changes.
func TestSameBlocks(t *testing.T) {
	inputs := slices.DeleteFunc(shapes(), func(s shape) bool { return len(s.data) > 1000 }) // the kinds are larger
	made := kinds()
	for _, name := range []string{"far", "runs", "table", "text"} {
		inputs = append(inputs, shape{name, made[name]})
	}
	for _, src := range small() {
		inputs = append(inputs, shape{"small", src})
	}
	var lines strings.Builder
	for level := Fast; level <= Max; level++ {
		group := map[string]hash.Hash{}
		var order []string
		for _, s := range inputs {
			kind, _, _ := strings.Cut(s.name, " ")
			if group[kind] == nil {
				group[kind] = sha256.New()
				order = append(order, kind)
			}
			group[kind].Write(compress(t, s.data, level))
		}
		slices.Sort(order)
		for _, kind := range order {
			fmt.Fprintf(&lines, "level %d, %s: %s\n", level, kind, hex.EncodeToString(group[kind].Sum(nil)[:8]))
		}
	}
	checkGolden(t, "testdata/blocks.golden", lines.String())
}

// checkGolden compares a text with a file, and reports the lines that differ.
func checkGolden(t *testing.T, golden, got string) {
	t.Helper()
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
