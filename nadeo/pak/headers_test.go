package pak

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"testing"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/gbx/classid"
)

// Each version of the clear header has the fields that it has, and no others.
func TestHeaderFields(t *testing.T) {
	full := Header{
		ContentsChecksum: [32]byte{1, 31: 2}, DecryptFlags: UseDefaultHeaderKey, HeaderMaxSize: 0x4000,
		Author: AuthorInfo{0, "login", "nick", "zone", "extra"}, ManialinkURL: "manialink", DownloadURL: "download", CreationDate: 7,
		Comment: "comment", XML: "xml", TitleID: "title", UsageSubDir: "usage", CreationBuildInfo: "build", AuthorURL: "address", Unused: [16]byte{3},
		IncludedPacks: []IncludedPack{{ContentsChecksum: [32]byte{4}, Name: "one", Author: AuthorInfo{Login: "l"}, InfoManialinkURL: "i", CreationDate: 8, SecondName: "two", NestingLevel: 5}},
	}
	for version := uint32(1); version <= maxVersion; version++ {
		if !readable(version) {
			continue
		}
		h := full
		h.Version = version
		want := Header{Version: version}
		if version >= 6 {
			want.ContentsChecksum, want.DecryptFlags = full.ContentsChecksum, full.DecryptFlags
		}
		if version >= 7 {
			want.Author, want.Comment, want.Unused = full.Author, full.Comment, full.Unused
		}
		if version >= 8 {
			want.CreationBuildInfo = full.CreationBuildInfo
		}
		if version == 8 {
			want.AuthorURL = full.AuthorURL
		}
		if version >= 9 {
			want.ManialinkURL, want.CreationDate, want.UsageSubDir = full.ManialinkURL, full.CreationDate, full.UsageSubDir
		}
		if version >= 10 {
			packs := []IncludedPack{full.IncludedPacks[0]}
			if version < 11 {
				packs[0].NestingLevel = 0
			}
			want.IncludedPacks = packs
		}
		if version >= 12 {
			want.XML, want.TitleID = full.XML, full.TitleID
		}
		if version >= 13 {
			want.DownloadURL = full.DownloadURL
		}
		if version >= 15 {
			want.HeaderMaxSize = full.HeaderMaxSize
		}
		data := h.bytes()
		got, end, err := ReadHeader(bytes.NewReader(data), int64(len(data)))
		if err != nil || end != int64(len(data)) || !reflect.DeepEqual(*got, want) {
			t.Errorf("version %d: %d of %d bytes, %v\n%+v\nwant\n%+v", version, end, len(data), err, got, want)
		}
		for cut := range data {
			if _, _, err := ReadHeader(bytes.NewReader(data[:cut]), int64(cut)); err == nil {
				t.Errorf("version %d: %d bytes of %d are enough", version, cut, len(data))
			}
		}
	}
}

// Each version of the private header has its fields, too.
func TestDirectoryFields(t *testing.T) {
	full := Directory{
		HeaderMD5: [16]byte{1}, GbxHeadersStart: 2, DataStart: 3, GbxHeadersSize: 4, GbxHeadersComprSize: 5, GbxHeadersMD5: [16]byte{6}, FileSize: 7,
		Unused: [16]byte{8}, Author: AuthorInfo{Login: "login"}, Flags: 9, Folders: []Folder{{-1, "folder"}},
		Files: []File{{Folder: 0, Name: "file", MetaOffset: 10, UncompressedSize: 11, CompressedSize: 12, Offset: 13, ClassID: 14, Size: 15, Checksum: [16]byte{16}, Flags: 17}},
	}
	for version := uint32(1); version <= maxVersion; version++ {
		want := full
		want.Files = []File{full.Files[0]}
		want.Files[0].old = version < 6
		if version < 2 {
			want.GbxHeadersSize, want.GbxHeadersComprSize = 0, 0
		}
		if version < 3 {
			want.Unused = [16]byte{}
		}
		if version != 6 {
			want.Author = AuthorInfo{}
		}
		if version < 14 {
			want.GbxHeadersMD5, want.Files[0].Checksum = [16]byte{}, [16]byte{}
		}
		if version >= 15 {
			want.DataStart = 0
		}
		if version < 16 {
			want.FileSize = 0
		}
		if version < 17 {
			want.Files[0].Size = 0
		}
		var c coder
		folders := 0
		full.code(&c, version, func() { folders = len(c.w) })
		p := &Pack{Header: Header{Version: version}}
		at := 0
		if err := p.parseDirectory(c.w, 100, func(done []byte) { at = len(done) }); err != nil || !reflect.DeepEqual(p.Directory, want) || at != folders || p.headerLen != int64(len(c.w)) {
			t.Errorf("version %d: %v, folders end at %d of %d\n%+v\nwant\n%+v", version, err, at, folders, p.Directory, want)
		}
	}
}

