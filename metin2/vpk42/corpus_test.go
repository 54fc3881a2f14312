package vpk42_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/internal/testkit/corpus"
	"pakbox/metin2/vpk42"
)

// golden is an archive of the corpus, as its manifest describes it.
type golden struct {
	File       string
	Version    int
	Passphrase *string
	Author     string
	Comment    string
	Level      int
	Algorithm  int
	Mangled    bool
	Expect     string
	Stage      string
	Kind       string
	AllKinds   []string `json:"all_kinds"`
	Problems   []struct {
		Kind string
		Name *string
	}
	Entries    []goldenEntry
	AuthorHex  *string `json:"author_hex"`
	CommentHex *string `json:"comment_hex"`
	Ticks      int64
}

type goldenEntry struct {
	Name       string
	StoredName string `json:"stored_name"`
	Size       int64
	StoredSize int64 `json:"stored_size"`
	Offset     int64
	Compressed bool
	Encrypted  bool
	Blake3     string
	SHA256     string
}

func (g *golden) options() archive.Options {
	if g.Passphrase == nil {
		return archive.Options{}
	}
	return withPassphrase(*g.Passphrase)
}

func withPassphrase(p string) archive.Options {
	return archive.Options{Passphrase: func() (string, error) { return p, nil }}
}

// goldens reads both manifests.
func goldens(tb testing.TB) (dir string, list []golden) {
	tb.Helper()
	dir = corpus.Dir(tb, "vpk42")
	for _, name := range []string{"manifest.json", "original/manifest.json"} {
		var manifest struct{ Archives []golden }
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			tb.Fatal(err)
		}
		if err := json.Unmarshal(data, &manifest); err != nil {
			tb.Fatal(err)
		}
		list = append(list, manifest.Archives...)
	}
	if len(list) < 90 {
		tb.Fatalf("the manifests name %d archives only", len(list))
	}
	return dir, list
}

func load(tb testing.TB, path string) archive.Input {
	tb.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	return input(data)
}

func input(data []byte) archive.Input {
	return archive.Input{ReaderAt: bytes.NewReader(data), Size: int64(len(data))}
}

func readEntry(a archive.Archive, i int) ([]byte, error) {
	f, err := a.OpenEntry(i)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// TestGoldenArchives opens, verifies and reads every good archive.
func TestGoldenArchives(t *testing.T) {
	dir, list := goldens(t)
	for _, g := range list {
		if g.Expect != "ok" || strings.HasPrefix(g.File, "corrupt/") {
			continue
		}
		t.Run(g.File, func(t *testing.T) {
			t.Parallel()
			a, err := vpk42.Open(context.Background(), load(t, filepath.Join(dir, g.File)), g.options())
			if err != nil {
				t.Fatal(err)
			}
			checkHeader(t, a.Header(), &g)
			checkEntries(t, a, g.Entries)
			report, err := a.Verify(context.Background(), archive.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range report.Findings {
				if f.Severity == finding.Error || fault.Kind(f.Rule) != fault.NameTooLong {
					t.Errorf("finding: %+v", f)
				}
			}
			if report.Entries != len(g.Entries) {
				t.Errorf("verified %d entries of %d", report.Entries, len(g.Entries))
			}
		})
	}
}

func checkHeader(t *testing.T, h vpk42.Header, g *golden) {
	t.Helper()
	author, comment := g.Author, g.Comment
	if g.AuthorHex != nil {
		a, _ := hex.DecodeString(*g.AuthorHex)
		c, _ := hex.DecodeString(*g.CommentHex)
		author, comment = string(a), string(c)
	}
	ticks := int64(639029198450000000)
	if g.Ticks != 0 {
		ticks = g.Ticks
	}
	if h.Author != author || h.Comment != comment || h.CreatedAtUtcTicks != ticks ||
		int(h.Version) != g.Version || int(h.CompressionLevel) != g.Level ||
		int(h.CompressionAlgorithm) != g.Algorithm || h.FileNamesMangled != g.Mangled ||
		h.IsEncrypted != (g.Passphrase != nil) || int(h.EntryCount) != len(g.Entries) {
		t.Errorf("header %+v does not fit the manifest", h)
	}
}

func checkEntries(t *testing.T, a *vpk42.Archive, want []goldenEntry) {
	t.Helper()
	if len(a.Table()) != len(want) {
		t.Fatalf("%d entries, want %d", len(a.Table()), len(want))
	}
	for i, e := range a.Table() {
		got := goldenEntry{e.FileName, e.StoredName, e.OriginalSize, e.StoredSize, e.DataOffset,
			e.IsCompressed, e.IsEncrypted, hex.EncodeToString(e.ContentHash), want[i].SHA256}
		if got != want[i] {
			t.Errorf("entry %+v, want %+v", got, want[i])
		}
		data, err := readEntry(a, i)
		if err != nil {
			t.Errorf("%s: %v", e.FileName, err)
			continue
		}
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != want[i].SHA256 {
			t.Errorf("%s: content differs", e.FileName)
		}
	}
}

// TestCorruptArchives checks that every damaged archive gets the verdict of
// the manifest, of the right kind, for the right entries, and for little
// memory.
func TestCorruptArchives(t *testing.T) {
	dir, list := goldens(t)
	checked := 0
	for _, g := range list {
		if !strings.HasPrefix(g.File, "corrupt/") {
			continue
		}
		checked++
		t.Run(g.File, func(t *testing.T) {
			before := allocated()
			defer func() {
				if n := allocated() - before; n > 16<<20 {
					t.Errorf("%d bytes were allocated", n)
				}
			}()
			a, err := vpk42.Open(context.Background(), load(t, filepath.Join(dir, g.File)), g.options())
			if g.Stage == "open" {
				if fault.KindOf(err) != fault.Kind(g.Kind) {
					t.Errorf("open: %v, want %s", err, g.Kind)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			report, err := a.Verify(context.Background(), archive.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if report.OK() != (g.Expect == "ok") {
				t.Errorf("OK = %v, want %s", report.OK(), g.Expect)
			}
			checkFindings(t, report, &g)
		})
	}
	if checked < 40 {
		t.Errorf("only %d corrupt archives", checked)
	}
}

// checkFindings wants exactly the kinds and the entries of the manifest.
func checkFindings(t *testing.T, report *archive.Report, g *golden) {
	t.Helper()
	type problem struct{ kind, entry string }
	got := map[problem]bool{}
	for _, f := range report.Findings {
		if f.Severity == finding.Error {
			got[problem{f.Rule, strings.ToValidUTF8(f.Entry, "\uFFFD")}] = true
		}
	}
	want := map[problem]bool{}
	for _, p := range g.Problems {
		name := ""
		if p.Name != nil {
			name = *p.Name
		}
		// One replacement character per run of bad bytes, or per byte.
		for strings.Contains(name, "\uFFFD\uFFFD") {
			name = strings.ReplaceAll(name, "\uFFFD\uFFFD", "\uFFFD")
		}
		want[problem{p.Kind, name}] = true
		if !slices.Contains(g.AllKinds, p.Kind) {
			t.Errorf("manifest contradicts itself about %s", p.Kind)
		}
	}
	for p := range want {
		if !got[p] {
			t.Errorf("missing finding %v", p)
		}
	}
	for p := range got {
		if !want[p] {
			t.Errorf("finding %v that the manifest does not have", p)
		}
	}
	if len(g.Problems) == 0 && g.Expect == "ok" && len(report.Findings) == 0 {
		t.Error("the flipped padding byte went unnoticed")
	}
}

// allocated is the number of bytes allocated so far.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}
