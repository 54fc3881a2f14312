package pak

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/fault"
)

// An entry has to lie inside the file, fit into its slot, and not claim more
// than its codec can unpack.
func TestRanges(t *testing.T) {
	const packed FileFlags = 1 << 2
	for _, test := range []struct {
		what    string
		version uint32
		f       File
		want    error
	}{
		{"all of it", 14, File{UncompressedSize: 100}, nil},
		{"one byte more", 14, File{UncompressedSize: 101}, fault.EntryRange},
		{"the end", 14, File{Offset: 90, UncompressedSize: 10}, nil},
		{"beyond the end", 14, File{Offset: 91, UncompressedSize: 10}, fault.EntryRange},
		{"far beyond the end", 14, File{Offset: 1000, UncompressedSize: 10}, fault.EntryRange},
		{"nothing, anywhere", 14, File{Offset: 1000}, nil},
		{"its slot", 18, File{UncompressedSize: 10, Size: 10}, nil},
		{"more than its slot", 18, File{UncompressedSize: 11, Size: 10}, fault.EntryRange},
		{"its slot, in the first version that has them", 17, File{UncompressedSize: 11, Size: 10}, fault.EntryRange},
		{"no slots yet", 16, File{UncompressedSize: 11, Size: 10}, nil},
		{"as much as can be unpacked", 14, File{Flags: packed, UncompressedSize: 10 * 1040, CompressedSize: 10}, nil},
		{"more", 14, File{Flags: packed, UncompressedSize: 10*1040 + 1, CompressedSize: 10}, fault.SizeMismatch},
		{"from nothing", 14, File{Flags: packed, UncompressedSize: 1}, fault.SizeMismatch},
	} {
		test.f.Flags |= PublicFile
		p := single(test.version, test.f, make([]byte, 100), Options{})
		p.Files[0].Size = test.f.Size
		if err := p.checkRange(0); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", test.what, err, test.want)
		}
	}
}

// Content beyond the size of an entry is dropped, and is an error.
func TestRecorderStopsAtTheSize(t *testing.T) {
	for limit, want := range map[int64]error{10: nil, 9: errTooLong, 0: errTooLong} {
		r := &recorder{src: strings.NewReader("0123456789"), limit: limit}
		_, err := io.ReadAll(r)
		if err != want || int64(r.data.Len()) != limit || !strings.HasPrefix("0123456789", r.data.String()) {
			t.Errorf("limit %d: %q, %v", limit, r.data.String(), err)
		}
		if _, again := r.Read(make([]byte, 1)); want != nil && again != want {
			t.Errorf("limit %d: read again: %v", limit, again)
		}
	}
}

// An entry goes into the folder that is there; no second one is made.
func TestEditUsesFolders(t *testing.T) {
	a := create(t, map[string][]byte{"one/two/a.txt": []byte("a"), "b.txt": []byte("b")}, nil)
	folders := len(a.pack.Folders)
	put := func(name string) archive.Edit { it := item(name, []byte("new")); return archive.Edit{Put: &it} }
	same := edited(t, a, nil, nil, put("one/two/c.txt"), put("one/d.txt"), put("e.txt"))
	if n := len(same.pack.Folders); n != folders {
		t.Errorf("%d folders became %d", folders, n)
	}
	more := edited(t, a, nil, nil, put("one/three/c.txt"), put("one/three/d.txt"))
	if n := len(more.pack.Folders); n != folders+1 {
		t.Errorf("%d folders became %d", folders, n)
	}
	for _, name := range []string{"one/two/a.txt", "one/three/c.txt", "one/three/d.txt", "b.txt"} {
		if _, err := more.Stat(name); err != nil {
			t.Error(err)
		}
	}
}

func TestKeyKinds(t *testing.T) {
	r := archive.Registry{Format{}}
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	digits := strings.Repeat("0f", 16)
	for _, c := range [][3]string{
		{"game.pak", digits, "base"}, {"game.pak", finalPrefix + digits, "pack"}, {"game.pak", titlePrefix + digits, "title"},
		{"game.pak", digits[1:], ""}, {"game.pak", digits + "0", ""}, {"game.pak", "other:" + digits, ""}, {"game.pak", strings.Repeat("xx", 16), ""},
		{DictionaryKey, path, "file"}, {namesKey, path, "file"}, {namesKey, path + "x", ""},
	} {
		kind, err := r.KeyKind(c[0], c[1])
		if kind != c[2] || (err != nil) != (c[2] == "") {
			t.Errorf(`c[0] = %s c[1] = %s: kind = %q, err = %v; want kind = c[2], err is not nil exactly if c[2] is ""`, c[0], c[1], kind, err)
		}
	}
}

