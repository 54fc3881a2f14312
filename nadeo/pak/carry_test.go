package pak

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/finding"
)

// ownRecord is a record of version 3 that the content of no toy gives.
func ownRecord(user string) []byte {
	data := []byte("GBX\x06\x00BUUR\x00\xa0\x07\x03")
	data = binary.LittleEndian.AppendUint32(data, uint32(len(user)))
	return append(append(data, user...), 9, 0, 0, 0)
}

// packOfRecords is a pack of version 3: a.Gbx has a record of its own, b.Gbx has none, and
// the record of c.Gbx repeats its header.
func packOfRecords(t *testing.T, version string) *Archive {
	t.Helper()
	gbx := toys()["many3.Gbx"]
	a := create(t, map[string][]byte{"a.Gbx": gbx, "b.Gbx": gbx, "c.Gbx": gbx, "d.txt": []byte("d")}, map[string]string{"version": version})
	record := ownRecord("what the game shows")
	if version == "18" {
		record = []byte("what the game shows")
	}
	return setValues(t, a, "a.Gbx/metadata="+hexOrNull(record), "b.Gbx/metadata=null")
}

// setValues sets values and opens the pack again.
func setValues(t *testing.T, a *Archive, values ...string) *Archive {
	t.Helper()
	revision, err := a.Set(assignmentsOf(values))
	if err != nil {
		t.Fatal(err)
	}
	out := openBytes(t, revision.Data, testKeys)
	out.pack.Nodes = a.pack.Nodes
	report, err := out.Verify(t.Context(), archive.Options{})
	if err != nil || finding.Worst(report.Findings) == finding.Error || finding.Worst(report.Findings) == finding.Warning || report.Unchecked > 0 {
		t.Errorf("Verify() = %+v, %v, want only notes", report, err)
	}
	return out
}

func assignmentsOf(values []string) (list []archive.Assignment) {
	for _, v := range values {
		path, value, _ := strings.Cut(v, "=")
		list = append(list, archive.Assignment{Path: path, Value: value})
	}
	return list
}

// recordsOf returns the metadata records as text, by path.
func recordsOf(t *testing.T, a *Archive) map[string]string {
	t.Helper()
	records, err := a.pack.Metadata()
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, r := range records {
		texts[a.pack.paths[r.File]] = string(r.Data)
	}
	return texts
}

// convertPack makes a pack of another version of all entries.
func convertPack(t *testing.T, items []archive.Item, version string) *Archive {
	t.Helper()
	path := filepath.Join(t.TempDir(), "Test.Pack.Gbx")
	save(t, path, func(stage *archive.Stage) error {
		return Format{Nodes: walkToy}.Create(t.Context(), stage, items, archive.CreateOptions{
			Options: archive.Options{Keys: testKeys}, Params: map[string]string{"version": version},
		})
	})
	return reopen(t, path)
}

// Metadata survives conversion to each version, edits, and extraction into a folder from
// which a new pack is made. Formerly it was replaced by the headers of the entries.
func TestMetadataIsKept(t *testing.T) {
	for _, version := range []string{"3", "18"} {
		a := packOfRecords(t, version)
		want := recordsOf(t, a)
		if !strings.HasSuffix(strings.TrimSuffix(want["a.Gbx"], "\x09\x00\x00\x00"), "what the game shows") || len(want) != 2 || want["c.Gbx"] == "" {
			t.Fatalf("version %s: records = %q", version, want)
		}
		check := func(what string, got map[string]string) {
			t.Helper()
			same := len(got) == len(want)
			for name, record := range want {
				same = same && got[name] == record
			}
			if !same {
				t.Errorf("version %s: %s: records = %q, want %q", version, what, got, want)
			}
		}
		check("convert", recordsOf(t, convertPack(t, archive.Items(a), version)))
		other := map[string]string{"3": "18", "18": "3"}[version]
		there := convertPack(t, archive.Items(a), other)
		check("convert there and back", recordsOf(t, convertPack(t, archive.Items(there), version)))

		replaced := item("a.Gbx", toys()["many2.Gbx"])
		check("put", recordsOf(t, edited(t, a, testKeys, nil, archive.Edit{Put: &replaced})))
		moved := recordsOf(t, edited(t, a, testKeys, nil, archive.Edit{Rename: &archive.Rename{From: "a.Gbx", To: "z/a.Gbx"}}))
		moved["a.Gbx"] = moved["z/a.Gbx"]
		delete(moved, "z/a.Gbx")
		check("mv", moved)
		empty := create(t, map[string][]byte{"x.txt": []byte("x")}, map[string]string{"version": version})
		var puts []archive.Edit
		for _, it := range archive.Items(a) {
			puts = append(puts, archive.Edit{Put: &it})
		}
		check("put into another pack", recordsOf(t, edited(t, empty, testKeys, nil, puts...)))

		dir := t.TempDir()
		if err := archive.Extract(t.Context(), a, dir, archive.ExtractOptions{}); err != nil {
			t.Fatal(err)
		}
		fromTree := convertPack(t, itemsIn(t, dir), version)
		check("create from the extracted tree", recordsOf(t, fromTree))
		if len(fromTree.Entries()) != 4 {
			t.Errorf("version %s: the new pack has %d entries, want 4", version, len(fromTree.Entries()))
		}
		plain := create(t, map[string][]byte{"a.Gbx": toys()["many3.Gbx"], "b.Gbx": toys()["many3.Gbx"], "c.Gbx": toys()["many3.Gbx"], "d.txt": []byte("d")}, map[string]string{"version": version})
		list := fileItem(t, dir, AnnotationsName)
		check("put the list of records", recordsOf(t, edited(t, plain, testKeys, nil, archive.Edit{Put: &list})))
	}
}

