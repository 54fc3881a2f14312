package eterpack

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"reflect"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/fault"
)

// memory gives a pair of files that exist only in memory.
func memory(eix, epk []byte) archive.Input {
	files := map[string][]byte{"x.eix": eix, "x.epk": epk}
	var open func(name string) (archive.Input, io.Closer, error)
	open = func(name string) (archive.Input, io.Closer, error) {
		b, ok := files[name]
		if !ok || b == nil {
			return archive.Input{}, nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
		}
		return archive.Input{ReaderAt: bytes.NewReader(b), Size: int64(len(b)), Name: name, Sibling: open}, io.NopCloser(nil), nil
	}
	in, _, _ := open("x.eix")
	return in
}

func openMemory(eix, epk []byte, opts archive.Options) (*Archive, error) {
	a, err := Format{}.Open(context.Background(), memory(eix, epk), opts)
	if err != nil {
		return nil, err
	}
	return a.(*Archive), nil
}

// sample is a pack in parts, to be damaged.
type sample struct {
	index
	epk []byte
}

func (s *sample) add(name string, kind int8, blob []byte) {
	s.records = append(s.records, record{
		id: int32(len(s.records)), name: []byte(name), nameCRC: nameCRC([]byte(name)), kind: kind,
		slotSize: int32(slotSize(int64(len(blob)))), dataSize: int32(len(blob)), dataCRC: crc32.ChecksumIEEE(blob), position: int32(len(s.epk)),
	})
	s.epk = append(s.epk, blob...)
	s.epk = append(s.epk, make([]byte, slotSize(int64(len(blob)))-int64(len(blob)))...)
}