// A chunk of LZ4 goes out and comes back, whatever its length.
func TestPackLZ4Lengths(t *testing.T) {
	for _, n := range []int{0, 1, lz4Chunk - 1, lz4Chunk, lz4Chunk + 1, 3 * lz4Chunk} {
		data := bytes.Repeat([]byte("compressible "), n/13+1)[:n]
		packed := packLZ4(data)
		if chunks := (n + lz4Chunk - 1) / lz4Chunk; n > 13 && len(packed) > n/2 || n == 0 && len(packed) != 0 || chunks > 0 && len(packed) < 2*chunks {
			t.Errorf("%d bytes became %d", n, len(packed))
		}
	}
}

// From version 17 on, stored data fills whole pages, and what Nadeo's packer
// leaves in the rest of one is what its buffer held; before, the blocks of the
// cipher are filled up with zeros.
func TestPadding(t *testing.T) {
	for _, test := range []struct {
		version uint32
		n, want int
		last    byte
	}{{16, 1, 8, 0}, {16, 8, 8, 'x'}, {16, 9, 16, 0}, {17, 1, 256, 0xcc}, {17, 256, 256, 'x'}, {17, 257, 512, 'x'}, {18, 257, 512, 'x'}, {17, 0, 0, 0}} {
		out := padded(test.version, bytes.Repeat([]byte("x"), test.n))
		if len(out) != test.want || len(out) > 0 && out[len(out)-1] != test.last {
			t.Errorf("version %d: %d bytes became %d, the last % x", test.version, test.n, len(out), out)
		}
	}
}

// An empty entry is never encrypted in packs of version 17 and later.
func TestEmptyEntriesAreClear(t *testing.T) {
	key := Key{1}
	for version, want := range map[uint32]bool{16: false, 17: true, 18: true} {
		f := File{}
		e := encoder{version: version, key: &key, nodes: walkToy}
		if _, err := e.seal(&f, nil, nil); err != nil {
			t.Fatal(err)
		}
		if got := f.Flags&ForceNoCrypt != 0; got != want {
			t.Errorf("version %d: clear: %v", version, got)
		}
	}
}

// A list of names may have hashes in front, which are 34 digits; other words in
// front belong to the path.
func TestNamesWithHashes(t *testing.T) {
	hash := strings.Repeat("0a", 17)
	names, err := ReadNames(strings.NewReader("# list\n\n" + hash + "  GameData/a b.txt\nother name.txt\n" + hash + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := Names{}
	for _, name := range []string{"GameData/a b.txt", "other name.txt", hash} {
		want.Add(name)
	}
	if len(names) != len(want) {
		t.Errorf("names = %v; want names of length len(want)", names)
	}
	for k, v := range want {
		if names[k] != v {
			t.Errorf("%v: %q, want %q", k, names[k], v)
		}
	}
}

// Names that differ in case only are two files, and an edit knows which is meant.
func TestCaseMatters(t *testing.T) {
	for want, paths := range map[bool][]string{true: {"a", "b/C", "B/c"}, false: {"a", "b/C", "b/d"}} {
		if got := (&Pack{paths: paths}).caseMatters(); got != want {
			t.Errorf("%q: got = %v; want %v", paths, got, want)
		}
	}
}

// The dictionary is found wherever it lies, behind what only begins like it.
func TestDictionaryBehindTextures(t *testing.T) {
	dictionary := append([]byte("DDS "), noise(dictionarySize-4)...)
	sum := sha256.Sum256(dictionary)
	want := hex.EncodeToString(sum[:])
	program := append([]byte("code DDS texture DDS DDS "), dictionary...)
	for _, tail := range []string{"", "more"} {
		if got, err := findDictionary(append(bytes.Clone(program), tail...), want); err != nil || !bytes.Equal(got, dictionary) {
			t.Errorf("%d bytes, %v", len(got), err)
		}
	}
	if _, err := findDictionary(program[:len(program)-1], want); !errors.Is(err, fault.Key) {
		t.Errorf("one that is cut: %v", err)
	}
}
