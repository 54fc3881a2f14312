package gbxarchive

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"image/color"
	"image/png"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"pakbox/archive"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/engine/gamedata"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo/nadeotest/mapsample"
)

// The pictures and maps inside real files are the bytes that another reader found.
func TestCorpusEntries(t *testing.T) {
	oracle := corpus.Oracle[known](t)
	compared := map[string]int{}
	for path, data := range corpus.GBX(t, "03043000", "03093000", "2407e000", "2e002000") {
		k := oracle[corpus.Name(path)]
		if !k.OK {
			continue
		}
		a := open(t, data, filepath.Base(path))
		same := func(name, sum string) {
			content, err := fs.ReadFile(a, name)
			if err != nil {
				t.Errorf("%s: %v", path, err)
				return
			}
			if compared[name]++; hash(content) != sum {
				t.Errorf("%s: %s is another", path, name)
			}
		}
		if k.Map != nil && k.Map.Thumbnail != nil && k.Map.Thumbnail.Length > 0 {
			same("thumbnail.jpg", k.Map.Thumbnail.SHA256)
		}
		if k.Replay != nil && k.Replay.Map != nil && k.Replay.Map.Length > 0 {
			same("map.Map.Gbx", k.Replay.Map.SHA256)
		}
		if k.Replay != nil && k.Replay.XML > 0 {
			if xml, err := fs.ReadFile(a, "header.xml"); err != nil || len(utf16.Encode([]rune(string(xml)))) != k.Replay.XML {
				t.Errorf("%s: the XML has %d bytes, not %d letters (%v)", path, len(xml), k.Replay.XML, err)
			}
		}
		if k.Collector == nil || k.Collector.Icon == nil {
			continue
		}
		switch icon := k.Collector.Icon; icon.Format {
		case "webp":
			same("icon.webp", icon.SHA256)
		case "bgra":
			compared["icon.png"]++
			content, err := fs.ReadFile(a, "icon.png")
			if err != nil {
				t.Errorf("%s: %v", path, err)
				continue
			}
			if pixels := bottomUp(t, content, icon.W, icon.H); hash(pixels) != icon.Pixels {
				t.Errorf("%s: other pixels", path)
			}
		}
	}
	for _, name := range []string{"thumbnail.jpg", "map.Map.Gbx", "icon.webp", "icon.png"} {
		if compared[name] < 20 {
			t.Errorf("%s was compared %d times", name, compared[name])
		}
	}
}

func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// bottomUp are the pixels of a picture as icons store them.
func bottomUp(t *testing.T, data []byte, width, height int) (pixels []byte) {
	t.Helper()
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil || m.Bounds().Dx() != width || m.Bounds().Dy() != height {
		t.Fatalf("%v, want %d x %d", err, width, height)
	}
	for y := height - 1; y >= 0; y-- {
		for x := range width {
			c := color.NRGBAModel.Convert(m.At(x, y)).(color.NRGBA)
			pixels = append(pixels, c.B, c.G, c.R, c.A)
		}
	}
	return pixels
}

