package gbx_test

import (
	"bytes"
	"strings"
	"testing"

	"pakbox/codec/lzo1x"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/classid"
)

// Versions 3 to 6 differ in the fourth letter, the user data and the flag
// that each file outside has.
func TestHeaderVersions(t *testing.T) {
	for _, test := range []struct {
		version uint16
		letters string
		rest    []byte
	}{
		{3, "BUU", join(testClass, 3, 1, 1, 0, 0, text("A.Gbx"), 2, 0)},
		{4, "BUUR", join(testClass, 3, 1, 1, 0, 0, text("A.Gbx"), 2, 0)},
		{5, "BUUR", join(testClass, 3, 1, 1, 0, 0, text("A.Gbx"), 2, 1, 0)},
		{6, "BUUR", join(testClass, 0, 3, 1, 1, 0, 0, text("A.Gbx"), 2, 1, 0)},
		{6, "BUUE", join(testClass, 0, 3, 1, 1, 0, 0, text("A.Gbx"), 2, 1, 0)},
	} {
		data := join("GBX", test.version, test.letters, test.rest, nodeEnd)
		f := readWhole(t, data, registry())
		if f.Version != test.version || len(f.Refs.External) != 1 || f.Refs.External[0].FileName != "A.Gbx" || f.NumNodes != 3 {
			t.Errorf("version %d: %+v", test.version, f.Header)
		}
		if f.Version >= 5 && f.Refs.External[0].UseFile != gbx.True {
			t.Errorf("version %d: useFile is lost", test.version)
		}
		if f.Version >= 4 && f.Unknown != test.letters[3] {
			t.Errorf("%s: fourth letter %q", test.letters, f.Unknown)
		}
		h, err := gbx.ReadHeader(bytes.NewReader(data), int64(len(data)), registry())
		if err != nil || h.Class != testClass || len(h.Refs.External) != 1 {
			t.Errorf("version %d: ReadHeader gives %+v, %v", test.version, h, err)
		}
	}
}

func TestHeaderRefused(t *testing.T) {
	for _, test := range []struct {
		name string
		data []byte
		kind fault.Kind
	}{
		{"nothing", nil, fault.NotFormat},
		{"other magic", []byte("GBY\x06\x00BUUR"), fault.NotFormat},
		{"version 2", join("GBX", uint16(2), "BUUR", testClass, 1, 0), fault.UnsupportedVersion},
		{"version 7", join("GBX", uint16(7), "BUUR", testClass, 0, 1, 0), fault.UnsupportedVersion},
		{"another format", join("GBX", uint16(6), "XUUR", testClass, 0, 1, 0), fault.BadHeader},
		{"another compression", join("GBX", uint16(6), "BUXR", testClass, 0, 1, 0), fault.BadHeader},
		{"a compressed reference table", join("GBX", uint16(6), "BCUR", testClass, 0, 1, 0), fault.UnsupportedAlgorithm},
		{"a compressed text file", join("GBX", uint16(6), "TUCE"), fault.BadHeader},
		{"user data beyond the end", join("GBX", uint16(6), "BUUR", testClass, 100, 1, 0), fault.Truncated},
		{"more header chunks than user data", join("GBX", uint16(6), "BUUR", testClass, 4, 9, 1, 0), fault.BadHeader},
		{"a header chunk beyond the user data", join("GBX", uint16(6), "BUUR", testClass, 12, 1, testChunk, 5, 1, 0), fault.BadHeader},
		{"user data beyond its chunks", join("GBX", uint16(6), "BUUR", testClass, 16, 1, testChunk, 0, 7, 1, 0), fault.BadHeader},
		{"four billion files outside", join("GBX", uint16(6), "BUUR", testClass, 0, 1, -1, 0, 0), fault.Truncated},
		{"four billion folders", join("GBX", uint16(6), "BUUR", testClass, 0, 1, 1, 0, -1), fault.Truncated},
	} {
		if _, err := gbx.Parse(test.data, registry()); fault.KindOf(err) != test.kind {
			t.Errorf("%s: %v, want %s", test.name, err, test.kind)
		}
		if _, err := gbx.ReadHeader(bytes.NewReader(test.data), int64(len(test.data)), registry()); fault.KindOf(err) != test.kind {
			t.Errorf("%s: ReadHeader: %v, want %s", test.name, err, test.kind)
		}
	}
}

