package pak

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/internal/testkit/leak"
	"pakbox/nadeo/internal/crypt"
)

// The cipher takes notice of the third folder, if its name with its backslash
// has more than four characters: of the third and the fourth.
func TestFolderMix(t *testing.T) {
	mix := func(a, b rune) crypt.IVXor {
		var x crypt.IVXor
		x.MixWord(uint32(a) | uint32(b)<<16)
		return x
	}
	for _, test := range []struct {
		names []string
		want  crypt.IVXor
	}{
		{nil, 0}, {[]string{"first", "second"}, 0}, {[]string{"", "", "abc"}, 0}, {[]string{"", "", `abc\`}, 0},
		{[]string{"", "", "abcd"}, mix('c', 'd')}, {[]string{"", "", `abcd\`}, mix('c', 'd')}, {[]string{"", "", "Médiä", "more"}, mix('d', 'i')},
		{[]string{"", "", ""}, 0},
	} {
		var folders []Folder
		for _, name := range test.names {
			folders = append(folders, Folder{-1, name})
		}
		if got := folderMix(folders); got != test.want {
			t.Errorf("%q: %x, want %x", test.names, got, test.want)
		}
	}
}

// From version 18 on the table of a pack has the offsets of records. In older packs the
// field stays unchanged; version 3 lacks it.
func TestNotesOffsets(t *testing.T) {
	noted, not := []File{{MetaOffset: noMetadata}, {MetaOffset: 0}}, []File{{MetaOffset: noMetadata}}
	for _, test := range []struct {
		version uint32
		files   []File
		want    bool
	}{{3, noted, false}, {5, noted, false}, {6, noted, true}, {6, not, false}, {17, noted, true}, {17, not, false}, {18, not, true}, {18, nil, true}} {
		if got := notesOffsets(test.version, test.files); got != test.want {
			t.Errorf("version %d, %d files: %v", test.version, len(test.files), got)
		}
	}
}

// An entry is described by what is done to it.
func TestEntriesAsListed(t *testing.T) {
	for version, want := range map[uint32]string{3: "zlib", 17: "zlib", 18: "lz4"} {
		f := File{Flags: compressed | PublicFile, UncompressedSize: 20, CompressedSize: 10, Checksum: [16]byte{1}}
		e := newArchive(single(version, f, make([]byte, 64), Options{}), archive.Options{}).Entries()[0]
		if e.Method != want || !e.Compressed || e.Encrypted || e.Size != 20 || e.StoredSize != 10 || e.Problem != nil {
			t.Errorf("version %d: %+v", version, e)
		}
		f.Flags = 0
		f.UncompressedSize = 10
		e = newArchive(single(version, f, make([]byte, 64), Options{}), archive.Options{}).Entries()[0]
		if e.Method != "stored" || e.Compressed || !e.Encrypted || e.StoredSize != 10 || fault.KindOf(e.Problem) != fault.KeyRequired {
			t.Errorf("version %d: %+v", version, e)
		}
		f.UncompressedSize = 0 // nothing needs no key
		if e := newArchive(single(version, f, nil, Options{}), archive.Options{}).Entries()[0]; e.Problem != nil {
			t.Errorf("version %d: an empty entry: %v", version, e.Problem)
		}
	}
}

// In version 18 whoever reads an entry to its end learns whether its checksum
// holds; one that has none is believed, as all are before.
func TestReadIsVouchedFor(t *testing.T) {
	content := []byte("0123456789")
	for _, test := range []struct {
		version uint32
		sum     [16]byte
		want    fault.Kind
	}{{17, [16]byte{1}, ""}, {18, [16]byte{1}, fault.HashMismatch}, {18, [16]byte{}, ""}} {
		f := File{Flags: PublicFile, UncompressedSize: 10, Checksum: test.sum}
		a := newArchive(single(test.version, f, content, Options{}), archive.Options{})
		got, err := fs.ReadFile(a, "entry")
		if fault.KindOf(err) != test.want || err == nil && !bytes.Equal(got, content) {
			t.Errorf("version %d, checksum %x: %q, %v", test.version, test.sum, got, err)
		}
	}
}

// An entry that is not inside the file is an error of that entry alone.
func TestVerifyRange(t *testing.T) {
	a := create(t, map[string][]byte{"a.bin": noise(100), "b.bin": noise(100)}, nil)
	a.pack.Files[1].Offset = 1 << 30
	report, err := newArchive(a.pack, archive.Options{}).Verify(t.Context(), archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	told := slices.ContainsFunc(report.Findings, func(f finding.Finding) bool {
		return f.Rule == string(fault.EntryRange) && f.Entry == "b.bin" && f.Severity == finding.Error && f.Offset == a.pack.start(1)
	})
	if !told || report.Entries != 2 || report.Bytes != 100 {
		t.Errorf("report = %+v; want told = true, report.Entries = 2, report.Bytes = 100", report)
	}
}

// An entry keeps its class when its content is replaced, unless the new content
// is a GBX, which has a class of its own.
func TestClassOfReplacedEntries(t *testing.T) {
	const ownClass = 0x0307a000
	gbx := toys()["many3.Gbx"]
	a := create(t, map[string][]byte{"a.Gbx": gbx, "b.txt": []byte("b"), "c.dds": []byte("c"), "d.xyz": []byte("d"), "e.script.txt": []byte("e")}, nil)
	classes := func(a *Archive) (list []uint32) {
		for _, f := range a.pack.Files {
			list = append(list, f.ClassID)
		}
		return list
	}
	if got := classes(a); !slices.Equal(got, []uint32{ownClass, 0x09041000, 0x09024000, 0x09020000, 0x09054000}) {
		t.Errorf("got = %08x; want got equal to []uint32{ownClass, 0x09041000, 0x09024000, 0x09020000, 0x09054000}", got)
	}
	text, other := item("b.txt", []byte("other")), item("c.dds", gbx)
	if got := classes(edited(t, a, testKeys, nil, archive.Edit{Put: &text}, archive.Edit{Put: &other})); got[1] != 0x09041000 || got[2] != ownClass {
		t.Errorf("got = %08x; want got[1] = 0x09041000, got[2] = %v", got, ownClass)
	}
}

// An entry that was stored uncompressed and is now compressed is not seekable.
func TestSeekableIsWhatIsStored(t *testing.T) {
	a := create(t, map[string][]byte{"a.txt": noise(200)}, map[string]string{"compress": "true"})
	if a.pack.Files[0].Flags&IsSeekable == 0 {
		t.Fatalf("a.pack.Files[0].Flags.Names() = %v; want a.pack.Files[0].Flags & IsSeekable other than 0", a.pack.Files[0].Flags.Names())
	}
	a.pack.Files[0].Flags |= compressed // as if the packer had meant to
	put := item("a.txt", bytes.Repeat([]byte("text"), 100))
	b := edited(t, a, testKeys, nil, archive.Edit{Put: &put})
	if f := &b.pack.Files[0]; f.Flags&IsSeekable != 0 || !f.Compressed() {
		t.Errorf("b.pack.Files[0].Flags.Names() = %v; want f.Flags & IsSeekable = 0, f.Compressed() = true", b.pack.Files[0].Flags.Names())
	}
}

// Bytes between the header and the data are kept, except for the rest of a longer
// header.
func TestFillStays(t *testing.T) {
	files := map[string][]byte{"a.txt": []byte("a")}
	for i := range 20 {
		files[strings.Repeat("n", 60)+string(rune('a'+i))] = []byte{byte(i)}
	}
	data := bytesOf(create(t, files, nil))
	p := openBytes(t, data, testKeys).pack
	end, start := p.headerEnd(), p.dataStart()
	if end <= p.headerAt+p.headerLen || end >= start {
		t.Fatalf("the header ends at %d, the data begins at %d", end, start)
	}
	for i := end; i < start; i++ {
		data[i] = 0xee
	}
	a := openBytes(t, data, testKeys)
	put := item("a.txt", []byte("other"))
	same := bytesOf(edited(t, a, testKeys, nil, archive.Edit{Put: &put}))
	if !bytes.Equal(same[end:start], data[end:start]) {
		t.Error("the filling is another")
	}
	var edits []archive.Edit
	for name := range files {
		if name != "a.txt" {
			edits = append(edits, archive.Edit{Remove: name})
		}
	}
	short := edited(t, a, testKeys, nil, edits...)
	at := short.pack.headerEnd()
	now := bytesOf(short)
	if at >= end || len(bytes.Trim(now[at:end], "\x00")) > 0 || !bytes.Equal(now[end:start], data[end:start]) {
		t.Errorf("header to %d, before to %d: % x", at, end, now[at:end][:16])
	}
}

// Packs of other names or settings have other IVs, the same the same.
func TestNewIV(t *testing.T) {
	h := &Header{Version: 18, TitleID: "a"}
	d := &Directory{Files: []File{{Name: "a"}}}
	iv := newIV(h, d)
	if newIV(h, d) != iv || newIV(&Header{Version: 18, TitleID: "b"}, d) == iv || newIV(h, &Directory{Files: []File{{Name: "b"}}}) == iv {
		t.Error("the IV does not follow from the pack")
	}
}

// A metadata section that cannot be read stays as it is where nothing in it has
// moved, and else the edit is refused.
func TestUnreadableMetadataStays(t *testing.T) {
	gbx := toys()["many3.Gbx"]
	a := create(t, map[string][]byte{"a.txt": []byte("a"), "b.Gbx": gbx, "c.txt": []byte("c")}, nil)
	a.pack.GbxHeadersComprSize++ // it does not unpack
	if _, err := a.pack.Metadata(); err == nil {
		t.Fatal("it can be read")
	}
	edit := func(edits ...archive.Edit) error {
		stage, err := archive.NewStage(filepath.Join(t.TempDir(), "x.pak"), false)
		if err != nil {
			t.Fatal(err)
		}
		defer stage.Abort()
		return a.Edit(context.Background(), stage, edits, archive.CreateOptions{})
	}
	text, added := item("a.txt", []byte("other")), item("d.Gbx", gbx)
	for what, test := range map[string]struct {
		edits []archive.Edit
		ok    bool
	}{
		"another content":    {[]archive.Edit{{Put: &text}}, true},
		"the last removed":   {[]archive.Edit{{Remove: "c.txt"}}, true},
		"the first removed":  {[]archive.Edit{{Remove: "a.txt"}}, false},
		"the GBX removed":    {[]archive.Edit{{Remove: "b.Gbx"}}, false},
		"another GBX put in": {[]archive.Edit{{Put: &added}}, false},
	} {
		if err := edit(test.edits...); (err == nil) != test.ok {
			t.Errorf("%s: err = %v; want success = %v", what, err, test.ok)
		}
	}
}

// A list of names that a keys file points to is closed again.
func TestNamesFileIsClosed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "names.txt")
	if err := os.WriteFile(path, []byte("a.txt\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	before := leak.OpenFiles()
	for range 3 {
		o := Options{}
		if err := o.readFiles(archive.Keys{namesKey: path}); err != nil || len(o.Names) != 1 {
			t.Fatalf("o.Names = %v, err = %v; want no error, o.Names of length 1", o.Names, err)
		}
	}
	leak.Settled(t, "open files", before, leak.OpenFiles)
}

// Chunks that alter the cipher in unknown ways end the walk.
func TestChunksThatAlterTheCipher(t *testing.T) {
	for _, id := range []classid.ID{surfaceGeomChunk, vehicleTuningChunk, nodeClass + 1} {
		class := id.Class()
		reg := gbx.NewRegistry([]gbx.ClassInfo{{ID: class, Name: "CTest", Parent: "CMwNod",
			Chunks: []gbx.ChunkInfo{{ID: id, New: func() gbx.Body { return &nodeChunk{} }}}}})
		w := &gbxWriter{b: []byte("GBX\x06\x00BUUR")}
		for _, v := range []uint32{uint32(class), 0, 1, 0, uint32(id), 0, 0, 0xfacade01} {
			w.u32(v)
		}
		_, err := GBXNodes(reg)(bytes.NewReader(w.b), int64(len(w.b)), 18, func(classid.ID) error { return nil })
		var e *fault.Error
		if id == nodeClass+1 {
			if err != nil {
				t.Errorf("%v: %v", id, err)
			}
		} else if !errors.As(err, &e) || e.Kind != fault.UnknownClass || !strings.Contains(e.Message, "alters the cipher") {
			t.Errorf(`%v: err = %v; want err of the type of e, e.Kind = fault.UnknownClass, e.Message with "alters the cipher"`, id, err)
		}
	}
}

// A class whose parent differs between games is not sealed for version 18, of
// which both games have packs.
func TestForkedClassIsNotSealed(t *testing.T) {
	var forked classid.ID
	for _, c := range classid.All() {
		w := words{games: gamesOf(18)[0]}
		if _, err := w.of(c.ID); err == nil && w.forked {
			forked = c.ID
			break
		}
	}
	if forked == 0 {
		t.Fatal("no class has two parents")
	}
	gbx := newGBX(nodeClass).b
	gbx = append(gbx, make([]byte, 3000)...)
	for version, want := range map[uint32]error{17: nil, 18: fault.UnknownClass} {
		e := encoder{version: version, key: &Key{1}, nodes: oneNode(forked)}
		f := &File{UncompressedSize: uint32(len(gbx))}
		if _, err := e.seal(f, gbx, gbx); !errors.Is(err, want) {
			t.Errorf("version %d: %v", version, err)
		}
	}
}

// oneNode is a walker that finds one node near the beginning.
func oneNode(class classid.ID) NodeWalker {
	return func(r io.Reader, size int64, _ uint32, node func(classid.ID) error) (int64, error) {
		if _, err := io.CopyN(io.Discard, r, 100); err != nil {
			return 0, err
		}
		return size, node(class)
	}
}