// The entries of a map in the tests have the right sizes, methods and names.
func TestEntries(t *testing.T) {
	data, err := mapsample.Map()
	if err != nil {
		t.Fatal(err)
	}
	tree, err := mapsample.Item("Tree")
	if err != nil {
		t.Fatal(err)
	}
	a := open(t, data, "a.Map.Gbx")
	packed := binary.LittleEndian.Uint32(a.data[a.fileBodyAt()+4:])
	var got []string
	for _, e := range a.Entries() {
		got = append(got, fmt.Sprint(e.Name, " ", e.Size, " ", e.Compressed, " ", e.Method, " ", e.Offset))
		if strings.HasPrefix(e.Name, "items/") && e.StoredSize >= e.Size {
			t.Errorf("%s: %d bytes are stored of %d", e.Name, e.StoredSize, e.Size)
		}
		if e.Name == "body.bin" && e.StoredSize != int64(packed) {
			t.Errorf("%d bytes are stored, not %d", e.StoredSize, packed)
		}
	}
	item := fmt.Sprint(len(tree), " true deflate -1")
	want := []string{
		"header.xml 460 false stored -1", "thumbnail.jpg 664 false stored -1", "items/Tree.Item.Gbx " + item, "items/Unused.Item.Gbx " + item, "items/Tree.txt " + item,
		"items/C:/Users/Ada/Items/Leak.Item.Gbx " + item, "items/../Evil.Item.Gbx " + item,
		"lightmap/0.webp 34 false stored -1", "lightmap/0-1-2.webp 34 false stored -1", "body.bin 2721 true lzo1x -1",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if content, err := fs.ReadFile(a, "items/Tree.Item.Gbx"); err != nil || !bytes.Equal(content, tree) {
		t.Errorf("%d bytes, %v", len(content), err)
	}
}

// fileBodyAt is where the sizes of the compressed body stand: at the end, before it.
func (a *Archive) fileBodyAt() int { return len(a.data) - len(a.file.PackedBody()) - 8 }

// An icon's rows go upwards, and blue comes first; other data gives no picture.
func TestIcon(t *testing.T) {
	red, green, blue, white, clear, black := []byte{0, 0, 255, 255}, []byte{0, 255, 0, 255}, []byte{255, 0, 0, 255}, []byte{255, 255, 255, 255}, []byte{9, 8, 7, 0}, []byte{0, 0, 0, 255}
	icon := &gamedata.Header2E001004{Width: 2, Height: 3, Pixels: bytes.Join([][]byte{red, green, blue, white, clear, black}, nil)}
	parts := iconParts(icon)
	if len(parts) != 1 || parts[0].entry.Name != "icon.png" {
		t.Fatalf(`parts = %+v; want parts of length 1, parts[0].entry.Name = "icon.png"`, parts)
	}
	r, err := parts[0].open()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	m, err := png.Decode(r)
	if err != nil || m.Bounds().Dx() != 2 || m.Bounds().Dy() != 3 {
		t.Fatalf("err = %v; want no error, m.Bounds().Dx() = 2, m.Bounds().Dy() = 3", err)
	}
	for _, k := range []struct {
		x, y int
		want []byte
	}{{0, 2, red}, {1, 2, green}, {0, 1, blue}, {1, 1, white}, {0, 0, clear}, {1, 0, black}} {
		c := color.NRGBAModel.Convert(m.At(k.x, k.y)).(color.NRGBA)
		if got := []byte{c.B, c.G, c.R, c.A}; !bytes.Equal(got, k.want) {
			t.Errorf("at %d, %d it is %v, not %v", k.x, k.y, got, k.want)
		}
	}
	for _, odd := range []*gamedata.Header2E001004{
		{}, {Width: 2, Height: 2, Pixels: make([]byte, 15)}, {Width: 0, Height: 2, Pixels: red}, {Width: 2, Height: 0, Pixels: red}, {Width: 1, Height: 1, Pixels: make([]byte, 5)},
	} {
		if parts := iconParts(odd); len(parts) != 0 {
			t.Errorf("%+v has an icon", odd)
		}
	}
}

// Embedded files of a map are listed even if they are stored oddly.
func TestItemParts(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, h := range []zip.FileHeader{{Name: "Items/"}, {Name: `Items\Sub\`}, {Name: "a.txt", Method: zip.Store}, {Name: "Blocks/b.txt", Method: zip.Deflate}} {
		f, err := w.CreateHeader(&h)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(h.Name, "/") {
			fmt.Fprint(f, "content")
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	data := b.Bytes()
	const crc = "crc32:fec530a9" // of "content", by Python's zlib
	check := func(data []byte, want ...archive.Entry) {
		t.Helper()
		parts := itemParts(data)
		if len(parts) != len(want) {
			t.Fatalf("%d parts, not %d", len(parts), len(want))
		}
		for i, p := range parts {
			if p.entry.ModTime = want[i].ModTime; p.entry.StoredSize != 0 && want[i].StoredSize == 0 {
				p.entry.StoredSize = 0
			}
			if p.entry != want[i] {
				t.Errorf("%+v, want %+v", p.entry, want[i])
			}
		}
	}
	stored := archive.Entry{Name: "items/a.txt", Size: 7, StoredSize: 7, Offset: -1, Method: "stored", Hash: crc}
	deflated := archive.Entry{Name: "items/Blocks/b.txt", Size: 7, Offset: -1, Compressed: true, Method: "deflate", Hash: crc}
	check(data, stored, deflated)
	// An unknown method and encryption, in the directory of the zip.
	at := bytes.LastIndex(data, []byte("a.txt")) - 46
	odd := bytes.Clone(data)
	odd[at+8] |= 1
	odd[at+10] = 14
	unknown := stored
	unknown.Compressed, unknown.Encrypted, unknown.Method = true, true, "zip method 14"
	check(odd, unknown, deflated)
	check([]byte("no zip"), archive.Entry{Name: "items.zip", Size: 6, StoredSize: 6, Offset: -1, Method: "stored"})
	check(nil)
	if parts := bodyParts(&game.Chunk03093002{}); parts != nil {
		t.Errorf("a replay without a map has %v", parts)
	}
}

// Only what begins as a GBX file does is taken for one.
func TestMatch(t *testing.T) {
	for text, want := range map[string]bool{
		"GBX\x06\x00B": true, "GBX\x06\x00T": true, "GBX\x06\x00BUCR": true, "GBX\x06\x00X": false, "GBX\x06\x01B": false, "GBY\x06\x00B": false, "GBX\x06\x00": false, "": false,
	} {
		if got := (Format{}).Match(archive.Input{ReaderAt: strings.NewReader(text), Size: int64(len(text))}); got != want {
			t.Errorf("%q: got = %t; want %t", text, got, want)
		}
	}
	data := sampleFile(t, "Sample.Map.Gbx")
	in := archive.Input{ReaderAt: bytes.NewReader(data), Size: int64(len(data))}
	for limit, want := range map[int64]bool{int64(len(data)): true, int64(len(data)) - 1: false} {
		if _, err := (Format{}).Open(t.Context(), in, archive.Options{MaxEntrySize: limit}); (err == nil) != want {
			t.Errorf("limit %d: %v", limit, err)
		}
	}
	if _, err := gbx.Parse(data[:100], engine.Registry()); err == nil {
		t.Error("a file that was cut off is read")
	}
}
