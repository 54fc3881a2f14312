package items_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"testing"

	"pakbox/fault"
	"pakbox/trackmania/items"
)

// TestReadIcon: pictures are read, what is none and what is too large refused.
func TestReadIcon(t *testing.T) {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 7, 5))); err != nil {
		t.Fatal(err)
	}
	m, err := items.ReadIcon(b.Bytes())
	if err != nil || fmt.Sprint(m.Bounds()) != "(0,0)-(7,5)" {
		t.Errorf("%v (%v)", m, err)
	}
	for _, bad := range [][]byte{nil, []byte("no picture"), b.Bytes()[:b.Len()/2]} {
		if _, err := items.ReadIcon(bad); fault.KindOf(err) != fault.Corrupt {
			t.Errorf("%d bytes: %v", len(bad), err)
		}
	}
}
