package img_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pakbox/fault"
	"pakbox/internal/testkit/corpus"
	"pakbox/simutrans/img"
	"pakbox/simutrans/node"
)

// checkAll decodes every image below dir, codes version 3 back and returns
// how many images of each version there were.
func checkAll(t *testing.T, dir string) (count [4]int) {
	t.Helper()
	for _, path := range corpus.Files(t, dir, "*.pak") {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := node.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		f.Root.Walk(func(n *node.Node, _ int) bool {
			if n.Type == node.IMG {
				check(t, filepath.Base(path), n, &count)
			}
			return true
		})
	}
	return count
}

func check(t *testing.T, path string, n *node.Node, count *[4]int) {
	t.Helper()
	m, err := img.Parse(n.Body, n.Offset)
	if err != nil {
		t.Errorf("%s: %v", path, err)
		return
	}
	count[m.Version]++
	if !bytes.Equal(m.Append(nil), n.Body) {
		t.Errorf("%s at %d: the body is written back differently", path, n.Offset)
	}
	b, err := m.Bitmap()
	if err != nil {
		t.Errorf("%s at %d, version %d: %v", path, n.Offset, m.Version, err)
		return
	}
	if m.Version < 3 || len(m.Words) == 0 {
		return // older compilers coded the same pixels in other ways
	}
	again := img.Encode(b, m.X, m.Y)
	if !slices.Equal(again.Words, m.Words) || again.X != m.X || again.W != m.W || again.H != m.H {
		t.Errorf("%s at %d: the pixels are coded differently", path, n.Offset)
	}
	for _, p := range b.Pix {
		if got := img.FromColor(img.Color(p)); got != p {
			t.Fatalf("%s: pixel %#x becomes %#x through its colour", path, p, got)
		}
	}
}

func TestEveryImageIsCodedBack(t *testing.T) {
	t.Logf("pak64: images by version %v", checkAll(t, corpus.Pak64(t)))
	count := checkAll(t, filepath.Join(corpus.Dir(t, "simutrans"), "pak"))
	t.Logf("corpus: images by version %v", count)
	if count[1] != 910 {
		t.Errorf("%d images of version 1", count[1])
	}
}

func TestEveryPixelSurvivesItsColour(t *testing.T) {
	for p := range 0x8020 + 31*31 + 1024*31 {
		if p >= 0x8000+img.Specials && p < 0x8020 {
			continue // a hole in the numbering
		}
		if got := img.FromColor(img.Color(uint16(p))); got != uint16(p) {
			t.Errorf("%#x becomes %#x", p, got)
		}
	}
	if img.FromColor(img.Color(img.Transparent)) != img.Transparent {
		t.Error("nothing becomes something")
	}
}

// Rows as versions 0 and 1 wrote them: the first skip counts from the cell's
// edge, and version 0 numbers the player's colours from 1.
func TestOldVersions(t *testing.T) {
	words := []uint16{
		5, 2, 0x8000, 7, 0,
		4, 1, 9, 0,
	}
	for version, want := range [][]uint16{
		{img.Transparent, 0x8001, 7, 9, img.Transparent, img.Transparent},
		{img.Transparent, 0x8000, 7, 9, img.Transparent, img.Transparent},
	} {
		m := &img.Image{Version: version, X: 4, Y: 1, W: 3, H: 2, Zoomable: 1, Words: words}
		again, err := img.Parse(m.Append(nil), 0)
		if err != nil {
			t.Fatal(err)
		}
		b, err := again.Bitmap()
		if err != nil || !slices.Equal(b.Pix, want) {
			t.Errorf("version %d: %x (%v)", version, b.Pix, err)
		}
	}
}

func TestMalformed(t *testing.T) {
	head := "\x00\x00\x00\x00\x02\x00\x03\x01\x00\x01"
	for name, test := range map[string]struct {
		body string
		kind fault.Kind
	}{
		"short":           {"\x00\x00\x00\x00", fault.Truncated},
		"version 4":       {"\x00\x00\x00\x00\x00\x00\x04\x00\x00\x00", fault.UnsupportedVersion},
		"no rows":         {head, fault.Corrupt},
		"run too long":    {head + "\x00\x00\x05\x00\x00\x00", fault.Corrupt},
		"pixel outside":   {head + "\x02\x00\x01\x00\x00\x00\x00\x00", fault.Corrupt},
		"words behind":    {head + "\x00\x00\x01\x00\x07\x00\x00\x00\x09\x00", fault.Corrupt},
		"a huge nothing":  {"\x00\x00\x00\x00\xff\xff\x03\xff\xff\x01", fault.Limit},
		"version 1 short": {"\x00\x00\x00\x00\x01\x01\x01\x09\x00\x01", fault.Truncated},
	} {
		m, err := img.Parse([]byte(test.body), 0)
		if err == nil {
			_, err = m.Bitmap()
		}
		if fault.KindOf(err) != test.kind {
			t.Errorf("%s: err = %v; want err of kind %v", name, err, test.kind)
		}
	}
}

// FuzzDecode: any body gives a typed error or pixels that survive coding.
func FuzzDecode(f *testing.F) {
	f.Add(img.Empty().Append(nil))
	b := img.NewBitmap(3, 2)
	b.Pix = []uint16{7, 0x8030, img.Transparent, img.Transparent, img.Transparent, 0x8001}
	f.Add(img.Encode(b, 0, 0).Append(nil))
	f.Add((&img.Image{Version: 1, W: 3, H: 1, Words: []uint16{5, 2, 0x8000, 7, 0}}).Append(nil))
	f.Fuzz(func(t *testing.T, body []byte) {
		m, err := img.Parse(body, 0)
		if err == nil {
			if !bytes.Equal(m.Append(nil), body) {
				t.Fatal("the body is written back differently")
			}
			b, err = m.Bitmap()
		}
		if err != nil {
			if fault.KindOf(err) == "" {
				t.Fatalf("untyped error %v", err)
			}
			return
		}
		again, err := img.Encode(b, 0, 0).Bitmap()
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, p := range b.Pix {
			if p != img.Transparent {
				n++
			}
		}
		for _, p := range again.Pix {
			if p != img.Transparent {
				n--
			}
		}
		if n != 0 {
			t.Fatalf("%d pixels lost", n)
		}
	})
}
