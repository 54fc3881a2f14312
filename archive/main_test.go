package archive_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestMain fails if tests leave files of the disk open, as far as the system lists
// them: a file that stays open cannot be replaced on Windows.
func TestMain(m *testing.M) {
	before := openFiles()
	code := m.Run()
	for _, file := range openFiles() {
		if code == 0 && !slices.Contains(before, file) {
			fmt.Fprintln(os.Stderr, "still open after the tests:", file)
			code = 1
		}
	}
	os.Exit(code)
}

// openFiles lists the files of the disk that this process has open.
func openFiles() (files []string) {
	entries, _ := os.ReadDir("/proc/self/fd")
	for _, e := range entries {
		to, err := os.Readlink("/proc/self/fd/" + e.Name())
		if err == nil && strings.HasPrefix(to, "/") && !strings.HasPrefix(to, "/proc/") && !strings.HasPrefix(to, "/dev/") {
			files = append(files, to)
		}
	}
	return files
}
