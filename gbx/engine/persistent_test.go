package engine_test

import (
	"bytes"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/tree"
)

// Traits in a user's profile: each owner has traits as a map has them, one version
// lower. A document of the file is the same file.
func TestPersistentTraits(t *testing.T) {
	file := []byte("GBX\x06\x00BUUR\x00\x10\x00\x11\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00" +
		"\x00\x10\x00\x11\x07\x00\x00\x00\x01\x00\x00\x00\x03\x00\x00\x00Map" + // version 7, one owner
		"\x01\x02\x01\x01a\x00\x2a\x00\x00\x00\x01\xde\xca\xfa") // one type, one trait: Integer a = 42
	f, err := gbx.Parse(file, engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	var document bytes.Buffer
	document.WriteByte('{')
	if err := tree.WriteJSON(&document, f, archive.Everything); err != nil {
		t.Fatal(err)
	}
	document.WriteByte('}')
	if text := document.String(); !strings.Contains(text, `"name":"Map"`) || !strings.Contains(text, "42") {
		t.Errorf("owner and value are missing: %s", text)
	}
	if again, err := f.Encode(); err != nil || !bytes.Equal(again, file) {
		t.Errorf("the file is not the same again: %v", err)
	}
}
