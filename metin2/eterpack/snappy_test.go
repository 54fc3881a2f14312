package eterpack

import (
	"bytes"
	"testing"

	"github.com/klauspost/compress/snappy"

	"pakbox/metin2/internal/xtea"
)

// An object with the mark of Snappy is read, whoever compressed it and whether it is
// encrypted or not.
func TestSnappyObjects(t *testing.T) {
	content := bytes.Repeat([]byte("some text of a game, "), 500)
	stream := snappy.Encode(nil, content)
	for _, key := range []*xtea.Cipher{nil, xtea.New(defaultDataKey)} {
		object := seal(append(make([]byte, streamStart), stream...), len(content), snappyMark, key)
		got, mark, err := OpenObject(bytes.Clone(object), 0, defaultDataKey, 1<<20)
		if err != nil || mark != snappyMark || !bytes.Equal(got, content) {
			t.Errorf("%d bytes with mark %q, %v", len(got), mark, err)
		}
		object[12]++ // another size
		if _, _, err := OpenObject(object, 0, defaultDataKey, 1<<20); err == nil {
			t.Error("a wrong size was taken")
		}
	}
	sealed, err := SealObject(content, snappyMark, defaultDataKey)
	if err != nil {
		t.Fatal(err)
	}
	if got, _, err := OpenObject(sealed, 0, defaultDataKey, 1<<20); err != nil || !bytes.Equal(got, content) {
		t.Errorf("what was sealed: %d bytes, %v", len(got), err)
	}
}
