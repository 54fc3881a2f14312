package pak

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
	"pakbox/finding"
)

// The beginning of a GBX is read with not a byte too few, in every version there
// was.
func TestGBXHead(t *testing.T) {
	v6 := "GBX\x06\x00BUUR" + "\x00\xa0\x07\x03" + "\x02\x00\x00\x00" + "ab" + "\x09\x00\x00\x00"
	v5 := "GBX\x05\x00BUUR" + "\x00\xa0\x07\x03" + "\x09\x00\x00\x00"
	v3 := "GBX\x03\x00BUU" + "\x00\xa0\x07\x03" + "\x09\x00\x00\x00"
	for _, test := range []struct {
		data, user string
	}{{v6, "ab"}, {v5, ""}, {v3, ""}, {"GBX\x04" + v5[4:], ""}} {
		for _, body := range []string{"", "b", "body"} {
			head, n := parseGBXHead([]byte(test.data + body))
			if head == nil || n != len(test.data) || head.classID != 0x0307a000 || string(head.userData) != test.user {
				t.Errorf("%q: head = %+v, n = %d; want head other than nil, n = len(test.data), head.classID = 0x0307a000, head.userData = %v", test.data+body, head, n, test.user)
			}
		}
		for cut := range len(test.data) {
			if head, n := parseGBXHead([]byte(test.data[:cut])); head != nil || n != 0 {
				t.Errorf("%q, of which %d bytes are there: %+v, %d", test.data, cut, head, n)
			}
		}
	}
	for _, data := range []string{"GBX\x02\x00BUU" + v3[8:], "GBx" + v6[3:], "GBX\x06\x00BUUR\x00\xa0\x07\x03\xff\xff\xff\xffab\x09\x00\x00\x00"} {
		if head, _ := parseGBXHead([]byte(data)); head != nil {
			t.Errorf("%q: head = %+v; want nil", data, head)
		}
	}
}

// A pack without a GBX has no metadata section, and the offset in its table is 0. With the
// first GBX it has a section, and each record is at the offset in the table.
func TestMetadataOffsets(t *testing.T) {
	gbx := toys()["many3.Gbx"]
	none := create(t, map[string][]byte{"a.txt": []byte("a")}, nil)
	if none.pack.hasMetadata() || none.pack.Files[0].MetaOffset != noMetadata {
		t.Errorf("section at %d, record at %#x", none.pack.GbxHeadersStart, none.pack.Files[0].MetaOffset)
	}
	a := create(t, map[string][]byte{"a.Gbx": gbx, "b.txt": []byte("b"), "c.Gbx": gbx}, nil)
	wantRecords := func(a *Archive, want ...string) {
		t.Helper()
		records, err := a.pack.Metadata()
		if err != nil || len(records) != len(want) {
			t.Fatalf("%d records, %v, want %q", len(records), err, want)
		}
		plain, err := a.pack.unpackMetadata()
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range records {
			if at := a.pack.Files[r.File].MetaOffset; a.pack.paths[r.File] != want[i] || int(at) >= len(plain) || plain[at] != byte(r.File) {
				t.Errorf("record %d is of %s, at %d", i, a.pack.paths[r.File], at)
			}
		}
		noted := 0
		for _, f := range a.pack.Files {
			noted += count(f.MetaOffset != noMetadata)
		}
		if noted != len(want) {
			t.Errorf("%d entries have a record in the table, want %d", noted, len(want))
		}
		verify(t, a)
	}
	wantRecords(a, "a.Gbx", "c.Gbx")
	text := item("a.Gbx", []byte("no longer a GBX"))
	added := item("d.Gbx", gbx)
	wantRecords(edited(t, a, testKeys, nil, archive.Edit{Put: &text}), "c.Gbx")
	wantRecords(edited(t, a, testKeys, nil, archive.Edit{Put: &added}), "a.Gbx", "c.Gbx", "d.Gbx")
	wantRecords(edited(t, a, testKeys, nil, archive.Edit{Remove: "b.txt"}), "a.Gbx", "c.Gbx")
	wantRecords(edited(t, a, testKeys, nil, archive.Edit{Remove: "a.Gbx"}, archive.Edit{Remove: "c.Gbx"}))
}