func (s *sample) eix(t testing.TB) []byte {
	t.Helper()
	ciphers, _ := newKeys(nil)
	b, err := s.encode(ciphers.index, 0)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func newSample(t testing.TB) *sample {
	t.Helper()
	ciphers, _ := newKeys(nil)
	s := &sample{index: index{form: indexPlain, marks: defaultMarks, codec: codecLZO}}
	s.add("raw.txt", typeRaw, text(300))
	packed, err := encodeObject(text(1000), defaultMarks.object, nil, codecLZO, 0)
	if err != nil {
		t.Fatal(err)
	}
	s.add("packed.txt", typeCompress, packed)
	secret, err := encodeObject(text(2000), defaultMarks.object, ciphers.data, codecLZO, 0)
	if err != nil {
		t.Fatal(err)
	}
	s.add("secret.txt", typeEncrypted, secret)
	return s
}

// findingCase damages a sample in one way; want has severity, kind and entry of each
// finding.
type findingCase struct {
	what   string
	damage func(s *sample)
	want   string
}

// Findings in stored objects, from the mark to the checksum.
func TestFindingsInObjects(t *testing.T) {
	le := binary.LittleEndian
	testFindings(t, []findingCase{
		{"nothing", func(*sample) {}, ""},
		{"raw data changed", func(s *sample) { s.epk[5]++ }, "error hash_mismatch raw.txt"},
		{"wrong CRC of type 1", func(s *sample) { s.records[1].dataCRC++ }, "error hash_mismatch packed.txt"},
		{"CRC zero of type 1", func(s *sample) { s.records[1].dataCRC = 0 }, "warning hash_mismatch packed.txt"},
		{"type 1 called raw", func(s *sample) { s.records[1].kind = typeRaw }, "error bad_entry packed.txt"},
		{"type 2 called raw", func(s *sample) { s.records[2].kind = typeRaw }, "error bad_entry secret.txt"},
		{"wrong CRC of type 2", func(s *sample) { s.records[2].dataCRC++ }, "error hash_mismatch secret.txt"},
		{"encrypted data changed", func(s *sample) { s.epk[s.records[2].position+16]++ }, "error hash_mismatch secret.txt"},
		{"encrypted with another key", func(s *sample) {
			r := &s.records[2]
			s.epk[r.position+16]++
			r.dataCRC = crc32.ChecksumIEEE(s.epk[r.position : r.position+r.dataSize])
		}, "error wrong_key secret.txt"},
		{"compressed data changed", func(s *sample) {
			r := &s.records[1]
			s.epk[r.position+r.dataSize-2] = 9
		}, "error decompress_failed packed.txt"},
		{"mark missing", func(s *sample) { s.epk[s.records[1].position]++ }, "error bad_entry packed.txt"},
		{"inner mark missing", func(s *sample) { s.epk[s.records[1].position+16]++ }, "error bad_entry packed.txt"},
		{"wrong real_size", func(s *sample) { s.epk[s.records[1].position+12]++ }, "error decompress_failed packed.txt"},
		{"huge real_size", func(s *sample) { le.PutUint32(s.epk[s.records[1].position+12:], 1<<31-1) }, "error size_mismatch packed.txt"},
		{"negative real_size", func(s *sample) { le.PutUint32(s.epk[s.records[1].position+12:], 1<<31) }, "error bad_entry packed.txt"},
		{"large compressed_size", func(s *sample) { le.PutUint32(s.epk[s.records[1].position+8:], 1<<31) }, "error truncated packed.txt"},
		{"odd encrypt_size", func(s *sample) { s.epk[s.records[2].position+4]++ }, "error bad_entry secret.txt"},
		{"small encrypt_size", func(s *sample) { le.PutUint32(s.epk[s.records[2].position+4:], 8) }, "error bad_entry secret.txt"},
		{"CRC never set", func(s *sample) { s.records[0].dataCRC = s.records[2].dataCRC }, "warning hash_mismatch raw.txt"},
		{"CRC zero", func(s *sample) { s.records[0].dataCRC = 0 }, "warning hash_mismatch raw.txt"},
		{"empty object", func(s *sample) {
			s.add("empty", typeCompress, []byte("MCOZ\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00MCOZ"))
		}, ""},
		{"CRC of the stream", func(s *sample) {
			r := &s.records[1]
			r.dataCRC = crc32.ChecksumIEEE(s.epk[r.position+20:][:r.dataSize-20])
		}, ""},
		{"CRC of the content", func(s *sample) { s.records[2].dataCRC = crc32.ChecksumIEEE(text(2000)) }, ""},
		{"object with a tail", func(s *sample) {
			s.records[1].dataSize += 7
			s.records[1].dataCRC = crc32.ChecksumIEEE(s.epk[s.records[1].position : s.records[1].position+s.records[1].dataSize])
		}, "warning size_mismatch packed.txt"},
		{"everything at once", func(s *sample) { s.epk[5]++; s.records[1].nameCRC++; s.records[2].dataCRC++; s.tail = []byte("x") },
			"warning trailing_data ; error hash_mismatch raw.txt; error hash_mismatch packed.txt; error hash_mismatch secret.txt"},
	})
}

// Places and sizes that cannot be right, or that no known packer writes.
func TestFindingsOfPlaces(t *testing.T) {
	testFindings(t, []findingCase{
		{"position negative", func(s *sample) { s.records[0].position = -1 }, "error entry_range raw.txt"},
		{"size negative", func(s *sample) { s.records[0].dataSize = -1 }, "error entry_range raw.txt"},
		{"position beyond the end", func(s *sample) { s.records[2].position = 1 << 30 }, "error entry_range secret.txt"},
		{"data cut off", func(s *sample) { s.epk = s.epk[:s.records[2].position+10] }, "error entry_range secret.txt"},
		{"slot cut off", func(s *sample) { s.epk = s.epk[:len(s.epk)-1] }, "warning truncated secret.txt"},
		{"slot too small", func(s *sample) { s.records[0].slotSize = 256 }, "warning size_mismatch raw.txt"},
		{"slot of odd size", func(s *sample) { s.records[2].slotSize++; s.epk = append(s.epk, 0) }, "warning size_mismatch secret.txt"},
		{"slot larger than needed", func(s *sample) { s.records[2].slotSize += 256; s.epk = append(s.epk, make([]byte, 256)...) }, ""},
		{"slack not zero", func(s *sample) { s.epk[s.records[0].dataSize] = 1 }, "warning nonzero_trailer raw.txt"},
		{"bytes after the last slot", func(s *sample) { s.epk = append(s.epk, 0) }, "warning trailing_data "},
		{"bytes after the records", func(s *sample) { s.tail = []byte{0} }, "warning trailing_data "},
		{"overlap", func(s *sample) {
			s.add("a.bin", typeRaw, noise(300))
			s.add("b.bin", typeRaw, noise(300))
			r := &s.records[4]
			r.position -= 256
			r.dataCRC = crc32.ChecksumIEEE(s.epk[r.position : r.position+r.dataSize])
		}, "error overlap b.bin; warning trailing_data ; warning nonzero_trailer b.bin"},
		{"shared data", func(s *sample) {
			s.records = append(s.records, s.records[0])
			s.records[3].name, s.records[3].id = []byte("twin"), 3
			s.records[3].nameCRC = nameCRC([]byte("twin"))
		}, "warning overlap twin"},
		{"free slot over data", func(s *sample) {
			s.records = append(s.records, record{id: 3, slotSize: 256, position: 256})
		}, "warning overlap raw.txt"},
		{"overlap in a free slot", func(s *sample) {
			s.add("a.bin", typeRaw, noise(300))
			s.add("b.bin", typeRaw, noise(300))
			r := &s.records[4]
			s.records = append(s.records, record{id: 5, slotSize: 1024, position: r.position - 512})
			r.position -= 256
			r.dataCRC = crc32.ChecksumIEEE(s.epk[r.position : r.position+r.dataSize])
		}, "warning overlap a.bin; error overlap b.bin; warning overlap b.bin; warning nonzero_trailer b.bin"},
		{"free slot beyond the end", func(s *sample) {
			s.records = append(s.records, record{id: 3, slotSize: 256, position: 1 << 30})
		}, ""},
		{"padding", func(s *sample) { s.litter() }, ""},
		{"padding, by nobody known", func(s *sample) { s.records[2].slotSize = 7; s.litter() }, "warning reserved_nonzero raw.txt; warning trailing_data ; warning size_mismatch secret.txt"},
		{"sizes by nobody known", func(s *sample) {
			for i := range s.records {
				s.records[i].slotSize = 7
			}
		}, "warning trailing_data ; warning size_mismatch raw.txt"}, // once
	})
}

// Names and numbers of records.
func TestFindingsOfNames(t *testing.T) {
	testFindings(t, []findingCase{
		{"name CRC wrong", func(s *sample) { s.records[0].nameCRC++ }, "error hash_mismatch raw.txt"},
		{"same name", func(s *sample) { s.rename(1, "raw.txt") }, "error duplicate_name raw.txt"},
		{"same name but for case", func(s *sample) { s.rename(1, "RAW.txt") }, "error duplicate_name RAW.txt; warning bad_entry RAW.txt"},
		{"same name CRC", func(s *sample) { s.rename(0, "plumless"); s.rename(1, "buckeroo") }, "warning duplicate_name buckeroo"},
		{"way out", func(s *sample) { s.rename(0, "../x") }, "error unsafe_path ../x"},
		{"backslash", func(s *sample) { s.rename(0, `a\b`) }, `error unsafe_path a\b`},
		{"empty name", func(s *sample) { s.records[0].name, s.records[0].nameCRC = nil, 1 }, "error unsafe_path ; error hash_mismatch "},
		{"name without end", func(s *sample) { s.rename(0, strings.Repeat("n", 161)) }, "error name_too_long " + strings.Repeat("n", 161)},
		{"same id", func(s *sample) { s.records[1].id = 0 }, ""}, // as packers have it
		{"same id, by nobody known", func(s *sample) { s.records[1].id, s.records[2].slotSize = 0, 7 }, "warning bad_entry packed.txt; warning trailing_data ; warning size_mismatch secret.txt"},
	})
}

// Types that cannot be read, or that are not those of the object.
func TestFindingsOfTypes(t *testing.T) {
	testFindings(t, []findingCase{
		{"Panama", func(s *sample) { s.records[0].kind = 3 }, "warning key_required raw.txt"},
		{"HybridCrypt", func(s *sample) { s.records[0].kind = 4 }, "warning key_required raw.txt"},
		{"HybridCrypt, SDB", func(s *sample) { s.records[0].kind = 5 }, "warning key_required raw.txt"},
		{"Snappy", func(s *sample) { s.records[0].kind = 6 }, "warning unsupported_algorithm raw.txt"},
		{"unknown type", func(s *sample) { s.records[0].kind = -7 }, "warning unsupported_algorithm raw.txt"},
		{"encrypted as type 1", func(s *sample) { s.records[2].kind = typeCompress }, "warning bad_entry secret.txt"},
		{"clear as type 2", func(s *sample) { s.records[1].kind = typeEncrypted }, "warning bad_entry packed.txt"},
	})
}

// testFindings verifies each damaged sample, with any number of workers, and reads all
// of its entries.
func testFindings(t *testing.T, cases []findingCase) {
	t.Helper()
	for _, test := range cases {
		t.Run(test.what, func(t *testing.T) {
			s := newSample(t)
			test.damage(s)
			a, err := openMemory(s.eix(t), s.epk, archive.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			report := mustVerify(t, a)
			for _, f := range report.Findings {
				got = append(got, fmt.Sprintf("%s %s %s", f.Severity, f.Rule, f.Entry))
			}
			if g := strings.Join(got, "; "); g != test.want {
				t.Errorf("got  %q\nwant %q\n%v", g, test.want, report.Findings)
			}
			if alone, err := a.Verify(context.Background(), archive.Options{Workers: 1}); err != nil || !reflect.DeepEqual(alone, report) {
				t.Errorf("the report depends on the number of workers: %v", err)
			}
			// Reading a damaged entry fails with the kind of the damage.
			for i := range a.Entries() {
				f, err := a.OpenEntry(i)
				if err == nil {
					_, err = io.Copy(io.Discard, f)
				}
				if err != nil && fault.KindOf(err) == "" {
					t.Errorf("%s: an error without a kind: %v", a.Entries()[i].Name, err)
				}
			}
		})
	}
}

// A small pack whose entries all lie in the same place claims very much; they
// are reported, and only read while that takes no longer than the file is.
func TestExcessiveOverlap(t *testing.T) {
	s := newSample(t)
	alone, err := openMemory(s.eix(t), s.epk, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := mustVerify(t, alone).Bytes
	twin := s.records[0]
	for i := range 1000 {
		twin.id, twin.name = int32(len(s.records)), fmt.Appendf(nil, "twin%d", i)
		twin.nameCRC = nameCRC(twin.name)
		s.records = append(s.records, twin)
	}
	a, err := openMemory(s.eix(t), s.epk, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	report := mustVerify(t, a)
	kinds := map[fault.Kind]int{}
	for _, f := range report.Findings {
		kinds[fault.Kind(f.Rule)]++
	}
	if kinds[fault.Limit] != 1 || kinds[fault.Overlap] != 1000 || report.Bytes != want {
		t.Errorf("%v, %d bytes read, want %d", kinds, report.Bytes, want)
	}
}

// An error points at the field that it names: there the bytes are that were
// damaged.
func TestOffsetsAreThoseOfFields(t *testing.T) {
	const second = 12 + 192 // after the head and the first record
	for field, test := range map[string]struct {
		damage func(r *record)
		offset int64
	}{
		"data_position":   {func(r *record) { r.position = 1 << 30 }, second + 184},
		"data_crc":        {func(r *record) { r.dataCRC++ }, second + 180},
		"filename_crc":    {func(r *record) { r.nameCRC++ }, second + 168},
		"real_data_size":  {func(r *record) { r.slotSize-- }, second + 172},
		"compressed_type": {func(r *record) { r.kind = typeEncrypted }, second + 188},
		"filename":        {func(r *record) { r.name = []byte("Packed.txt") }, second + 4},
	} {
		t.Run(field, func(t *testing.T) {
			s := newSample(t)
			test.damage(&s.records[1])
			a, err := openMemory(s.eix(t), s.epk, archive.Options{})
			if err != nil {
				t.Fatal(err)
			}
			found := false
			for _, f := range mustVerify(t, a).Findings {
				found = found || f.Offset == test.offset && strings.HasPrefix(f.Message, field+" at ")
			}
			if !found {
				t.Errorf("no finding for field %s at 0x%x: %v", field, test.offset, mustVerify(t, a).Findings)
			}
		})
	}
}

func (s *sample) rename(i int, name string) {
	s.records[i].name, s.records[i].nameCRC = []byte(name), nameCRC([]byte(name))
}

// litter leaves something in the padding of every record.
func (s *sample) litter() {
	for i := range s.records {
		s.records[i].raw = s.records[i].encode()
		s.records[i].raw[160], s.records[i].raw[191] = 1, 1
	}
}

func TestServerTypesAreNamedAndRefused(t *testing.T) {
	for kind, want := range map[int8]fault.Kind{3: fault.KeyRequired, 4: fault.KeyRequired, 5: fault.KeyRequired, 6: fault.UnsupportedAlgorithm, 7: fault.UnsupportedAlgorithm} {
		s := newSample(t)
		s.records[0].kind = kind
		a, err := openMemory(s.eix(t), s.epk, archive.Options{})
		if err != nil {
			t.Fatal(err)
		}
		e := a.Entries()[0]
		if !strings.HasPrefix(e.Method, fmt.Sprintf("type %d: ", kind)) || !e.Encrypted {
			t.Errorf("type %d is listed as %q", kind, e.Method)
		}
		if _, err := a.Open("raw.txt"); !errors.Is(err, want) || !strings.Contains(err.Error(), e.Method) {
			t.Errorf("type %d: %v, want %v", kind, err, want)
		}
		stage, err := archive.NewStage(t.TempDir()+"/x.eix", false)
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Edit(context.Background(), stage, []archive.Edit{mv("raw.txt", "other")}, archive.CreateOptions{}); !errors.Is(err, fault.Unsupported) {
			t.Errorf("renaming type %d: %v", kind, err)
		}
		stage.Abort()
	}
}

func TestOpenRefuses(t *testing.T) {
	le := binary.LittleEndian
	plain := func(b []byte) []byte { return b }
	for _, test := range []struct {
		what   string
		form   indexForm
		damage func(eix []byte) []byte
		want   fault.Kind
	}{
		{"another file", indexPlain, func(b []byte) []byte { return []byte("PK\x03\x04") }, fault.NotFormat},
		{"no bytes", indexPlain, func(b []byte) []byte { return []byte{} }, fault.NotFormat},
		{"only the mark", indexPlain, func(b []byte) []byte { return b[:4] }, fault.Truncated},
		{"version 1", indexPlain, func(b []byte) []byte { b[4] = 1; return b }, fault.UnsupportedVersion},
		{"negative count", indexPlain, func(b []byte) []byte { b[11] = 0xff; return b }, fault.Truncated},
		{"one record missing", indexPlain, func(b []byte) []byte { return b[:len(b)-1] }, fault.Truncated},
		{"header cut off", indexEncrypted, func(b []byte) []byte { return b[:10] }, fault.Truncated},
		{"body cut off", indexEncrypted, func(b []byte) []byte { return b[:40] }, fault.Truncated},
		{"huge index", indexEncrypted, func(b []byte) []byte {
			le.PutUint32(b[12:], 1<<31-1)
			le.PutUint32(b[8:], 1<<24)
			le.PutUint32(b[4:], 1<<24+24)
			return append(b, make([]byte, 1<<24+64)...)
		}, fault.Limit},
		{"impossible size", indexEncrypted, func(b []byte) []byte { le.PutUint32(b[12:], 1<<30); return b }, fault.SizeMismatch},
		{"other key", indexEncrypted, func(b []byte) []byte { b[16]++; return b }, fault.WrongKey},
		{"damaged stream", indexEncrypted, func(b []byte) []byte { b[19+le.Uint32(b[8:])]++; return b }, fault.DecompressFailed},
		{"damaged clear stream", indexCompressed, func(b []byte) []byte { b[len(b)-1]++; return b }, fault.DecompressFailed},
		{"fine", indexPlain, plain, ""},
		{"fine, compressed", indexCompressed, plain, ""},
		{"fine, encrypted", indexEncrypted, plain, ""},
	} {
		s := newSample(t)
		s.form = test.form
		a, err := openMemory(test.damage(s.eix(t)), s.epk, archive.Options{})
		if fault.KindOf(err) != test.want {
			t.Errorf("%s: %v, want %s", test.what, err, test.want)
		}
		if err == nil && len(a.Entries()) != 3 {
			t.Errorf("%s: %d entries", test.what, len(a.Entries()))
		}
	}
}

// An index alone can be listed. Every other operation names the missing file.
func TestMissingPair(t *testing.T) {
	s := newSample(t)
	alone := memory(s.eix(t), s.epk)
	alone.Sibling = nil
	pointer := []byte("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 7\n")
	for what, in := range map[string]archive.Input{
		".epk file that belongs to it is missing": memory(s.eix(t), nil),
		"stands alone":    alone,
		"Git LFS pointer": memory(s.eix(t), pointer),
	} {
		t.Run(what, func(t *testing.T) {
			if !(Format{}).Match(in) {
				t.Error("an index is one even without its data")
			}
			a, err := Open(t.Context(), in, archive.Options{})
			if err != nil {
				t.Errorf("%s: %v", what, err)
				return
			}
			if len(a.Entries()) != 3 || a.Entries()[2].Name != "secret.txt" || len(a.Facts()) == 0 {
				t.Errorf(`%s: a.Entries() = %v; want a.Entries() of length 3, a.Entries()[2].Name = "secret.txt", a.Facts() not empty`, what, a.Entries())
			}
			if _, err := a.Open("raw.txt"); err == nil || !strings.Contains(err.Error(), what) || fault.KindOf(err) == "" {
				t.Errorf("read without the data: %v, want %q", err, what)
			}
			if r := mustVerify(t, a); r.OK() || r.Unchecked != 3 || len(r.Findings) != 1 {
				t.Errorf("%s: verified: %v", what, r.Findings)
			}
			stage, err := archive.NewStage(t.TempDir()+"/x.eix", false)
			if err != nil {
				t.Fatal(err)
			}
			if err := a.Edit(t.Context(), stage, nil, archive.CreateOptions{}); err == nil || !strings.Contains(err.Error(), what) {
				t.Errorf("edited without the data: %v", err)
			}
			stage.Abort()
		})
	}
	// The data often begins with the mark of an index.
	data := archive.Input{ReaderAt: strings.NewReader("MCOZ"), Size: 4, Name: "x.epk"}
	if (Format{}).Match(data) {
		t.Error("a data file without an index matches")
	}
}

func TestKeys(t *testing.T) {
	own := archive.Keys{indexKeyName: "1,0x2,3,4", dataKeyName: "0xFFFFFFFF, 0, 7, 8"}
	opts := archive.CreateOptions{Options: archive.Options{Keys: own}, Params: map[string]string{"eterpack-type": "2"}}
	path := create(t, smallItems(), opts)
	wantClean(t, openPath(t, path, opts.Options))

	in, closer, err := archive.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	if _, err := (Format{}).Open(context.Background(), in, archive.Options{}); !errors.Is(err, fault.WrongKey) {
		t.Errorf("the default keys for a pack with its own: %v", err)
	}
	half := archive.Options{Keys: archive.Keys{indexKeyName: own[indexKeyName]}}
	a := openPath(t, path, half)
	if _, err := a.OpenEntry(0); !errors.Is(err, fault.WrongKey) {
		t.Errorf("the default data key for a pack with its own: %v", err)
	}
	for _, bad := range []string{"", "1,2,3", "1,2,3,4,5", "1,2,3,x", "1,2,3,4294967296", "-1,2,3,4", "0x,1,2,3"} {
		_, err := newKeys(archive.Keys{indexKeyName: bad})
		if !errors.Is(err, fault.Key) {
			t.Errorf("key %q: %v", bad, err)
		}
		if bad != "" && err != nil && strings.Contains(err.Error(), bad) {
			t.Errorf("the error quotes the key: %v", err)
		}
	}
}
