package pck

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/archive/archivetest"
	"pakbox/fault"
)

// A mistake in a record is reported with the offset of the field in the file:
// records of 310 bytes follow a head of 40, and in a record are 261 bytes of
// name, offset, size, stored size, the mark for encryption and a nonce.
func TestPlaces(t *testing.T) {
	const second = 40 + 310
	for _, test := range []struct {
		what   string
		damage func(s *sample)
		kind   fault.Kind
		field  string
		offset int64
	}{
		{"offset beyond the end", func(s *sample) { s.records[1].offset = 1 << 40 }, fault.EntryRange, "offset", second + 261},
		{"stored beyond the end", func(s *sample) { s.records[1].stored = 1 << 40 }, fault.EntryRange, "offset", second + 261},
		{"too large", func(s *sample) { s.records[1].size = 1<<62 + 1 }, fault.BadEntry, "size", second + 269},
		{"neither encrypted nor not", func(s *sample) { s.records[1].encrypted = 2 }, fault.UnsupportedAlgorithm, "encrypted", second + 285},
		{"too short", func(s *sample) { s.records[0].size-- }, fault.SizeMismatch, "size", 40 + 3*310},
		{"the start of a frame", func(s *sample) { s.data[0]++ }, fault.DecompressFailed, "data", 40 + 3*310},
		{"same name", func(s *sample) { s.records[1].name = []byte("a.txt") }, fault.DuplicateName, "name", second},
		{"overlap", func(s *sample) { s.records[1].offset, s.records[1].encrypted = 1, 0 }, fault.Overlap, "offset", second + 261},
		{"data of no entry", func(s *sample) { s.data = append(s.data, 0, 0) }, fault.TrailingData, "", int64(len(newSample(t).bytes(t)))},
	} {
		t.Run(test.what, func(t *testing.T) {
			s := newSample(t)
			test.damage(s)
			a, err := Open(t.Context(), input(s.bytes(t)), archive.Options{})
			if err != nil {
				t.Errorf("%s: %v", test.what, err)
				return
			}
			report, err := a.Verify(t.Context(), archive.Options{})
			if err != nil {
				t.Fatal(err)
			}
			found := false
			for _, f := range report.Findings {
				if f.Rule == string(test.kind) {
					found = f.Offset == test.offset && f.Field == test.field
				}
			}
			if !found {
				t.Errorf("%s: no %s of %q at %d in %+v", test.what, test.kind, test.field, test.offset, report.Findings)
			}
		})
	}
}

