package scan_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pakbox/index"
	"pakbox/index/scan"
	"pakbox/index/sqlite"
)

// world is a small collection in the working folder: samples, files of no format,
// links, and names that sort unlike their bytes.
func world(t *testing.T) {
	t.Helper()
	dir := filepath.Join("..", "..", "samples")
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join(dir, name))
		must(t, err)
		return data
	}
	pair := map[string][]byte{"w/pair/hello.eix": read("hello.eix"), "w/pair/hello.epk": read("hello.epk")}
	pack, picture := read("Sample.Pack.Gbx"), read("simutrans/tram.png")
	packSize = len(pack)
	t.Chdir(t.TempDir())
	for name, data := range pair {
		write(t, name, data)
	}
	write(t, "w/Sample.Pack.Gbx", pack)
	write(t, "w/tram.png", picture)
	write(t, "w/d/one", []byte("1"))
	write(t, "w/d-two", []byte("22"))
	write(t, "w/d.three", []byte("333"))
	write(t, "w/empty", nil)
	write(t, "other/linked", []byte("4444"))
	for link, to := range map[string]string{"w/link": "../other/linked", "w/nowhere": "../none", "w/folder": "../other", "to-w": "w"} {
		must(t, os.Symlink(to, link))
	}
}

func tableNamed(name string) *index.Table {
	t, _ := index.TableNamed(name)
	return t
}

// packSize is the size of the sample of a pack.
var packSize int

// scanned is what a scan did, in short.
func scanned(t *testing.T, o scan.Options, roots ...string) string {
	t.Helper()
	db, err := sqlite.Open(context.Background(), "index.sqlite")
	must(t, err)
	defer db.Close()
	r, err := scan.Run(context.Background(), db, roots, o)
	must(t, err)
	s := fmt.Sprintf("%d files of %d, %d unchanged, %d read, %d reused, %d removed, %d kept", r.Files, r.Bytes, r.Unchanged, r.Read, r.Reused, r.Removed, r.Absent)
	for _, p := range r.Problems {
		s += fmt.Sprintf(", %s (%v)", p.Path, p.Indexed)
	}
	return s
}

// indexed are the files of the file system that are in the index.
func indexed(t *testing.T) string {
	t.Helper()
	var list []string
	for _, line := range content(t, "index.sqlite")["files"] {
		var f struct {
			Parent any
			Path   string
		}
		must(t, json.Unmarshal([]byte(line), &f))
		if f.Parent == nil {
			list = append(list, f.Path)
		}
	}
	return strings.Join(list, " ")
}

const wholeWorld = "w/Sample.Pack.Gbx w/d-two w/d.three w/d/one w/empty w/link w/pair/hello.eix w/pair/hello.epk w/tram.png"

