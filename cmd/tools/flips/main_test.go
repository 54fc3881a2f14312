package main

import (
	"bytes"
	"strings"
	"testing"
)

// Two runs with one seed must print the same table, and no flip may break the structure of
// a sample unnoticed.
func TestFlips(t *testing.T) {
	var first, second bytes.Buffer
	for _, out := range []*bytes.Buffer{&first, &second} {
		missed, err := run(out, []string{"../../../samples/trackmania"}, 300, 7, 1<<20, true)
		if err != nil || missed != 0 {
			t.Fatalf("run = %d, %v, want 0 missed", missed, err)
		}
	}
	if first.String() != second.String() {
		t.Errorf("two runs with one seed differ:\n%s\n%s", first.String(), second.String())
	}
	for _, want := range []string{"300 flips, seed 7", "| CGameCtnChallenge, unpacked | "} {
		if !strings.Contains(first.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, first.String())
		}
	}
	if _, err := run(&first, []string{t.TempDir()}, 1, 1, 1, false); err == nil {
		t.Error("a folder without files succeeded, want an error")
	}
}
