package vpk42

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"pakbox/archive"
	"pakbox/archive/archivetest"
	"pakbox/fault"
	"pakbox/internal/testkit/tier"
)

// largeContents are just above the size from which entries go through in pieces.
func largeContents() map[string][]byte {
	text := bytes.Repeat([]byte("0123456789 the same again and again\n"), largeAbove/36+1)
	mixed := bytes.Clone(text)
	copy(mixed[largeAbove/4:], archivetest.Noise(largeAbove/4))
	return map[string][]byte{"text": text, "noise": archivetest.Noise(largeAbove + 1), "mixed": mixed}
}

// Large entries are written and read in pieces. Read as a whole they are the
// same, and damage is found.
func TestLargeEntries(t *testing.T) {
	contents := largeContents()
	for _, encrypt := range []bool{false, true} {
		for _, algorithm := range []Algorithm{None, LZ4, Zstandard, Brotli} {
			if algorithm == None && !encrypt {
				continue
			}
			opts := WriteOptions{Version: 2, Algorithm: algorithm, Level: 1, Encrypt: encrypt, Options: archive.Options{Passphrase: func() (string, error) { return "p", nil }}}
			for name, content := range contents {
				if tier.IsQuick() && name != "mixed" {
					continue
				}
				checkLarge(t, name, content, opts)
			}
		}
	}
}

func checkLarge(t *testing.T, name string, content []byte, opts WriteOptions) {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "x.vpk"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unknown := archivetest.Item(name, content)
	unknown.Size = -1
	items := []archive.Item{archivetest.Item("before", []byte("x")), unknown, archivetest.Item("after", []byte("y"))}
	if err := Write(t.Context(), f, items, opts); err != nil {
		t.Fatal(err)
	}
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	in := archive.Input{ReaderAt: f, Size: info.Size(), Name: "x.vpk"}
	a, err := Open(t.Context(), in, opts.Options)
	if err != nil {
		t.Fatal(err)
	}
	e := &a.table[1]
	if !e.isLarge() || e.IsCompressed != (name != "noise" && opts.Algorithm != None) || e.IsEncrypted != opts.Encrypt {
		if !(name == "noise" && !opts.Encrypt) { // stored as it is
			t.Errorf("%s, %v, encrypted %v: large %v, compressed %v", name, opts.Algorithm, opts.Encrypt, e.isLarge(), e.IsCompressed)
		}
	}
	report, err := a.Verify(t.Context(), opts.Options)
	if err != nil || !report.OK() || len(report.Findings) > 0 {
		t.Errorf("name = %s, opts.Algorithm = %v: report = %v, err = %v; want no error, report.OK() = true, len(report.Findings) at most 0", name, opts.Algorithm, report, err)
	}
	whole, err := a.content(e)
	if err != nil || !bytes.Equal(whole, content) {
		t.Errorf("%s, %v: as a whole: %v, or other content", name, opts.Algorithm, err)
	}
	file, err := a.OpenEntry(1)
	if err != nil {
		t.Fatal(err)
	}
	pieces, err := io.ReadAll(file)
	if err != nil || !bytes.Equal(pieces, content) {
		t.Errorf("%s, %v: in pieces: %v, or other content", name, opts.Algorithm, err)
	}
	file.Close()
	if _, err := file.Read(make([]byte, 1)); err == nil {
		t.Error("a closed file can be read")
	}
	damageLarge(t, a, e, info.Size())
}

