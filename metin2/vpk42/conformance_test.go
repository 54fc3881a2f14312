package vpk42

import (
	"testing"

	"pakbox/archive"
	"pakbox/archive/archivetest"
	"pakbox/internal/testkit/tier"
)

func TestConformance(t *testing.T) {
	s := archivetest.Suite{Format: Format{}, Fold: true}
	s.Variants = []map[string]string{nil, {"vpk-version": "2", "algorithm": "zstd"}, {"vpk-version": "2", "algorithm": "brotli", "level": "1", "mangle": "true"}, {"level": "0", "comment": "x"}}
	s.Volatile = func(file []byte) { clear(file[28:37]) } // when it was made
	archivetest.Run(t, s)
}

func TestConformanceEncrypted(t *testing.T) {
	tier.All(t, "much time")
	s := archivetest.Suite{Format: Format{}, Fold: true, Variants: []map[string]string{{"encrypt": "true"}}}
	s.Options = archive.Options{Passphrase: func() (string, error) { return "secret", nil }}
	s.Volatile = func(file []byte) { clear(file) } // salt and nonces make all of it differ
	archivetest.Run(t, s)
}
