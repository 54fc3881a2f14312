package pak

import (
	"bytes"
	"crypto/md5"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/gbx/classid"
)

// Each version has the checks that its fields allow, and those that real packs
// showed are certain.
func TestChecksOfVersions(t *testing.T) {
	key, err := KeyFromBase(testKeys["*"])
	if err != nil {
		t.Fatal(err)
	}
	for version, want := range map[uint32]string{
		1: "headerMD5", 3: "headerMD5", 6: "ContentsChecksum headerMD5?", 13: "ContentsChecksum headerMD5?",
		14: "ContentsChecksum headerMD5? gbxHeadersMD5?", 15: "ContentsChecksum headerMD5? gbxHeadersMD5?",
		16: "ContentsChecksum headerMD5? gbxHeadersMD5? fileSize", 18: "ContentsChecksum headerMD5 fileSize",
	} {
		data := oldPack(t, version, UseDefaultHeaderKey, key)
		p, err := OpenPack(bytes.NewReader(data), int64(len(data)), Options{Key: &key, Nodes: walkToy})
		if err != nil {
			t.Fatalf("version %d: %v", version, err)
		}
		checks, err := p.checks()
		if err != nil {
			t.Fatalf("version %d: %v", version, err)
		}
		var got []string
		for _, c := range checks {
			name := c.Name
			if !c.Known {
				name += "?"
			}
			if !c.Holds {
				name += " (not)"
			}
			got = append(got, name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("version %d: %q, want %q", version, got, want)
		}
		hash := newArchive(p, archive.Options{}).Entries()[0].Hash
		if strings.HasPrefix(hash, "slot-md5:") != (version >= 14) {
			t.Errorf("version %d: an entry has the hash %q", version, hash)
		}
	}
}

// A replaced entry is stored as the old one was, unless it is to be clear.
func TestEditEncrypts(t *testing.T) {
	a := create(t, map[string][]byte{"a.txt": bytes.Repeat([]byte("old "), 200), "b.bin": noise(300)}, map[string]string{"encrypt": "true"})
	put := item("a.txt", bytes.Repeat([]byte("new "), 300))
	for params, want := range map[string]bool{"": true, "true": true, "false": false} {
		var set map[string]string
		if params != "" {
			set = map[string]string{"encrypt": params}
		}
		b := edited(t, a, testKeys, set, archive.Edit{Put: &put})
		got, err := fs.ReadFile(b, "a.txt")
		if err != nil || len(got) != 1200 || b.Entries()[0].Encrypted != want || !b.Entries()[1].Encrypted {
			t.Errorf("encrypt=%s: %d bytes, encrypted %v, %v", params, len(got), b.Entries()[0].Encrypted, err)
		}
		verify(t, b)
	}
	// New ones are clear in version 18 unless asked for, and sealed in version 3.
	for version, want := range map[string]bool{"3": true, "18": false} {
		a := create(t, map[string][]byte{"a.txt": []byte("old")}, map[string]string{"version": version})
		added := item("c.txt", []byte("new"))
		b := edited(t, a, testKeys, nil, archive.Edit{Put: &added})
		if got := b.Entries()[1].Encrypted; got != want {
			t.Errorf("version %s: a new entry is encrypted: %v", version, got)
		}
	}
}

// A file that is not a pack and a file that cannot be read have errors of their own.
func TestNoPack(t *testing.T) {
	for _, text := range []string{"", "Nadeo", "NadeoPac", "NadeoPak", "NadeoPak\x12\x00\x00", "other text"} {
		in := archive.Input{ReaderAt: strings.NewReader(text), Size: int64(len(text)), Name: "x.pak"}
		if _, err := (Format{}).Describe(in); !errors.Is(err, fault.NotFormat) && !errors.Is(err, fault.Corrupt) {
			t.Errorf("%q described: %v", text, err)
		}
		if _, err := (Format{}).VerifyLocked(t.Context(), in, archive.Options{}); err == nil {
			t.Errorf("%q is checked without a key", text)
		}
		if _, err := Open(t.Context(), in, archive.Options{}); err == nil {
			t.Errorf("%q is opened", text)
		}
		if got, want := (Format{}).Match(in), strings.HasPrefix(text, "NadeoPak"); got != want {
			t.Errorf("%q matches: %v", text, got)
		}
	}
	for version, known := range map[byte]bool{0: false, 1: true, 3: true, 4: false, 5: false, 6: true, 18: true, 19: false} {
		text := append(append([]byte("NadeoPak"), version, 0, 0, 0), make([]byte, 4000)...)
		_, _, err := ReadHeader(bytes.NewReader(text), int64(len(text)))
		var e *fault.Error
		if known != (err == nil) || err != nil && (!errors.As(err, &e) || e.Kind != fault.UnsupportedVersion || e.Offset != 8) {
			t.Errorf("version %d: %v", version, err)
		}
	}
	// A packlist that cannot be read is not one that is not there.
	data := bytesOf(create(t, map[string][]byte{"a": {1}}, nil))
	broken := errors.New("broken")
	in := archive.Input{ReaderAt: bytes.NewReader(data), Size: int64(len(data)), Name: "x.pak", Sibling: func(name string) (archive.Input, io.Closer, error) {
		return archive.Input{ReaderAt: brokenAt{broken}, Size: 100, Name: name}, io.NopCloser(nil), nil
	}}
	if _, err := Open(t.Context(), in, archive.Options{}); !errors.Is(err, broken) {
		t.Errorf("a packlist that cannot be read: %v", err)
	}
}

type brokenAt struct{ err error }

func (b brokenAt) ReadAt([]byte, int64) (int, error) { return 0, b.err }

// A pack's key is found under its name with fewer and fewer extensions.
func TestKeyNames(t *testing.T) {
	for file, want := range map[string]string{
		"Stadium.Pack.Gbx": "Stadium.Pack.Gbx Stadium.Pack Stadium", "a.pak": "a.pak a", "a": "a", ".pak": ".pak", "": "", "a.b.": "a.b. a.b a",
	} {
		if got := strings.Join(keyNames(file), " "); got != want {
			t.Errorf("%s: %s, want %s", file, got, want)
		}
	}
}

// Stored data that cannot be unpacked is damaged. If it was encrypted and its checksum
// is right, the key is wrong.
func TestDamageOrKey(t *testing.T) {
	key := Key{9}
	junk := bytes.Repeat([]byte{0xff}, 256)
	for _, test := range []struct {
		what   string
		f      File
		slot   []byte
		intact bool
		want   fault.Kind
	}{
		{"clear", File{Flags: compressed | ForceNoCrypt}, junk, true, fault.DecompressFailed},
		{"encrypted", File{Flags: compressed}, junk, true, fault.WrongKey},
		{"encrypted and damaged", File{Flags: compressed}, junk, false, fault.DecompressFailed},
	} {
		f := test.f
		f.UncompressedSize, f.CompressedSize = 400, 200
		if test.intact {
			f.Checksum = md5.Sum(test.slot)
		}
		p := single(18, f, test.slot, Options{Key: &key})
		p.DecryptFlags = UseDefaultHeaderKey
		_, err := p.Decode(0)
		var e *fault.Error
		if !errors.As(err, &e) || e.Kind != test.want || e.Entry != "entry" {
			t.Errorf("%s: %v, want %s", test.what, err, test.want)
		}
		if got := p.describe(0, errLZ4, false); fault.KindOf(got) != fault.DecompressFailed {
			t.Errorf("%s, with a key that is beyond doubt: %v", test.what, got)
		}
	}
	// Data that ends early is truncated, or cannot be unpacked.
	for flags, want := range map[FileFlags]fault.Kind{ForceNoCrypt: fault.Truncated, ForceNoCrypt | compressed: fault.DecompressFailed} {
		p := single(18, File{Flags: flags, UncompressedSize: 10, CompressedSize: 10}, make([]byte, 20), Options{})
		if err := p.describe(0, io.ErrUnexpectedEOF, true); fault.KindOf(err) != want {
			t.Errorf("flags %v: %v", flags.Names(), err)
		}
		if err := p.describe(0, errTooLong, true); fault.KindOf(err) != fault.SizeMismatch {
			t.Errorf("flags %v: %v", flags.Names(), err)
		}
		if err := p.describe(0, io.ErrClosedPipe, true); err != io.ErrClosedPipe {
			t.Errorf("flags %v: an error of the disk became %v", flags.Names(), err)
		}
	}
}

// The content of an entry is as long as the table declares, or the error has the offset
// of its end.
func TestContentHasItsSize(t *testing.T) {
	for size, want := range map[uint32]fault.Kind{9: fault.SizeMismatch, 10: "", 11: fault.SizeMismatch} {
		p := single(3, File{UncompressedSize: size}, make([]byte, 100), Options{})
		got, err := io.ReadAll(p.checked(0, iotest.OneByteReader(strings.NewReader("0123456789"))))
		if fault.KindOf(err) != want || len(got) != int(min(size, 10)) {
			t.Errorf("%d bytes of %d: %v", len(got), size, err)
		}
		var e *fault.Error
		if errors.As(err, &e) && size > 10 && (e.Offset != 10 || e.Field != "file.uncompressedSize") {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}

// LZ4 chunks that cannot be are refused, each with the reason.
func TestLZ4Refuses(t *testing.T) {
	block := []byte{0x50, 'h', 'e', 'l', 'l', 'o'} // five literals
	chunk := append([]byte{byte(len(block)), 0}, block...)
	for _, test := range []struct {
		what       string
		data       []byte
		left, size int64
		want       string
	}{
		{"whole", chunk, 8, 5, ""},
		{"without a length", chunk, 1, 5, "5 bytes of content are missing"},
		{"nothing", nil, 0, 5, "5 bytes of content are missing"},
		{"longer than what is stored", chunk, 7, 5, "a chunk of 6 bytes"},
		{"longer than any", append([]byte{0x21, 0x10}, make([]byte, 5000)...), 5002, 4096, "a chunk of 4129 bytes"},
		{"followed by more", append(slices.Clone(chunk), 1, 2, 3), 11, 5, "3 bytes follow the last chunk"},
		{"of other length", chunk, 8, 6, "a chunk does not unpack to 6 bytes"},
		{"cut in its length", chunk[:1], 8, 5, io.ErrUnexpectedEOF.Error()},
		{"cut in its block", chunk[:5], 8, 5, io.ErrUnexpectedEOF.Error()},
		{"cut behind its length", chunk[:2], 8, 5, io.ErrUnexpectedEOF.Error()},
	} {
		r := newLZ4Reader(bytes.NewReader(test.data), test.left, test.size, nil)
		got, err := io.ReadAll(r)
		if test.want == "" && (err != nil || string(got) != "hello" || !r.Ended()) || test.want != "" && (err == nil || !strings.HasSuffix(err.Error(), test.want)) {
			t.Errorf("%s: %q, %v, want %s", test.what, got, err, test.want)
		}
		if n, again := r.Read(make([]byte, 1)); n != 0 || err != nil && again != err {
			t.Errorf("%s: read again: %d, %v", test.what, n, again)
		}
		if n, none := r.Read(nil); n != 0 || none != nil {
			t.Errorf("%s: nothing read: %d, %v", test.what, n, none)
		}
	}
}

// Files that no nodes can be found in say why, and at once.
func TestGBXNodesRefuses(t *testing.T) {
	good := newGBX(nodeClass).b
	packed := bytes.Clone(good)
	packed[7] = 'C'
	broken := errors.New("broken")
	for what, test := range map[string]struct {
		r    io.Reader
		size int
		want string
	}{
		"a body that is compressed": {bytes.NewReader(packed), len(good), "compressed"},
		"only a beginning":          {bytes.NewReader(good[:12]), 12, "ends before its body"},
		"nothing":                   {bytes.NewReader(nil), 0, "ends before its body"},
		"a disk that fails":         {iotest.ErrReader(broken), len(good), "broken"},
		"a disk that fails later":   {io.MultiReader(bytes.NewReader(good[:len(good)-6]), iotest.ErrReader(broken)), len(good), "broken"},
	} {
		_, err := GBXNodes(nodeRegistry())(test.r, int64(test.size), 18, func(classid.ID) error { return nil })
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: err = %v; want an error, err with %q", what, err, test.want)
		}
	}
	stop := fault.New(fault.UnknownClass, "stop")
	_, err := GBXNodes(nodeRegistry())(bytes.NewReader(good), int64(len(good)), 18, func(classid.ID) error { return stop })
	var e *fault.Error
	if !errors.As(err, &e) || e.Message != "stop" || e.Offset != 25 || stop.Offset != fault.NoOffset {
		t.Errorf("a class that is refused: %v", err)
	}
}

// Settings that cannot be are refused when an entry is put in, too.
func TestEditWrongSettings(t *testing.T) {
	a := create(t, map[string][]byte{"a": {1}}, nil)
	put := item("b", []byte("b"))
	for _, name := range []string{"encrypt", "compress", "clear-gbx"} {
		stage, err := archive.NewStage(filepath.Join(t.TempDir(), "x.pak"), false)
		if err != nil {
			t.Fatal(err)
		}
		defer stage.Abort()
		err = a.Edit(t.Context(), stage, []archive.Edit{{Put: &put}}, archive.CreateOptions{Params: map[string]string{name: "perhaps"}})
		var wrong *archive.ParamError
		if !errors.As(err, &wrong) || wrong.Name != name {
			t.Errorf("%s: err = %v; want err of the type of wrong, wrong.Name = %v", name, err, name)
		}
	}
}

// A header that grows has more room set aside, as Nadeo does it, and none that
// is more than the largest.
func TestHeaderRoom(t *testing.T) {
	for _, test := range []struct {
		names int
		want  uint32
	}{{1, 0x4000}, {120, 0x4000}, {200, 0x100000}, {8000, 0x100000}, {9000, maxHeader}} {
		b := &build{Header: Header{Version: 18}}
		for range test.names {
			b.Files = append(b.Files, File{Folder: -1, Name: strings.Repeat("n", 64)})
		}
		if err := b.layout(); err != nil || b.HeaderMaxSize != test.want || b.dataStart() != int64(test.want) {
			t.Errorf("%d names: %#x, %v", test.names, b.HeaderMaxSize, err)
		}
	}
	b := &build{Header: Header{Version: 18}}
	b.Files = []File{{Folder: -1, Name: strings.Repeat("n", maxHeader)}}
	if err := b.layout(); fault.KindOf(err) != fault.Limit {
		t.Errorf("more than any pack has: %v", err)
	}
}

// Before version 6 every bit of 0x7C means that an entry is compressed (the
// specification: "flags & 0x7C"); later 0x40 means that it is seekable.
func TestOldCompressionFlag(t *testing.T) {
	content := bytes.Repeat([]byte("text"), 100)
	p := create(t, map[string][]byte{"a.txt": content}, map[string]string{"version": "3"}).pack
	p.Files[0].Flags = p.Files[0].Flags&^compressionMask | IsSeekable
	got, err := p.Decode(0)
	if err != nil || !bytes.Equal(got, content) {
		t.Errorf("version 3: %d bytes, %v", len(got), err)
	}
	if names := p.Files[0].flagNames(); !slices.Contains(names, "Compression(16)") {
		t.Errorf(`names = %v; want "Compression(16)" in names`, names)
	}
	if f := (&File{Flags: IsSeekable}); f.Compressed() {
		t.Error("a later entry that is seekable counts as compressed")
	}
}

// Contents without a checksum are reported.
func TestVerifyTellsUncovered(t *testing.T) {
	for compress, want := range map[string]int{"true": 0, "false": 1} {
		a := create(t, map[string][]byte{"a.txt": bytes.Repeat([]byte("text"), 100)}, map[string]string{"version": "3", "compress": compress})
		report, err := a.Verify(t.Context(), archive.Options{})
		if err != nil || report.Uncovered != want || !report.OK() {
			t.Errorf("compress %s: %+v, %v", compress, report, err)
		}
	}
}
