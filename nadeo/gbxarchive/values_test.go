package gbxarchive

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/finding"
	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/tree"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo"
	"pakbox/nadeo/nadeotest/mapsample"
)

// words makes bytes of texts and 32-bit words.
func words(parts ...any) []byte {
	var b []byte
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			b = append(b, p...)
		case int:
			b = binary.LittleEndian.AppendUint32(b, uint32(p))
		}
	}
	return b
}

// A value is not set if the file that is saved with it would be read as
// something else.
func TestSetReadsBack(t *testing.T) {
	lightmap, err := os.ReadFile(filepath.Join(corpus.Dir(t, "gbx"), "03043000", "223b9d46373b.Map.Gbx"))
	if err != nil {
		t.Fatal(err)
	}
	outside := words("GBX\x06\x00BUUR", 0x01026000, 0, 3,
		1, 0, 0, 1, 1, "x", 1, 0, 0, // a file outside, as node 1
		0x01026000, 0x03043000, 0, 10, 2, 1, -1, 0xFACADE01)
	for _, test := range []struct {
		data              []byte
		path, value, want string
	}{
		{outside, "externals[0].fileName", "y", ""},
		{outside, "externals[0].nodeIndex", "2", "read differently"},
		{lightmap, "lightmaps.cache.uncompressedSize", "5", "could not be read any more"},
		{lightmap, "lightmaps.version", "4", "read differently"},
	} {
		_, err := open(t, test.data, "x.Gbx").Set([]archive.Assignment{{Path: test.path, Value: test.value}})
		var e *archive.ValueError
		if (err != nil) != (test.want != "") || err != nil && (!errors.As(err, &e) || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s=%s: %v, want %q", test.path, test.value, err, test.want)
		}
	}
}

// A node of a class without chunks needs no mark at its end; one of another
// class that lacks it was cut off.
func TestVerifyEnd(t *testing.T) {
	for want, data := range map[int][]byte{
		0: words("GBX\x06\x00BUUR", 0x09041000, 0, 1, 0, 2, "ab"), // CPlugFileText
		1: words("GBX\x06\x00BUUR", 0x03043000, 0, 1, 0, 0x03043012, 2, "ab"),
	} {
		a := open(t, data, "x.Gbx")
		report, err := a.Verify(context.Background(), archive.Options{})
		if err != nil {
			t.Fatal(err)
		}
		errs := 0
		for _, f := range report.Findings {
			if f.Severity == finding.Error {
				errs++
			}
		}
		if errs != want {
			t.Errorf("class %v: %+v", a.File().Class, report.Findings)
		}
	}
}