// An invalid section is reported with its offset, and does not stop reading or
// verifying the rest.
func TestMetadataDamage(t *testing.T) {
	key, err := KeyFromBase(testKeys["*"])
	if err != nil {
		t.Fatal(err)
	}
	gbx := toys()["many3.Gbx"]
	n := func(g []byte) int { _, n := parseGBXHead(g); return n }(gbx)
	for _, test := range []struct {
		what  string
		alter func(b *build)
		then  func(p *Pack)
		want  fault.Kind
	}{
		{"sound", func(*build) {}, func(*Pack) {}, ""},
		{"of a file that is not there", func(b *build) { b.records = []MetaRecord{{9, gbx[:n]}} }, func(*Pack) {}, fault.TableCorrupt},
		{"of the first file that is not there", func(b *build) { b.records = []MetaRecord{{4, gbx[:n]}} }, func(*Pack) {}, fault.TableCorrupt},
		{"that is no GBX", func(b *build) { b.records = []MetaRecord{{0, []byte("not a GBX file at all")}} }, func(*Pack) {}, fault.TableCorrupt},
		{"that is cut", func(b *build) { b.records = []MetaRecord{{0, gbx[:n-1]}} }, func(*Pack) {}, fault.TableCorrupt},
		{"behind the end", func(*build) {}, func(p *Pack) { p.GbxHeadersStart = uint32(p.size + 1) }, fault.Truncated},
		{"at the end", func(*build) {}, func(p *Pack) { p.GbxHeadersStart = uint32(p.size) }, fault.Truncated},
		{"without room for its IV", func(*build) {}, func(p *Pack) { p.GbxHeadersStart = uint32(p.size - 7) }, fault.Truncated},
		{"with room for nothing else", func(*build) {}, func(p *Pack) { p.GbxHeadersStart = uint32(p.size - 8) }, fault.DecompressFailed},
		{"elsewhere", func(*build) {}, func(p *Pack) { p.GbxHeadersStart -= 8 }, fault.DecompressFailed},
	} {
		t.Run(test.what, func(t *testing.T) {
			b := oldBuild(3, 0, key)
			test.alter(b)
			data := buildBytes(t, b)
			p, err := OpenPack(bytes.NewReader(data), int64(len(data)), Options{Key: &key, Nodes: walkToy})
			if err != nil {
				t.Fatal(err)
			}
			test.then(p)
			if _, err := p.Metadata(); fault.KindOf(err) != test.want {
				t.Errorf("%s: %v, want %s", test.what, err, test.want)
			}
			report, err := newArchive(p, archive.Options{}).Verify(t.Context(), archive.Options{})
			if err != nil || report.Entries != 4 || report.Damaged() != (test.want != "") {
				t.Errorf(`%s: report = %+v, err = %v; want no error, report.Entries = 4, damaged exactly if a finding is expected`, test.what, report, err)
			}
		})
	}
}

// Two overlapping entries are reported with the offset and both names.
func TestOverlapIsTold(t *testing.T) {
	a := create(t, map[string][]byte{"a.bin": noise(100), "b.bin": noise(200)}, nil)
	a.pack.Files[1].Offset = a.pack.Files[0].Offset + 64
	errs := a.pack.overlaps()
	var e *fault.Error
	if len(errs) == 0 || !errors.As(errs[len(errs)-1], &e) || e.Kind != fault.Overlap || e.Offset != a.pack.start(1) || e.Entry != "b.bin" || !strings.Contains(e.Message, "a.bin") {
		t.Errorf("errs = %v", errs)
	}
	report, err := a.Verify(t.Context(), archive.Options{})
	if err != nil || finding.Worst(report.Findings) == "" {
		t.Errorf(`report = %+v, err = %v; want no error, finding.Worst(report.Findings) not empty`, report, err)
	}
}

