package lzo1x

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"pakbox/internal/testkit/corpus"
)

// body is the compressed body of a real GBX file.
type body struct {
	file        string
	raw, packed []byte
}

// realBodies decodes all compressed bodies of the corpus and checks them
// against its manifest.
func realBodies(tb testing.TB) (bodies []body) {
	tb.Helper()
	dir := corpus.Dir(tb, "gbx")
	manifest, err := os.Open(filepath.Join(dir, "manifest.jsonl"))
	if err != nil {
		tb.Fatal(err)
	}
	defer manifest.Close()
	for lines := bufio.NewScanner(manifest); lines.Scan(); {
		var entry struct {
			File   string
			Format string
			Size   int    `json:"bodyUncompressedSize"`
			SHA256 string `json:"body_sha256"`
		}
		if err := json.Unmarshal(lines.Bytes(), &entry); err != nil {
			tb.Fatal(err)
		}
		if len(entry.Format) < 3 || entry.Format[2] != 'C' {
			continue
		}
		file, err := os.ReadFile(filepath.Join(dir, entry.File))
		if err != nil {
			tb.Fatal(err)
		}
		packed, size, err := gbxBody(file)
		if err != nil || size != entry.Size {
			tb.Fatalf("%s: found a body of %d bytes, want %d (%v)", entry.File, size, entry.Size, err)
		}
		raw := make([]byte, size)
		if n, err := Decompress(raw, packed); n != size || err != nil {
			tb.Fatalf("%s: decoded %d bytes of %d: %v", entry.File, n, size, err)
		}
		if sum := sha256.Sum256(raw); hex.EncodeToString(sum[:]) != entry.SHA256 {
			tb.Fatalf("%s: wrong body", entry.File)
		}
		bodies = append(bodies, body{entry.File, raw, packed})
	}
	if len(bodies) == 0 {
		tb.Fatal("no compressed body in the corpus")
	}
	return bodies
}

// gbxBody finds the compressed body of a binary GBX file and the size it has
// when decoded.
func gbxBody(file []byte) (packed []byte, size int, err error) {
	g := gbxCursor{data: file}
	if string(g.take(3)) != "GBX" {
		return nil, 0, errors.New("no GBX")
	}
	version := binary.LittleEndian.Uint16(g.take(2))
	if version < 4 {
		return nil, 0, errors.New("too old")
	}
	g.take(4 + 4) // flags, class
	if version >= 6 {
		g.take(g.uint32()) // header chunks
	}
	g.uint32() // nodes
	g.references(version)
	size = g.uint32()
	packed = g.take(g.uint32())
	return packed, size, g.err
}

type gbxCursor struct {
	data []byte
	err  error
}

func (g *gbxCursor) take(n int) []byte {
	if n > len(g.data) {
		g.err = errors.New("truncated")
		return make([]byte, 4)
	}
	b := g.data[:n]
	g.data = g.data[n:]
	return b
}

func (g *gbxCursor) uint32() int { return int(binary.LittleEndian.Uint32(g.take(4))) }

// references skips the reference table.
func (g *gbxCursor) references(version uint16) {
	externals := g.uint32()
	if externals == 0 {
		return
	}
	g.uint32() // ancestor level
	g.folders()
	for range externals {
		if g.err != nil {
			return
		}
		flags := g.uint32()
		if flags&4 == 0 {
			g.take(g.uint32()) // name
		} else {
			g.uint32() // resource
		}
		g.uint32() // node
		if version >= 5 {
			g.uint32() // use file
		}
		if flags&4 == 0 {
			g.uint32() // folder
		}
	}
}

func (g *gbxCursor) folders() {
	for range g.uint32() {
		if g.err != nil {
			return
		}
		g.take(g.uint32()) // name
		g.folders()
	}
}

// TestRealBodies decodes what the games have written, and codes it again. The
// best encoder works on a part of the bodies; the benchmark does all.
func TestRealBodies(t *testing.T) {
	bodies := realBodies(t)
	var raw, game, fast int
	var out, back []byte
	var err error
	for _, b := range bodies {
		out = appendCompress(out[:0], b.raw, Fast)
		back, err = AppendDecompress(back[:0], out, len(b.raw))
		if err != nil || !bytes.Equal(back, b.raw) {
			t.Fatalf("%s: coded fast, does not decode: %v", b.file, err)
		}
		raw += len(b.raw)
		game += len(b.packed)
		fast += len(out)
	}
	if fast > raw*4/5 {
		t.Errorf("fast: %d bytes for %d of input", fast, raw)
	}
	t.Logf("%d bodies, %d bytes: %d by the games, %d fast", len(bodies), raw, game, fast)

	const most = 64 << 10
	var fastSize, bestSize int
	for i, b := range bodies {
		if i%3 != 0 || len(b.raw) > most {
			continue
		}
		fastSize += len(appendCompress(out[:0], b.raw, Fast))
		out = appendCompress(out[:0], b.raw, Best)
		back, err = AppendDecompress(back[:0], out, len(b.raw))
		if err != nil || !bytes.Equal(back, b.raw) {
			t.Fatalf("%s: coded best, does not decode: %v", b.file, err)
		}
		if len(out) > len(b.packed) {
			t.Errorf("%s: best gives %d bytes, the game %d", b.file, len(out), len(b.packed))
		}
		bestSize += len(out)
	}
	t.Logf("bodies up to %d bytes, one in three: %d best, %d fast", most, bestSize, fastSize)
}
