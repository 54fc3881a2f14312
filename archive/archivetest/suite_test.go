package archivetest_test

import (
	"bytes"
	"os"
	"testing"

	"pakbox/archive/archivetest"
)

// A format needs no more code than this one to keep the whole contract.
func TestToy(t *testing.T) {
	archivetest.Run(t, archivetest.Suite{Format: toy{}, Unlimited: true})
}

// The toy is short, because package archive does the work that formats share.
func TestToyIsShort(t *testing.T) {
	const most = 100
	source, err := os.ReadFile("toy_test.go")
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(source, []byte("\n")); n > most {
		t.Errorf("toy_test.go has %d lines, more than %d", n, most)
	}
}
