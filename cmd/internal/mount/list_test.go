package mount_test

import (
	"fmt"
	"testing"

	"pakbox/cmd/internal/mount"
)

// BenchmarkReadDir lists 100,000 files in 100 folders.
func BenchmarkReadDir(b *testing.B) {
	var files []string
	for d := range 100 {
		for f := range 1000 {
			files = append(files, fmt.Sprintf("d%d/%d.txt", d, f), "")
		}
	}
	tree := openTree(b, writeFile(b, zipOf(b, files...)), mount.Options{})
	for b.Loop() {
		for d := range 100 {
			if list, err := tree.ReadDir(fmt.Sprint("d", d)); err != nil || len(list) != 1000 {
				b.Fatalf("len(list) = %v, err = %v; want no error, list of length 1000", len(list), err)
			}
		}
	}
}
