package gbx_test

import (
	"bytes"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/testkit/corpus"
)

// What can be read of a map that breaks off is the beginning of the whole one.
func TestSalvage(t *testing.T) {
	seen := 0
	for path, data := range corpus.GBX(t, "03043000") {
		if len(data) > 1<<20 {
			continue
		}
		whole, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if !whole.Compressed() {
			continue
		}
		for _, cut := range []int{len(data) - 1, len(data) - len(data)/8, len(data) / 2} {
			_, want := gbx.Parse(data[:cut], engine.Registry())
			f, err := gbx.Salvage(data[:cut], engine.Registry())
			if want == nil || err == nil || err.Error() != want.Error() {
				t.Fatalf("%s cut at %d: %v, want %v", path, cut, err, want)
			}
			if f == nil { // the header is broken
				continue
			}
			if !bytes.HasPrefix(whole.BodyBytes(), f.BodyBytes()) {
				t.Fatalf("%s cut at %d: the body is another", path, cut)
			}
			if !codesBack(f) {
				t.Errorf("%s cut at %d: its values give other bytes", path, cut)
			}
			if cut == len(data)-1 && len(f.BodyBytes()) < len(whole.BodyBytes())/2 {
				t.Errorf("%s cut at %d: %d of %d bytes", path, cut, len(f.BodyBytes()), len(whole.BodyBytes()))
			}
			seen++
		}
	}
	if seen < 100 {
		t.Errorf("only %d cut files", seen)
	}
}
