package tree_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/tree"
	"pakbox/internal/testkit/corpus"
)

// The text written while walking a file equals the text of the file's tree.
func TestWriteTextIsTheTree(t *testing.T) {
	t.Parallel()
	n := 0
	for path, data := range corpus.GBX(t) {
		if n++; n%20 != 0 { // every twentieth file has everything in it
			continue
		}
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		v, err := tree.Of(f)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		for _, offsets := range []bool{false, true} {
			var got, header, body bytes.Buffer
			if err := tree.WriteText(&got, f, offsets); err != nil {
				t.Errorf("%s: %v", path, err)
			}
			v.WriteValue(&header, &v.Header, offsets)
			v.WriteValue(&body, &v.Body, offsets)
			// The header's first line has more than its name.
			_, gotRest, _ := strings.Cut(got.String(), "\n")
			_, headerRest, _ := strings.Cut(header.String(), "\n")
			if want := headerRest + body.String(); !strings.HasPrefix(gotRest, want) {
				t.Errorf("%s, offsets %v: %s", path, offsets, firstDifference(gotRest, want))
			}
		}
	}
}

func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range b {
		if i >= len(a) || a[i] != b[i] {
			return fmt.Sprintf("line %d:\n%s\nwant\n%s", i, strings.Join(a[max(0, i-2):min(len(a), i+2)], "\n"), strings.Join(b[max(0, i-2):min(len(b), i+2)], "\n"))
		}
	}
	return "too long"
}

// A node may have as many chunks as a file has room for: each more must not
// cost more than the one before.
func TestManyChunks(t *testing.T) {
	t.Parallel()
	const chunks = 100_000
	b := []byte("GBX\x06\x00BUUR")
	u32 := func(v uint32) { b = binary.LittleEndian.AppendUint32(b, v) }
	u32(0x03043000)
	u32(0) // no user data
	u32(1)
	u32(0)
	for range chunks {
		u32(0x030430FE)
		u32(0x534B4950) // skippable
		u32(0)
	}
	u32(0xFACADE01)
	f, err := gbx.Parse(b, engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	v, err := tree.Of(f)
	if err != nil {
		t.Fatal(err)
	}
	if got := v.Body.Children[chunks-1].Name; got != "030430FE#100000" {
		t.Errorf("the last chunk is called %s", got)
	}
	var text bytes.Buffer
	if err := tree.WriteText(&text, f, false); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(text.String(), " skippable"); n != chunks {
		t.Errorf("%d lines for %d chunks", n, chunks)
	}
}
