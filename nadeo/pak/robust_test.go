package pak

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/internal/lib/wire"
)

// exercise does with a file all that can be done without writing, and fails on
// an error that is not a fault.
func exercise(t *testing.T, data []byte, key *Key) {
	t.Helper()
	p, err := OpenPack(bytes.NewReader(data), int64(len(data)), Options{Key: key, Nodes: walkToy})
	if err != nil {
		typed(t, err)
		return
	}
	if _, err := p.Metadata(); err != nil {
		typed(t, err)
	}
	a := newArchive(p, archive.Options{})
	a.Facts()
	if _, err := a.Verify(context.Background(), archive.Options{Workers: 1}); err != nil {
		typed(t, err)
	}
	for i := range p.Files {
		r, err := p.Reader(i)
		if err == nil {
			_, err = io.Copy(io.Discard, io.LimitReader(r, 1<<20))
		}
		if err != nil {
			typed(t, err)
		}
	}
}

func typed(t *testing.T, err error) {
	t.Helper()
	var e *fault.Error
	if !errors.As(err, &e) || e.Kind == "" {
		t.Fatalf("an error without a kind: %v", err)
	}
}

// smallPacks are packs of all written versions and of the layouts between,
// small enough to be damaged everywhere.
func smallPacks(t testing.TB) (packs map[string][]byte, key Key) {
	key, err := KeyFromBase(testKeys["*"])
	if err != nil {
		t.Fatal(err)
	}
	g := newToy(3)
	g.blob(300, false)
	g.node()
	g.blob(900, true)
	files := map[string][]byte{"a/b/x.Gbx": g.end(), "a/c/text.txt": bytes.Repeat([]byte("text "), 100), "e": {}, "Manialinks/raw": noise(300)}
	packs = map[string][]byte{}
	for name, params := range map[string]map[string]string{
		"v3": {"version": "3"}, "v18": {"encrypt": "true"}, "v18 private": {"encrypt": "true", "private-header": "true"}, "v18 clear": {},
	} {
		packs[name] = bytesOf(create(t, files, params))
	}
	for _, version := range []uint32{1, 2, 6, 7, 8, 9, 10, 12, 14, 15, 16, 17} {
		for _, flags := range []DecryptFlags{0, 2, 7} {
			packs[string(rune('a'+version))+string(rune('0'+flags))] = oldPack(t, version, flags, key)
		}
	}
	return packs, key
}

// oldPack makes a pack of a version that only tests write.
func oldPack(t testing.TB, version uint32, flags DecryptFlags, key Key) []byte {
	return buildBytes(t, oldBuild(version, flags, key))
}

func oldBuild(version uint32, flags DecryptFlags, key Key) *build {
	b := &build{encoder: encoder{version: version, key: &key, nodes: walkToy}, iv: 7}
	b.Header = Header{Version: version, DecryptFlags: flags, Comment: "comment", TitleID: "t", CreationBuildInfo: "b"}
	if version >= 10 {
		b.IncludedPacks = []IncludedPack{{Name: "other", NestingLevel: 1}}
	}
	if version < 11 && version >= 10 {
		b.IncludedPacks[0].NestingLevel = 0
	}
	folders := newFolderIndex(&b.Directory)
	for _, name := range []string{"one/x.txt", "two/y.txt", "three/long/z.Gbx", "one/w.txt"} {
		folder, base := folders.place(name)
		b.Files = append(b.Files, File{Folder: folder, Name: base, MetaOffset: noMetadata, Flags: compressed})
		content := []byte("content of " + name)
		if base == "w.txt" {
			content = bytes.Repeat(content, 50)
		}
		if base == "z.Gbx" {
			content = toys()["edge256+0true.Gbx"]
		}
		b.origins = append(b.origins, origin{from: -1, item: item(name, content)})
	}
	return b
}

func TestAllVersionsReadBack(t *testing.T) {
	packs, key := smallPacks(t)
	for name, data := range packs {
		p, err := OpenPack(bytes.NewReader(data), int64(len(data)), Options{Key: &key, Nodes: walkToy})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		verify(t, newArchive(p, archive.Options{}))
	}
}

