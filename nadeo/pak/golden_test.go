package pak

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/gbx/classid"
	"pakbox/internal/testkit/corpus"
)

// golden is one pack of the corpus as its manifest describes it.
type golden struct {
	File         string
	Version      uint32
	BaseKey      string `json:"base_key"`
	Key          string
	Expect       string
	DecryptFlags uint32         `json:"decrypt_flags"`
	Public       map[string]any `json:"public_header"`
	Folders      [][2]any
	Files        []goldenFile
	Metadata     map[string]string
	MetaOffset   uint32 `json:"meta_offset"`
	DataOffset   uint32 `json:"data_offset"`
}

type goldenFile struct {
	Path           string
	FolderIndex    int32 `json:"folder_index"`
	Name           string
	Size           uint32
	CompressedSize uint32 `json:"compressed_size"`
	Offset         uint32
	ClassID        string `json:"class_id"`
	Flags          string
	SHA256         string
	Events         []goldenEvent `json:"ivxor_events"`
}

// goldenEvent is [offset, word] in the manifest.
type goldenEvent struct {
	offset int64
	word   uint32
}

func (e *goldenEvent) UnmarshalJSON(b []byte) error {
	var word string
	if err := json.Unmarshal(b, &[]any{&e.offset, &word}); err != nil {
		return err
	}
	w, err := strconv.ParseUint(word, 16, 32)
	e.word = uint32(w)
	return err
}

// replay is a walker that knows the events beforehand.
func replay(events []goldenEvent) NodeWalker {
	return func(r io.Reader, size int64, _ uint32, node func(classid.ID) error) (int64, error) {
		at := int64(0)
		for _, e := range events {
			if _, err := io.CopyN(io.Discard, r, e.offset-at); err != nil {
				return 0, err
			}
			at = e.offset
			if err := node(classOf()[e.word]); err != nil {
				return 0, err
			}
		}
		return size, nil
	}
}

func goldens(t testing.TB) (dir string, packs []golden) {
	dir = corpus.Dir(t, "nadeopak")
	var manifest struct{ Paks []golden }
	data, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &manifest); err != nil {
		t.Fatal(err)
	}
	return dir, manifest.Paks
}