// Verify reports every kind of finding for a map with every possible mistake.
func TestVerifyFindings(t *testing.T) {
	data, err := mapsample.Map()
	if err != nil {
		t.Fatal(err)
	}
	a := open(t, data, "a.Map.Gbx")
	set, err := a.Set([]archive.Assignment{{Path: "body.03043029.crc32", Value: "1"}})
	if err != nil {
		t.Fatal(err)
	}
	plain, err := recoded(t, a, map[string]string{"body": "uncompressed"})
	if err != nil {
		t.Fatal(err)
	}
	broken := bytes.Clone(plain)
	at := bytes.Index(broken, []byte("Items/Tree.txt")) + len("Items/Tree.txt")
	broken[at+3] ^= 0x55 // its content
	names := []string{"warning items/../Evil.Item.Gbx"}
	for _, k := range []struct {
		data []byte
		want []string
	}{
		{data, names},
		{append(bytes.Clone(data), "end"...), append([]string{"warning 3 bytes follow the compressed body"}, names...)},
		{append(bytes.Clone(plain), "more"...), append([]string{"warning 4 bytes follow the main node"}, names...)},
		{set.Data, append([]string{"error chunk 03043029: the checksum of password and UID is 5535E5DC, and 00000001 is stored"}, names...)},
		{broken, append([]string{"error items/Tree.txt"}, names...)},
	} {
		a := open(t, k.data, "a.Map.Gbx")
		r, err := a.Verify(t.Context(), archive.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Findings {
			found := strings.TrimSpace(fmt.Sprintf("%s %s %s", f.Severity, f.Entry, f.Message))
			if !slices.ContainsFunc(k.want, func(want string) bool {
				severity, rest, _ := strings.Cut(want, " ")
				return strings.HasPrefix(found, severity) && strings.Contains(found, rest)
			}) {
				t.Errorf("%d bytes: %s", len(k.data), found)
			}
		}
		if len(r.Findings) != len(k.want) || r.Entries != 10 || r.Bytes != int64(len(a.file.BodyBytes())) {
			t.Errorf("%d bytes: %+v, want %q", len(k.data), r, k.want)
		}
		facts := factMap(r.Facts)
		if facts["identical"] != true || facts["recoded"] != true || facts["body_bytes"] != r.Bytes {
			t.Errorf(`facts = %v; want facts["identical"] = true, facts["recoded"] = true, facts["body_bytes"] = %v`, facts, r.Bytes)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := a.Verify(ctx, archive.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v; want err matching context.Canceled", err)
	}
	// A real file with content that no layout covers.
	const name = "54875368723a7ffe.Replay.Gbx"
	if data, err = os.ReadFile(filepath.Join(corpus.Dir(t, "gbx-hard"), name)); err != nil {
		t.Fatal(err)
	}
	r, err := open(t, data, name).Verify(t.Context(), archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	facts := factMap(r.Facts)
	opaque := facts["opaque"].([]opaqueRegion)
	var bytes int64
	for _, o := range opaque {
		bytes += o.Bytes
	}
	if len(opaque) != 2 || bytes != 781044-781025 || facts["decoded_bytes"] != int64(781025) {
		t.Errorf(`facts = %+v; want opaque of length 2, bytes = 781044 - 781025, facts["decoded_bytes"] = int64(781025)`, facts)
	}
}

// The card names files outside as the table does, and a table of very many
// folders, or with a very long name, costs no more than its size.
func TestReferencesOnTheCard(t *testing.T) {
	table := gbx.RefTable{
		Folders: []gbx.Folder{{Name: "a", Folders: []gbx.Folder{{Name: "b"}}}, {Name: "c"}},
		External: []gbx.External{{FileName: "0"}, {FileName: "1", FolderIndex: 1}, {FileName: "2", FolderIndex: 2},
			{FileName: "3", FolderIndex: 3}, {FileName: "4", FolderIndex: 4}, {Flags: 4, ResourceIndex: 7}},
	}
	got := nadeo.References(&table)
	if want := []string{"0", "a/1", "a/b/2", "c/3", "4", "resource 7"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	const many = 400_000
	table = gbx.RefTable{Folders: make([]gbx.Folder, many), External: make([]gbx.External, many)}
	table.Folders[many-1].Name = strings.Repeat("x", 1<<20)
	for i := range table.External {
		table.External[i] = gbx.External{FileName: "f", FolderIndex: many}
	}
	size := 0
	for _, ref := range nadeo.References(&table) {
		size += len(ref)
	}
	if size > 32<<20 {
		t.Errorf("%d bytes of paths", size)
	}
}

// Some of the oldest maps keep their name in body chunk 24003012. Setting it
// there reports that the header has another name, and so does verify.
func TestSetContradicts(t *testing.T) {
	found := 0
	for path, data := range corpus.GBX(t, "24003000") {
		a := open(t, data, filepath.Base(path))
		if len(Contradictions(a.File())) > 0 {
			t.Errorf("%s contradicts itself", path)
		}
		revision, err := a.Set([]archive.Assignment{{Path: "body.24003012.mapName", Value: "Changed"}})
		var noSuch *archive.ValueError
		if errors.As(err, &noSuch) {
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		found++
		const want = `the map's name is "Changed" in chunk 03043012, but `
		if len(revision.Notes) != 1 || !strings.HasPrefix(revision.Notes[0], want) {
			t.Errorf("%s: notes %q", path, revision.Notes)
		}
		report, err := open(t, revision.Data, filepath.Base(path)).Verify(context.Background(), archive.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(report.Findings, func(f finding.Finding) bool { return strings.HasPrefix(f.Message, want) }) {
			t.Errorf("%s: verify found %+v", path, report.Findings)
		}
	}
	if found < 2 {
		t.Errorf("%d maps with chunk 24003012", found)
	}
}

// The parts of a file, each taken apart by itself, say what they say in the tree
// of the whole file.
func TestParts(t *testing.T) {
	corpusFiles(t, 9, func(path string, data []byte) {
		a := open(t, data, filepath.Base(path))
		paths, write, err := a.Parts()
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		whole, err := tree.Of(a.file)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		n := 0
		for _, above := range []*tree.Value{&whole.Header, &whole.Body} {
			for i := range above.Children {
				want, got := new(bytes.Buffer), new(bytes.Buffer)
				if err := whole.WriteValue(want, &above.Children[i], false); err != nil {
					t.Fatalf("%s: %v", path, err)
				}
				if err := write(got, n); err != nil {
					t.Fatalf("%s: %v", path, err)
				}
				if name := tree.ChildPath(above.Name, &above.Children[i]); paths[n] != name || !bytes.Equal(got.Bytes(), want.Bytes()) {
					t.Errorf("%s: part %d is %s of %d bytes, want %s of %d", path, n, paths[n], got.Len(), name, want.Len())
				}
				n++
			}
		}
		if n != len(paths) {
			t.Errorf("%s: %d parts, want %d", path, len(paths), n)
		}
	})
}

// A checksum of another UID is not a damage of a map without a password: such maps
// are played.
func TestChecksumOfAnotherUID(t *testing.T) {
	const name = "40d65b7ae78df9b0.Map.Gbx"
	data, err := os.ReadFile(filepath.Join(corpus.Dir(t, "gbx-wrong"), name))
	if err != nil {
		t.Fatal(err)
	}
	r, err := open(t, data, name).Verify(t.Context(), archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) != 1 || r.Findings[0].Severity != finding.Warning || !strings.Contains(r.Findings[0].Message, "another UID") || !r.OK() {
		t.Errorf(`r.Findings = %+v; want r.Findings of length 1, r.Findings[0].Severity = finding.Warning, r.Findings[0].Message with "another UID", r.OK() = true`, r.Findings)
	}
}

// The map in a replay and the items in a map are verified in their turn.
func TestVerifyInside(t *testing.T) {
	verify := func(f *gbx.File) string {
		t.Helper()
		data, err := f.Encode()
		if err != nil {
			t.Fatal(err)
		}
		r, err := open(t, data, "a.Gbx").Verify(t.Context(), archive.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, f := range r.Findings {
			found = append(found, fmt.Sprint(f.Severity, " ", f.Entry, ": ", f.Message))
		}
		return strings.Join(found, "\n")
	}
	read := func(folder, pattern string) []byte {
		t.Helper()
		files := corpus.Files(t, corpus.Dir(t, "gbx"), folder, pattern)
		data, err := os.ReadFile(files[len(files)-1])
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	replay := open(t, read("03093000", "*.Replay.Gbx"), "a.Replay.Gbx").file
	if got := verify(replay); got != "" {
		t.Fatalf("a sound replay: %s", got)
	}
	c, _ := gbx.Find[*game.Chunk03093002](replay.Body)
	c.Map = append(c.Map, "more"...)
	if got := verify(replay); !strings.HasPrefix(got, "warning map.Map.Gbx: ") || !strings.Contains(got, "4 bytes follow") {
		t.Errorf("a replay whose map has something behind it: %q", got)
	}
	c.Map = c.Map[:len(c.Map)-100]
	if got := verify(replay); !strings.HasPrefix(got, "error map.Map.Gbx: ") {
		t.Errorf("a replay whose map is cut off: %q", got)
	}

	item := read("2e002000", "*.Item.Gbx")
	m := mapsample.New(t)
	chunk, _ := gbx.Find[*game.Chunk03043054](m.File.Body)
	for name, k := range map[string]struct {
		content []byte
		want    string
	}{
		"Whole.Item.Gbx": {item, ""}, "Cut.Item.Gbx": {item[:len(item)-50], "error items/Cut.Item.Gbx: "}, "Text.Item.Gbx": {[]byte("text"), "warning items/Text.Item.Gbx: "},
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			w := zip.NewWriter(&b)
			f, err := w.Create("Items/" + name)
			if err != nil {
				t.Fatal(err)
			}
			f.Write(k.content)
			w.Close()
			chunk.EmbeddedZip = b.Bytes()
			if got := verify(m.File); got != k.want && (k.want == "" || !strings.HasPrefix(got, k.want)) {
				t.Errorf("%s: %q, want %q", name, got, k.want)
			}
		})
	}
}

// A vector can be set as a dump prints it.
func TestSetVector(t *testing.T) {
	data, err := os.ReadFile("../../samples/trackmania/Sample.Map.Gbx")
	if err != nil {
		t.Fatal(err)
	}
	revision, err := open(t, data, "x.Map.Gbx").Set([]archive.Assignment{{Path: "0304301F.size", Value: "(16, 8, 24)"}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := open(t, revision.Data, "x.Map.Gbx").Get("0304301F.size")
	if err != nil || len(got) != 1 || !strings.Contains(got[0].Text, "16") || !strings.Contains(got[0].Text, "24") {
		t.Errorf("Get = %v, %v; want (16, 8, 24)", got, err)
	}
	if _, err := open(t, data, "x.Map.Gbx").Set([]archive.Assignment{{Path: "0304301F.size", Value: "(16, 8)"}}); err == nil {
		t.Error("a vector with too few numbers was set")
	}
}
