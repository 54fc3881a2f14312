package vpk42

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// The facts have every value of a header, and no others.
func TestFacts(t *testing.T) {
	words := func(h Header) string {
		var all []string
		for _, f := range headerFacts.Of(&h) {
			all = append(all, fmt.Sprintf("%s=%v", f.Name, f.Value))
		}
		return strings.Join(all, " ")
	}
	made := time.Date(2026, 11, 16, 12, 0, 0, 0, time.UTC)
	h := Header{Version: 2, CompressionAlgorithm: Zstandard, CompressionLevel: 5, CreatedAtUtcTicks: ticksOf(made), EntryTableOffset: 512, EntryTableSize: 99}
	if got, want := words(h), "version=2 encrypted=false compression_algorithm=zstd compression_level=5 names_mangled=false created=2026-11-16T12:00:00Z table_offset=512 table_size=99"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	h.Author, h.Comment, h.IsEncrypted, h.FileNamesMangled = "me", "half a \xc3", true, true
	h.CreatedAtUtcTicks, h.Salt = -1, [saltSize]byte{1}
	if got, want := words(h), "version=2 encrypted=true compression_algorithm=zstd compression_level=5 names_mangled=true created= author=me comment=half a \uFFFD salt=01"+strings.Repeat("00", 31)+" table_offset=512 table_size=99"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for ticks, want := range map[int64]bool{0: true, maxTicks: false, maxTicks + 1: true, -1: true} {
		h.CreatedAtUtcTicks = ticks
		if got := h.CreatedAt().IsZero(); got != want {
			t.Errorf("%d ticks: zero: %v", ticks, got)
		}
	}
}
