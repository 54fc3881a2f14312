package vpk42_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/metin2/vpk42"
)

// memFile is a file in memory.
type memFile struct{ data []byte }

func (m *memFile) WriteAt(p []byte, off int64) (int, error) {
	if need := int(off) + len(p); need > len(m.data) {
		m.data = append(m.data, make([]byte, need-len(m.data))...)
	}
	return copy(m.data[off:], p), nil
}

func (m *memFile) ReadAt(p []byte, off int64) (int, error) {
	return bytes.NewReader(m.data).ReadAt(p, off)
}

func item(name string, data []byte) archive.Item {
	return archive.Item{
		Name: name, Size: int64(len(data)),
		Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil },
	}
}

// write makes an archive in memory.
func write(tb testing.TB, items []archive.Item, opts vpk42.WriteOptions) []byte {
	tb.Helper()
	var f memFile
	if err := vpk42.Write(context.Background(), &f, items, opts); err != nil {
		tb.Fatal(err)
	}
	return f.data
}

func open(tb testing.TB, data []byte, opts archive.Options) *vpk42.Archive {
	tb.Helper()
	a, err := vpk42.Open(context.Background(), input(data), opts)
	if err != nil {
		tb.Fatal(err)
	}
	return a
}

// verifyClean wants no finding at all.
func verifyClean(tb testing.TB, a archive.Archive) {
	tb.Helper()
	report, err := a.Verify(context.Background(), archive.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	for _, f := range report.Findings {
		tb.Errorf("finding: %+v", f)
	}
}

// samples are items of every shape that matters to packing.
func samples() []archive.Item {
	random := make([]byte, 70_000)
	rand.NewChaCha8([32]byte{1}).Read(random)
	text := []byte(strings.Repeat("All that is gold does not glitter. ", 3000))
	return []archive.Item{
		item("empty", nil),
		item("one.byte", []byte{7}),
		item("five", []byte("aaaaa")),
		item("Text/Long.TXT", text),
		item("noise/random.bin", random),
		item("noise/exactly_4096.bin", random[:4096]),
		item("zeros/1m.bin", make([]byte, 1<<20)),
		item("zeros/3m.bin", make([]byte, 3<<20)),
		item("türkçe/İSTANBUL_ışık.txt", text[:500]),
		item("한국어/메틴2.txt", text[:200]),
		item(strings.Repeat("n", 200)+"/"+strings.Repeat("m", 200)+"/"+strings.Repeat("o", 110), text[:50]),
		item("empty/last", nil),
	}
}

func checkItemsStored(tb testing.TB, a archive.Archive, items []archive.Item) {
	tb.Helper()
	if len(a.Entries()) != len(items) {
		tb.Fatalf("%d entries, want %d", len(a.Entries()), len(items))
	}
	for i, it := range items {
		r, _ := it.Open()
		want, _ := io.ReadAll(r)
		got, err := readEntry(a, i)
		if err != nil || !bytes.Equal(got, want) || a.Entries()[i].Name != it.Name {
			tb.Errorf("%q: content differs, %v", it.Name, err)
		}
	}
}

var variants = []vpk42.WriteOptions{
	{Store: true},
	{Algorithm: vpk42.LZ4, Level: 1},
	{Algorithm: vpk42.LZ4, Level: 12, Author: "me", Comment: "ünïcode"},
	{Algorithm: vpk42.LZ4, Level: 1, Mangle: true},
	{Algorithm: vpk42.LZ4, Level: 3, Encrypt: true},
	{Encrypt: true, Mangle: true, Store: true},
	{Version: 2, Store: true},
	{Version: 2, Algorithm: vpk42.LZ4, Level: 6},
	{Version: 2, Algorithm: vpk42.Zstandard, Level: 3},
	{Version: 2, Algorithm: vpk42.Zstandard, Level: 12, Encrypt: true},
	{Version: 2, Algorithm: vpk42.Brotli, Level: 5},
	{Version: 2, Algorithm: vpk42.Brotli, Level: 9, Encrypt: true, Mangle: true},
	{Version: 2, Algorithm: vpk42.None, Level: 3, Encrypt: true},
}

func variantName(o vpk42.WriteOptions) string {
	return fmt.Sprintf("v%d-%s-%d-encrypt=%v-mangle=%v", max(o.Version, 1), o.Algorithm, o.Level, o.Encrypt, o.Mangle)
}

func TestRoundTrip(t *testing.T) {
	for _, o := range variants {
		t.Run(variantName(o), func(t *testing.T) {
			t.Parallel()
			o.Options = withPassphrase("a passphrase")
			items := samples()
			a := open(t, write(t, items, o), o.Options)
			checkItemsStored(t, a, items)
			verifyClean(t, a)
			for _, e := range a.Table() {
				if e.DataOffset%4096 != 0 || e.StoredSize > e.OriginalSize {
					t.Errorf("%s: %d of %d bytes stored at %d", e.FileName, e.StoredSize, e.OriginalSize, e.DataOffset)
				}
			}
			if h := a.Header(); h.Author != o.Author || h.Comment != o.Comment || h.FileNamesMangled != o.Mangle {
				t.Errorf("header %+v", h)
			}
		})
	}
}

func TestEmptyArchive(t *testing.T) {
	for _, o := range []vpk42.WriteOptions{{Store: true}, {Version: 2, Store: true}, {Encrypt: true, Store: true}, {Version: 2, Encrypt: true, Store: true}} {
		o.Options = withPassphrase("x")
		data := write(t, nil, o)
		want := 544
		if o.Encrypt {
			want = 572
		}
		if len(data) != want {
			t.Errorf("%s: %d bytes, want %d", variantName(o), len(data), want)
		}
		a := open(t, data, o.Options)
		verifyClean(t, a)
		if list, err := a.ReadDir("."); err != nil || len(list) != 0 {
			t.Errorf("ReadDir: %v %v", list, err)
		}
	}
}

// TestReproducesGolden makes the corpus's deterministic archives again, with
// the salt and nonces read back out of them: byte for byte where nothing is
// compressed, otherwise with the same content.
func TestReproducesGolden(t *testing.T) {
	dir, list := goldens(t)
	identical, equal := 0, 0
	for _, g := range list {
		if !strings.HasPrefix(g.File, "v1/") && !strings.HasPrefix(g.File, "v2/") {
			continue
		}
		in := load(t, filepath.Join(dir, g.File))
		a, err := vpk42.Open(context.Background(), in, g.options())
		if err != nil {
			t.Fatal(err)
		}
		want := make([]byte, in.Size)
		in.ReadAt(want, 0)
		h := a.Header()
		opts := vpk42.WriteOptions{
			Options: g.options(), Version: g.Version, Algorithm: h.CompressionAlgorithm, Store: h.CompressionAlgorithm == vpk42.None, Level: g.Level, Mangle: g.Mangled,
			Author: g.Author, Comment: g.Comment, Encrypt: h.IsEncrypted, Created: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
			Random: randomOf(a, want),
		}
		compressed := false
		for _, e := range a.Table() {
			compressed = compressed || e.IsCompressed
		}
		// Names of the drive form are kept by edits but not made anew.
		items := storedItems(a)
		got := write(t, items, opts)
		if !compressed {
			identical++
			if !bytes.Equal(got, want) {
				t.Errorf("%s: not reproduced", g.File)
			}
			continue
		}
		equal++
		b := open(t, got, g.options())
		checkItemsStored(t, b, items)
		verifyClean(t, b)
	}
	t.Logf("%d identical, %d equal in content", identical, equal)
	if identical < 10 {
		t.Errorf("only %d archives without compression", identical)
	}
}

// storedItems are the entries under their stored names.
func storedItems(a *vpk42.Archive) []archive.Item {
	var items []archive.Item
	for i, e := range a.Entries() {
		items = append(items, archive.Item{Name: e.Name, Size: e.Size, Open: func() (io.ReadCloser, error) { return a.OpenEntry(i) }})
	}
	return items
}

// randomOf returns the random bytes that an archive was made with.
func randomOf(a *vpk42.Archive, file []byte) io.Reader {
	h := a.Header()
	random := bytes.NewBuffer(h.Salt[:])
	for _, e := range a.Table() {
		random.Write(e.Nonce)
	}
	random.Write(file[h.EntryTableOffset:][:12])
	return random
}

// TestOutputIndependentOfWorkers packs with one worker and with many.
func TestOutputIndependentOfWorkers(t *testing.T) {
	make := func(workers int) [32]byte {
		o := vpk42.WriteOptions{Algorithm: vpk42.LZ4, Level: 3, Encrypt: true, Created: time.Unix(1, 0),
			Random: rand.NewChaCha8([32]byte{2})}
		o.Options = withPassphrase("x")
		o.Workers = workers
		var items []archive.Item
		for range 4 {
			for _, s := range samples() {
				s.Name = fmt.Sprintf("%d%.100s", len(items), s.Name)
				items = append(items, s)
			}
		}
		return sha256.Sum256(write(t, items, o))
	}
	want := make(1)
	for range 2 {
		if make(8) != want {
			t.Fatal("the output depends on timing")
		}
	}
}

func TestRefusedOptions(t *testing.T) {
	for _, test := range []struct {
		opts    vpk42.WriteOptions
		setting string
	}{
		{vpk42.WriteOptions{Store: true, Version: 3}, "vpk-version"},
		{vpk42.WriteOptions{Algorithm: vpk42.Zstandard, Level: 3}, "algorithm"},
		{vpk42.WriteOptions{Version: 2, Algorithm: 4}, "algorithm"},
		{vpk42.WriteOptions{Version: 2, Algorithm: vpk42.Brotli, Level: -1}, "level"},
		{vpk42.WriteOptions{Algorithm: vpk42.LZ4, Level: 13}, "level"},
		{vpk42.WriteOptions{Store: true, Author: strings.Repeat("a", 65)}, "author"},
		{vpk42.WriteOptions{Store: true, Comment: strings.Repeat("ö", 65)}, "comment"},
		{vpk42.WriteOptions{Store: true, Comment: "a\x00b"}, "comment"},
	} {
		err := vpk42.Write(context.Background(), &memFile{}, nil, test.opts)
		var bad *archive.ParamError
		if !errors.As(err, &bad) || bad.Name != test.setting {
			t.Errorf("%+v: %v, want an error about %s", test.opts, err, test.setting)
		}
	}
	for _, o := range []archive.Options{{}, withPassphrase("")} {
		err := vpk42.Write(context.Background(), &memFile{}, nil, vpk42.WriteOptions{Store: true, Encrypt: true, Options: o})
		if fault.KindOf(err) != fault.PassphraseRequired {
			t.Errorf("got %v", err)
		}
	}
}

func TestRefusedItems(t *testing.T) {
	huge := item("huge", nil)
	huge.Size = 1 << 31
	grown := item("grown", []byte("abc"))
	grown.Size = 2
	shrunk := item("shrunk", []byte("abc"))
	shrunk.Size = 4
	for name, test := range map[string]struct {
		items []archive.Item
		kind  fault.Kind
	}{
		"long name": {[]archive.Item{item(strings.Repeat("n", 513), nil)}, fault.NameTooLong},
		"traversal": {[]archive.Item{item("../x", nil)}, fault.Unsafe},
		"same name": {[]archive.Item{item("a/B", nil), item("A/b", nil)}, fault.DuplicateName},
		"huge":      {[]archive.Item{huge}, fault.Limit},
		"grown":     {[]archive.Item{grown}, fault.SizeMismatch},
		"shrunk":    {[]archive.Item{shrunk}, fault.SizeMismatch},
	} {
		err := vpk42.Write(context.Background(), &memFile{}, test.items, vpk42.WriteOptions{Algorithm: vpk42.LZ4, Level: 1})
		if fault.KindOf(err) != test.kind {
			t.Errorf("%s: %v, want %s", name, err, test.kind)
		}
	}
	broken := errors.New("broken disk")
	bad := archive.Item{Name: "bad", Size: 1, Open: func() (io.ReadCloser, error) { return nil, broken }}
	if err := vpk42.Write(context.Background(), &memFile{}, []archive.Item{bad}, vpk42.WriteOptions{Store: true}); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

// TestUnknownSize packs items whose size is unknown before they are read.
func TestUnknownSize(t *testing.T) {
	for _, o := range variants[:2] {
		items := samples()
		for i := range items {
			items[i].Size = -1
		}
		a := open(t, write(t, items, o), archive.Options{})
		checkItemsStored(t, a, items)
		verifyClean(t, a)
	}
}

// Write without options and Create without settings have the same defaults.
func TestDefaults(t *testing.T) {
	items := []archive.Item{item("a", bytes.Repeat([]byte("abc"), 1000))}
	got := open(t, write(t, items, vpk42.WriteOptions{}), archive.Options{}).Header()
	path := filepath.Join(t.TempDir(), "a.vpk")
	stage, err := archive.NewStage(path, false)
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Abort()
	if err := (vpk42.Format{}).Create(t.Context(), stage, items, archive.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := stage.Commit(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := open(t, data, archive.Options{}).Header()
	got.CreatedAtUtcTicks = want.CreatedAtUtcTicks
	if !reflect.DeepEqual(got, want) || got.Version != 1 || got.CompressionAlgorithm != vpk42.LZ4 || got.CompressionLevel != 3 {
		t.Errorf("header of Write = %+v, of Create = %+v, want version 1, LZ4 at level 3 for both", got, want)
	}
}
