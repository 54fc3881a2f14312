package maps_test

import (
	"errors"
	"testing"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo/maps"
)

// Renew removes every trace of a finish from a real map, sets the new UID in every chunk,
// and the map can be read again.
func TestRenew(t *testing.T) {
	seen, ghosts, marked := 0, 0, 0
	for path, data := range corpus.GBX(t, "03043000", "24003000") {
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Fatal(err)
		}
		m, err := maps.Of(f)
		if err != nil {
			t.Fatal(err)
		}
		old := m.UID()
		was, err := m.Renew(false)
		if err != nil {
			t.Fatal(err)
		}
		seen++
		if was.Ghost {
			ghosts++
		}
		if was.Marked {
			marked++
		}
		m = again(t, m)
		if v := m.Validation(); v.Any() {
			t.Errorf("%s: Validation() after Renew = %+v, want none", path, v)
		}
		if m.UID() == old || m.UID() == "" {
			t.Errorf("%s: the UID is %q, and was %q", path, m.UID(), old)
		}
		if s := maps.Facts.Conflict(m, "uid"); s != "" {
			t.Errorf(`%s: s = %s; want ""`, path, s)
		}
		if p := m.Password(); p.HasCRC && p.CRC != p.WantCRC {
			t.Errorf("%s: the checksum is %08X, not %08X", path, p.CRC, p.WantCRC)
		}
	}
	if seen < 230 || ghosts < 5 || marked < 200 {
		t.Errorf("only %d maps, %d with a run and %d marked", seen, ghosts, marked)
	}
	m, err := maps.New(maps.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if v := m.Validation(); v.Any() {
		t.Errorf("Validation() of a new map = %+v, want none", v)
	}
	if err := m.SetUID("short"); !errors.Is(err, fault.Unsupported) {
		t.Errorf("a wrong UID: %v", err)
	}
}
