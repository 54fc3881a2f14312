package engine_test

import (
	"archive/zip"
	"bytes"
	"io"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/internal/testkit/corpus"
)

// Files inside files, maps in replays and what maps embed, are files
// like any other: understood to the last byte, and saved unchanged.
func TestFilesInFiles(t *testing.T) {
	stay := corpus.StaysOpaque(t)
	unlimited := 0
	maps, items := filesAndInside(t, func(path string, data []byte, f *gbx.File, outside string) {
		if outside != "" {
			checkWhole(t, path, data, f, stay[corpus.Name(outside)])
		}
		if u, ok := gbx.Find[*game.Chunk3F001000](f.Body); ok {
			unlimited++
			checkUnlimiter(t, path, &u.Crypted)
		}
	})
	if maps < 120 || items < 280 || unlimited < 5 {
		t.Errorf("only %d maps in replays, %d items in maps, %d maps of TMUnlimiter", maps, items, unlimited)
	}
}

// filesAndInside calls visit with every file of the corpus and with the files
// inside them, for which outside is the path of the one around all; it returns
// how many maps in replays and files in maps there were.
func filesAndInside(t *testing.T, visit func(path string, data []byte, f *gbx.File, outside string)) (maps, items int) {
	t.Helper()
	var open func(path string, data []byte, outside string)
	open = func(path string, data []byte, outside string) {
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Errorf("%s: %v", path, err)
			return
		}
		visit(path, data, f, outside)
		if outside == "" {
			outside = path
		}
		if c, ok := gbx.Find[*game.Chunk03093002](f.Body); ok && len(c.Map) > 0 {
			maps++
			open(path+"/map", c.Map, outside)
		}
		for name, item := range broughtAlong(t, path, f) {
			items++
			open(path+"/"+name, item, outside)
		}
	}
	files(t, func(path string, data []byte) { open(path, data, "") })
	return maps, items
}

// checkWhole reports what is not understood of a file, or changed by saving it.
func checkWhole(t *testing.T, path string, data []byte, f *gbx.File, opaque bool) {
	t.Helper()
	if saved, err := f.Encode(); err != nil || !bytes.Equal(saved, data) {
		t.Errorf("%s: saved differently (%v)", path, err)
	}
	cover := f.Coverage()
	if len(cover.Inexact) > 0 {
		t.Errorf("%s: coded differently: %v", path, cover.Inexact)
	}
	if len(cover.Opaque) > 0 && !opaque {
		t.Errorf("%s: %d of %d bytes understood: %v", path, cover.DecodedBytes, cover.BodyBytes, cover.Opaque)
	}
}

// broughtAlong returns the GBX files that a map has with it.
func broughtAlong(t *testing.T, path string, f *gbx.File) map[string][]byte {
	t.Helper()
	c, ok := gbx.Find[*game.Chunk03043054](f.Body)
	if !ok || len(c.EmbeddedZip) == 0 {
		return nil
	}
	z, err := zip.NewReader(bytes.NewReader(c.EmbeddedZip), int64(len(c.EmbeddedZip)))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	found := map[string][]byte{}
	for _, entry := range z.File {
		r, err := entry.Open()
		if err != nil {
			t.Fatalf("%s: %s: %v", path, entry.Name, err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatalf("%s: %s: %v", path, entry.Name, err)
		}
		if bytes.HasPrefix(data, []byte("GBX")) {
			found[entry.Name] = data
		}
	}
	return found
}

// Scrambled data of TMUnlimiter is unscrambled to plausible values, and
// scrambled again to the same bytes.
func checkUnlimiter(t *testing.T, path string, u *game.CryptedUnlimiter) {
	t.Helper()
	v, err := u.Decode()
	if err != nil {
		t.Errorf("%s: TMUnlimiter: %v", path, err)
		return
	}
	var again game.CryptedUnlimiter
	if err := again.Set(v); err != nil || !bytes.Equal(again.Stored, u.Stored) {
		t.Errorf("%s: TMUnlimiter's data is coded differently (%v)", path, err)
	}
}