// A scan reads only changed files, and reports its steps.
func TestSteps(t *testing.T) {
	world(t)
	all := packSize + 16551 + 2 + 3 + 1 + 0 + 4 + 236 + 1280
	expect := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
	}
	ok := scan.Options{}
	expect("first", scanned(t, ok, "w"), fmt.Sprintf("9 files of %d, 0 unchanged, 9 read, 0 reused, 0 removed, 0 kept", all))
	expect("first", indexed(t), wholeWorld)
	expect("again", scanned(t, ok, "w"), fmt.Sprintf("9 files of %d, 9 unchanged, 0 read, 0 reused, 0 removed, 0 kept", all))
	expect("all of it", scanned(t, scan.Options{Rehash: true}, "w"), fmt.Sprintf("9 files of %d, 0 unchanged, 9 read, 1 reused, 0 removed, 0 kept", all))
	for _, x := range []index.Indexer{{Check: true}, {Lint: true}, {Verify: true}, {}} {
		expect("asked for more", scanned(t, scan.Options{Indexer: x}, "w"), fmt.Sprintf("9 files of %d, 0 unchanged, 9 read, 0 reused, 0 removed, 0 kept", all))
	}
	expect("roots in roots", scanned(t, ok, "w/d", "w", "./w/", "w/pair/hello.eix"), fmt.Sprintf("9 files of %d, 9 unchanged, 0 read, 0 reused, 0 removed, 0 kept", all))

	picture, err := os.ReadFile("w/tram.png")
	must(t, err)
	write(t, "w/z/copy.PNG", picture) // of more than 16 KiB: its rows are known
	write(t, "w/z/copy.pak", picture) // another name, perhaps another format
	write(t, "w/z/one", []byte("1"))
	expect("copies", scanned(t, ok, "w"), fmt.Sprintf("12 files of %d, 9 unchanged, 3 read, 1 reused, 0 removed, 0 kept", all+2*16551+1))
	must(t, os.RemoveAll("w/z"))
	must(t, os.Remove("w/d-two"))
	write(t, "w/pair/hello.epk", bytes.Repeat([]byte("x"), 1280)) // the other one looks into it
	expect("less", scanned(t, ok, "w"), fmt.Sprintf("8 files of %d, 6 unchanged, 2 read, 0 reused, 4 removed, 0 kept", all-2))
	expect("less", indexed(t), strings.Replace(wholeWorld, " w/d-two", "", 1))

	must(t, os.Remove("w/pair/hello.epk"))
	expect("half a pair", scanned(t, ok, "w/pair"), "1 files of 236, 0 unchanged, 1 read, 0 reused, 1 removed, 0 kept")
	expect("half a pair", scanned(t, ok, "w/pair"), "1 files of 236, 1 unchanged, 0 read, 0 reused, 0 removed, 0 kept")
	must(t, os.Chtimes("w/d/one", time.Now(), time.Now()))
	expect("touched", scanned(t, ok, "w/d/one"), "1 files of 1, 0 unchanged, 1 read, 0 reused, 0 removed, 0 kept")
	expect("touched a moment ago", scanned(t, ok, "w/d/one"), "1 files of 1, 0 unchanged, 1 read, 0 reused, 0 removed, 0 kept")

	skip := scan.Options{Skip: func(path string) bool { return path == "w/d" || path == "w/empty" }}
	expect("skipped", scanned(t, skip, "w"), fmt.Sprintf("5 files of %d, 5 unchanged, 0 read, 0 reused, 2 removed, 0 kept", packSize+16794))
	expect("a link to a folder", scanned(t, ok, "to-w"), fmt.Sprintf("7 files of %d, 0 unchanged, 7 read, 1 reused, 0 removed, 0 kept", packSize+16795))
	expect("no such thing", scanned(t, ok, "none", "w/d"), "1 files of 1, 0 unchanged, 1 read, 0 reused, 0 removed, 0 kept, none (false)")
}

// Files at the top of a place are distinguished from those whose path only begins with its
// name, and unreadable ones are kept.
func TestPlaces(t *testing.T) {
	world(t)
	here, err := os.Getwd()
	must(t, err)
	here, err = filepath.EvalSymlinks(here)
	must(t, err)
	own := scan.Options{Skip: func(path string) bool { return strings.HasPrefix(path, "index.sqlite") }}
	if got, want := scanned(t, own, ".", filepath.Join(here, "other")), fmt.Sprintf("10 files of %d, 0 unchanged, 10 read, 0 reused, 0 removed, 0 kept", packSize+18081); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := indexed(t); got != "other/linked "+wholeWorld {
		t.Errorf(`got = %v; want "other/linked " + wholeWorld`, got)
	}
	must(t, os.Rename("w", "away"))
	if got := scanned(t, scan.Options{}, "w/d"); got != "0 files of 0, 0 unchanged, 0 read, 0 reused, 0 removed, 1 kept, w/d (false)" {
		t.Errorf(`got = %v; want "0 files of 0, 0 unchanged, 0 read, 0 reused, 0 removed, 1 kept, w/d (false)"`, got)
	}
	must(t, os.Rename("away", "w"))
	if os.Geteuid() != 0 { // root may look at everything
		must(t, os.Chmod("w/d", 0))
		must(t, os.Chmod("w/empty", 0))
		must(t, os.Chmod("w/d.three", 0))
		got := scanned(t, scan.Options{Rehash: true}, "w")
		must(t, os.Chmod("w/d", 0o755))
		if got != fmt.Sprintf("8 files of %d, 0 unchanged, 8 read, 1 reused, 0 removed, 1 kept, w/d (false), w/d.three (true), w/empty (true)", packSize+18076) {
			t.Errorf(`got = %v; want fmt.Sprintf("8 files of %%d, 0 unchanged, 8 read, 1 reused, 0 removed, 1 kept, w/d (false), w/d.three (true), w/empty (true)", packSize+18076)`, got)
		}
		if rows := content(t, "index.sqlite")["files"]; !slices.ContainsFunc(rows, func(r string) bool {
			return strings.Contains(r, "w/d.three") && strings.Contains(r, `"status":"unreadable"`) && strings.Contains(r, `"error_kind":"permission"`)
		}) {
			t.Errorf("rows = %v", rows)
		}
	}
}