func (g *golden) read(t testing.TB, dir string) []byte {
	data, err := os.ReadFile(filepath.Join(dir, g.File))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func (g *golden) key(t testing.TB) *Key {
	key, err := KeyFromBase(g.BaseKey)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.ToUpper(hex.EncodeToString(key[:])); got != g.Key {
		t.Fatalf("%s: key %s, want %s", g.File, got, g.Key)
	}
	return &key
}

func sha(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func hexID(t testing.TB, s string, bits int) uint64 {
	v, err := strconv.ParseUint(s, 16, bits)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestGoldenPacks(t *testing.T) {
	dir, packs := goldens(t)
	entries := 0
	for _, g := range packs {
		if g.Expect != "ok" {
			continue
		}
		data := g.read(t, dir)
		p, err := OpenPack(bytes.NewReader(data), int64(len(data)), Options{Key: g.key(t)})
		if err != nil {
			t.Errorf("%s: %v", g.File, err)
			continue
		}
		if p.Version != g.Version || uint32(p.DecryptFlags) != g.DecryptFlags {
			t.Errorf("%s: version %d, flags %d", g.File, p.Version, p.DecryptFlags)
		}
		if g.Version <= 3 && (p.GbxHeadersStart != g.MetaOffset || p.DataStart != g.DataOffset) {
			t.Errorf("%s: offsets %d and %d", g.File, p.GbxHeadersStart, p.DataStart)
		}
		if !p.md5Holds {
			t.Logf("%s: headerMD5 does not hold", g.File)
		}
		g.checkPublic(t, p)
		if len(p.Folders) != len(g.Folders) || len(p.Files) != len(g.Files) {
			t.Errorf("%s: %d folders, %d files", g.File, len(p.Folders), len(p.Files))
			continue
		}
		for i, f := range g.Folders {
			if float64(p.Folders[i].Parent) != f[0] || p.Folders[i].Name != f[1] {
				t.Errorf("%s: folder %d is %+v", g.File, i, p.Folders[i])
			}
		}
		for i, f := range g.Files {
			g.checkFile(t, p, i, f)
			entries++
		}
	}
	t.Logf("%d entries", entries)
}

func (g *golden) checkPublic(t *testing.T, p *Pack) {
	for field, got := range map[string]string{
		"comment": p.Comment, "manialink": p.ManialinkURL, "download": p.DownloadURL, "xml": p.XML,
		"title": p.TitleID, "subdir": p.UsageSubDir, "build": p.CreationBuildInfo, "url": p.AuthorURL,
	} {
		if want, ok := g.Public[field]; ok && want != got {
			t.Errorf("%s: %s is %q, want %q", g.File, field, got, want)
		}
	}
	if want, ok := g.Public["included"].([]any); ok {
		if len(want) != len(p.IncludedPacks) {
			t.Errorf("%s: %d included packs", g.File, len(p.IncludedPacks))
		}
		for i := range p.IncludedPacks {
			if p.IncludedPacks[i].Name != want[i] {
				t.Errorf("%s: included pack %q", g.File, p.IncludedPacks[i].Name)
			}
		}
	}
}

func (g *golden) checkFile(t *testing.T, p *Pack, i int, want goldenFile) {
	f := p.Files[i]
	if f.Folder != want.FolderIndex || f.Name != want.Name || f.UncompressedSize != want.Size ||
		f.CompressedSize != want.CompressedSize || f.Offset != want.Offset ||
		uint64(f.ClassID) != hexID(t, want.ClassID, 32) || uint64(f.Flags) != hexID(t, want.Flags, 64) {
		t.Errorf("%s: file %d is %+v, want %+v", g.File, i, f, want)
	}
	if p.Path(i) != slashed(want.Path) {
		t.Errorf("%s: path %q, want %q", g.File, p.Path(i), want.Path)
	}
	p.Nodes = replay(want.Events)
	data, err := p.Decode(i)
	if err != nil || sha(data) != want.SHA256 {
		t.Errorf("%s: %s: %d bytes, %v", g.File, want.Path, len(data), err)
	}
	r, err := p.Reader(i)
	if err != nil {
		t.Errorf("%s: %v", g.File, err)
		return
	}
	if data, err = io.ReadAll(r); err != nil || sha(data) != want.SHA256 {
		t.Errorf("%s: %s: reader gave %d bytes, %v", g.File, want.Path, len(data), err)
	}
}

func TestGoldenFailures(t *testing.T) {
	dir, packs := goldens(t)
	want := map[string]fault.Kind{
		"header_md5_error": fault.HashMismatch,
		"truncated":        fault.Truncated,
		"not_a_pak":        fault.NotFormat,
		"wrong_key_or_md5": fault.WrongKey,
	}
	for _, g := range packs {
		if g.Expect == "ok" {
			continue
		}
		data := g.read(t, dir)
		_, err := OpenPack(bytes.NewReader(data), int64(len(data)), Options{Key: g.key(t)})
		if fault.KindOf(err) != want[g.Expect] || want[g.Expect] == "" {
			t.Errorf("%s: %v, want %s", g.File, err, want[g.Expect])
		}
	}
}

// The contents checksum of a pack that nobody here can open is checked, and one
// changed byte is noticed, wherever behind the checksum it lies.
func TestVerifyLocked(t *testing.T) {
	dir, packs := goldens(t)
	checked := 0
	for _, g := range packs {
		if g.Expect != "ok" {
			continue
		}
		verify := func(data []byte) *archive.Report {
			report, err := Format{}.VerifyLocked(t.Context(), archive.Input{ReaderAt: bytes.NewReader(data), Size: int64(len(data))}, archive.Options{})
			if err != nil {
				t.Fatalf("%s: %v", g.File, err)
			}
			return report
		}
		data := g.read(t, dir)
		report := verify(data)
		if (report == nil) != (g.Version < 6) {
			t.Errorf("%s: report = %+v; want report is nil exactly if g.Version is below 6", g.File, report)
		}
		if report == nil {
			continue
		}
		checked++
		if report.Damaged() || len(report.Findings) > 0 || report.Bytes != int64(len(data))-44 {
			t.Errorf("%s: report = %+v; want report.Damaged() = false, len(report.Findings) at most 0, report.Bytes = int64(len(data)) - 44", g.File, report)
		}
		for _, at := range []int{12, len(data) / 2, len(data) - 1} {
			bad := bytes.Clone(data)
			bad[at] ^= 1
			if report := verify(bad); !report.Damaged() || report.Findings[0].Rule != string(fault.HashMismatch) {
				t.Errorf("%s: byte %d changed: %+v", g.File, at, report)
			}
		}
	}
	if checked < 8 {
		t.Errorf("%d packs have a contents checksum", checked)
	}
}

// Without a walker, or with one that gives up, an encrypted GBX yields what is
// certain: a true beginning, and all of it where nothing can have been altered.
func TestGBXWithoutNodes(t *testing.T) {
	dir, packs := goldens(t)
	whole, parts := 0, 0
	for _, g := range packs {
		if g.Expect != "ok" {
			continue
		}
		data := g.read(t, dir)
		p, err := OpenPack(bytes.NewReader(data), int64(len(data)), Options{Key: g.key(t)})
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range g.Files {
			p.Nodes = replay(f.Events)
			want, err := p.Decode(i)
			if err != nil {
				t.Fatal(err)
			}
			p.Nodes = nil
			got, err := p.Decode(i)
			if err == nil {
				if !bytes.Equal(got, want) {
					t.Fatalf("%s: %s: wrong bytes without an error", g.File, f.Path)
				}
				whole++
				continue
			}
			parts++
			if fault.KindOf(err) != fault.UnknownClass || !bytes.HasPrefix(want, got) || len(got) < 256 {
				t.Errorf("%s: %s: %d bytes, %v", g.File, f.Path, len(got), err)
			}
			if e := err.(*fault.Error); e.Entry != p.Path(i) || e.Offset != int64(len(got)) {
				t.Errorf("%s: error names entry %q at offset %d, want the end of the %d certain bytes", f.Path, e.Entry, e.Offset, len(got))
			}
		}
	}
	t.Logf("%d entries whole, %d in part", whole, parts)
	if parts == 0 {
		t.Error("no entry needed its nodes")
	}
}

func TestGoldenMetadata(t *testing.T) {
	dir, packs := goldens(t)
	records := 0
	for _, g := range packs {
		if g.Expect != "ok" {
			continue
		}
		data := g.read(t, dir)
		p, err := OpenPack(bytes.NewReader(data), int64(len(data)), Options{Key: g.key(t)})
		if err != nil {
			t.Fatal(err)
		}
		list, err := p.Metadata()
		if err != nil || len(list) != len(g.Metadata) {
			t.Errorf("%s: %d records of %d, %v", g.File, len(list), len(g.Metadata), err)
		}
		for _, rec := range list {
			if sha(rec.Data) != g.Metadata[strconv.Itoa(rec.File)] {
				t.Errorf("%s: metadata of file %d is wrong", g.File, rec.File)
			}
			records++
		}
	}
	t.Logf("%d records", records)
}
