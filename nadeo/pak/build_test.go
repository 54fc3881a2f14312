package pak

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/gbx/classid"
)

// The tests' own GBX: a version 6 header, then a body of blobs and nodes that
// follow each other. walkToy reads it byte by byte.
type toyGBX struct {
	bytes.Buffer
	rng *rand.Rand
}

func newToy(seed uint64) *toyGBX {
	g := &toyGBX{rng: rand.New(rand.NewPCG(seed, 1))}
	g.WriteString("GBX\x06\x00BUUR")
	user := []byte{1, 2, 3, byte(seed)}
	g.Write(binary.LittleEndian.AppendUint32(nil, 0x0307a000))
	g.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(user))))
	g.Write(user)
	g.Write([]byte{9, 0, 0, 0}) // nodes
	return g
}

const toyNode, toyBlob, toyEnd = 1, 2, 0

func (g *toyGBX) blob(n int, random bool) {
	g.WriteByte(toyBlob)
	g.Write(binary.LittleEndian.AppendUint16(nil, uint16(n)))
	for i := range n {
		if random {
			g.WriteByte(byte(g.rng.Uint32()))
		} else {
			g.WriteByte("some text to compress "[i%22])
		}
	}
}

func (g *toyGBX) node() {
	g.WriteByte(toyNode)
	g.Write(binary.LittleEndian.AppendUint32(nil, g.rng.Uint32()))
}

// nodeAt puts a node whose event is at the given offset.
func (g *toyGBX) nodeAt(offset int, random bool) {
	g.blob(offset-g.Len()-3-5, random)
	g.node()
}

func (g *toyGBX) end() []byte {
	g.WriteByte(toyEnd)
	return g.Bytes()
}

func walkToy(r io.Reader, size int64, _ uint32, node func(classid.ID) error) (int64, error) {
	var b [8]byte
	read := func(n int) uint32 {
		clear(b[:])
		if _, err := io.ReadFull(r, b[:n]); err != nil {
			b[0] = toyEnd
		}
		return binary.LittleEndian.Uint32(b[:])
	}
	read(8)
	read(5)
	if _, err := io.CopyN(io.Discard, r, int64(read(4))+4); err != nil {
		return 0, err
	}
	for {
		switch read(1) {
		case toyNode:
			if err := node(someClass(read(4))); err != nil {
				return 0, err
			}
		case toyBlob:
			if _, err := io.CopyN(io.Discard, r, int64(read(2))); err != nil {
				return 0, err
			}
		case toyEnd:
			return size, nil
		default:
			return 0, fault.New(fault.UnknownClass, "no such record")
		}
	}
}

// someClass is one of the classes whose words are certain.
func someClass(n uint32) classid.ID {
	certain := certainClasses()
	return certain[int(n%uint32(len(certain)))]
}

var certainClasses = sync.OnceValue(func() (list []classid.ID) {
	for _, c := range classid.All() {
		w := words{games: gamesOf(18)[0]}
		if _, err := w.of(c.ID); err == nil && !w.forked {
			list = append(list, c.ID)
		}
	}
	return list
})

// classOf is a class of a golden pack's nodes, by its word.
var classOf = sync.OnceValue(func() map[uint32]classid.ID {
	all := map[uint32]classid.ID{}
	for _, id := range certainClasses() {
		word, _ := (&words{games: gamesOf(18)[0]}).of(id)
		all[word] = id
	}
	return all
})

// toys are GBX files with nodes everywhere, and exactly on refill edges.
func toys() map[string][]byte {
	all := map[string][]byte{}
	for seed := range uint64(4) {
		g := newToy(seed)
		for range 300 {
			if g.rng.IntN(2) == 0 {
				g.node()
			}
			g.blob(g.rng.IntN(200), g.rng.IntN(2) == 0)
		}
		all[fmt.Sprintf("many%d.Gbx", seed)] = bytes.Clone(g.end())
	}
	for _, page := range []int{256, 1024, 4096} {
		for _, delta := range []int{-1, 0, 1} {
			for _, random := range []bool{false, true} {
				g := newToy(uint64(page + delta))
				for k := 1; k <= 4; k++ {
					g.nodeAt(page*k+delta, random)
				}
				g.blob(3000, true)
				all[fmt.Sprintf("edge%d%+d%v.Gbx", page, delta, random)] = bytes.Clone(g.end())
			}
		}
	}
	all["small.Gbx"] = bytes.Clone(newToy(1).end())
	return all
}

// zlibStreams compresses data into streams of every kind of block.
func zlibStreams(t *testing.T, data []byte) map[string][]byte {
	streams := map[string][]byte{}
	for name, level := range map[string]int{"stored": 0, "dynamic": 9, "huffman": zlib.HuffmanOnly} {
		var b bytes.Buffer
		w, err := zlib.NewWriterLevel(&b, level)
		if err != nil {
			t.Fatal(err)
		}
		w.Write(data)
		w.Close()
		streams[name] = b.Bytes()
	}
	// Pieces too small for codes of their own become blocks with fixed codes.
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	for piece := range slices.Chunk(data, 12) {
		w.Write(piece)
		w.Flush()
	}
	w.Close()
	streams["fixed"] = b.Bytes()
	return streams
}