// User data may be missing, empty, filled with zeros, or hold heavy chunks,
// each with its own list of IDs.
func TestUserData(t *testing.T) {
	info := chunkOf(testChunk, method((*gbx.Coder).ID))
	info.Header = true
	reg := registry(info)
	file := func(userData ...any) []byte {
		b := join(userData...)
		return join("GBX", uint16(6), "BUUR", testClass, len(b), b, 1, 0, nodeEnd)
	}
	for _, data := range [][]byte{file(), file(0), file(0, 0, 0), file("ab"), file(make([]byte, 100))} {
		if f := readWhole(t, data, reg); len(f.Chunks) != 0 {
			t.Errorf("%q: %d header chunks", data, len(f.Chunks))
		}
	}
	id := join(3, 0x40000000, text("one"))
	f := readWhole(t, file(2, testChunk, len(id), testChunk, len(id)|1<<31, id, id), reg)
	for i, c := range f.Chunks {
		if v := c.Body.(*single[gbx.ID]).V; v.String() != "one" || c.Heavy != (i == 1) || c.IDVersion != 3 {
			t.Errorf("header chunk %d: %+v", i, c)
		}
	}
	skipper := join(2, 0x40000000, text("two"), 2, 0x40000000, text("two"))
	two := registry(gbx.ChunkInfo{ID: testChunk, Header: true, New: func() gbx.Body {
		return &single[[2]gbx.ID]{code: func(x *gbx.Coder, p *[2]gbx.ID) { x.ID(&p[0], "a"); x.ID(&p[1], "b") }}
	}})
	f = readWhole(t, file(1, testChunk, len(skipper), skipper), two)
	if v := f.Chunks[0].Body.(*single[[2]gbx.ID]).V; v[0].String() != "two" || v[1].String() != "two" {
		t.Errorf("Ids are %v", v)
	}
	f = read(t, file(1, testChunk, 2, "??"), reg)
	if _, ok := f.Chunks[0].Body.(*gbx.Opaque); !ok {
		t.Error("a chunk of another class was decoded as a header chunk")
	}
}

// The reference table has a tree of folders, counted depth first, and files
// that are known by number.
func TestReferenceTable(t *testing.T) {
	data := join("GBX", uint16(6), "BUUR", testClass, 0, 5, 4, 2,
		2, // folders
		text("Media"), 1, text("Texture"), 0,
		text("Skins\\"), 0,
		1, text("base.dds"), 1, 1, 0,
		1, text("a.dds"), 2, 0, 2,
		5, 33, 3, 1,
		1, text("b.zip"), 4, 7, 3,
		testChunk, 2, testChunk, 3, nodeEnd)
	reg := registry(chunkOf(testChunk, method((*gbx.Coder).Ref)))
	f := readWhole(t, data, reg)
	want := []string{"base.dds", "Media/Texture/a.dds", "", "Skins\\/b.zip"}
	for i, got := range f.Refs.Paths() {
		if got != want[i] || f.Refs.External[i].IsResource() != (i == 2) {
			t.Errorf("file %d: %q, want %q", i, got, want[i])
		}
	}
	if f.Refs.External[2].ResourceIndex != 33 || f.Refs.AncestorLevel != 2 || f.Refs.External[3].UseFile != 7 {
		t.Errorf("table: %+v", f.Refs)
	}
	for i, index := range []int{2, 3} {
		if r := f.Body.Chunks[i].Body.(*single[gbx.Ref]).V; r.Node != nil || r.IsNil() || r.Index() != index {
			t.Errorf("reference %d: %+v", i, r)
		}
	}
	f.Refs.External[0] = gbx.External{FileName: "x", FolderIndex: 99}
	if got := f.Refs.Paths()[0]; got != "x" {
		t.Errorf("a folder that is not there: %q", got)
	}
	// One long name in very many paths is written out up to a limit.
	long := gbx.RefTable{Folders: []gbx.Folder{{Name: strings.Repeat("f", 1<<20-1)}}}
	for range 20 {
		long.External = append(long.External, gbx.External{FileName: "x", FolderIndex: 1})
	}
	for i, got := range long.Paths() {
		if whole := i < 14; len(got) != map[bool]int{true: 1<<20 + 1, false: 1}[whole] {
			t.Errorf("path %d has %d bytes", i, len(got))
		}
	}
}