func itemsIn(t *testing.T, dir string) (items []archive.Item) {
	t.Helper()
	names, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		items = append(items, fileItem(t, dir, n.Name()))
	}
	return items
}

func fileItem(t *testing.T, dir, name string) archive.Item {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return item(name, data)
}

// A pack whose records repeat the headers of its entries needs no list of records.
func TestNoAnnotations(t *testing.T) {
	for _, version := range []string{"3", "18"} {
		a := create(t, map[string][]byte{"a.Gbx": toys()["many3.Gbx"], "b.txt": []byte("b")}, map[string]string{"version": version})
		if name, data, err := a.Annotations(); name != "" || err != nil {
			t.Errorf("version %s: Annotations() = %q, %s, %v, want none", version, name, data, err)
		}
	}
}

// A list of records that a stranger has changed gives a typed error.
func TestBadAnnotations(t *testing.T) {
	gbx := toys()["many3.Gbx"]
	for _, text := range []string{
		"", "{", "[]", `{"schema":"other"}`,
		`{"schema":"pakbox.nadeopak-metadata/1","version":3,"records":{"a.Gbx":"0"}}`,
		`{"schema":"pakbox.nadeopak-metadata/1","version":3,"records":{"a.Gbx":"abcd"}}`,
		`{"schema":"pakbox.nadeopak-metadata/1","version":18,"records":{"a.Gbx":"` + strings.Repeat("00", 0x10000) + `"}}`,
	} {
		stage, err := archive.NewStage(filepath.Join(t.TempDir(), "x.pak"), false)
		if err != nil {
			t.Fatal(err)
		}
		err = Format{Nodes: walkToy}.Create(t.Context(), stage, []archive.Item{item("a.Gbx", gbx), item(AnnotationsName, []byte(text))},
			archive.CreateOptions{Options: archive.Options{Keys: testKeys}})
		stage.Abort()
		if fault.KindOf(err) != fault.Corrupt {
			t.Errorf("%.60s: %v, want the kind %s", text, err, fault.Corrupt)
		}
	}
}

// New packs of version 18 have no records without content.
func TestNoEmptyRecords(t *testing.T) {
	gbx := []byte("GBX\x06\x00BUUR\x00\xa0\x07\x03\x00\x00\x00\x00\x09\x00\x00\x00\x00")
	if got := metadataFor(18, &File{Flags: PublishFid}, gbx); got != nil {
		t.Errorf("metadataFor(no user data) = %q, want none", got)
	}
}

// Verify reports a record that differs from the header of its entry.
func TestVerifyComparesRecords(t *testing.T) {
	report, err := packOfRecords(t, "3").Verify(t.Context(), archive.Options{})
	if err != nil || len(report.Findings) != 1 || report.Findings[0].Severity != finding.Note || report.Findings[0].Entry != "a.Gbx" ||
		!strings.Contains(report.Findings[0].Message, "other user data (19 bytes)") {
		t.Errorf("Verify() = %+v, %v, want a note about a.Gbx", report.Findings, err)
	}
}