// An encrypted entry needs room for its IV.
func TestRangesOfEncrypted(t *testing.T) {
	for _, test := range []struct {
		version uint32
		f       File
		want    error
	}{
		{14, File{UncompressedSize: 92}, nil}, {14, File{UncompressedSize: 93}, fault.EntryRange},
		{18, File{UncompressedSize: 12, Size: 20}, nil}, {18, File{UncompressedSize: 13, Size: 20}, fault.EntryRange},
		{14, File{}, nil}, {18, File{Offset: 1000}, nil},
	} {
		p := single(test.version, test.f, make([]byte, 100), Options{})
		p.Files[0].Size = test.f.Size
		if err := p.checkRange(0); !errors.Is(err, test.want) {
			t.Errorf("version %d, %+v: %v", test.version, test.f, err)
		}
	}
	for version, want := range map[uint32]int64{16: 8 + 16, 17: 99, 3: 8 + 16} {
		p := single(version, File{}, nil, Options{})
		if got := p.slotSize(&File{UncompressedSize: 13, Size: 99}); got != want {
			t.Errorf("version %d: a slot of %d bytes, want %d", version, got, want)
		}
		if got := p.slotSize(&File{UncompressedSize: 13, Size: 99, Flags: PublicFile}); version < 17 && got != 13 {
			t.Errorf("version %d: a clear slot of %d bytes", version, got)
		}
	}
}

// A renamed entry has a name and no longer a hash; in version 18 it is published,
// because only so its name is.
func TestRenameHashed(t *testing.T) {
	for version, want := range map[uint32]FileFlags{17: compressed, 18: compressed | PublishFid} {
		f := File{Flags: IsHashed | compressed, Name: "HASH", Folder: -1}
		d := &Directory{}
		f.rename(version, newFolderIndex(d), "a/b.txt")
		if f.Flags != want || f.Name != "b.txt" || f.Folder != 0 || len(d.Folders) != 1 || d.Folders[0] != (Folder{-1, `a\`}) {
			t.Errorf("version %d: %+v in %+v", version, f, d.Folders)
		}
	}
}

// A disk that fails while a pack without its key is checked is not damage.
func TestVerifyLockedOnABrokenDisk(t *testing.T) {
	data := bytesOf(create(t, map[string][]byte{"a": noise(100_000)}, nil))
	broken := errors.New("broken")
	in := archive.Input{ReaderAt: brokenFrom{bytes.NewReader(data), 50_000, broken}, Size: int64(len(data)), Name: "x.pak"}
	if report, err := (Format{}).VerifyLocked(t.Context(), in, archive.Options{}); !errors.Is(err, broken) || report != nil {
		t.Errorf("report = %+v, err = %v; want err matching %v, report = nil", report, err, broken)
	}
}

// brokenFrom cannot be read from an offset on.
type brokenFrom struct {
	io.ReaderAt
	from int64
	err  error
}

func (b brokenFrom) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > b.from {
		return 0, b.err
	}
	return b.ReaderAt.ReadAt(p, off)
}

// Nodes that end before their entry are reported if a word was in doubt.
func TestNodesEndEarly(t *testing.T) {
	var forked classid.ID
	for _, c := range classid.All() {
		w := words{games: gamesOf(18)[0]}
		if _, err := w.of(c.ID); err == nil && w.forked {
			forked = c.ID
			break
		}
	}
	key := Key{5}
	content := append(newToy(1).end(), noise(2000)...)
	f := File{UncompressedSize: uint32(len(content)), CompressedSize: uint32(len(content))}
	sealing := encoder{version: 17, key: &key, nodes: oneNode(forked)}
	slot, err := sealing.seal(&f, content, content)
	if err != nil {
		t.Fatal(err)
	}
	early := func(r io.Reader, size int64, v uint32, node func(classid.ID) error) (int64, error) {
		end, err := oneNode(forked)(r, size, v, node)
		return end - 10, err
	}
	p := single(17, f, slot, Options{Key: &key, Nodes: early})
	got, err := p.Decode(0)
	var e *fault.Error
	if !errors.As(err, &e) || e.Kind != fault.UnknownClass || e.Offset != int64(len(content))-10 || !bytes.HasPrefix(content, got) || len(got) == len(content) {
		t.Errorf("%d bytes of %d, %v", len(got), len(content), err)
	}
	p.Nodes = oneNode(forked)
	if got, err := p.Decode(0); err != nil || !bytes.Equal(got, content) {
		t.Errorf("%d bytes of %d, %v", len(got), len(content), err)
	}
}