// Records that all claim the same data would keep a reader busy: those that
// overlap are not read, and counted.
func TestManyClaimOneContent(t *testing.T) {
	s := newSample(t)
	one := s.records[0]
	s.records, s.data = nil, s.data[:one.stored]
	for i := range 100 {
		one.name = []byte{'a' + byte(i/26), 'a' + byte(i%26)}
		s.records = append(s.records, one)
	}
	s.data = append(s.data, archivetest.Noise(40_000)...)
	for i := range s.records {
		s.records[i].stored = uint64(len(s.data))
	}
	a, err := Open(t.Context(), input(s.bytes(t)), archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	report, err := a.Verify(t.Context(), archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	limits := 0
	for _, f := range report.Findings {
		if f.Rule == string(fault.Limit) {
			limits++
		}
	}
	if limits != 1 || report.Unchecked != 99 {
		t.Errorf("%d findings about the sum, %d entries unchecked", limits, report.Unchecked)
	}
}

// An entry that stores nothing is empty; it is damaged if it ought to have content.
func TestNothingStored(t *testing.T) {
	s := newSample(t)
	s.records[0].stored, s.records[0].size = 0, 0
	s.records[1].stored = 0
	a, err := Open(t.Context(), input(s.bytes(t)), archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []error{nil, fault.SizeMismatch, nil} {
		f, err := a.OpenEntry(i)
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(f)
		if len(content) != 0 || !errors.Is(err, want) {
			t.Errorf("entry %d: %q, %v", i, content, err)
		}
		f.Close()
	}
}

// A file is a pack if it has room for the number of records in its head.
func TestMatchLengths(t *testing.T) {
	empty := (&sample{}).bytes(t)
	if len(empty) != 40 {
		t.Fatalf("an empty pack has %d bytes", len(empty))
	}
	for n, want := range map[int]bool{40: true, 39: false, 16: false, 15: false} {
		if got := (Format{}).Match(input(empty[:n])); got != want {
			t.Errorf("%d bytes of an empty pack match: %v", n, got)
		}
	}
	s := newSample(t)
	for i := range s.records {
		s.records[i].stored, s.records[i].size, s.records[i].offset = 0, 0, 0
	}
	s.data = nil
	whole := s.bytes(t) // nothing behind the table
	if !(Format{}).Match(input(whole)) || (Format{}).Match(input(whole[:len(whole)-1])) {
		t.Error("a pack that ends with its table does not match, or one cut in it does")
	}
}

// With a wrong key, names are noise: nothing that makes no sense counts.
func TestPlausible(t *testing.T) {
	name := func(n int) []byte { return bytes.Repeat([]byte("n"), n) }
	for _, test := range []struct {
		what string
		r    record
		want bool
	}{
		{"a name", record{name: name(1), offset: 5, stored: 5}, true},
		{"the longest name", record{name: name(260), stored: 10}, true},
		{"no name", record{stored: 10}, false},
		{"a name without end", record{name: name(261), stored: 10}, false},
		{"a line break first", record{name: []byte("\na"), stored: 10}, false},
		{"out of range", record{name: name(1), offset: 5, stored: 6}, false},
		{"the largest content", record{name: name(1), size: 1 << 62}, true},
		{"more", record{name: name(1), size: 1<<62 + 1}, false},
	} {
		if got := test.r.plausible(10); got != test.want {
			t.Errorf("%s: got = %v; want %v", test.what, got, test.want)
		}
	}
}

// An edit keeps what it cannot read: content that is damaged, a cipher that
// pakbox does not know, bytes behind the end of a name.
func TestEditKeepsDamage(t *testing.T) {
	s := newSample(t)
	s.data[8]++
	s.records[1].encrypted = 7
	whole := s.bytes(t)
	path := filepath.Join(t.TempDir(), "x.pck")
	if err := os.WriteFile(path, whole, 0o666); err != nil {
		t.Fatal(err)
	}
	old := mustOpen(t, path)
	copy(old.records[0].raw[100:], "left by the packer")
	stage, err := archive.NewStage(path, true)
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Abort()
	item := archivetest.Item("new.txt", []byte("x"))
	edits := []archive.Edit{{Put: &item}, {Rename: &archive.Rename{From: "b.py", To: "c.PY"}}}
	if err := old.Edit(t.Context(), stage, edits, archive.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := stage.Commit(); err != nil {
		t.Fatal(err)
	}
	a := mustOpen(t, path)
	var names []string
	for i := range a.records {
		names = append(names, string(a.records[i].name))
	}
	if got := strings.Join(names, " "); got != "a.txt c.py empty new.txt" {
		t.Fatalf(`got = %v; want "a.txt c.py empty new.txt"`, got)
	}
	if !bytes.Equal(a.records[0].raw[100:118], []byte("left by the packer")) || a.records[1].encrypted != 7 {
		t.Error("what the records held is lost")
	}
	kept := make([]byte, len(s.data))
	if _, err := a.in.ReadAt(kept, a.dataBegin); err != nil || !bytes.Equal(kept, s.data) {
		t.Errorf("stored bytes at the start of the data changed (%v)", err)
	}
	stage, err = archive.NewStage(path, true)
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Abort()
	a.records[2].offset = 1 << 40 // there is nothing to keep
	if err := a.Edit(t.Context(), stage, []archive.Edit{{Remove: "new.txt"}}, archive.CreateOptions{}); !errors.Is(err, fault.EntryRange) {
		t.Errorf("an entry that lies outside was kept: %v", err)
	}
}

func TestFacts(t *testing.T) {
	a, err := Open(t.Context(), input(newSample(t).bytes(t)), archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	facts := map[string]any{}
	for _, f := range a.Facts() {
		facts[f.Name] = f.Value
	}
	if facts["data_begin"] != int64(40+3*310) || facts["encrypted_entries"] != int64(1) {
		t.Errorf(`facts = %v; want facts["data_begin"] = int64(40 + 3*310), facts["encrypted_entries"] = int64(1)`, facts)
	}
}

// A frame may ask for any amount of memory (RFC 8878, 3.1.1.1.2): more than 32 MiB is
// refused, whoever made the pack.
func TestHugeWindow(t *testing.T) {
	for _, test := range []struct {
		descriptor byte // 2 to the power of 10 and its upper five bits
		want       error
	}{{(25 - 10) << 3, nil}, {(26 - 10) << 3, fault.Limit}} {
		s := newSample(t)
		frame := append([]byte{0x28, 0xb5, 0x2f, 0xfd, 0, test.descriptor, 4<<3 | 1, 0, 0}, "text"...) // one raw block, the last
		s.records, s.data = s.records[:1], frame
		s.records[0].offset, s.records[0].stored, s.records[0].size = 0, uint64(len(frame)), 4
		a, err := Open(t.Context(), input(s.bytes(t)), archive.Options{})
		if err != nil {
			t.Fatal(err)
		}
		f, err := a.OpenEntry(0)
		if err == nil {
			_, err = io.ReadAll(f)
			f.Close()
		}
		if !errors.Is(err, test.want) {
			t.Errorf("a window of 1 << %d: %v, want %v", 10+test.descriptor>>3, err, test.want)
		}
	}
}
