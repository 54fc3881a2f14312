package pck

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"github.com/klauspost/compress/zstd"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/archive/archivetest"
	"pakbox/fault"
	"pakbox/internal/testkit/corpus"
)

func openPath(t *testing.T, path string, opts archive.Options) (*Archive, error) {
	t.Helper()
	in, closer, err := archive.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closer.Close() })
	if !(Format{}).Match(in) {
		t.Fatalf("%s does not match", path)
	}
	return Open(t.Context(), in, opts)
}

func mustOpen(t *testing.T, path string) *Archive {
	t.Helper()
	a, err := openPath(t, path, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// real is a pack that the public packer made.
func real(t *testing.T) string {
	return filepath.Join(corpus.Dir(t, "eterpack-hard"), "11_m2.pck")
}

func TestRealPack(t *testing.T) {
	a := mustOpen(t, real(t))
	report, err := a.Verify(t.Context(), archive.Options{})
	if err != nil || !report.OK() || len(report.Findings) != 0 || report.Bytes != 1547351 {
		t.Errorf("report = %+v, err = %v; want no error, report.OK() = true, empty report.Findings, report.Bytes = 1547351", report, err)
	}
	if len(a.Entries()) != 86 {
		t.Errorf("%d entries", len(a.Entries()))
	}
	text, err := a.Open("ColorInfo.py")
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	content, err := io.ReadAll(text)
	if err != nil || !bytes.HasPrefix(content, []byte("CHAT_RGB_TALK = (255, 255, 255)\n")) {
		t.Errorf("content = %.80q, err = %v; want no error, content beginning with []byte(\"CHAT_RGB_TALK = (255, 255, 255)\\n\")", content, err)
	}
}

// A record that was decrypted, read and written again is the same, and so is an
// entry that an edit does not name, wherever it lies then.
func TestRealPackEdited(t *testing.T) {
	old := mustOpen(t, real(t))
	for i := range old.records {
		if r := &old.records[i]; !bytes.Equal(r.encode(), r.raw) {
			t.Errorf("%s: the record comes out different", r.name)
		}
	}
	path := filepath.Join(t.TempDir(), "x.pck")
	stage, err := archive.NewStage(path, false)
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Abort()
	first := old.Entries()[0].Name
	if err := old.Edit(t.Context(), stage, []archive.Edit{{Remove: first}}, archive.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := stage.Commit(); err != nil {
		t.Fatal(err)
	}
	a := mustOpen(t, path)
	for i := range a.records {
		was, is := old.records[i+1], a.records[i]
		stored := func(a *Archive, r record) []byte {
			b := make([]byte, r.stored)
			if _, err := a.in.ReadAt(b, a.dataBegin+int64(r.offset)); err != nil && err != io.EOF {
				t.Fatalf("err = %v; want no error or err = io.EOF", err)
			}
			return b
		}
		if was.nonce != is.nonce || was.encrypted != is.encrypted || was.size != is.size || !bytes.Equal(stored(old, was), stored(a, is)) {
			t.Errorf("%s is stored differently", is.name)
		}
	}
	if bytes.Equal(a.head(t), old.head(t)) {
		t.Error("two tables have one nonce")
	}
}

func (a *Archive) head(t *testing.T) []byte {
	b := make([]byte, nonceSize)
	if _, err := a.in.ReadAt(b, 16); err != nil {
		t.Fatal(err)
	}
	return b
}

// TestLayout takes a pack apart by hand, as the format is described.
func TestLayout(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.pck")
	make1(t, path, archive.CreateOptions{}, archivetest.Item("D:/Ymir Work/Game.py", []byte("import sys\n")), archivetest.Item("a.txt", []byte("x")))
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	le := binary.LittleEndian
	if n, begin := le.Uint64(b), le.Uint64(b[8:]); n != 2 || begin != 40+2*310 {
		t.Fatalf("count %d, data_begin %d", n, begin)
	}
	key, _ := hex.DecodeString(defaultKey)
	for i, want := range []struct {
		name      string
		encrypted byte
		size      uint64
	}{{"d:/ymir work/game.py", 1, 11}, {"a.txt", 0, 1}} {
		r := bytes.Clone(b[40+310*i : 40+310*(i+1)])
		newCipher(key, b[16:40]).XORKeyStream(r, r)
		name, _, _ := strings.Cut(string(r[:261]), "\x00")
		offset, size, stored := le.Uint64(r[261:]), le.Uint64(r[269:]), le.Uint64(r[277:])
		if name != want.name || size != want.size || r[285] != want.encrypted {
			t.Errorf("%q, %d bytes, encrypted %d; want %+v", name, size, r[285], want)
		}
		data := bytes.Clone(b[660+offset:][:stored])
		if r[285] != 0 {
			newCipher(key, r[286:310]).XORKeyStream(data, data)
		}
		if !bytes.HasPrefix(data, []byte{0x28, 0xb5, 0x2f, 0xfd}) {
			t.Errorf("%s is no Zstandard frame: % x", name, data[:4])
		}
	}
}

func make1(t *testing.T, path string, opts archive.CreateOptions, items ...archive.Item) {
	t.Helper()
	stage, err := archive.NewStage(path, true)
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Abort()
	if err := (Format{}).Create(t.Context(), stage, items, opts); err != nil {
		t.Fatal(err)
	}
	if err := stage.Commit(); err != nil {
		t.Fatal(err)
	}
}

func TestKeys(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.pck")
	own := archive.Options{Keys: archive.Keys{"pck": strings.Repeat("5a", 32)}}
	make1(t, path, archive.CreateOptions{Options: own}, archivetest.Item("a.py", []byte("x")))
	if _, err := openPath(t, path, archive.Options{}); !errors.Is(err, fault.WrongKey) {
		t.Errorf("with the packer's key: %v", err)
	}
	if _, err := openPath(t, path, own); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{"", "5a", strings.Repeat("5a", 33), strings.Repeat("xx", 32)} {
		_, err := openPath(t, path, archive.Options{Keys: archive.Keys{"pck": bad}})
		if !errors.Is(err, fault.Key) || bad != "" && strings.Contains(err.Error(), bad) {
			t.Errorf("key %q: %v", bad, err)
		}
		if (Format{}).KeyKinds()[0].Kind(bad) != "" {
			t.Errorf("%q passes for a key", bad)
		}
	}
	if (Format{}).KeyKinds()[0].Kind(defaultKey) != "pck" {
		t.Error("a key does not pass for one")
	}
}

// sample is a pack in parts, to be damaged.
type sample struct {
	records []record
	data    []byte
}

func newSample(t testing.TB) *sample {
	p := newPacker(settings{level: 1, key: mustKey(t)})
	s := &sample{}
	for i, name := range []string{"a.txt", "b.py", "empty"} {
		src := source{item: archivetest.Item(name, bytes.Repeat([]byte(name), 100*(2-i))), record: record{name: []byte(name)}}
		if i == 1 {
			src.record.encrypted = 1
		}
		done, err := p.pack(t.Context(), &src)
		if err != nil {
			t.Fatal(err)
		}
		r := src.record
		r.offset, r.size, r.stored, r.nonce = uint64(len(s.data)), uint64(done.size), uint64(len(done.data)), done.nonce
		s.records, s.data = append(s.records, r), append(s.data, done.data...)
	}
	return s
}

func mustKey(t testing.TB) []byte {
	key, err := findKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func (s *sample) bytes(t testing.TB) []byte {
	sources := make([]source, len(s.records))
	for i, r := range s.records {
		sources[i].record = r
	}
	return append(encodeTable(sources, mustKey(t)), s.data...)
}

func input(b []byte) archive.Input {
	return archive.Input{ReaderAt: bytes.NewReader(b), Size: int64(len(b)), Name: "x.pck"}
}

func TestFindings(t *testing.T) {
	for _, test := range []struct {
		what   string
		damage func(s *sample)
		want   string
	}{
		{"nothing", func(*sample) {}, ""},
		{"no entries", func(s *sample) { *s = sample{} }, ""},
		{"size too small", func(s *sample) { s.records[0].size-- }, "error size_mismatch a.txt"},
		{"size too large", func(s *sample) { s.records[0].size++ }, "error size_mismatch a.txt"},
		{"size beyond all", func(s *sample) { s.records[0].size = 1 << 63 }, "warning trailing_data ; error bad_entry a.txt"},
		{"stored too much", func(s *sample) { s.records[2].stored++ }, "warning trailing_data ; error entry_range empty"},
		{"stored too little", func(s *sample) { s.records[0].stored-- }, "warning trailing_data ; error decompress_failed a.txt"},
		{"offset beyond the end", func(s *sample) { s.records[2].offset = 1 << 40 }, "warning trailing_data ; error entry_range empty"},
		{"overlap", func(s *sample) { s.records[1].offset-- }, "warning trailing_data ; error overlap b.py; error wrong_key b.py"},
		{"gap", func(s *sample) { s.data = append(s.data, 0) }, "warning trailing_data "},
		{"unknown encryption", func(s *sample) { s.records[0].encrypted = 2 }, "warning trailing_data ; warning unsupported_algorithm a.txt"},
		{"other nonce", func(s *sample) { s.records[1].nonce[0]++ }, "error wrong_key b.py"},
		{"data damaged", func(s *sample) { s.data[8]++ }, "error decompress_failed a.txt"},
		{"same name", func(s *sample) { s.records[1].name = []byte("A.txt") }, "error duplicate_name A.txt; warning bad_entry A.txt"},
		{"way out", func(s *sample) { s.records[1].name = []byte("../x") }, "error unsafe_path ../x"},
		{"empty name", func(s *sample) { s.records[1].name = nil }, "error unsafe_path "},
		{"name without end", func(s *sample) { s.records[1].name = bytes.Repeat([]byte("n"), 261) }, "error name_too_long " + strings.Repeat("n", 261) + "; error name_too_long " + strings.Repeat("n", 261)},
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
			var got []string
			for _, f := range report.Findings {
				got = append(got, fmt.Sprintf("%s %s %s", f.Severity, f.Rule, f.Entry))
			}
			if g := strings.Join(got, "; "); g != test.want {
				t.Errorf("%s: got  %q\nwant %q\n%v", test.what, g, test.want, report.Findings)
			}
		})
	}
}

func TestOpenRefuses(t *testing.T) {
	whole := newSample(t).bytes(t)
	old := bytes.Clone(whole)
	binary.LittleEndian.PutUint64(old[8:], 32+302*3)
	huge := bytes.Clone(whole)
	binary.LittleEndian.PutUint64(huge, 1<<60)
	begin := uint64(310)
	binary.LittleEndian.PutUint64(huge[8:], begin<<60+40)
	for what, c := range map[string]struct {
		b    []byte
		want fault.Kind
	}{
		"older variant": {old, fault.UnsupportedAlgorithm},
		"huge count":    {huge, fault.NotFormat},
		"cut in table":  {whole[:900], fault.NotFormat},
		"nothing":       {nil, fault.NotFormat},
		"short":         {whole[:10], fault.NotFormat},
		"other nonce":   {append(append(bytes.Clone(whole[:16]), make([]byte, 24)...), whole[40:]...), fault.WrongKey},
	} {
		if _, err := Open(t.Context(), input(c.b), archive.Options{}); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %s", what, err, c.want)
		}
		if got, want := (Format{}).Match(input(c.b)), c.want != fault.NotFormat; got != want {
			t.Errorf("%s: matches: %v", what, got)
		}
	}
}

// Entries of any size are packed and read piece by piece, with the same result.
func TestStreams(t *testing.T) {
	content := bytes.Repeat([]byte("0123456789abcdef"), (streamSize+100)/16)
	sum := sha256.Sum256(content)
	for _, name := range []string{"large.txt", "large.py"} {
		for _, size := range []int64{int64(len(content)), -1} {
			it := archivetest.Item(name, content)
			it.Size = size
			path := filepath.Join(t.TempDir(), "x.pck")
			make1(t, path, archive.CreateOptions{}, it, archivetest.Item("empty.py", nil))
			a := mustOpen(t, path)
			h := sha256.New()
			f, err := a.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.Copy(h, f); err != nil || !bytes.Equal(h.Sum(nil), sum[:]) {
				t.Errorf("%s: %v, or other content", name, err)
			}
			f.Close()
			if _, err := f.Read(make([]byte, 1)); err == nil {
				t.Error("a closed file can be read")
			}
		}
	}
	it := archivetest.Item("grows.txt", content)
	it.Size++
	stage, _ := archive.NewStage(filepath.Join(t.TempDir(), "x.pck"), false)
	defer stage.Abort()
	if err := (Format{}).Create(t.Context(), stage, []archive.Item{it}, archive.CreateOptions{}); !errors.Is(err, fault.SizeMismatch) {
		t.Errorf("Create with content shorter than its size: %v, want a size mismatch", err)
	}
}

func TestParams(t *testing.T) {
	for _, params := range []map[string]string{{"level": "0"}, {"level": "23"}, {"level": "x"}} {
		stage, _ := archive.NewStage(filepath.Join(t.TempDir(), "x.pck"), false)
		var bad *archive.ParamError
		if err := (Format{}).Create(t.Context(), stage, nil, archive.CreateOptions{Params: params}); !errors.As(err, &bad) {
			t.Errorf("%v: err = %v; want err of the type of bad", params, err)
		}
		stage.Abort()
	}
	path := filepath.Join(t.TempDir(), "x.pck")
	make1(t, path, archive.CreateOptions{Params: map[string]string{"level": "22"}}, archivetest.Item("a.txt", []byte("x")))
	for list, want := range map[string]string{"": "py", "none": "", "all": "py txt", ".TXT,.lua": "txt"} {
		path := filepath.Join(t.TempDir(), "x.pck")
		opts := archive.CreateOptions{}
		if list != "" {
			opts.Params = map[string]string{"pck-encrypt": list}
		}
		make1(t, path, opts, archivetest.Item("a.PY", []byte("x")), archivetest.Item("b.txt", []byte("x")))
		var got []string
		for _, e := range mustOpen(t, path).Entries() {
			if e.Encrypted {
				got = append(got, strings.TrimPrefix(filepath.Ext(e.Name), "."))
			}
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("--pck-encrypt %q encrypts %q, want %q", list, s, want)
		}
	}
}

// FuzzOpen reads whatever it is given as a pack.
func FuzzOpen(f *testing.F) {
	f.Add(newSample(f).bytes(f))
	f.Add((&sample{}).bytes(f))
	f.Fuzz(func(t *testing.T, b []byte) {
		opts := archive.Options{MaxEntrySize: 1 << 20, Workers: 1}
		a, err := Open(t.Context(), input(b), opts)
		if err != nil {
			if fault.KindOf(err) == "" {
				t.Fatalf("an error without a kind: %v", err)
			}
			return
		}
		report, err := a.Verify(t.Context(), opts)
		if err != nil {
			t.Fatal(err)
		}
		for i := range a.Entries() {
			file, err := a.OpenEntry(i)
			if err == nil {
				_, err = io.Copy(io.Discard, file)
				file.Close()
			}
			if err != nil && (fault.KindOf(err) == "" || len(report.Findings) == 0) {
				t.Fatalf("Verify = %v with findings %v, want a kind and a finding", err, report.Findings)
			}
		}
		for i := range a.records {
			if r := &a.records[i]; !bytes.Equal(r.encode(), r.raw) {
				t.Fatalf("record %d does not come out as it was", i)
			}
		}
	})
}

// A Zstandard frame states the size of its content, however small: some decoders
// need it (RFC 8878, 3.1.1.1.4).
func TestFramesStateTheirSize(t *testing.T) {
	for _, size := range []int{0, 1, 40, 255, 256, 257, 70_000} {
		path := filepath.Join(t.TempDir(), "x.pck")
		make1(t, path, archive.CreateOptions{}, archivetest.Item("a.txt", bytes.Repeat([]byte("a"), size)))
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var h zstd.Header
		if err := h.Decode(b[40+310:]); err != nil || !h.HasFCS || h.FrameContentSize != uint64(size) {
			t.Errorf("%d bytes: %+v, %v", size, h, err)
		}
	}
}
