package tree_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"pakbox/archive"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/tree"
	"pakbox/internal/testkit/corpus"
	"pakbox/internal/testkit/tier"
)

// everyNth is how many files of the corpus the ordinary test leaves out
// between two it takes; the long tier takes all.
const everyNth = 9

// files calls test with files of the corpus.
func files(t *testing.T, every int, test func(path string, data []byte)) {
	t.Helper()
	if tier.IsLong() {
		every = 1
	}
	n := 0
	for path, data := range corpus.GBX(t) {
		if n++; n%every == 0 {
			test(path, data)
		}
	}
}

func document(t *testing.T, data []byte) []byte {
	t.Helper()
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	b.WriteByte('{')
	if err := tree.WriteJSON(&b, f, archive.Everything); err != nil {
		t.Fatal(err)
	}
	b.WriteByte('}')
	return b.Bytes()
}

// A dump that comes back is the same file.
func TestCorpusJSON(t *testing.T) {
	t.Parallel()
	count, size := 0, 0
	files(t, everyNth, func(path string, data []byte) {
		doc := document(t, data)
		if !json.Valid(doc) {
			t.Errorf("%s: the document is not JSON", path)
			return
		}
		f, err := tree.ReadJSON(doc, engine.Registry())
		if err != nil {
			t.Errorf("%s: %v", path, err)
			return
		}
		saved, err := f.Encode()
		if err != nil || !bytes.Equal(saved, data) {
			t.Errorf("%s: comes back as %d bytes, not %d (%v)", path, len(saved), len(data), err)
			return
		}
		count, size = count+1, size+len(doc)
	})
	t.Logf("%d files, %d bytes of JSON", count, size)
}
