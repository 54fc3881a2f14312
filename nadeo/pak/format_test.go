package pak

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/nadeo/internal/crypt"
)

// hashedPack is a version 18 pack whose entries have hashed names.
func hashedPack(t *testing.T) []byte {
	b := &build{encoder: encoder{version: 18}}
	b.Header = Header{Version: 18, DecryptFlags: UseDefaultHeaderKey | IsDataPrivate, TitleID: "Test@me"}
	folders := newFolderIndex(&b.Directory)
	for _, name := range []string{`Media\Image\known.dds`, `unknown.txt`} {
		b.Files = append(b.Files, File{Folder: folders.folder("Base"), Name: HashName(name), MetaOffset: noMetadata, Flags: IsHashed | ForceNoCrypt})
		b.origins = append(b.origins, origin{from: -1, item: item(name, []byte("content of "+name))})
	}
	return buildBytes(t, b)
}

func TestOpenFindsKeysAndNames(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	open := func(path string, keys archive.Keys) (archive.Archive, error) {
		in, closer, err := archive.OpenFile(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { closer.Close() })
		return archive.Registry{Format{Nodes: walkToy}}.Open(context.Background(), in, archive.Options{Keys: keys})
	}

	hashed := write("Hashed.Pack.Gbx", hashedPack(t))
	names := write("names.txt", []byte("Base/Media/Image/Known.DDS\nBase/other.txt\n"))
	a, err := open(hashed, archive.Keys{"nadeopak-names": names})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := fs.ReadFile(a, "base/media/image/known.dds"); err != nil || string(got) != `content of Media\Image\known.dds` {
		t.Errorf("got = %q, err = %v; want no error, got = `content of Media\\Image\\known.dds`", got, err)
	}
	if e := a.Entries()[1]; e.Name != "Base/"+HashName("unknown.txt") {
		t.Errorf("unknown name: %s", e.Name)
	}
	if _, err := open(hashed, archive.Keys{"lz4-dictionary": names}); fault.KindOf(err) != fault.Key {
		t.Errorf("a wrong dictionary: %v", err)
	}

	files := map[string][]byte{"a.txt": []byte(strings.Repeat("secret ", 100))}
	pack := write("My.Secret.pak", bytesOf(create(t, files, map[string]string{"version": "3"})))
	if _, err := open(pack, nil); fault.KindOf(err) != fault.KeyRequired {
		t.Errorf("without a key: %v", err)
	}
	for _, keys := range []archive.Keys{{"my.secret": testKeys["*"]}, {"my": testKeys["*"]}, {"*": testKeys["*"]}} {
		if _, err := open(pack, keys); err != nil {
			t.Errorf("%v: %v", keys, err)
		}
	}
	list := &Packlist{}
	if err := list.Set("My.Secret", testKeys["*"]); err != nil {
		t.Fatal(err)
	}
	// The key of another pack needs the product's name, which is not known.
	list.Packs = append(list.Packs, ListedPack{Flags: productKey, Name: "other", BaseKey: testKeys["*"]})
	product := TrackMania
	product.Name = "tmforever"
	data, err := list.Append(nil, product)
	if err != nil {
		t.Fatal(err)
	}
	write("packlist.dat", data)
	if a, err = open(pack, nil); err != nil {
		t.Fatalf("with packlist.dat beside it: %v", err)
	}
	if got, err := fs.ReadFile(a, "A.TXT"); err != nil || !bytes.Equal(got, files["a.txt"]) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

func TestDescribeNeedsNoKey(t *testing.T) {
	data := bytesOf(create(t, map[string][]byte{"a": {1}}, map[string]string{"private-header": "true", "title-id": "Test@me", "author": "me"}))
	facts, err := Format{}.Describe(archive.Input{ReaderAt: bytes.NewReader(data), Size: int64(len(data))})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]any{}
	for _, f := range facts {
		found[f.Name] = f.Value
	}
	if found["version"] != int64(18) || found["title_id"] != "Test@me" || found["author_login"] != "me" {
		t.Errorf(`found = %v; want found["version"] = int64(18), found["title_id"] = "Test@me", found["author_login"] = "me"`, found)
	}
}

// single is a pack of one entry.
func single(version uint32, f File, slot []byte, opts Options) *Pack {
	f.Folder, f.Size = -1, uint32(len(slot))
	return &Pack{Header: Header{Version: version}, Directory: Directory{Files: []File{f}}, Options: opts,
		ra: bytes.NewReader(slot), size: int64(len(slot)), paths: []string{"entry"}}
}