// Compressed bodies: what is behind them is kept, and sizes are checked
// before anything is allocated.
func TestCompressedBody(t *testing.T) {
	packed := pack(join(nodeEnd), lzo1x.Fast)
	file := func(size int, packed []byte, trailer string) []byte {
		return join("GBX", uint16(6), "BUCR", testClass, 0, 1, 0, size, len(packed), packed, trailer)
	}
	if f := readWhole(t, file(4, packed, ""), registry()); len(f.BodyBytes()) != 4 || !bytes.Equal(f.PackedBody(), packed) {
		t.Errorf("body: %q", f.BodyBytes())
	}
	if f := readWhole(t, file(4, packed, "trailer"), registry()); string(f.Trailer) != "trailer" {
		t.Errorf("trailer: %q", f.Trailer)
	}
	for _, test := range []struct {
		name string
		data []byte
		kind fault.Kind
	}{
		{"four billion bytes", file(-1, packed, ""), fault.Limit},
		{"more than LZO can hold", file(4096, packed, ""), fault.Limit},
		{"more than there is", file(5, packed, ""), fault.SizeMismatch},
		{"less than there is", file(3, packed, ""), fault.DecompressFailed},
		{"no LZO", file(4, []byte{1, 2, 3}, ""), fault.DecompressFailed},
		{"nothing", join("GBX", uint16(6), "BUCR", testClass, 0, 1, 0), fault.Truncated},
	} {
		if _, err := gbx.Parse(test.data, registry()); fault.KindOf(err) != test.kind {
			t.Errorf("%s: %v, want %s", test.name, err, test.kind)
		}
	}
}

// An edited file is compressed anew and reads back.
func TestEditedBody(t *testing.T) {
	reg := registry(chunkOf(testChunk, method((*gbx.Coder).String)))
	packed := pack(join(testChunk, text("before"), nodeEnd), lzo1x.Fast)
	f := readWhole(t, join("GBX", uint16(6), "BUCR", testClass, 0, 1, 0, 18, len(packed), packed, "!"), reg)
	f.Body.Chunks[0].Body.(*single[string]).V = "afterwards"
	data, err := f.Encode()
	if err != nil {
		t.Fatal(err)
	}
	f = readWhole(t, data, reg)
	if v := f.Body.Chunks[0].Body.(*single[string]).V; v != "afterwards" || string(f.Trailer) != "!" {
		t.Errorf("reads back as %q, trailer %q", v, f.Trailer)
	}
}

// IDs of any era find their sheet, and are kept.
func TestOldNumbers(t *testing.T) {
	reg := gbx.NewRegistry([]gbx.ClassInfo{{ID: 0x03043000, Name: "CGameCtnChallenge", Chunks: []gbx.ChunkInfo{
		chunkOf(0x03043018, method((*gbx.Coder).U32)),
	}}})
	data := join("GBX", uint16(6), "BUUR", 0x24003000, 0, 1, 0, 0x24003018, 5, 0x03043018, skip, 4, 6, nodeEnd)
	f := readWhole(t, data, reg)
	if f.Class != 0x24003000 || f.Body.Chunks[0].ID != 0x24003018 || f.Body.Chunks[1].ID != 0x03043018 || !f.Body.Chunks[1].Skip {
		t.Errorf("file: %+v", f.Body)
	}
	if c, ok := reg.Class(classid.ID(0x24003000)); !ok || c.Name != "CGameCtnChallenge" {
		t.Errorf("class: %+v", c)
	}
}
