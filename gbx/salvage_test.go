package gbx_test

import (
	"bytes"
	"slices"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/testkit/corpus"
)

// The readable part of a map that breaks off is the beginning of the complete one.
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
		if !whole.IsCompressed() {
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

// A body that breaks off is read up to there, and one that does not unpack up to
// where it is wrong.
func TestSalvageBytes(t *testing.T) {
	body := join(testChunk+1, text("one"), testChunk+1, text("two"), nodeEnd)
	packed := join(byte(17+len(body)), body, "\x11\x00\x00")
	head := join("GBX", uint16(6), "BUCR", testClass, 0, 1, 0)
	for _, test := range []struct {
		name  string
		data  []byte
		texts []string
	}{
		{"whole", join(head, len(body), len(packed), packed), []string{"one", "two"}},
		{"no end", join(head, len(body), len(packed), packed[:len(packed)-1]), []string{"one", "two"}},
		{"half", join(head, len(body), len(packed), packed[:16]), nil}, // a run of bytes is unpacked as a whole
		{"no sizes", join(head, 7), nil},
		{"nothing", head, nil},
		{"more than declared", join(head, 12, len(packed), packed), nil},
		{"less than declared", join(head, len(body)+1, len(packed), packed), []string{"one", "two"}},
		{"four billion bytes", join(head, -1, len(packed), packed), []string{"one", "two"}},
		{"more than the file has", join(head, len(body), -1, packed), []string{"one", "two"}},
	} {
		_, want := gbx.Parse(test.data, refs())
		f, err := gbx.Salvage(test.data, refs())
		if (want == nil) != (test.name == "whole") || (err == nil) != (want == nil) || err != nil && err.Error() != want.Error() {
			t.Errorf("%s: %v, want %v", test.name, err, want)
		}
		var texts []string
		for _, c := range f.Body.Chunks {
			texts = append(texts, c.Body.(*single[string]).V)
		}
		if !slices.Equal(texts, test.texts) || !bytes.HasPrefix(body, f.BodyBytes()) {
			t.Errorf("%s: %q of %q", test.name, texts, f.BodyBytes())
		}
	}
	if f, err := gbx.Salvage(head[:20], refs()); f != nil || err == nil {
		t.Errorf("f = %+v, err = %v; want f = nil, an error", f, err)
	}
}