func TestDamage(t *testing.T) {
	packs, key := smallPacks(t)
	rng := rand.New(rand.NewPCG(1, 2))
	for _, name := range slices.Sorted(maps.Keys(packs)) {
		data := packs[name]
		for range 25 {
			exercise(t, data[:rng.IntN(len(data))], &key)
			broken := bytes.Clone(data)
			for range 1 + rng.IntN(3) {
				broken[rng.IntN(min(len(data), 20000))] ^= 1 << rng.IntN(8)
			}
			exercise(t, broken, &key)
		}
		exercise(t, data, &Key{1})
		exercise(t, data, nil)
	}
}

// A wrong key is distinguished from damage wherever a checksum covers the
// file.
func TestWrongKey(t *testing.T) {
	packs, key := smallPacks(t)
	wrong := &Key{42}
	for name, data := range packs {
		h, _, err := ReadHeader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		_, err = OpenPack(bytes.NewReader(data), int64(len(data)), Options{Key: wrong})
		if h.headerNeedsKey() {
			if fault.KindOf(err) != fault.WrongKey {
				t.Errorf("%s: err = %v; want err of kind fault.WrongKey", name, err)
			}
			if _, err := OpenPack(bytes.NewReader(data), int64(len(data)), Options{}); fault.KindOf(err) != fault.KeyRequired {
				t.Errorf("%s without a key: %v", name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		p, _ := OpenPack(bytes.NewReader(data), int64(len(data)), Options{Key: wrong, Nodes: walkToy})
		for i := range p.Files {
			if f := &p.Files[i]; f.Flags.Encrypted() && !f.Compressed() {
				if _, err := p.Decode(i); fault.KindOf(err) != fault.WrongKey {
					t.Errorf("%s: %s, not compressed: %v", name, p.Path(i), err)
				}
			}
			if f := &p.Files[i]; f.Flags.Encrypted() && f.Compressed() {
				if _, err := p.Decode(i); fault.KindOf(err) != fault.WrongKey {
					t.Errorf("%s: p.Path(i) = %s: err = %v; want err of kind fault.WrongKey", name, p.Path(i), err)
				}
				// The same entry, damaged, is damaged.
				broken := bytes.Clone(data)
				broken[p.start(i)+9] ^= 4
				q, err := OpenPack(bytes.NewReader(broken), int64(len(broken)), Options{Key: &key, Nodes: walkToy})
				if err != nil {
					t.Fatal(err)
				}
				if _, err := q.Decode(i); err == nil || errors.Is(err, fault.Key) {
					t.Errorf("%s: %s damaged: %v", name, p.Path(i), err)
				}
			}
		}
	}
}

func TestHostileTables(t *testing.T) {
	for name, d := range map[string]Directory{
		"cycle":         {Folders: []Folder{{1, "a"}, {0, "b"}}},
		"self":          {Folders: []Folder{{0, "a"}}},
		"parent":        {Folders: []Folder{{5, "a"}}},
		"negative":      {Folders: []Folder{{-2, "a"}}},
		"file's folder": {Files: []File{{Folder: 3, Name: "x"}}},
	} {
		if _, err := openDirectory(d); fault.KindOf(err) != fault.TableCorrupt {
			t.Errorf("%s: err = %v; want err of kind fault.TableCorrupt", name, err)
		}
	}
	deep := Directory{}
	for i := range int32(3000) {
		deep.Folders = append(deep.Folders, Folder{i - 1, "folder"})
	}
	if _, err := openDirectory(deep); fault.KindOf(err) != fault.Limit {
		t.Errorf("deep folders: %v", err)
	}
	wide := Directory{Folders: []Folder{{-1, strings.Repeat("x", 4000)}}, Files: make([]File, 20000)}
	if _, err := openDirectory(wide); fault.KindOf(err) != fault.Limit {
		t.Errorf("many files below a long path: %v", err)
	}
	wide.Files, wide.Folders = nil, append(wide.Folders, make([]Folder, 20000)...)
	if _, err := openDirectory(wide); fault.KindOf(err) != fault.Limit {
		t.Errorf("many folders below a long path: %v", err)
	}
	// Names that lead elsewhere are listed, but no path leads to them.
	p, err := openDirectory(Directory{Files: []File{{Folder: -1, Name: `..\..\evil`}, {Folder: -1, Name: `C:\x`}}})
	if err != nil {
		t.Fatal(err)
	}
	a := newArchive(p, archive.Options{})
	if list, err := a.ReadDir("."); err != nil || len(a.Entries()) != 2 {
		t.Errorf("list = %v, err = %v; want no error, a.Entries() of length 2", list, err)
	}
	if err := archive.Extract(context.Background(), a, t.TempDir(), archive.ExtractOptions{}); !errors.Is(err, fault.Unsafe) {
		t.Errorf("extracting: %v", err)
	}
}

// openDirectory opens a pack with the given tables and no data.
func openDirectory(d Directory) (*Pack, error) {
	h := Header{Version: 9}
	c := coder{w: h.bytes()}
	d.code(&c, h.Version, func() {})
	return OpenPack(bytes.NewReader(c.w), int64(len(c.w)), Options{})
}

func FuzzOpen(f *testing.F) {
	packs, key := smallPacks(f)
	for _, data := range packs {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 1<<20 {
			exercise(t, data, &key)
		}
	})
}

// FuzzHeader: a clear header that can be read is written back as it was.
func FuzzHeader(f *testing.F) {
	packs, _ := smallPacks(f)
	for _, data := range packs {
		f.Add(data[:min(len(data), 400)])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		h, n, err := ReadHeader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			typed(t, err)
			return
		}
		if !bytes.Equal(h.bytes(), data[:n]) {
			t.Fatal("written again it differs")
		}
	})
}