// Every kind of stream with nodes at every kind of place is encrypted, and
// decrypts to the same bytes.
func TestSealedGBXReadsBack(t *testing.T) {
	key := Key{1, 2, 3}
	count := 0
	for name, content := range toys() {
		for _, version := range []uint32{3, 11, 12, 17, 18} {
			streams := map[string][]byte{"plain": content}
			if version >= 18 {
				streams["lz4"] = packLZ4(content)
			} else {
				for kind, stream := range zlibStreams(t, content) {
					streams[kind] = stream
				}
			}
			for kind, stored := range streams {
				f := File{UncompressedSize: uint32(len(content)), CompressedSize: uint32(len(stored)), Folder: -1}
				if kind != "plain" {
					f.Flags |= compressed
				}
				e := encoder{version: version, key: &key, nodes: walkToy}
				slot, err := e.seal(&f, content, stored)
				if err != nil {
					t.Fatalf("%s, version %d, %s: %v", name, version, kind, err)
				}
				f.Size = uint32(len(slot))
				p := &Pack{Header: Header{Version: version}, Directory: Directory{Files: []File{f}},
					Options: Options{Key: &key, Nodes: walkToy}, ra: bytes.NewReader(slot), size: int64(len(slot)), paths: []string{name}}
				got, err := p.Decode(0)
				if err != nil || !bytes.Equal(got, content) {
					t.Fatalf("%s, version %d, %s: %d bytes of %d, %v", name, version, kind, len(got), len(content), err)
				}
				count++
				if pages, _ := e.pages(&f, stored); len(pages) > 0 {
					p.Nodes = nil
					if got, err := p.Decode(0); err == nil || !bytes.HasPrefix(content, got) {
						t.Fatalf("%s, version %d, %s: decrypts without its nodes", name, version, kind)
					}
				}
			}
		}
	}
	t.Logf("%d entries", count)
}

func item(name string, content []byte) archive.Item {
	return archive.Item{Name: name, Size: int64(len(content)), Open: func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(content)), nil
	}}
}

// contents is a folder of files of many kinds.
func contents() map[string][]byte {
	files := map[string][]byte{
		"readme.txt":                    []byte(strings.Repeat("read me\n", 200)),
		"empty.bin":                     {},
		"Media/Texture/grass.dds":       bytes.Repeat([]byte("DDS "), 5000),
		"Media/Texture/noise.bin":       noise(9000),
		"Scripts/Modes/Mode.Script.txt": []byte("main() {}"),
		"Médiä/ü.txt":                   []byte("non-ASCII"),
	}
	for name, content := range toys() {
		files["Gbx/"+name] = content
	}
	return files
}

func noise(n int) []byte {
	rng := rand.New(rand.NewPCG(5, 5))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	return b
}

var testKeys = archive.Keys{"*": strings.Repeat("A1", 16)}

// create writes a pack and opens it again.
func create(t testing.TB, files map[string][]byte, params map[string]string) *Archive {
	t.Helper()
	var items []archive.Item
	for name, content := range files {
		items = append(items, item(name, content))
	}
	slices.SortFunc(items, func(a, b archive.Item) int { return strings.Compare(a.Name, b.Name) })
	path := filepath.Join(t.TempDir(), "Test.Pack.Gbx")
	format := Format{Nodes: walkToy}
	save(t, path, func(stage *archive.Stage) error {
		return format.Create(context.Background(), stage, items, archive.CreateOptions{
			Options: archive.Options{Keys: testKeys}, Params: params,
		})
	})
	return reopen(t, path)
}

func save(t testing.TB, path string, write func(*archive.Stage) error) {
	t.Helper()
	stage, err := archive.NewStage(path, true)
	if err != nil {
		t.Fatal(err)
	}
	if err := write(stage); err != nil {
		stage.Abort()
		t.Fatal(err)
	}
	if err := stage.Commit(); err != nil {
		t.Fatal(err)
	}
}

func reopen(t testing.TB, path string) *Archive {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return openBytes(t, data, testKeys)
}

func openBytes(t testing.TB, data []byte, keys archive.Keys) *Archive {
	t.Helper()
	a, err := Format{Nodes: walkToy}.Open(context.Background(), archive.Input{
		ReaderAt: bytes.NewReader(data), Size: int64(len(data)), Name: "Test.Pack.Gbx",
	}, archive.Options{Keys: keys})
	if err != nil {
		t.Fatal(err)
	}
	return a.(*Archive)
}

