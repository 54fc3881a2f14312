package page

import (
	"path/filepath"
	"strings"
	"testing"
)

// Only a program without a disk keeps content in memory. Elsewhere a folder for temporary
// files that cannot be written is an error, not a reason to fill the memory.
func TestStoreNeedsItsDisk(t *testing.T) {
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, filepath.Join(t.TempDir(), "missing"))
	}
	s := &store{}
	defer s.close()
	if got, err := s.put(strings.NewReader("x"), 1); err == nil {
		t.Errorf("put = %v, want an error about the folder", got)
	}
}
