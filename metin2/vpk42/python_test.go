package vpk42_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pakbox/internal/testkit/peer"
	"pakbox/metin2/vpk42"
)

// TestIndependentDecoder has new archives read by a decoder that shares no
// code with this package.
func TestIndependentDecoder(t *testing.T) {
	python := peer.Python(t, "cryptography", "lz4")
	for _, o := range variants {
		t.Run(variantName(o), func(t *testing.T) {
			t.Parallel()
			if o.Algorithm == vpk42.Zstandard || o.Algorithm == vpk42.Brotli {
				peer.Program(t, o.Algorithm.String(), o.Algorithm.String())
			}
			items := samples()
			o.Options = withPassphrase("pässwörd 密码")
			o.Created = time.Unix(1_800_000_000, 0)
			path := filepath.Join(t.TempDir(), "x.vpk")
			if err := os.WriteFile(path, write(t, items, o), 0o666); err != nil {
				t.Fatal(err)
			}
			decoder := exec.Command(python, filepath.Join("testdata", "decode_vpk.py"), path)
			decoder.Stdin = strings.NewReader("pässwörd 密码")
			out, err := decoder.Output()
			if err != nil {
				var exit *exec.ExitError
				errors.As(err, &exit)
				t.Fatalf("%v: %s", err, exit.Stderr)
			}
			var got struct {
				Version, Level  int
				Algorithm       vpk42.Algorithm
				Mangled         bool
				Ticks           int64
				Author, Comment string
				Entries         []struct {
					Name       string
					StoredName string `json:"stored_name"`
					SHA256     string
				}
			}
			if err := json.Unmarshal(out, &got); err != nil {
				t.Fatal(err)
			}
			if got.Version != max(o.Version, 1) || got.Author != o.Author || got.Comment != o.Comment ||
				got.Mangled != o.Mangle || got.Ticks != 639355968000000000 || len(got.Entries) != len(items) {
				t.Fatalf("got %+v", got)
			}
			for i, it := range items {
				r, _ := it.Open()
				want := sha256.New()
				io.Copy(want, r)
				e := got.Entries[i]
				if e.Name != it.Name || e.SHA256 != hex.EncodeToString(want.Sum(nil)) || (e.StoredName != e.Name) != o.Mangle {
					t.Errorf("got %+v for %q", e, it.Name)
				}
			}
		})
	}
}
