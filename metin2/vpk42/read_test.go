package vpk42_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/klauspost/compress/zstd"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/metin2/vpk42"
)

func TestFS(t *testing.T) {
	for _, o := range []vpk42.WriteOptions{{Store: true}, {Algorithm: vpk42.LZ4, Level: 1, Encrypt: true}} {
		o.Options = withPassphrase("x")
		items := samples()[1:5]
		var names []string
		for _, it := range items {
			names = append(names, it.Name)
		}
		if err := fstest.TestFS(open(t, write(t, items, o), o.Options), names...); err != nil {
			t.Error(err)
		}
	}
}

func TestLookupIgnoresCase(t *testing.T) {
	a := open(t, write(t, samples(), vpk42.WriteOptions{Store: true}), archive.Options{})
	for _, name := range []string{"text/long.txt", "TEXT/LONG.TXT", "Text/Long.TXT", "TÜRKÇE/İstanbul_IŞIK.txt"} {
		_, err := a.Stat(name)
		if want := !strings.HasPrefix(name, "TÜRKÇE"); (err == nil) != want {
			t.Errorf("%s: err = %v; want success = %v", name, err, want)
		}
	}
}

// TestLastDuplicateWins as in the original tool.
func TestLastDuplicateWins(t *testing.T) {
	dir, _ := goldens(t)
	a, err := vpk42.Open(context.Background(), load(t, filepath.Join(dir, "corrupt/v1/dup_exact.vpk")), archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := fs.ReadFile(a, "a.txt")
	want, _ := readEntry(a, 1)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%q, want %q, %v", got, want, err)
	}
}

// TestStoredContent reads an entry at random places, and to an end that is
// not reported as such if the content is wrong.
func TestStoredContent(t *testing.T) {
	data := write(t, samples(), vpk42.WriteOptions{Store: true})
	a := open(t, data, archive.Options{})
	f, err := a.Open("noise/random.bin")
	if err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 10)
	if n, err := f.(io.ReaderAt).ReadAt(buf, 4086); n != 10 || err != nil {
		t.Fatalf("n = %v, err = %v; want n = 10, no error", n, err)
	}
	i, _ := a.Lookup("noise/random.bin")
	off := a.Table()[i].DataOffset
	if !bytes.Equal(buf, data[off+4086:off+4096]) {
		t.Error("ReadAt gives other bytes")
	}
	data[off+69_999] ^= 1
	got, err := io.ReadAll(f)
	if len(got) != 70_000 || fault.KindOf(err) != fault.HashMismatch {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if n, err := f.Read(buf); n != 0 || fault.KindOf(err) != fault.HashMismatch {
		t.Errorf("after the end: %d, %v", n, err)
	}
	var e *fault.Error
	if !errors.As(err, &e) || e.Entry != "noise/random.bin" || e.Offset != off {
		t.Errorf("the error does not say where: %v", err)
	}
}

// TestPassphrase checks when the passphrase is required, and the errors about it.
func TestPassphrase(t *testing.T) {
	opts := vpk42.WriteOptions{Store: true, Encrypt: true, Options: withPassphrase("right"), Author: "somebody"}
	data := write(t, samples(), opts)
	kindOf := func(data []byte, o archive.Options) (fault.Kind, string) {
		_, err := vpk42.Open(context.Background(), input(data), o)
		if err == nil {
			return "", ""
		}
		return fault.KindOf(err), err.Error()
	}
	asked := 0
	a, err := vpk42.Open(context.Background(), input(data), archive.Options{Passphrase: func() (string, error) { asked++; return "right", nil }})
	if err != nil {
		t.Fatal(err)
	}
	verifyClean(t, a)
	if asked != 1 {
		t.Errorf("asked %d times", asked)
	}
	if k, _ := kindOf(data, archive.Options{}); k != fault.PassphraseRequired {
		t.Errorf("no passphrase: %s", k)
	}
	if k, msg := kindOf(data, withPassphrase("secret-but-wrong")); k != fault.HMACMismatch || !strings.Contains(msg, "wrong passphrase, or") || strings.Contains(msg, "secret") {
		t.Errorf("wrong passphrase: %s %s", k, msg)
	}
	damaged := bytes.Clone(data)
	damaged[0x1800] ^= 1
	if k, msg := kindOf(damaged, withPassphrase("right")); k != fault.HMACMismatch || !strings.Contains(msg, "passphrase is right") {
		t.Errorf("damaged: %s %s", k, msg)
	}
	cancelled := errors.New("cancelled")
	if _, err := vpk42.Open(context.Background(), input(data), archive.Options{Passphrase: func() (string, error) { return "", cancelled }}); !errors.Is(err, cancelled) {
		t.Errorf("got %v", err)
	}
	plain := write(t, samples(), vpk42.WriteOptions{Store: true})
	if k, _ := kindOf(plain, archive.Options{Passphrase: func() (string, error) { t.Error("asked for nothing"); return "", nil }}); k != "" {
		t.Errorf("plain: %s", k)
	}
	facts, err := vpk42.Format{}.Describe(input(data))
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, f := range facts {
		found = found || f.Name == "author" && f.Value == "somebody"
	}
	if !found {
		t.Errorf("facts without a passphrase: %v", facts)
	}
}