// progress adds up the bytes that a scan reports.
type progress struct{ total, done atomic.Int64 }

func (p *progress) Begin(n int64)   { p.total.Add(n) }
func (p *progress) Advance(n int64) { p.done.Add(n) }

// Progress hears of every byte that is looked at, read or not; parts share the
// work.
func TestProgress(t *testing.T) {
	world(t)
	var files, sizes int64
	for i := range 3 {
		for range 2 {
			p := &progress{}
			o := scan.Options{Shard: i, Shards: 3, Progress: p}
			var n, size int64
			if _, err := fmt.Sscanf(scanned(t, o, "w"), "%d files of %d,", &n, &size); err != nil {
				t.Fatal(err)
			}
			if p.done.Load() != size || p.total.Load() != size && p.total.Load() != 0 { // it may be over before all is counted
				t.Errorf("part %d: %d of %d bytes, want %d", i, p.done.Load(), p.total.Load(), size)
			}
			files, sizes = files+n, sizes+size
		}
	}
	if files != 2*9 || sizes != 2*int64(packSize+18077) {
		t.Errorf("%d files of %d in three parts", files, sizes)
	}
	if got := indexed(t); got != wholeWorld {
		t.Errorf("got = %v; want %v", got, wholeWorld)
	}
}

// One file is read as a scan reads it; one that is gone has no rows.
func TestFile(t *testing.T) {
	world(t)
	ctx := context.Background()
	rows, err := scan.File(ctx, &index.Indexer{}, "w/pair/hello.eix")
	if err != nil || rows.Len(tableNamed("packs")) != 1 || rows.Len(tableNamed("entries")) != 4 || rows.Get(tableNamed("files"), 0, "mtime_ns") != int64(1_500_000_000_123_456_789) {
		t.Errorf("rows = %v, err = %v", rows, err)
	}
	if rows, err := scan.File(ctx, &index.Indexer{}, "w/none"); rows != nil || err != nil {
		t.Errorf("rows = %+v, err = %v; want rows = nil, no error", rows, err)
	}
	if rows, err := scan.File(ctx, &index.Indexer{}, "w"); err != nil || !rows.Has(index.StatusUnreadable) {
		t.Errorf("a folder: %+v, %v", rows, err)
	}
	called, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := scan.File(called, &index.Indexer{}, "w/Sample.Pack.Gbx"); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v; want err matching context.Canceled", err)
	}
	db, err := sqlite.Open(ctx, "index.sqlite")
	must(t, err)
	defer db.Close()
	if _, err := scan.Run(called, db, []string{"w"}, scan.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v; want err matching context.Canceled", err)
	}
	// Called off while it reads, and once more to the end.
	half, cancel := context.WithCancel(ctx)
	defer cancel()
	stop := scan.Options{Workers: 1, Skip: func(path string) bool {
		if path == "w/link" {
			cancel()
		}
		return false
	}}
	if _, err := scan.Run(half, db, []string{"w"}, stop); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v; want err matching context.Canceled", err)
	}
	if r, err := scan.Run(ctx, db, []string{"w"}, scan.Options{}); err != nil || r.Files != 9 || r.Unchanged+r.Read != 9 || r.Removed != 0 {
		t.Errorf("r = %+v, err = %v; want no error, r.Files = 9, r.Unchanged + r.Read = 9, r.Removed = 0", r, err)
	}
}