// FuzzTable: a private header that can be read is written back as it was.
func FuzzTable(f *testing.F) {
	d := Directory{Folders: []Folder{{-1, `a\`}, {0, `b\`}}, Files: []File{{Folder: 1, Name: "x", Flags: 5}}}
	for _, version := range []uint32{1, 2, 3, 6, 14, 15, 16, 17, 18} {
		var c coder
		d.code(&c, version, func() {})
		f.Add(uint8(version), c.w)
	}
	f.Fuzz(func(t *testing.T, version uint8, data []byte) {
		if !readable(uint32(version)) {
			return
		}
		var d Directory
		r := wire.NewReader(data, 0)
		d.code(&coder{r: r}, uint32(version), func() {})
		if r.Err() != nil {
			typed(t, r.Err())
			return
		}
		if _, err := folderPaths(d.Folders); err != nil {
			typed(t, err)
		}
		var c coder
		d.code(&c, uint32(version), func() {})
		if !bytes.Equal(c.w, data[:r.Offset()]) {
			t.Fatal("written again it differs")
		}
	})
}

// A folder without a name adds nothing to a path, least of all a slash.
func TestFolderWithoutName(t *testing.T) {
	got, err := folderPaths([]Folder{{-1, ""}, {0, `a\`}, {1, `\`}, {2, "b"}})
	if want := []string{"", "a/", "a/", "a/b/"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, want %q (%v)", got, want, err)
	}
}

func FuzzLZ4(f *testing.F) {
	f.Add(packLZ4(bytes.Repeat([]byte("abcdefg "), 2000)), uint16(16000), true)
	f.Add([]byte{1, 0, 0}, uint16(5), false)
	f.Fuzz(func(t *testing.T, data []byte, size uint16, dict bool) {
		var d []byte
		if dict {
			d = make([]byte, dictionarySize)
		}
		out, err := io.ReadAll(newLZ4Reader(bytes.NewReader(data), int64(len(data)), int64(size), d))
		if err == nil && len(out) != int(size) {
			t.Fatalf("%d bytes of %d", len(out), size)
		}
		if err != nil && !errors.Is(err, errLZ4) && !errors.Is(err, fault.Key) && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatalf("err = %v; want no error or err matching %v or err matching fault.Key or err matching io.ErrUnexpectedEOF", err, errLZ4)
		}
	})
}

// A feature unseen in real packs of a version causes a doubt about the reader before one
// about the pack.
func TestVerifyUnseenVersion(t *testing.T) {
	for version, want := range map[uint32]finding.Severity{17: finding.Warning, 18: finding.Error} {
		a := create(t, map[string][]byte{"a.txt": []byte("text")}, nil)
		a.pack.Version = version
		a.pack.Files[0].Checksum[0] ^= 1
		a.pack.GbxHeadersStart = uint32(a.pack.size) // no metadata there
		report, err := a.Verify(context.Background(), archive.Options{})
		if err != nil {
			t.Fatal(err)
		}
		found := map[fault.Kind]finding.Severity{}
		for _, f := range report.Findings {
			if f.Entry != "" || fault.Kind(f.Rule) == fault.Truncated {
				found[fault.Kind(f.Rule)] = f.Severity
			}
		}
		if found[fault.HashMismatch] != want || found[fault.Truncated] != want {
			t.Errorf("version %d: %+v", version, report.Findings)
		}
	}
}
