package crypt

import (
	"bytes"
	"compress/zlib"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"pakbox/internal/testkit/corpus"
)

type golden struct {
	File       string
	Version    uint32
	Key        string
	Expect     string
	DataOffset int64 `json:"data_offset"`
	Files      []struct {
		Path           string
		Size           int64
		CompressedSize int64 `json:"compressed_size"`
		Offset         int64
		Flags          string
		SHA256         string
		Events         []event           `json:"ivxor_events"`
		Pages          map[string]string `json:"ivxor_pages"`
	}
}

// event is [offset, word] in the manifest.
type event struct {
	offset int64
	word   uint32
}

func (e *event) UnmarshalJSON(b []byte) error {
	var word string
	if err := json.Unmarshal(b, &[]any{&e.offset, &word}); err != nil {
		return err
	}
	w, err := strconv.ParseUint(word, 16, 32)
	e.word = uint32(w)
	return err
}

// The cipher alone, without a parser: every entry of the version 3 packs is
// decrypted with the page values that the manifest gives.
func TestGoldenPages(t *testing.T) {
	dir := corpus.Dir(t, "nadeopak")
	data, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct{ Paks []golden }
	if err := json.Unmarshal(data, &manifest); err != nil {
		t.Fatal(err)
	}
	entries, pages := 0, 0
	for _, g := range manifest.Paks {
		if g.Version > 3 || g.Expect != "ok" {
			continue
		}
		pak, err := os.ReadFile(filepath.Join(dir, g.File))
		if err != nil {
			t.Fatal(err)
		}
		key, _ := hex.DecodeString(g.Key)
		c := NewCipher([16]byte(key), ForVersion(g.Version))
		for _, f := range g.Files {
			flags, _ := strconv.ParseUint(f.Flags, 16, 64)
			if flags>>49&3 != 0 || f.CompressedSize == 0 {
				continue
			}
			values := Pages{}
			for page, value := range f.Pages {
				p, _ := strconv.Atoi(page)
				v, err := strconv.ParseUint(value, 16, 64)
				if err != nil {
					t.Fatal(err)
				}
				values[p] = IVXor(v)
			}
			blob := pak[g.DataOffset+f.Offset:]
			plain := make([]byte, Padded(f.CompressedSize))
			c.DecryptStream(plain, blob[8:8+len(plain)], binary.LittleEndian.Uint64(blob), values)
			plain = plain[:f.CompressedSize]
			if flags&0x3c != 0 {
				z, err := zlib.NewReader(bytes.NewReader(plain))
				if err != nil {
					t.Fatalf("%s: %s: %v", g.File, f.Path, err)
				}
				if plain, err = io.ReadAll(z); err != nil {
					t.Fatalf("%s: %s: %v", g.File, f.Path, err)
				}
			} else if flags>>32&1 == 0 {
				checkEvents(t, g.File+": "+f.Path, f.Events, f.CompressedSize, values)
			}
			if sum := sha256.Sum256(plain); hex.EncodeToString(sum[:]) != f.SHA256 {
				t.Errorf("%s: %s: wrong content", g.File, f.Path)
			}
			entries, pages = entries+1, pages+len(values)
		}
	}
	t.Logf("%d entries, %d pages with a value", entries, pages)
}

// checkEvents mixes the words of an uncompressed entry's events and compares
// the accumulator at each page with the manifest's.
func checkEvents(t *testing.T, name string, events []event, size int64, want Pages) {
	t.Helper()
	for page := int64(1); page*PageSize < size; page++ {
		var x IVXor
		for _, e := range events {
			if e.offset > (page-1)*PageSize && e.offset <= page*PageSize {
				x.MixWord(e.word)
			}
		}
		if x != want[int(page)] {
			t.Errorf("%s: page %d has %016X, want %016X", name, page, x, want[int(page)])
		}
	}
}