// TestDamagedFields sets fields to values that no corpus file has.
func TestDamagedFields(t *testing.T) {
	good := write(t, samples(), vpk42.WriteOptions{Version: 2, Algorithm: vpk42.Zstandard, Level: 3, Created: time.Unix(0, 0)})
	h := open(t, good, archive.Options{}).Header()
	for name, test := range map[string]struct {
		damage func(b []byte) []byte
		kind   fault.Kind
	}{
		"empty file":            {func(b []byte) []byte { return nil }, fault.NotFormat},
		"magic only":            {func(b []byte) []byte { return b[:4] }, fault.Truncated},
		"header only":           {func(b []byte) []byte { return b[:512] }, fault.Truncated},
		"version 0":             {func(b []byte) []byte { b[4] = 0; return b }, fault.UnsupportedVersion},
		"version 3":             {func(b []byte) []byte { b[4] = 3; return b }, fault.UnsupportedVersion},
		"table in the header":   {func(b []byte) []byte { binary.LittleEndian.PutUint64(b[10:], 100); return b }, fault.BadHeader},
		"negative table offset": {func(b []byte) []byte { binary.LittleEndian.PutUint64(b[10:], 1<<63); return b }, fault.BadHeader},
		"negative table size":   {func(b []byte) []byte { binary.LittleEndian.PutUint32(b[18:], 1<<31); return b }, fault.BadHeader},
		"largest table offset":  {func(b []byte) []byte { binary.LittleEndian.PutUint64(b[10:], 1<<63-1); return b }, fault.Truncated},
		"one byte missing":      {func(b []byte) []byte { return b[:len(b)-1] }, fault.Truncated},
		"bytes left in table": {func(b []byte) []byte {
			binary.LittleEndian.PutUint32(b[18:], uint32(h.EntryTableSize-1))
			return b
		}, fault.TableCorrupt},
	} {
		_, err := vpk42.Open(context.Background(), input(test.damage(bytes.Clone(good))), archive.Options{})
		if fault.KindOf(err) != test.kind {
			t.Errorf("%s: %v, want %s", name, err, test.kind)
		}
	}
}

// TestBombs wants streams that claim or hold too much to fail early.
func TestBombs(t *testing.T) {
	for _, algorithm := range []vpk42.Algorithm{vpk42.Zstandard, vpk42.Brotli, vpk42.LZ4} {
		data := write(t, []archive.Item{item("zeros", make([]byte, 40<<20))}, vpk42.WriteOptions{Version: 2, Algorithm: algorithm, Level: 1})
		a := open(t, data, archive.Options{})
		e := a.Table()[0]
		if got, err := readEntry(a, 0); err != nil || len(got) != 40<<20 {
			t.Errorf("%s: err = %v; want no error, got of length 40 << 20", algorithm, err)
		}
		if _, err := readEntry(open(t, data, archive.Options{MaxEntrySize: 1 << 20}), 0); fault.KindOf(err) != fault.Limit {
			t.Errorf("%s above the limit: %v", algorithm, err)
		}
		// The stream holds 40 MiB, table and prefix say less.
		lie := bytes.Clone(data)
		binary.LittleEndian.PutUint32(lie[e.DataOffset:], 1000)
		binary.LittleEndian.PutUint64(lie[a.Header().EntryTableOffset+4+5+4+5:], 1000)
		_, err := readEntry(open(t, lie, archive.Options{}), 0)
		if k := fault.KindOf(err); k != fault.SizeMismatch && k != fault.DecompressFailed {
			t.Errorf("%s lie: %v", algorithm, err)
		}
	}
}

