package eterpack

import (
	"bytes"
	"io"
	"testing"

	"pakbox/archive"
	"pakbox/internal/testkit/leak"
)

// TestLargeEntry packs and unpacks an entry that is one block. Neither may
// allocate much more than its content: it is compressed over itself, and LZO1X
// is unpacked over itself.
func TestLargeEntry(t *testing.T) {
	const limit = 1.3
	for name, content := range map[string][]byte{
		"noise":   noise(24 << 20),
		"text":    text(24 << 20),
		"between": bytes.Repeat(append(noise(4000), text(4000)...), 3000),
	} {
		for _, codec := range []codec{codecLZO, codecLZ4} {
			for _, kind := range []string{"auto", "1", "2"} {
				t.Run(name+"/"+string(codec)+"/"+kind, func(t *testing.T) {
					opts := archive.CreateOptions{Params: map[string]string{"eterpack-type": kind, "eterpack-codec": string(codec)}}
					var path string
					made := leak.Allocated(func() { path = create(t, []archive.Item{item("large", content)}, opts) })
					a := openPath(t, path, archive.Options{})
					wantClean(t, a)
					var same bool
					read := leak.Allocated(func() { same = holds(t, a, content) })
					if !same {
						t.Error("the content is another")
					}
					if most := limit * float64(len(content)); float64(made) > most || codec == codecLZO && float64(read) > most {
						t.Errorf("%d bytes: %d allocated to pack, %d to unpack", len(content), made, read)
					}
				})
			}
		}
	}
}

// holds reads the first entry piece by piece and compares it with content.
func holds(t *testing.T, a *Archive, content []byte) bool {
	rc, err := a.OpenEntry(0)
	if err != nil {
		t.Fatal(err)
	}
	defer rc.Close()
	piece := make([]byte, 1<<16)
	for len(content) > 0 {
		n, err := io.ReadFull(rc, piece[:min(len(piece), len(content))])
		if err != nil || !bytes.Equal(piece[:n], content[:n]) {
			return false
		}
		content = content[n:]
	}
	n, err := rc.Read(piece)
	return n == 0 && err == io.EOF
}