// bytesOf returns the whole file of an archive.
func bytesOf(a *Archive) []byte {
	data := make([]byte, a.pack.size)
	a.pack.ra.ReadAt(data, 0)
	return data
}

func verify(t testing.TB, a *Archive) {
	t.Helper()
	report, err := a.Verify(context.Background(), archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Findings {
		t.Errorf("%s: f.Entry = %s f.Rule = %s: f.Message = %s", f.Severity, f.Entry, f.Rule, f.Message)
	}
}

var variants = []map[string]string{
	{"version": "3"},
	{"version": "3", "encrypt": "false"},
	{"version": "3", "compress": "false"},
	{"version": "18"},
	{"version": "18", "encrypt": "true"},
	{"version": "18", "encrypt": "true", "compress": "false", "private-header": "true", "title-id": "Test@me"},
}

func TestCreatedPacksReadBack(t *testing.T) {
	files := contents()
	for _, params := range variants {
		t.Run(fmt.Sprint(params), func(t *testing.T) {
			a := create(t, files, params)
			verify(t, a)
			if len(a.Entries()) != len(files) {
				t.Errorf("%d entries", len(a.Entries()))
			}
			for name, want := range files {
				got, err := fs.ReadFile(a, name)
				if err != nil || !bytes.Equal(got, want) {
					t.Errorf("%s: %d bytes of %d, %v", name, len(got), len(want), err)
				}
			}
			if len(params) == 1 { // it takes its time, and two will do
				if err := fstest.TestFS(a, slices.Collect(maps.Keys(files))...); err != nil {
					t.Error(err)
				}
			}
			if again := create(t, files, params); !bytes.Equal(bytesOf(a), bytesOf(again)) {
				t.Error("the same input gave another pack")
			}
			checkSlots(t, a)
		})
	}
}

// checkSlots checks the layout rules that real packs showed.
func checkSlots(t *testing.T, a *Archive) {
	p := a.pack
	if p.Version != 18 {
		return
	}
	at := p.dataStart()
	for i := range p.Files {
		f := &p.Files[i]
		want := (f.StoredSize() + 63) &^ 63
		if f.Flags.Encrypted() {
			want = (8 + (f.StoredSize()+255)&^255 + 63) &^ 63
		}
		if p.start(i) != at || int64(f.Size) != want {
			t.Errorf("%s: slot of %d at %d, want %d at %d", p.paths[i], f.Size, p.start(i), want, at)
		}
		if seekable := f.Flags&IsSeekable != 0; seekable == (f.Compressed() || f.Flags.Encrypted()) {
			t.Errorf("%s: flags %v", p.paths[i], f.Flags.Names())
		}
		at += want
	}
	records, err := p.Metadata()
	if err != nil {
		t.Fatal(err)
	}
	if len(records) != len(toys()) {
		t.Errorf("%d metadata records", len(records))
	}
	if at != int64(p.GbxHeadersStart) {
		t.Errorf("metadata at %d, data ends at %d", p.GbxHeadersStart, at)
	}
	for _, rec := range records {
		content, err := p.Decode(rec.File)
		if head, _ := parseGBXHead(content); err != nil || head == nil || !bytes.Equal(head.userData, rec.Data) {
			t.Errorf("%s: wrong metadata: %v", p.paths[rec.File], err)
		}
	}
}

// A GBX whose nodes are not understood is refused, or stored clear on demand.
func TestUnknownNodesAreNotEncrypted(t *testing.T) {
	g := newToy(1)
	g.blob(5000, true)
	g.WriteByte(77) // no such record
	g.blob(5000, true)
	content := g.end()
	path := filepath.Join(t.TempDir(), "x.pak")
	for _, version := range []string{"3", "18"} {
		write := func(clear string) error {
			stage, err := archive.NewStage(path, true)
			if err != nil {
				t.Fatal(err)
			}
			defer stage.Abort()
			err = Format{Nodes: walkToy}.Create(context.Background(), stage, []archive.Item{item("a.Gbx", content)}, archive.CreateOptions{
				Options: archive.Options{Keys: testKeys},
				Params:  map[string]string{"version": version, "encrypt": "true", "clear-gbx": clear},
			})
			if err == nil {
				return stage.Commit()
			}
			return err
		}
		if err := write("false"); fault.KindOf(err) != fault.UnknownClass || err.(*fault.Error).Entry != "a.Gbx" {
			t.Errorf("version %s: %v", version, err)
		}
		if err := write("true"); err != nil {
			t.Fatal(err)
		}
		a := reopen(t, path)
		if got, err := fs.ReadFile(a, "a.Gbx"); err != nil || !bytes.Equal(got, content) || a.Entries()[0].Encrypted {
			t.Errorf("version %s: %d bytes, %v", version, len(got), err)
		}
	}
}

// buildBytes writes a pack and returns it.
func buildBytes(t testing.TB, b *build) []byte {
	t.Helper()
	file, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := b.write(context.Background(), file); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	return data
}
