package scan_test

import (
	"path/filepath"
	"testing"

	"pakbox/index/scan"
	"pakbox/internal/testkit/corpus"
)

// BenchmarkScan makes an index of real files.
func BenchmarkScan(b *testing.B) {
	root := corpus.Dir(b, "gbx")
	for b.Loop() {
		if _, err := run(filepath.Join(b.TempDir(), "index.sqlite"), root, scan.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