// damageLarge reads an entry with one byte changed, and one whose size differs from
// the table.
func damageLarge(t *testing.T, a *Archive, e *Entry, size int64) {
	t.Helper()
	read := func(a *Archive, e *Entry) error {
		f, err := a.openLarge(e)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = io.Copy(io.Discard, f)
		return err
	}
	if !e.isLarge() {
		return
	}
	damaged := &Archive{in: a.in, header: a.header, keys: a.keys, limit: a.limit}
	damaged.in.ReaderAt = &flipped{a.in.ReaderAt, e.DataOffset + e.StoredSize/2}
	for what, change := range map[string]func(e *Entry){
		"a byte": func(*Entry) {}, "the hash": func(e *Entry) { e.ContentHash = make([]byte, 32) },
		"the size": func(e *Entry) { e.OriginalSize++ }, "the stored size": func(e *Entry) { e.StoredSize-- },
	} {
		other := *e
		change(&other)
		from := a
		if what == "a byte" {
			from = damaged
		}
		if err := read(from, &other); fault.KindOf(err) == "" {
			t.Errorf("%s is wrong: %v", what, err)
		}
	}
	if err := read(&Archive{in: a.in, header: a.header, keys: a.keys, limit: 1000}, e); !errors.Is(err, fault.Limit) {
		t.Errorf("above the limit: %v", err)
	}
}

// flipped is a file with one byte changed.
type flipped struct {
	io.ReaderAt
	at int64
}

func (f *flipped) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.ReaderAt.ReadAt(p, off)
	if i := f.at - off; i >= 0 && i < int64(n) {
		p[i]++
	}
	return n, err
}

// A file that is too large for the format is refused before any is read.
func TestTooLargeIsRefusedUnread(t *testing.T) {
	items := []archive.Item{archivetest.Item("fine", nil), {Name: "huge", Size: 3 << 30}}
	for i := range items {
		items[i].Open = func() (io.ReadCloser, error) { t.Error("opened"); return nil, os.ErrInvalid }
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "x.vpk"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := Write(t.Context(), f, items, WriteOptions{Algorithm: LZ4, Level: 3}); !errors.Is(err, fault.Limit) {
		t.Errorf("err = %v; want err matching fault.Limit", err)
	}
}

// Work on a large entry stops when it is cancelled, and a file that is not as
// long as it was is refused.
func TestLargeStops(t *testing.T) {
	content := largeContents()["text"]
	for _, algorithm := range []Algorithm{LZ4, Zstandard, Brotli} {
		ctx, cancel := context.WithCancel(t.Context())
		it := archivetest.Item("x", content)
		open := it.Open
		it.Open = func() (io.ReadCloser, error) { cancel(); return open() }
		f, err := os.Create(filepath.Join(t.TempDir(), "x.vpk"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		opts := WriteOptions{Version: 2, Algorithm: algorithm, Level: 1}
		if err := Write(ctx, f, []archive.Item{it}, opts); !errors.Is(err, context.Canceled) {
			t.Errorf("%v: err = %v; want err matching context.Canceled", algorithm, err)
		}
		for _, off := range []int64{-1, 1} {
			it := archivetest.Item("x", content)
			it.Size += off
			if err := Write(t.Context(), f, []archive.Item{it}, opts); !errors.Is(err, fault.SizeMismatch) {
				t.Errorf("%v, %d bytes off: %v", algorithm, off, err)
			}
		}
	}
}

// FuzzLZ4Reader decodes blocks in pieces as the library does as a whole.
func FuzzLZ4Reader(f *testing.F) {
	f.Add([]byte{0x10, 'a'}, 1)
	f.Add([]byte{0x1f, 'a', 1, 0, 255, 255, 3, 0x50, 'b', 'c', 'd', 'e', 'f'}, 600)
	f.Add([]byte{0x30, 'a', 'b', 'c', 3, 0}, 7) // ends with a match
	f.Add([]byte{0xf0, 0, 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o'}, 15)
	f.Fuzz(func(t *testing.T, block []byte, size int) {
		if size < 0 || size > 1<<20 || len(block) == 0 { // the library takes no bytes as a block of none; no such entry is read in pieces
			return
		}
		want, wantErr := decompressLZ4(block, int64(size), new(bufferPool))
		got, err := io.ReadAll(io.LimitReader(&lz4Reader{src: bufio.NewReader(bytes.NewReader(block))}, int64(size)+1))
		if wantErr == nil && (err != nil || !bytes.Equal(got, want)) {
			t.Fatalf("%v, %d bytes; the library has %d", err, len(got), len(want))
		}
		if err != nil && fault.KindOf(err) == "" {
			t.Fatalf("an error without a kind: %v", err)
		}
	})
}
