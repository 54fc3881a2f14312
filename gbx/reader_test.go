package gbx_test

import (
	"strings"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/internal/testkit/corpus"
)

// Real files read into the memory of others are the files read alone, and what
// texts they had stays.
func TestCorpusReader(t *testing.T) {
	type text struct{ kept, want string }
	var texts []text
	r := gbx.NewReader(engine.Registry())
	var last []byte
	for path, data := range corpus.GBX(t) {
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		checkAgain(t, r, data, f)
		if last != nil { // and after a smaller or larger one
			if _, err := r.Parse(last); err != nil {
				t.Fatal(err)
			}
			checkAgain(t, r, data, f)
		}
		last = data
		again, err := r.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		if c, ok := gbx.Find[*game.Chunk0304301F](again.Body); ok {
			texts = append(texts, text{c.MapName, strings.Clone(c.MapName)})
		}
	}
	for _, text := range texts {
		if text.kept != text.want {
			t.Errorf("a text has changed:\n%s\n%s", text.want, text.kept)
		}
	}
	if len(texts) == 0 {
		t.Error("no file had a text")
	}
}

// After a file that could not be read a Reader reads on.
func TestReaderAfterError(t *testing.T) {
	r := gbx.NewReader(engine.Registry())
	data := binaryFile(packedLists()...)
	for n := range data {
		if _, err := r.Parse(data[:n]); err != nil && fault.KindOf(err) == "" {
			t.Fatalf("%d bytes: error is no fault: %v", n, err)
		}
		checkAgain(t, r, data, read(t, data, engine.Registry()))
	}
}
