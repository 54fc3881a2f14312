package gbx_test

import (
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/testkit/corpus"
)

// A class without chunks may begin with a zero: that is its first value, not
// the sign that the node is absent.
func TestDirectPlainNodeBeginsWithZero(t *testing.T) {
	data := "GBX\x06\x00BUUR\x00\x00\x02\x2E\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00" +
		"\x03\x00\x02\x2EPIKS\x20\x00\x00\x00" + // CGameItemPlacementParam 003
		"\x03\x00\x00\x00" +
		"\x00\x00\x00\x00\x03\x00\x00\x00\xFF\xFF\xFF\xFF" + // version 0, an ID
		"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
		"\x01\xDE\xCA\xFA"
	f, err := gbx.Parse([]byte(data), engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	if c := f.Coverage(); len(c.Opaque) != 0 || len(c.Inexact) != 0 {
		t.Errorf("coverage = %+v", c)
	}
}

// In text files an ID's word is hexadecimal, also the one of an empty ID.
func TestTextID(t *testing.T) {
	data := "GBX\x06\x00TUUE9006000\r\n0\r\n1\r\n0\r\n9006001\r\n3\r\nffffffff\r\nfacade01\r\n"
	f, err := gbx.Parse([]byte(data), engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	if c := f.Coverage(); len(c.Opaque) != 0 || len(c.Inexact) != 0 {
		t.Errorf("coverage = %+v", c)
	}
}

// Real files read value by value are the files read at once.
func TestCorpusWatched(t *testing.T) {
	for path, data := range corpus.GBX(t) {
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		checkWatched(t, data, f, engine.Registry())
	}
}