// The results of the checks are reported in words and in figures.
func TestChecksAreTold(t *testing.T) {
	a := create(t, map[string][]byte{"a.Gbx": toys()["many3.Gbx"], "b.bin": noise(200)}, nil)
	tell := func(spoil func(p *Pack)) (text string, decoded any, report *archive.Report) {
		p, err := OpenPack(a.pack.ra, a.pack.size, Options{Nodes: walkToy})
		if err != nil {
			t.Fatal(err)
		}
		spoil(p)
		report, err = newArchive(p, archive.Options{}).Verify(t.Context(), archive.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range report.Facts {
			if f.Name == "checks" {
				text = f.Text()
			}
		}
		return text, factsOf(report.Facts)["decoded_entries"], report
	}
	text, decoded, _ := tell(func(*Pack) {})
	want := "ContentsChecksum holds (SHA-256 of the file from byte 44); headerMD5 holds (MD5 of the clear header behind its flags, and of the private header); " +
		"gbxHeadersMD5 holds (MD5 of the metadata section); fileSize holds (length of the file); file.checksum holds (MD5 of each stored slot: 2 of 2 hold)"
	if text != want || decoded != int64(2) {
		t.Errorf("%s\n%v decoded", text, decoded)
	}
	for what, spoil := range map[string]func(p *Pack){
		"ContentsChecksum": func(p *Pack) { p.ContentsChecksum[0] ^= 1 },
		"headerMD5":        func(p *Pack) { p.md5Holds = false },
		"gbxHeadersMD5":    func(p *Pack) { p.GbxHeadersMD5[0] ^= 1 },
		"fileSize":         func(p *Pack) { p.FileSize++ },
		"file.checksum":    func(p *Pack) { p.Files[1].Checksum[0] ^= 1 },
	} {
		text, _, report := tell(spoil)
		if !strings.Contains(text, what+" does not hold (") || strings.Count(text, "does not hold") != 1 || !report.Damaged() {
			t.Errorf(`%s: text = %s; want text with what + " does not hold (", strings.Count(text, "does not hold") = 1, report.Damaged() = true`, what, text)
		}
		f := report.Findings[0]
		if f.Rule != string(fault.HashMismatch) || f.Field != what {
			t.Errorf("%s: f = %+v; want f.Rule = string(fault.HashMismatch), f.Field = %v", what, f, what)
		}
	}
}

// brittle is a file of which one access fails.
type brittle struct {
	*os.File
	left int
}

var errBrittle = errors.New("the disk is broken")

func (b *brittle) fails() bool { b.left--; return b.left == 0 }

func (b *brittle) WriteAt(p []byte, off int64) (int, error) {
	if b.fails() {
		return 0, errBrittle
	}
	return b.File.WriteAt(p, off)
}

func (b *brittle) ReadAt(p []byte, off int64) (int, error) {
	if b.fails() {
		return 0, errBrittle
	}
	return b.File.ReadAt(p, off)
}

// A pack is written in several steps. The error of each step is returned.
func TestBrokenDisk(t *testing.T) {
	for _, version := range []uint32{3, 9, 14, 18} {
		for k := 1; ; k++ {
			file, err := os.Create(filepath.Join(t.TempDir(), "pack"))
			if err != nil {
				t.Fatal(err)
			}
			dst := &brittle{file, k}
			err = oldBuild(version, UseDefaultHeaderKey, Key{1}).write(t.Context(), dst)
			file.Close()
			if dst.left > 0 { // there were not so many
				if err != nil || k < 4 {
					t.Errorf("version %d: %d accesses: %v", version, k-1, err)
				}
				break
			}
			if err != errBrittle {
				t.Errorf("version %d: access %d failed: %v", version, k, err)
			}
		}
	}
}

// An entry of which a part is missing is not copied as if it were whole.
func TestCopyOfATruncatedSlot(t *testing.T) {
	a := create(t, map[string][]byte{"a.bin": noise(300)}, nil)
	for want, size := range map[fault.Kind]int64{"": a.pack.size, fault.Truncated: a.pack.size - 1} {
		p, err := OpenPack(io.NewSectionReader(a.pack.ra, 0, size), a.pack.size, Options{})
		if err != nil {
			t.Fatal(err)
		}
		n, err := p.copySlot(io.Discard, 0)
		if fault.KindOf(err) != want || n != size-p.start(0) {
			t.Errorf("%d bytes, %v", n, err)
		}
	}
}

// A record holds up to 65,535 bytes, because its size has 16 bits. From version 18 on only
// what is published has one.
func TestMetadataFor(t *testing.T) {
	gbx := func(n int) []byte {
		return []byte("GBX\x06\x00BUUR\x00\xa0\x07\x03" + string([]byte{byte(n), byte(n >> 8), byte(n >> 16), 0}) + strings.Repeat("u", n) + "\x09\x00\x00\x00body")
	}
	for _, test := range []struct {
		version uint32
		flags   FileFlags
		user    int
		want    int // the length of the record, -1 for none
	}{
		{18, PublishFid, 2, 2}, {18, PublishFid, 0xffff, 0xffff}, {18, PublishFid, 0x10000, -1}, {18, 0, 2, -1},
		{17, 0, 2, 4 + 5 + 4 + 4 + 2 + 4}, {3, 0, 0, 4 + 5 + 4 + 4 + 4},
	} {
		got := metadataFor(test.version, &File{Flags: test.flags}, gbx(test.user))
		if (got == nil) != (test.want < 0) || got != nil && len(got) != test.want {
			t.Errorf("%+v: %d bytes", test, len(got))
		}
	}
	if got := metadataFor(18, &File{Flags: PublishFid}, []byte("no GBX")); got != nil {
		t.Errorf("what is no GBX has the record %q", got)
	}
}