// Each fact that can be set is read back, and the data of entries stays as it is stored.
func TestSetFacts(t *testing.T) {
	a := create(t, map[string][]byte{"a.Gbx": toys()["many3.Gbx"], "b.txt": noise(3000)}, map[string]string{"encrypt": "true"})
	values := []string{
		"title_id=A@b", "author_login=me", "author_nick=$f00Ä", "author_zone=World|Europe", "author_extra=x", "comment=words", "usage_sub_dir=Skins",
		"build=date=2026-11-19", "manialink_url=m", "download_url=https://example.org/x", "xml=<a/>", "created=2026-11-19T12:30:00Z",
		"a.Gbx/class_id=0301B000", "a.Gbx/flags=" + strings.ToUpper(hexFlags(a, 0)), "b.txt/metadata=0102",
	}
	b := setValues(t, a, values...)
	for _, v := range values {
		path, want, _ := strings.Cut(v, "=")
		got, err := b.Get(path)
		if err != nil || len(got) != 1 || got[0].Text != want {
			t.Errorf("Get(%s) = %+v, %v, want %s", path, got, err, want)
		}
	}
	for i := range a.pack.Files {
		if !bytes.Equal(a.pack.slot(i), b.pack.slot(i)) {
			t.Errorf("the stored data of entry %d changed", i)
		}
	}
	back := setValues(t, b, "created=null", "author_nick=")
	if back.pack.CreationDate != 0 || back.pack.Header.Author.Nick != "" {
		t.Errorf("CreationDate = %d, Nick = %q, want none", back.pack.CreationDate, back.pack.Header.Author.Nick)
	}
}

func hexFlags(a *Archive, i int) string {
	v, _ := a.Get(a.pack.paths[i] + "/flags")
	var text string
	_ = json.Unmarshal(v[0].JSON, &text)
	return text
}

// Setting a value to itself leaves the file as it is, and a wrong value or path is
// refused with the path.
func TestSetFactsRefuses(t *testing.T) {
	a := create(t, map[string][]byte{"a.Gbx": toys()["many3.Gbx"]}, nil)
	revision, err := a.Set(assignmentsOf([]string{"comment=", "a.Gbx/class_id=0307A000"}))
	data, _ := io.ReadAll(io.NewSectionReader(a.pack.ra, 0, a.pack.size))
	if err != nil || len(revision.Changes) != 0 || !bytes.Equal(revision.Data, data) {
		t.Errorf("Set(same values) = %+v, %v, want no change", revision.Changes, err)
	}
	old := create(t, map[string][]byte{"a.Gbx": toys()["many3.Gbx"]}, map[string]string{"version": "3"})
	for _, test := range []struct {
		of    *Archive
		value string
	}{
		{a, "nothing=1"}, {a, "version=3"}, {a, "a.Gbx/size=3"}, {a, "x.Gbx/flags=0"}, {a, "a.Gbx/flags=0"}, {a, "a.Gbx/flags=x"},
		{a, "a.Gbx/class_id=123456789"}, {a, "a.Gbx/metadata=0"}, {a, "created=yesterday"}, {a, "included_packs[0].name=x"}, {a, "author_url=x"},
		{old, "comment=x"}, {old, "created=2026-11-19"}, {old, "a.Gbx/metadata=0102"},
	} {
		if _, err := test.of.Set(assignmentsOf([]string{test.value})); err == nil || fault.KindOf(err) != fault.Usage {
			t.Errorf("Set(%s) = %v, want an error of kind usage", test.value, err)
		}
	}
}

// The settings of a new pack are facts of its header, and a date in another form is
// refused with the name of the setting.
func TestCreateWithFacts(t *testing.T) {
	files := map[string][]byte{"a.txt": []byte("a")}
	a := create(t, files, map[string]string{"author-nick": "$f00Ä", "author-zone": "World", "author-extra": "e", "manialink-url": "m", "download-url": "d", "xml": "<a/>", "build": "b", "created": "2026-11-19"})
	for path, want := range map[string]string{
		"author_nick": "$f00Ä", "author_zone": "World", "author_extra": "e", "manialink_url": "m", "download_url": "d", "xml": "<a/>", "build": "b", "created": "2026-11-19T00:00:00Z",
	} {
		if got, err := a.Get(path); err != nil || got[0].Text != want {
			t.Errorf("Get(%s) = %+v, %v, want %s", path, got, err, want)
		}
	}
	stage, err := archive.NewStage(filepath.Join(t.TempDir(), "x.pak"), false)
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Abort()
	err = Format{}.Create(t.Context(), stage, []archive.Item{item("a.txt", nil)}, archive.CreateOptions{Params: map[string]string{"created": "yesterday"}})
	if fault.KindOf(err) != fault.Usage || !strings.Contains(err.Error(), "created") {
		t.Errorf("Create(created=yesterday) = %v, want an error of kind usage", err)
	}
}
