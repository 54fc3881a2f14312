package engine_test

import (
	"bytes"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
)

// A text file is read to its end, re-encoded to the same bytes, by way of a
// binary file too, and damage does not upset the reader.
func TestTextFiles(t *testing.T) {
	found := 0
	files(t, func(path string, data []byte) {
		if len(data) < 6 || data[5] != 'T' {
			return
		}
		found++
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Errorf("%s: %v", path, err)
			return
		}
		c := f.Coverage()
		if len(c.Opaque) != 0 || len(c.Inexact) != 0 {
			t.Errorf("%s: opaque %v, inexact %v", path, c.Opaque, c.Inexact)
		}
		if err := f.SetText(false); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		inBinary, err := f.Encode()
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if f, err = gbx.Parse(inBinary, engine.Registry()); err != nil {
			t.Fatalf("%s, in binary: %v", path, err)
		}
		if c := f.Coverage(); len(c.Opaque) != 0 || len(c.Inexact) != 0 {
			t.Errorf("%s, in binary: opaque %v, inexact %v", path, c.Opaque, c.Inexact)
		}
		if err := f.SetText(true); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if back, err := f.Encode(); err != nil || !bytes.Equal(back, data) {
			t.Errorf("%s: not the same when back in text (%v)", path, err)
		}
		damageText(t, path, data)
	})
	if found == 0 {
		t.Error("no text file in the corpus")
	}
}

// damageText changes a byte here and there.
func damageText(t *testing.T, path string, data []byte) {
	t.Helper()
	const places = 100
	var m memory
	damaged := bytes.Clone(data)
	for i := range places {
		at := i * len(data) / places
		damaged[at] ^= 1 << (i % 8)
		if err := m.check(damaged); err != nil {
			t.Errorf("%s, byte %d changed: %v", path, at, err)
		}
		damaged[at] = data[at]
	}
}
