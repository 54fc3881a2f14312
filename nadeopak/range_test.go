package nadeopak

import (
	"bytes"
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

// What an entry gives beyond its size is not kept, and is an error.
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
			t.Errorf("%s %s: %q, %v", c[0], c[1], kind, err)
		}
	}
}

// A chunk of LZ4 goes out and comes back, whatever its length.
func TestPackLZ4Lengths(t *testing.T) {
	for _, n := range []int{0, 1, lz4Chunk - 1, lz4Chunk, lz4Chunk + 1, 3 * lz4Chunk} {
		data := bytes.Repeat([]byte("compressible "), n/13+1)[:n]
		packed, err := packLZ4(data)
		if err != nil {
			t.Fatal(err)
		}
		if chunks := (n + lz4Chunk - 1) / lz4Chunk; n > 13 && len(packed) > n/2 || n == 0 && len(packed) != 0 || chunks > 0 && len(packed) < 2*chunks {
			t.Errorf("%d bytes became %d", n, len(packed))
		}
	}
}
