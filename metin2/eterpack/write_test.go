package eterpack

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/testkit/peer"
	"pakbox/metin2/internal/codepage"
)

// item is content for tests.
func item(name string, content []byte) archive.Item {
	return archive.Item{Name: name, Size: int64(len(content)), Open: func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(content)), nil
	}}
}

func text(n int) []byte {
	return bytes.Repeat([]byte("the quick brown fox jumps over the lazy dog\n"), n/44+1)[:n]
}

func noise(n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{1}).Read(b)
	return b
}

// samples are contents that packers get wrong: empty, tiny, a whole number of
// slots, long runs, incompressible.
func samples() map[string][]byte {
	return map[string][]byte{
		"empty.txt":               nil,
		"one":                     {'x'},
		"d:/ymir work/pc/a b.gr2": text(5000),
		"slot256.bin":             noise(256),
		"slot255.bin":             noise(255),
		"noise.wav":               noise(70000),
		"zeros.dds":               make([]byte, 300000),
		"locale/de/straße.txt":    text(300),
		"locale/kr/가.txt":         text(77),
		"sound/large.raw":         append(noise(streamSize), text(100)...),
	}
}

var sampleOrder = []string{"empty.txt", "one", "d:/ymir work/pc/a b.gr2", "slot256.bin", "slot255.bin", "noise.wav",
	"zeros.dds", "locale/de/straße.txt", "locale/kr/가.txt", "sound/large.raw"}

func sampleItems() (items []archive.Item) {
	all := samples()
	for _, name := range sampleOrder {
		items = append(items, item(name, all[name]))
	}
	return items
}

// create makes a pack and returns the path of its index.
func create(t testing.TB, items []archive.Item, opts archive.CreateOptions) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pack.eix")
	if err := createAt(path, items, opts); err != nil {
		t.Fatal(err)
	}
	return path
}

func createAt(path string, items []archive.Item, opts archive.CreateOptions) error {
	stage, err := archive.NewStage(path, false)
	if err != nil {
		return err
	}
	defer stage.Abort()
	if err := (Format{}).Create(context.Background(), stage, items, opts); err != nil {
		return err
	}
	return stage.Commit()
}

// variants are all the ways to write a pack.
func variants() (all []map[string]string) {
	for _, kind := range []string{"auto", "0", "1", "2"} {
		for _, codec := range []string{"lzo", "lz4"} {
			for _, index := range []string{"plain", "encrypted"} {
				for _, level := range []string{"fast", "12"} {
					all = append(all, map[string]string{"eterpack-type": kind, "eterpack-codec": codec, "eterpack-index": index, "level": level})
				}
			}
		}
	}
	return all
}

func TestRoundTrip(t *testing.T) {
	want := samples()
	for _, p := range variants() {
		t.Run(fmt.Sprint(p), func(t *testing.T) {
			items := sampleItems()
			if p["level"] != "fast" {
				items = items[:len(items)-1] // the large one takes too long
			}
			a := openPath(t, create(t, items, archive.CreateOptions{Params: p}), archive.Options{})
			wantClean(t, a)
			entries := a.Entries()
			if len(entries) != len(items) {
				t.Fatalf("%d entries, want %d", len(entries), len(items))
			}
			for i, e := range entries {
				name := e.Name
				if name != sampleOrder[i] {
					t.Errorf("entry %d is %q, want %q", i, name, sampleOrder[i])
				}
				if got := readEntry(t, a, i); !bytes.Equal(got, want[name]) {
					t.Errorf("%s: content differs", name)
				}
				if e.Size != int64(len(want[name])) {
					t.Errorf("%s: size %d, want %d", name, e.Size, len(want[name]))
				}
				if k := p["eterpack-type"]; k != "auto" && !strings.HasPrefix(e.Method, "type "+k) {
					t.Errorf("%s: %s, want type %s", name, e.Method, k)
				}
			}
		})
	}
}

// TestDeterministic packs with different numbers of workers.
func TestDeterministic(t *testing.T) {
	opts := archive.CreateOptions{Params: map[string]string{"eterpack-type": "2"}}
	var first [2][]byte
	for workers := range 4 {
		opts.Workers = workers
		path := create(t, sampleItems(), opts)
		for k, p := range []string{path, withExt(path, dataExt)} {
			b, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			if workers == 0 {
				first[k] = b
			} else if !bytes.Equal(b, first[k]) {
				t.Errorf("%d workers give another %s", workers, filepath.Ext(p))
			}
		}
	}
}

// TestIndependentReader has created packs read by a Python program.
func TestIndependentReader(t *testing.T) {
	python := peer.Python(t, "lzo", "lz4")
	own := archive.Keys{indexKeyName: "1,2,0x00000003,4294967295", dataKeyName: "0xDEADBEEF,5,6,7"}
	items := sampleItems()[:len(sampleOrder)-1] // the large one takes Python too long
	want := samples()
	for n, p := range variants() {
		t.Run(fmt.Sprint(p), func(t *testing.T) {
			opts := archive.CreateOptions{Params: p}
			indexKey, dataKey := "45129401,92367215,681285731,1710201", "78952482,527348324,1632942,486274726"
			if n%3 == 0 {
				opts.Keys = own
				indexKey, dataKey = "1,2,3,4294967295", "3735928559,5,6,7"
			}
			path := create(t, items, opts)
			out, err := exec.Command(python, "testdata/decode_epk.py", path, withExt(path, dataExt), p["eterpack-codec"], indexKey, dataKey).CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			lines := strings.Split(strings.TrimSpace(string(out)), "\n")
			if len(lines) != len(items) {
				t.Fatalf("%d lines, want %d", len(lines), len(items))
			}
			for i, line := range lines {
				page, _ := codepage.Find("949")
				name, _ := storeName(page, items[i].Name)
				content := want[items[i].Name]
				var kind int
				if _, err := fmt.Sscanf(line, fmt.Sprintf("%x %%d %d %x", name, len(content), sha256.Sum256(content)), &kind); err != nil {
					t.Errorf("%s: read as %q: %v", items[i].Name, line, err)
				}
			}
		})
	}
}

