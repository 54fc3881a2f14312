package vpk42_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"pakbox/archive"
	"pakbox/finding"
	"pakbox/metin2/vpk42"
)

// largeArchive writes an archive of 32 files of 1 MiB,
// with bytes of unknown meaning behind the table.
func largeArchive(t *testing.T) (path string, contents map[string][]byte) {
	random := rand.NewChaCha8([32]byte{})
	contents = map[string][]byte{}
	var items []archive.Item
	for i := range 32 {
		data := make([]byte, 1<<20)
		random.Read(data)
		name := fmt.Sprintf("f%02d", i)
		contents[name] = data
		items = append(items, item(name, data))
	}
	path = filepath.Join(t.TempDir(), "large.vpk")
	data := append(write(t, items, vpk42.WriteOptions{Version: 2, Algorithm: vpk42.LZ4, Level: 3, Mangle: true}), "bytes of unknown meaning"...)
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return path, contents
}

// editFile edits an archive where it lies, and returns how many bytes of the old file
// differ and how many were added.
func editFile(t *testing.T, path string, edits ...archive.Edit) (differ, added int) {
	t.Helper()
	before, _ := os.ReadFile(path)
	in, closer, err := archive.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	a, err := vpk42.Open(context.Background(), in, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	stage, err := archive.NewStage(path, true)
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Abort()
	if err := a.Edit(context.Background(), stage, edits, archive.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := stage.Commit(); err != nil {
		t.Fatal(err)
	}
	for i := range a.Table() { // who has the old archive open, goes on
		if _, err := readEntry(a, i); err != nil {
			t.Errorf("an old reader: %v", err)
		}
	}
	after, _ := os.ReadFile(path)
	for i := range min(len(before), len(after)) {
		if before[i] != after[i] {
			differ++
		}
	}
	return differ, len(after) - len(before)
}

// sameContents wants the archive to have just these files, and no finding except for
// the bytes of unknown meaning.
func sameContents(t *testing.T, path string, want map[string][]byte) {
	t.Helper()
	in, closer, err := archive.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	a, err := vpk42.Open(context.Background(), in, archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Table()) != len(want) {
		t.Errorf("%d entries, want %d", len(a.Table()), len(want))
	}
	for name, data := range want {
		if got, err := fs.ReadFile(a, name); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s: err = %v; want no error, got equal to data", name, err)
		}
	}
	report, err := a.Verify(context.Background(), archive.Options{})
	if err != nil {
		t.Fatal(err)
	}
	unknown := 0
	for _, f := range report.Findings {
		if f.Severity == finding.Note {
			continue
		}
		if unknown++; f.Rule != "trailing_data" && f.Rule != "nonzero_trailer" {
			t.Errorf(`f = %+v; want f.Rule = "trailing_data" or f.Rule = "nonzero_trailer"`, f)
		}
	}
	if unknown != 2 {
		t.Errorf("%d findings about the bytes behind the table", unknown)
	}
}

// A small change of a large archive writes the change, a table and 16 bytes of the header.
func TestAppend(t *testing.T) {
	path, contents := largeArchive(t)
	change := func(name, data string, n int) {
		t.Helper()
		differ, added := editFile(t, path, put(name, []byte(data)))
		contents[name] = []byte(data)
		if differ > 16 || added < len(data) || added > n {
			t.Errorf("%s: %d bytes differ, %d were added", name, differ, added)
		}
		sameContents(t, path, contents)
	}
	change("f07", "abc", 20<<10)
	change("f07", "abd", 20<<10)
	change("new", "new", 20<<10)

	differ, added := editFile(t, path, archive.Edit{Remove: "f01"}, archive.Edit{Rename: &archive.Rename{From: "f02", To: "sub/f02"}})
	contents["sub/f02"] = contents["f02"]
	delete(contents, "f01")
	delete(contents, "f02")
	if differ > 16 || added > 20<<10 {
		t.Errorf("remove and rename: %d bytes differ, %d were added", differ, added)
	}
	sameContents(t, path, contents)

	// Where a third would be unused, the archive is written anew.
	big := bytes.Repeat([]byte{1}, 100)
	var edits []archive.Edit
	for i := 8; i < 20; i++ {
		name := fmt.Sprintf("f%02d", i)
		edits, contents[name] = append(edits, put(name, big)), big
	}
	if _, added := editFile(t, path, edits...); added > -12<<20 {
		t.Errorf("%d bytes were added to an archive with much that is unused", added)
	}
	sameContents(t, path, contents)
	raw, _ := os.ReadFile(path)
	if end := binary.LittleEndian.Uint64(raw[10:]); end > 19<<20 {
		t.Errorf("the table is at %d", end)
	}
}
