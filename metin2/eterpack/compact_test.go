package eterpack

import (
	"bytes"
	"fmt"
	"os"
	"testing"

	"pakbox/archive"
	"pakbox/internal/lib/span"
)

// However often a file of a pack is replaced, at most a third of the data file is unused,
// or a little of a small one; the index does not grow either. All else stays as it is, also
// for a reader that has opened the pack before.
func TestUnusedIsBounded(t *testing.T) {
	items := []archive.Item{item("a", noise(900_000)), item("b", text(500_000)), item("same", noise(900_000)), item("c", noise(300_000))}
	path := create(t, items, archive.CreateOptions{})
	fresh := openPath(t, path, archive.Options{})
	size, records := fresh.epk.Size, len(fresh.index.records)
	before, want := fresh, listing(t, fresh)
	var most int64
	compacted := 0
	for i := range 40 {
		content := bytes.Repeat([]byte{byte(i), 'x', byte(i >> 1)}, 100_000+i*7)
		old := openPath(t, path, archive.Options{})
		edit(t, path, archive.CreateOptions{Params: map[string]string{"eterpack-type": "0"}}, put("b", content))
		a := openPath(t, path, archive.Options{})
		if a.epk.Size < old.epk.Size {
			compacted++
			wantClean(t, a)
		}
		most = max(most, a.epk.Size)
		want["b"] = string(content)
		if got := listing(t, a); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("edit %d: other content", i)
		}
		if n := len(a.index.records); n > records+10 {
			t.Fatalf("edit %d: %d records, %d at the beginning", i, n, records)
		}
	}
	if limit := size + size/2 + spareUnused + 2*301_000; most > limit {
		t.Errorf("the data file grew from %d to %d bytes, want at most %d", size, most, limit)
	}
	if compacted < 2 {
		t.Errorf("compacted %d times", compacted)
	}
	if got := listing(t, before)["b"]; got != string(text(500_000)) {
		t.Error("a reader of the first index sees other data")
	}
}

// A small change to a large pack writes little: the old data stays where it is.
func TestSmallChangeIsAppended(t *testing.T) {
	items := []archive.Item{item("small", []byte("old"))}
	for i := range 12 {
		items = append(items, item(fmt.Sprint("large", i), noise(1<<20)))
	}
	path := create(t, items, archive.CreateOptions{})
	data := withExt(path, dataExt)
	was, err := os.Stat(data)
	if err != nil {
		t.Fatal(err)
	}
	old := readFile(t, data)
	edit(t, path, archive.CreateOptions{}, put("small", []byte("new")))
	now, err := os.Stat(data)
	if err != nil {
		t.Fatal(err)
	}
	if !os.SameFile(was, now) || now.Size()-was.Size() > slotUnit || !bytes.HasPrefix(readFile(t, data), old) {
		t.Errorf("%d bytes became %d, the same file: %v", was.Size(), now.Size(), os.SameFile(was, now))
	}
}

// Parts that touch or overlap are one, and move as one.
func TestJoined(t *testing.T) {
	got := joined([]span.Span{{Start: 900, End: 950}, {Start: 100, End: 200}, {Start: 200, End: 300}, {Start: 120, End: 130}, {Start: 910, End: 990}})
	if fmt.Sprint(got) != "[{100 300} {900 990}]" {
		t.Errorf(`got = %v; want fmt.Sprint(got) = "[{100 300} {900 990}]"`, got)
	}
}