// TestRewriteCorpus writes the content of every pack of the corpus again. Content
// without a codec must come out as the same bytes.
func TestRewriteCorpus(t *testing.T) {
	dir, m := readManifest(t)
	for _, p := range m.Packs {
		t.Run(p.Pack, func(t *testing.T) {
			path := filepath.Join(dir, p.Pack+indexExt)
			old := openPath(t, path, archive.Options{})
			opts := archive.CreateOptions{Params: map[string]string{"eterpack-index": "plain", "eterpack-type": fmt.Sprint(p.Entries[0].Type)}}
			if p.Options.IndexEncrypted {
				opts.Params["eterpack-index"] = "encrypted"
			}
			if p.Options.Codec != "" {
				opts.Params["eterpack-codec"] = p.Options.Codec
			}
			raw, uniform := true, true
			for _, e := range p.Entries {
				raw = raw && e.Type == typeRaw
				uniform = uniform && e.Type == p.Entries[0].Type
			}
			again := create(t, archive.Items(old), opts)
			if same := sameFile(t, withExt(again, dataExt), withExt(path, dataExt)); raw && !same {
				t.Error("the raw data came out different")
			} else if uniform {
				t.Logf("data identical: %v", same)
			}
			if same := sameFile(t, again, path); raw && !p.Options.IndexEncrypted && !same {
				t.Error("the plain index came out different")
			} else if uniform {
				t.Logf("index identical: %v", same)
			}
			changes, err := archive.Compare(context.Background(), old, openPath(t, again, archive.Options{}), archive.Options{})
			if err != nil || len(changes) > 0 {
				t.Errorf("changes %v, %v", changes, err)
			}
		})
	}
}

func sameFile(t *testing.T, a, b string) bool {
	t.Helper()
	x, err := os.ReadFile(a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := os.ReadFile(b)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Equal(x, y)
}

func TestCreateRefuses(t *testing.T) {
	long := strings.Repeat("x", maxName+1)
	grown := item("grown", text(100))
	grown.Size = 50
	for _, test := range []struct {
		what  string
		items []archive.Item
		opts  map[string]string
		want  error
	}{
		{"names that differ in case", []archive.Item{item("a", nil), item("A", nil)}, nil, fault.DuplicateName},
		{"names that differ in the drive", []archive.Item{item("d:/ymir work/a", nil), item("D:/Ymir Work/a", nil)}, nil, fault.DuplicateName},
		{"a long name", []archive.Item{item(long, nil)}, nil, fault.NameTooLong},
		{"a way out", []archive.Item{item("../a", nil)}, nil, fault.Unsafe},
		{"a backslash", []archive.Item{item(`a\b`, nil)}, nil, fault.Unsafe},
		{"a file that grew", []archive.Item{grown}, nil, fault.SizeMismatch},
		{"a type of the server's", nil, map[string]string{"eterpack-type": "4"}, nil},
		{"an unknown codec", nil, map[string]string{"eterpack-codec": "zip"}, nil},
		{"an unknown index", nil, map[string]string{"eterpack-index": "hidden"}, nil},
		{"a level too high", nil, map[string]string{"level": "13"}, nil},
	} {
		path := filepath.Join(t.TempDir(), "pack.eix")
		err := createAt(path, test.items, archive.CreateOptions{Params: test.opts})
		var setting *archive.ParamError
		if test.want == nil && !errors.As(err, &setting) || test.want != nil && !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", test.what, err, test.want)
		}
		if left, _ := os.ReadDir(filepath.Dir(path)); len(left) > 0 {
			t.Errorf("%s: left %v behind", test.what, left)
		}
	}
	if err := createAt(filepath.Join(t.TempDir(), "pack.epk"), nil, archive.CreateOptions{}); err == nil {
		t.Error("a stage for the .epk was accepted")
	}
}

// TestLimit packs more than an index can address, without the bytes.
func TestLimit(t *testing.T) {
	w := &dataWriter{pos: 1<<31 - 512}
	if err := w.room(255); err != nil {
		t.Errorf("the last slot was refused: %v", err)
	}
	if err := w.room(256); !errors.Is(err, fault.Limit) {
		t.Errorf("a slot beyond 2 GiB: %v", err)
	}
	if err := copyContent(context.Background(), io.Discard, zeroReader{}); !errors.Is(err, fault.Limit) {
		t.Errorf("content without end: %v", err)
	}
}

type zeroReader struct{}

func (zeroReader) Read(p []byte) (int, error) { return len(p), nil }

func TestUpperCaseExtension(t *testing.T) {
	path := filepath.Join(t.TempDir(), "Pack.EIX")
	if err := createAt(path, sampleItems()[:3], archive.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	epk := filepath.Join(filepath.Dir(path), "Pack.EPK")
	if _, err := os.Stat(epk); err != nil {
		t.Fatal(err)
	}
	if a := openPath(t, epk, archive.Options{}); a.PrimaryName() != "Pack.EIX" {
		t.Errorf("PrimaryName = %q", a.PrimaryName())
	}
	// A pair whose cases differ is found too.
	if err := os.Rename(epk, filepath.Join(filepath.Dir(path), "Pack.epk")); err != nil {
		t.Fatal(err)
	}
	openPath(t, path, archive.Options{})
}