func TestCounterMode(t *testing.T) {
	key := Key{7}
	content := append([]byte("GBX"), noise(3001)...) // no nodes are followed in it
	slot := make([]byte, 8+len(content))
	slot[0] = 0xfe // the counter carries over
	crypt.NewCipher(key, crypt.ForVersion(18)).XORKeyStream(slot[8:], content, 0xfe, 0)
	f := File{UncompressedSize: uint32(len(content)), CompressedSize: uint32(len(content)), Flags: IsSeekable}
	if got, err := single(18, f, slot, Options{Key: &key}).Decode(0); err != nil || !bytes.Equal(got, content) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// A block that refers to the dictionary is unpacked with it; without the dictionary
// the error names it as missing.
func TestDictionary(t *testing.T) {
	dict := noise(dictionarySize)
	// No literals, a match of 15 bytes 40 back; five literals at the end.
	block := []byte{0x0b, 40, 0, 0x50, 'a', 'b', 'c', 'd', 'e'}
	stored := append([]byte{byte(len(block)), 0}, block...)
	want := append(bytes.Clone(dict[dictionarySize-40:dictionarySize-25]), "abcde"...)
	f := File{UncompressedSize: 20, CompressedSize: uint32(len(stored)), Flags: compressed | ForceNoCrypt}
	if got, err := single(18, f, stored, Options{Dictionary: dict}).Decode(0); err != nil || !bytes.Equal(got, want) {
		t.Errorf("got = %q, err = %v; want no error, got equal to want", got, err)
	}
	if _, err := single(18, f, stored, Options{}).Decode(0); fault.KindOf(err) != fault.KeyRequired {
		t.Errorf("without it: %v", err)
	}
	stored[3] = 0xff // further back than any dictionary reaches
	stored[4] = 0xff
	if _, err := single(18, f, stored, Options{}).Decode(0); fault.KindOf(err) != fault.DecompressFailed {
		t.Errorf("damaged: %v", err)
	}
}

func TestLZ4LongHistory(t *testing.T) {
	// Chunks that refer 60,000 bytes back, by hand: history must be kept
	// across many chunks and slides of the window.
	var stored, want []byte
	add := func(block, content []byte) {
		stored = append(append(stored, byte(len(block)), byte(len(block)>>8)), block...)
		want = append(want, content...)
	}
	for range 40 {
		chunk := noise(lz4Chunk)
		chunk[0] = byte(len(want) >> 12)
		add(packLZ4(chunk)[2:], chunk)
	}
	tail := append([]byte{0x0b, 60000 & 255, 60000 >> 8, 0x50}, "12345"...)
	add(tail, append(bytes.Clone(want[len(want)-60000:len(want)-60000+15]), "12345"...))
	got, err := io.ReadAll(newLZ4Reader(bytes.NewReader(stored), int64(len(stored)), int64(len(want)), nil))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes of %d, %v", len(got), len(want), err)
	}
}

func TestFlagNames(t *testing.T) {
	got := strings.Join((IsHashed | compressed | IsSeekable | 1<<7 | DontUseDummyWrite | 5<<33 | ForceNoCrypt).Names(), " ")
	if want := "IsHashed Compression(1) IsSeekable bit7 DontUseDummyWrite OpaqueUserData(5) ForceNoCrypt"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	all := "IsHashed PublishFid Compression(15) IsSeekable"
	for bit := 7; bit < 64; bit++ {
		switch bit {
		case 32:
			all += " DontUseDummyWrite OpaqueUserData(65535) PublicFile ForceNoCrypt"
			bit = 50
		default:
			all += fmt.Sprintf(" bit%d", bit)
		}
	}
	if got := strings.Join((^FileFlags(0)).Names(), " "); got != all {
		t.Errorf("%s, want %s", got, all)
	}
	if got := strings.Join((compressed | PublicFile).Names(), " "); got != "Compression(1) PublicFile" {
		t.Errorf(`got = %s; want "Compression(1) PublicFile"`, got)
	}
	if got := strings.Join(DecryptFlags(6).Names(), " "); got != "UseDefaultHeaderKey IsDataPrivate" {
		t.Errorf(`got = %s; want "UseDefaultHeaderKey IsDataPrivate"`, got)
	}
}

func TestExtractRealPack(t *testing.T) {
	data, want := realPack(t)
	dir := t.TempDir()
	err := archive.Extract(context.Background(), openBytes(t, data, nil), dir, archive.ExtractOptions{})
	var joined interface{ Unwrap() []error }
	if !errors.As(err, &joined) || len(joined.Unwrap()) != 18 {
		t.Fatalf("18 entries lack something: %v", err)
	}
	for _, err := range joined.Unwrap() {
		if fault.KindOf(err) != fault.KeyRequired {
			t.Errorf("err = %v; want err of kind fault.KeyRequired", err)
		}
	}
	for _, e := range want {
		got, err := os.ReadFile(filepath.Join(dir, e.Path))
		if (err == nil) != (e.SHA256 != "") || err == nil && sha(got) != e.SHA256 {
			t.Errorf("%s: %d bytes, %v", e.Path, len(got), err)
		}
	}
}
