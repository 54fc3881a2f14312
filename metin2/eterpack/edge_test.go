package eterpack

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/fault"
)

// The table has the CRC of what is stored, so that it is the content's only of
// entries that are stored as they are.
func TestEntriesAsListed(t *testing.T) {
	s := newSample(t)
	a, err := openMemory(s.eix(t), s.epk, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	type listed struct {
		size, offset          int64
		compressed, encrypted bool
		hashed                bool
	}
	for i, want := range []listed{{300, 0, false, false, true}, {1000, 512, true, false, false}, {2000, int64(s.records[2].position), true, true, false}} {
		e := a.Entries()[i]
		if got := (listed{e.Size, e.Offset, e.Compressed, e.Encrypted, strings.HasPrefix(e.Hash, "crc32:")}); got != want {
			t.Errorf("%s: %+v, want %+v", e.Name, got, want)
		}
	}
}

func TestLevels(t *testing.T) {
	items := []archive.Item{item("a.txt", text(5000))}
	for level, want := range map[string]int8{"0": typeRaw, "1": typeCompress, "fast": typeCompress} {
		a := openPath(t, create(t, items, archive.CreateOptions{Params: map[string]string{"level": level}}), archive.Options{})
		if got := a.index.records[0].kind; got != want {
			t.Errorf("level %s makes type %d, want %d", level, got, want)
		}
	}
	forced := archive.CreateOptions{Params: map[string]string{"level": "0", "eterpack-type": "1"}}
	if a := openPath(t, create(t, items, forced), archive.Options{}); a.index.records[0].kind != typeCompress {
		t.Error("a type that was asked for is another at level 0")
	}
	var bad *archive.ParamError
	for _, params := range []map[string]string{
		{"level": "-1"}, {"level": "13"}, {"level": "x"}, {"eterpack-type": "3"}, {"eterpack-codec": "zip"}, {"eterpack-index": "hidden"},
	} {
		if err := createAt(t.TempDir()+"/x.eix", items, archive.CreateOptions{Params: params}); !errors.As(err, &bad) {
			t.Errorf("%v: err = %v; want err of the type of bad", params, err)
		}
	}
}

// A data file that does not end with a whole slot is filled up before something
// is appended, and what was there stays.
func TestEditAligns(t *testing.T) {
	path := create(t, smallItems(), archive.CreateOptions{})
	data := strings.TrimSuffix(path, ".eix") + ".epk"
	whole := readFile(t, data)
	cut := len(whole) - 100 // of the padding of the last slot
	if err := os.Truncate(data, int64(cut)); err != nil {
		t.Fatal(err)
	}
	edit(t, path, archive.CreateOptions{}, put("new.bin", noise(10)))
	after := readFile(t, data)
	if !bytes.HasPrefix(after, whole) || !bytes.Equal(after[len(whole):len(whole)+10], noise(10)) || len(after) != len(whole)+256 {
		t.Errorf("%d bytes became %d", cut, len(after))
	}
	wantClean(t, openPath(t, path, archive.Options{}))
	if got := listing(t, openPath(t, path, archive.Options{})); len(got) != len(smallItems())+1 {
		t.Errorf("got = %v; want got of length len(smallItems()) + 1", got)
	}
}

// New names are stored in the code page of those that are there, and in the one
// that fits them where those say nothing.
func TestEditCodePage(t *testing.T) {
	ascii := create(t, []archive.Item{item("a.txt", text(9))}, archive.CreateOptions{})
	edit(t, ascii, archive.CreateOptions{}, put("가.txt", text(9)))
	if got := string(openPath(t, ascii, archive.Options{}).index.records[1].name); got != "\xb0\xa1.txt" {
		t.Errorf("stored as %q", got)
	}
	korean := create(t, []archive.Item{item("가.txt", text(9))}, archive.CreateOptions{})
	if got := string(openPath(t, korean, archive.Options{}).index.records[0].name); got != "\xb0\xa1.txt" {
		t.Errorf("stored as %q", got)
	}
	edit(t, korean, archive.CreateOptions{}, put("나.txt", text(9)))
	if got := string(openPath(t, korean, archive.Options{}).index.records[1].name); got != "\xb3\xaa.txt" {
		t.Errorf("stored as %q", got)
	}
	if _, err := stageEdit(t, korean, korean, []archive.Edit{put("ä.txt", text(9))}, archive.CreateOptions{}); err == nil {
		t.Error("a name was stored that the pack's code page does not have")
	}
}

func TestTrailingDataIsPlaced(t *testing.T) {
	s := newSample(t)
	s.tail = []byte{1, 2, 3}
	a, err := openMemory(s.eix(t), s.epk, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	found := mustVerify(t, a).Findings
	if len(found) != 1 || found[0].Offset != 12+3*192 || !strings.Contains(found[0].Message, "3 bytes follow the records") {
		t.Errorf(`found = %+v; want found of length 1, found[0].Offset = 12 + 3*192, found[0].Message with "3 bytes follow the records"`, found)
	}
}

// A mistake in an object's head is reported with the offset of the field, after
// 4 bytes of mark: encrypted, compressed and real size.
func TestObjectHeadPlaces(t *testing.T) {
	head := func(encrypted, compressed, real uint32) []byte {
		b := []byte("MCOZ")
		for _, n := range []uint32{encrypted, compressed, real} {
			b = binary.LittleEndian.AppendUint32(b, n)
		}
		return b
	}
	for _, test := range []struct {
		what   string
		head   []byte
		kind   fault.Kind
		field  string
		offset int64
	}{
		{"not encrypted", head(0, 10, 20), "", "", 0},
		{"encrypted", head(16, 12, 20), "", "", 0},
		{"no whole block", head(17, 10, 20), fault.BadEntry, "encrypt_size", 104},
		{"too few blocks", head(16, 13, 20), fault.BadEntry, "encrypt_size", 104},
		{"the largest", head(0, math.MaxInt32, math.MaxInt32), "", "", 0},
		{"negative", head(0, math.MaxInt32, math.MaxInt32+1), fault.BadEntry, "real_size", 112},
		{"as much as can be", head(0, 10, 256*11), "", "", 0},
		{"more", head(0, 10, 256*11+1), fault.SizeMismatch, "real_size", 112},
		{"cut off", head(0, 10, 20)[:15], fault.Truncated, "real_size", 112},
	} {
		_, err := parseObjectHeader(test.head, 100)
		var e *fault.Error
		if fault.KindOf(err) != test.kind || errors.As(err, &e) && (e.Field != test.field || e.Offset != test.offset) {
			t.Errorf("%s: err = %v; want err of kind %v, (err not of the type of e or e.Field = %v, e.Offset = %v)", test.what, err, test.kind, test.field, test.offset)
		}
	}
}

func TestMarksAndExtensions(t *testing.T) {
	for mark, want := range map[string]bool{"EPKD": true, "a  ~": true, "ABC": false, "ABCDE": false, "ABC\x1f": false, "ABC\x7f": false, "": false} {
		if isMark(mark) != want {
			t.Errorf("%q is a mark: %v", mark, !want)
		}
	}
	for ext, want := range map[string]bool{".e": true, ".eix": true, ".": false, "": false, "eix": false, ".e.x": false, "..": false, "./x": false, `.\x`: false} {
		if isExt(ext) != want {
			t.Errorf("%q is an extension: %v", ext, !want)
		}
	}
	for _, c := range [][3]string{{".epk", ".EIX", ".EPK"}, {".epk", ".Eix", ".Epk"}, {".azaz", ".AZAZ", ".AZAZ"}, {".epk", ".eix", ".epk"}, {".e1k", ".EIX", ".E1K"}, {".epkd", ".E", ".Epkd"}, {".epk", ".@[`", ".epk"}, {".`{a", ".AAA", ".`{A"}} {
		if got := sameCase(c[0], c[1]); got != c[2] {
			t.Errorf("%s beside %s is %s, want %s", c[0], c[1], got, c[2])
		}
	}
}

// A slot is in whole units and has at least one byte more than its content.
func TestSlotSizes(t *testing.T) {
	for n, want := range map[int64]int64{0: 256, 1: 256, 255: 256, 256: 512, 257: 512, 512: 768} {
		if got := slotSize(n); got != want {
			t.Errorf("%d bytes take %d, want %d", n, got, want)
		}
	}
	last := int64(math.MaxInt32 - 255) // of the slots that a position of 31 bits can end
	if err := (&dataWriter{pos: last - 256}).room(255); err != nil {
		t.Errorf("the last slot: %v", err)
	}
	if err := (&dataWriter{pos: last - 256}).room(256); !errors.Is(err, fault.Limit) {
		t.Errorf("a slot beyond 2 GiB: %v", err)
	}
}

// A line of a keys file is one of a pack's secrets by its name, and is taken if
// its value looks like one.
func TestKeyKinds(t *testing.T) {
	r := archive.Registry{Format{}}
	for name, values := range map[string][2]string{
		indexKeyName: {"1,2,0xFF,4", "1,2,3"}, dataKeyName: {"1,2,3,4", "1,2,3,x"}, indexMarkName: {"EPKX", "EPK"},
		objectMarkName: {"MCOX", "MCOXX"}, indexExtName: {".idx", "idx"}, dataExtName: {".dat", "."},
	} {
		if kind, err := r.KeyKind(name, values[0]); kind != "eterpack" || err != nil {
			t.Errorf(`name = %s values[0] = %s: kind = %q, err = %v; want kind = "eterpack", no error`, name, values[0], kind, err)
		}
		if _, err := r.KeyKind(name, values[1]); !errors.Is(err, fault.Key) || strings.Contains(err.Error(), values[1]+" ") {
			t.Errorf(`name = %s values[1] = %s: err = %v; want err matching fault.Key, err without values[1] + " "`, name, values[1], err)
		}
		if _, err := newKeys(archive.Keys{strings.ToLower(name): values[1]}); !errors.Is(err, fault.Key) {
			t.Errorf("%s %s was used: %v", name, values[1], err)
		}
	}
}

// Each type is listed for what it is, and one that lies outside of the data is
// out of range before it is anything else.
func TestTypesAsListed(t *testing.T) {
	for kind, want := range map[int8]struct {
		compressed, encrypted bool
		problem               error
	}{
		0: {false, false, nil}, 3: {false, true, fault.KeyRequired}, 4: {false, true, fault.KeyRequired}, 5: {false, true, fault.KeyRequired},
		6: {true, true, fault.UnsupportedAlgorithm}, 7: {false, true, fault.UnsupportedAlgorithm}, -1: {false, false, fault.UnsupportedAlgorithm},
	} {
		s := newSample(t)
		s.records[0].kind = kind
		for _, outside := range []bool{false, true} {
			if outside {
				s.records[0].position, want.problem = 1<<30, fault.EntryRange
			}
			a, err := openMemory(s.eix(t), s.epk, archive.Options{})
			if err != nil {
				t.Fatal(err)
			}
			e := a.Entries()[0]
			if e.Compressed != want.compressed || e.Encrypted != want.encrypted || !errors.Is(e.Problem, want.problem) || (e.Problem == nil) != (want.problem == nil) {
				t.Errorf("type %d, outside: %v: %+v", kind, outside, e)
			}
		}
	}
}

// A slot that was freed is not offered to packers while entries use any of it,
// wherever they stand in the table.
func TestKeepShared(t *testing.T) {
	for _, test := range []struct {
		what       string
		start, end int32
		kept       bool
	}{
		{"between two", 512, 768, true}, {"the first", 0, 256, false}, {"reaches into one", 512, 769, false},
		{"lies in a long one", 1280, 1536, false}, {"behind all", 2048, 2304, true}, {"one byte of the last", 2047, 2304, false},
		{"touches one", 512, 767, true}, {"before the beginning", -256, 0, false},
	} {
		records := []record{
			{nameCRC: 1, position: 768, slotSize: 1280, dataSize: 10},
			{nameCRC: 2, position: 0, slotSize: 512, dataSize: 10},
			{nameCRC: 3, position: 1024, slotSize: 256, dataSize: 10},
			{position: test.start, slotSize: test.end - test.start},
		}
		keepShared(records)
		if got := records[3].slotSize > 0; got != test.kept {
			t.Errorf("%s: kept as free: %v", test.what, got)
		}
		if records[0].slotSize != 1280 || records[1].slotSize != 512 || records[2].slotSize != 256 {
			t.Errorf("%s: an entry lost its slot", test.what)
		}
	}
}
