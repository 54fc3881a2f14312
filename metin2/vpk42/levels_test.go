package vpk42_test

import (
	"os"
	"testing"

	"pakbox/archive"
	"pakbox/metin2/vpk42"
)

// TestLevelsDiffer wants each of 42pak's LZ4 settings to do better on a real
// file, this program, than the one before it.
func TestLevelsDiffer(t *testing.T) {
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data = data[:min(len(data), 1<<20)]
	last := int64(len(data))
	for level := 1; level <= 12; level++ {
		a := open(t, write(t, []archive.Item{item("program", data)}, vpk42.WriteOptions{Algorithm: vpk42.LZ4, Level: level}), archive.Options{})
		size := a.Table()[0].StoredSize
		t.Logf("level %d: %d bytes", level, size)
		if size >= last {
			t.Errorf("level %d: %d bytes, the level before has %d", level, size, last)
		}
		last = size
	}
}