// TestOverlapBomb has thousands of entries that name the same large block.
func TestOverlapBomb(t *testing.T) {
	const n = 2000
	items := []archive.Item{item("block", bytes.Repeat([]byte("x"), 1<<20))}
	for i := range n {
		items = append(items, item(strings.Repeat("e", i%200+1)+string(rune('A'+i/200)), nil))
	}
	data := write(t, items, vpk42.WriteOptions{Store: true})
	a := open(t, data, archive.Options{})
	block := a.Table()[0]
	at := int(a.Header().EntryTableOffset)
	for i, e := range a.Table() {
		sizes := at + 8 + len(e.StoredName) + len(e.FileName)
		if i > 0 {
			binary.LittleEndian.PutUint64(data[sizes:], 1<<20)
			binary.LittleEndian.PutUint64(data[sizes+8:], 1<<20)
			binary.LittleEndian.PutUint64(data[sizes+16:], uint64(block.DataOffset))
			copy(data[sizes+28:], block.ContentHash)
		}
		at = sizes + 24 + 4 + 32 + 2 + 8
	}
	report, err := open(t, data, archive.Options{}).Verify(context.Background(), archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if report.Entries-report.Unchecked != 1 || report.OK() || fault.Kind(report.Findings[0].Rule) != fault.Limit || len(report.Findings) < n {
		t.Errorf("%d entries read, %d findings, first %v", report.Entries, len(report.Findings), report.Findings[0])
	}
}

func TestMangledName(t *testing.T) {
	dir, list := goldens(t)
	checked := 0
	for _, g := range list {
		if g.Mangled && g.Expect == "ok" && g.Passphrase == nil {
			a, err := vpk42.Open(context.Background(), load(t, filepath.Join(dir, g.File)), archive.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range a.Table() {
				checked++
				if got := vpk42.MangledName(e.FileName); got != e.StoredName {
					t.Errorf("%s: %s, want %s", e.FileName, got, e.StoredName)
				}
			}
		}
	}
	if checked < 30 {
		t.Errorf("only %d names", checked)
	}
}

// TestCancelled wants long work to end when it is cancelled.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	o := vpk42.WriteOptions{Store: true, Encrypt: true, Options: withPassphrase("x")}
	data := write(t, samples(), o)
	a := open(t, data, o.Options)
	if _, err := a.Verify(ctx, archive.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("verify: %v", err)
	}
	if _, err := vpk42.Open(ctx, input(data), o.Options); !errors.Is(err, context.Canceled) {
		t.Errorf("open: %v", err)
	}
	if err := vpk42.Write(ctx, &memFile{}, samples(), vpk42.WriteOptions{Store: true}); !errors.Is(err, context.Canceled) {
		t.Errorf("write: %v", err)
	}
}

// shrinking is a file that has lost its end since it was opened.
type shrinking struct {
	data []byte
	size *int64
}

func (s shrinking) ReadAt(p []byte, off int64) (int, error) {
	return bytes.NewReader(s.data[:min(*s.size, int64(len(s.data)))]).ReadAt(p, off)
}

// TestShrunkFile reads entries of a file that was cut after it was opened.
func TestShrunkFile(t *testing.T) {
	for _, o := range []vpk42.WriteOptions{{Store: true}, {Algorithm: vpk42.LZ4, Level: 1}} {
		data := write(t, samples(), o)
		size := int64(len(data))
		a, err := vpk42.Open(context.Background(), archive.Input{ReaderAt: shrinking{data, &size}, Size: size}, archive.Options{})
		if err != nil {
			t.Fatal(err)
		}
		size = 0x1001
		report, err := a.Verify(context.Background(), archive.Options{})
		if err != nil || report.OK() {
			t.Errorf("verify: %v, %v", report, err)
		}
		i, _ := a.Lookup("noise/random.bin")
		if _, err := readEntry(a, i); fault.KindOf(err) != fault.Truncated {
			t.Errorf("got %v", err)
		}
	}
}

// TestFacts wants the numbers that people look for.
func TestFacts(t *testing.T) {
	a := open(t, write(t, samples(), vpk42.WriteOptions{Store: true, Version: 2, Author: "me", Created: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}), archive.Options{})
	got := map[string]any{}
	for _, f := range a.Facts() {
		got[f.Name] = f.Value
	}
	for name, want := range map[string]any{"version": int64(2), "encrypted": false, "author": "me", "created": "2026-01-02T03:04:05Z"} {
		if got[name] != want {
			t.Errorf("%s is %v, want %v", name, got[name], want)
		}
	}
}

// TestDamagedEntries changes fields of the one entry of an archive to values
// that no corpus file has.
func TestDamagedEntries(t *testing.T) {
	good := write(t, []archive.Item{item("name", bytes.Repeat([]byte("abc"), 100))}, vpk42.WriteOptions{Version: 2, Algorithm: vpk42.LZ4, Level: 1})
	h := open(t, good, archive.Options{}).Header()
	const sizes = 4 + 4 + 4 + 4 // behind both names
	const flags = sizes + 3*8 + 4 + 32
	for name, test := range map[string]struct {
		damage func(entry, data []byte)
		kind   fault.Kind
	}{
		"size of what is stored": {func(e, _ []byte) { e[flags] = 0 }, fault.SizeMismatch},
		"negative size":          {func(e, _ []byte) { binary.LittleEndian.PutUint64(e[sizes:], 1<<63) }, fault.SizeMismatch},
		"no room for the prefix": {func(e, _ []byte) { binary.LittleEndian.PutUint64(e[sizes+8:], 3) }, fault.SizeMismatch},
		"encrypted in clear":     {func(e, _ []byte) { e[flags+1] = 1 }, fault.BadEntry},
		"broken stream":          {func(_, d []byte) { d[4] = 0xf0 }, fault.DecompressFailed},
		"other content":          {func(_, d []byte) { d[5] ^= 1 }, fault.HashMismatch},
		"other hash":             {func(e, _ []byte) { e[flags-1] ^= 1 }, fault.HashMismatch},
		"zstd that is not":       {func(_, _ []byte) {}, fault.DecompressFailed},
	} {
		data := bytes.Clone(good)
		test.damage(data[h.EntryTableOffset:], data[0x1000:])
		if name == "zstd that is not" {
			data[27] = byte(vpk42.Zstandard)
		}
		a := open(t, data, archive.Options{})
		if _, err := readEntry(a, 0); fault.KindOf(err) != test.kind {
			t.Errorf("%s: reading gives %v, want %s", name, err, test.kind)
		}
		report, err := a.Verify(context.Background(), archive.Options{})
		if err != nil || len(report.Findings) == 0 || fault.Kind(report.Findings[0].Rule) != test.kind || report.Findings[0].Entry != "name" {
			t.Errorf("%s: verify gives %+v, %v", name, report, err)
		}
	}
}

// A plain archive states each name twice. Two that differ are damage.
func TestVerifyComparesNames(t *testing.T) {
	for _, mangle := range []bool{false, true} {
		data := write(t, []archive.Item{item("readme.txt", []byte("text"))}, vpk42.WriteOptions{Store: true, Mangle: mangle})
		name := "readme.txt"
		if mangle {
			name = vpk42.MangledName(name)
		}
		at := bytes.Index(data, []byte(name)) // StoredName stands first
		data[at]++
		report, err := open(t, data, archive.Options{}).Verify(t.Context(), archive.Options{})
		if err != nil || len(report.Findings) != 1 || report.Findings[0].Field != "StoredName" || !report.Damaged() {
			t.Errorf("mangled %v: %v, %v", mangle, report.Findings, err)
		}
	}
}

// A Zstandard frame states the size of its content, whatever it is: some
// decoders need it (RFC 8878, 3.1.1.1.4).
func TestFramesStateTheirSize(t *testing.T) {
	for _, size := range []int{40, 255, 256, 257, 70_000} {
		data := write(t, []archive.Item{item("a", bytes.Repeat([]byte("a"), size))}, vpk42.WriteOptions{Version: 2, Algorithm: vpk42.Zstandard, Level: 9})
		e := open(t, data, archive.Options{}).Table()[0]
		var h zstd.Header
		if err := h.Decode(data[e.DataOffset+4 : e.DataOffset+e.StoredSize]); err != nil || !h.HasFCS || h.FrameContentSize != uint64(size) {
			t.Errorf("%d bytes: %+v, %v", size, h, err)
		}
	}
}
