package engine_test

import (
	"bytes"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
)

// launched are states of a car, stored by the editor for test runs. Their
// layout is not known.
const launched = 0x03262000

// The map inside a replay is a file like any other: understood to the last
// byte, and saved unchanged.
func TestMapsInReplays(t *testing.T) {
	maps, unlimited := 0, 0
	files(t, func(path string, data []byte) {
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Errorf("%s: %v", path, err)
			return
		}
		c, ok := gbx.Find[*game.Chunk03093002](f.Body)
		if !ok || len(c.Map) == 0 {
			return
		}
		m, err := gbx.Parse(c.Map, engine.Registry())
		if err != nil {
			t.Errorf("%s: map: %v", path, err)
			return
		}
		maps++
		if saved, err := m.Encode(); err != nil || !bytes.Equal(saved, c.Map) {
			t.Errorf("%s: map is saved differently (%v)", path, err)
		}
		cover := m.Coverage()
		for _, o := range cover.Opaque {
			if o.Class == launched {
				continue
			}
			t.Errorf("%s: map: chunk %v at 0x%x, %d bytes: %s", path, o.Chunk, o.Offset, o.Bytes, o.Reason)
		}
		for _, i := range cover.Inexact {
			t.Errorf("%s: map: chunk %v at 0x%x: %s", path, i.Chunk, i.Offset, i.Reason)
		}
		if u, ok := gbx.Find[*game.Chunk3F001000](m.Body); ok {
			unlimited++
			checkUnlimiter(t, path, &u.Crypted)
		}
	})
	if maps < 100 || unlimited < 5 {
		t.Errorf("only %d maps, %d of them of TMUnlimiter", maps, unlimited)
	}
}

// What TMUnlimiter scrambled is unscrambled to values that make sense, and
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
