package scan_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pakbox/archive"
	"pakbox/index"
	"pakbox/index/engine"
	"pakbox/index/scan"
	"pakbox/index/sqlite"
)

// meanwhile is a format that no file has: it does something while a file is read.
type meanwhile struct{ do func(name string) }

func (meanwhile) Name() string         { return "meanwhile" }
func (meanwhile) Description() string  { return "" }
func (meanwhile) Extensions() []string { return nil }
func (m meanwhile) Match(in archive.Input) bool {
	m.do(in.Name)
	return false
}
func (meanwhile) Open(context.Context, archive.Input, archive.Options) (archive.Archive, error) {
	return nil, errors.ErrUnsupported
}

// Changes of files during a scan are noticed, and the index then equals
// that of a scan afterwards.
func TestMeanwhile(t *testing.T) {
	change := func(name, text string) {
		must(t, os.WriteFile("w/"+name, []byte(text), 0o644))
		must(t, os.Chtimes("w/"+name, time.Unix(1_600_000_000, 0), time.Unix(1_600_000_000, int64(len(text)))))
	}
	for _, c := range []struct {
		what string
		do   func(name string, time int)
		want string
		now  string // what is in the index then
	}{
		{"nothing", func(string, int) {}, "3 files of 3, 0 unchanged, 3 read, 0 reused, 0 removed, 0 kept", "w/a w/b w/c"},
		{"one grows, once", func(name string, time int) {
			if name == "b" && time == 1 {
				change("b", "22")
			}
		}, "3 files of 3, 0 unchanged, 3 read, 0 reused, 0 removed, 0 kept", "w/a w/b w/c"},
		{"one grows, always", func(name string, time int) {
			if name == "b" {
				change("b", strings.Repeat("2", time+1))
			}
		}, "3 files of 3, 0 unchanged, 3 read, 0 reused, 0 removed, 0 kept, w/b (true)", ""},
		{"one shrinks to nothing", func(name string, time int) {
			if name == "b" && time == 1 {
				change("b", "")
			}
		}, "3 files of 3, 0 unchanged, 3 read, 0 reused, 0 removed, 0 kept", "w/a w/b w/c"},
		{"one has gone when its time comes", func(name string, _ int) {
			if name == "b" {
				must(t, os.Remove("w/c"))
			}
		}, "", "w/a w/b"},
	} {
		t.Run(strings.ReplaceAll(c.what, " ", "_"), func(t *testing.T) {
			t.Chdir(t.TempDir())
			for i, name := range []string{"a", "b", "c"} {
				write(t, "w/"+name, []byte{byte('1' + i)})
			}
			times := map[string]int{}
			walked := make(chan bool) // closed when the walk comes to the last file
			o := scan.Options{Workers: 1, Rehash: true, Skip: func(path string) bool {
				if path == "w/c" {
					close(walked)
				}
				return false
			}, Indexer: index.Indexer{Formats: archive.Registry{meanwhile{func(name string) {
				times[name]++
				if name == "b" {
					<-walked
					time.Sleep(10 * time.Millisecond) // until it has been looked at
				}
				c.do(name, times[name])
			}}}}}
			got := scanned(t, o, "w")
			if c.want != "" && got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
			if c.now == "" {
				if rows := content(t, "index.sqlite")["files"]; !strings.Contains(rows[1], `"status":"changed"`) || times["b"] != 2 {
					t.Errorf("read %d times: %s", times["b"], rows[1])
				}
				// The next scan reads it, though nothing has changed since.
				if got := scanned(t, scan.Options{}, "w"); !strings.HasSuffix(got, "2 unchanged, 1 read, 0 reused, 0 removed, 0 kept") {
					t.Errorf(`got = %v; want got ending in "2 unchanged, 1 read, 0 reused, 0 removed, 0 kept"`, got)
				}
			} else if got := indexed(t); got != c.now {
				t.Errorf("%s are in the index, want %s", got, c.now)
			}
			have := content(t, "index.sqlite")
			must(t, os.Remove("index.sqlite"))
			scanned(t, scan.Options{}, "w")
			same(t, c.what, have, content(t, "index.sqlite"))
		})
	}
}

// A scan that is cancelled leaves the index as it was at the last moment that
// counts, and the next one goes on from there.
func TestCalledOff(t *testing.T) {
	t.Chdir(t.TempDir())
	for i := range 20 {
		write(t, fmt.Sprintf("w/%d/%02d", i/7, i), []byte{byte(i)})
	}
	for i := range 20 {
		db, err := sqlite.Open(context.Background(), "index.sqlite")
		must(t, err)
		ctx, cancel := context.WithCancel(context.Background())
		o := scan.Options{Workers: 1, Rehash: true, Indexer: index.Indexer{Formats: archive.Registry{meanwhile{func(name string) {
			if name == fmt.Sprintf("%02d", i) {
				cancel()
			}
		}}}}}
		if _, err := scan.Run(ctx, db, []string{"w"}, o); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled at file %d: %v", i, err)
		}
		cancel()
		must(t, db.Close())
	}
	if r := mustRun(t, "index.sqlite", "w"); r.Files != 20 || r.Unchanged+r.Read != 20 || r.Removed != 0 {
		t.Errorf("r = %+v; want r.Files = 20, r.Unchanged + r.Read = 20, r.Removed = 0", r)
	}
	have := content(t, "index.sqlite")
	must(t, os.Remove("index.sqlite"))
	scanned(t, scan.Options{}, "w")
	same(t, "after 20 scans that were cancelled", have, content(t, "index.sqlite"))
}

// With any page of an index damaged, a scan ends with an error, or with the right
// rows; it never reports success for wrong rows.
func TestDamagedIndex(t *testing.T) {
	world(t)
	scanned(t, scan.Options{}, "w")
	must(t, os.Remove("w/d-two"))
	write(t, "w/tram-2.png", first(os.ReadFile("w/tram.png")))
	write(t, "w/d/one", []byte("one"))
	whole := first(os.ReadFile("index.sqlite"))
	scanned(t, scan.Options{}, "w")
	want := content(t, "index.sqlite")
	page := int(whole[16])<<8 | int(whole[17])
	failed := 0
	for at := page; at < len(whole); at += page {
		data := []byte(string(whole))
		copy(data[at:], strings.Repeat("\xFF", page))
		must(t, os.WriteFile("index.sqlite", data, 0o666))
		db, err := sqlite.Open(context.Background(), "index.sqlite")
		if err == nil {
			_, err = scan.Run(context.Background(), db, []string{"w"}, scan.Options{})
			db.Close()
		}
		if err != nil {
			failed++
			continue
		}
		got, err := readable("index.sqlite")
		if err != nil {
			continue // damage in what this scan has no business with
		}
		for table, rows := range want {
			if strings.Join(got[table], "\n") != strings.Join(rows, "\n") && table != "search" {
				t.Errorf("with page %d damaged, the scan ends well, and %s has %d rows, not %d", at/page, table, len(got[table]), len(rows))
			}
		}
	}
	if failed < 5 {
		t.Errorf("only %d damaged pages are noticed", failed)
	}
}

// An index that cannot be written ends a scan of many files that are named one by one.
func TestCannotWrite(t *testing.T) {
	world(t)
	var roots []string
	for i := range 100 {
		roots = append(roots, fmt.Sprintf("many/%d", i))
		write(t, roots[i], []byte{byte(i)})
	}
	scanned(t, scan.Options{}, "w")
	refuse(t, "create trigger refuse before insert on files begin select raise(abort, 'refused'); end")
	db := first(sqlite.Open(t.Context(), "index.sqlite"))
	defer db.Close()
	defer scan.CommitRows(20000)
	scan.CommitRows(1)
	if _, err := scan.Run(t.Context(), db, roots, scan.Options{Workers: 2}); err == nil || !strings.Contains(err.Error(), "refused") {
		t.Errorf(`err = %v; want an error, err with "refused"`, err)
	}
}

// refuse changes the index as another program may do.
func refuse(t *testing.T, stmt string) {
	t.Helper()
	other := first(sql.Open(engine.Driver, "index.sqlite"))
	defer other.Close()
	if _, err := other.Exec(stmt); err != nil {
		t.Fatal(err)
	}
}

func first[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// The current folder is distinguished from its parents and siblings, and from
// whole paths: a removed file in one of them is not removed here.
func TestHereAndAbove(t *testing.T) {
	top := t.TempDir()
	t.Chdir(top)
	for _, name := range []string{"here/one", "here/..two", "above", "beside/three", "whole/four"} {
		write(t, name, []byte(name))
	}
	t.Chdir("here")
	whole := filepath.ToSlash(filepath.Join(top, "whole"))
	list := func() string { return strings.ReplaceAll(indexed(t), whole, "WHOLE") }
	skip := scan.Options{Skip: func(path string) bool { return strings.Contains(path, "index.sqlite") }}
	scanned(t, skip, ".", "./one", "../above", "../beside", whole)
	if got := list(); got != "..two ../above ../beside/three WHOLE/four one" && got != "../above ../beside/three ..two WHOLE/four one" {
		t.Errorf(`got = %v; want got = "..two ../above ../beside/three WHOLE/four one" or got = "../above ../beside/three ..two WHOLE/four one"`, got)
	}
	for _, name := range []string{"one", "..two", "../above", "../beside/three", "../whole/four"} {
		must(t, os.Remove(name))
	}
	if got := scanned(t, skip, "."); got != "0 files of 0, 0 unchanged, 0 read, 0 reused, 2 removed, 0 kept" {
		t.Errorf(`got = %v; want "0 files of 0, 0 unchanged, 0 read, 0 reused, 2 removed, 0 kept"`, got)
	}
	if got := list(); got != "../above ../beside/three WHOLE/four" {
		t.Errorf(`got = %v; want "../above ../beside/three WHOLE/four"`, got)
	}
	if got := scanned(t, skip, "../above"); got != "0 files of 0, 0 unchanged, 0 read, 0 reused, 0 removed, 1 kept, ../above (false)" {
		t.Errorf(`got = %v; want "0 files of 0, 0 unchanged, 0 read, 0 reused, 0 removed, 1 kept, ../above (false)"`, got)
	}
	if got := scanned(t, skip, "..", whole); !strings.HasPrefix(got, "0 files of 0, 0 unchanged, 0 read, 0 reused, 3 removed, 0 kept") {
		t.Errorf(`got = %v; want got beginning with "0 files of 0, 0 unchanged, 0 read, 0 reused, 3 removed, 0 kept"`, got)
	}
}

// A copy is taken over from what the index has, if it is large enough for that to
// be quicker, and if its ending is the same.
func TestCopies(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		size   int
		name   string
		reused int
	}{{16 << 10, "copy.bin", 0}, {16<<10 + 1, "copy.bin", 1}, {16<<10 + 1, "copy.BIN", 1}, {16<<10 + 1, "copy.dat", 0}} {
		must(t, os.RemoveAll("w"))
		os.Remove("index.sqlite")
		write(t, "w/first.bin", make([]byte, c.size))
		scanned(t, scan.Options{}, "w")
		write(t, "w/"+c.name, make([]byte, c.size))
		if got, want := scanned(t, scan.Options{}, "w"), fmt.Sprintf("2 files of %d, 1 unchanged, 1 read, %d reused, 0 removed, 0 kept", 2*c.size, c.reused); got != want {
			t.Errorf("%s of %d bytes: %s, want %s", c.name, c.size, got, want)
		}
	}
}

// A file that could not be opened is reported with its known facts, and no file stays
// open.
func TestClosed(t *testing.T) {
	world(t)
	scanned(t, scan.Options{}, "w")
	if os.Geteuid() != 0 { // root may open everything
		must(t, os.Chmod("w/d.three", 0))
		rows, err := scan.File(context.Background(), &index.Indexer{}, "w/d.three")
		must(t, err)
		f := tableNamed("files")
		if !rows.Has(index.StatusUnreadable) || rows.Get(f, 0, "size") != int64(3) || rows.Get(f, 0, "mtime_ns") != int64(1_500_000_000_123_456_789) {
			t.Errorf(`rows = %v; want rows.Has(index.StatusUnreadable) = true, rows.Get(f, 0, "size") = int64(3), rows.Get(f, 0, "mtime_ns") = int64(1_500_000_000_123_456_789)`, rows)
		}
	}
	here := first(filepath.EvalSymlinks(first(os.Getwd())))
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return // another system
	}
	for _, fd := range open {
		if to, err := os.Readlink("/proc/self/fd/" + fd.Name()); err == nil && strings.HasPrefix(to, here+"/") {
			t.Errorf("%s is still open", to)
		}
	}
}

// Files seen on another disk than the present one are kept: their own disk
// is absent today.
func TestOtherDisk(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "w/here", []byte("1"))
	db, err := sqlite.Open(context.Background(), "index.sqlite")
	must(t, err)
	for _, path := range []string{"w/away/one", "w/two"} {
		must(t, db.Put(context.Background(), sqlite.State{Path: path, Device: 1 << 40}, index.FailureRow(path, index.StatusOK, 1, nil, errors.New("")))) // a device that no system has
	}
	must(t, errors.Join(db.Commit(context.Background()), db.Close()))
	if got := scanned(t, scan.Options{}, "w"); got != "1 files of 1, 0 unchanged, 1 read, 0 reused, 0 removed, 2 kept" {
		t.Errorf(`got = %v; want "1 files of 1, 0 unchanged, 1 read, 0 reused, 0 removed, 2 kept"`, got)
	}
	if got := indexed(t); got != "w/away/one w/here w/two" {
		t.Errorf(`got = %v; want "w/away/one w/here w/two"`, got)
	}
}

// The whole system is a root like others, and names that a slash sorts before are
// not taken for those behind it.
func TestWholeSystem(t *testing.T) {
	dir := filepath.ToSlash(first(filepath.EvalSymlinks(t.TempDir())))
	t.Chdir(dir)
	write(t, "w/d-two", []byte("2"))
	write(t, "w/e", []byte("3"))
	only := scan.Options{Skip: func(path string) bool { // all but what is on the way, and below it
		return !strings.HasPrefix(dir+"/w", path) && !strings.HasPrefix(path, dir+"/w")
	}}
	if got := scanned(t, only, "/"); got != "2 files of 2, 0 unchanged, 2 read, 0 reused, 0 removed, 0 kept" {
		t.Errorf(`got = %v; want "2 files of 2, 0 unchanged, 2 read, 0 reused, 0 removed, 0 kept"`, got)
	}
	scanned(t, scan.Options{}, "w") // the same by another name, and the same rows
	write(t, "w/d/one", []byte("1"))
	if got := scanned(t, only, "/"); got != "3 files of 3, 2 unchanged, 1 read, 0 reused, 0 removed, 0 kept" {
		t.Errorf(`got = %v; want "3 files of 3, 2 unchanged, 1 read, 0 reused, 0 removed, 0 kept"`, got)
	}
	must(t, os.Remove("w/e"))
	if got := scanned(t, only, "/"); got != "2 files of 2, 2 unchanged, 0 read, 0 reused, 1 removed, 0 kept" {
		t.Errorf(`got = %v; want "2 files of 2, 2 unchanged, 0 read, 0 reused, 1 removed, 0 kept"`, got)
	}
	if got := strings.ReplaceAll(indexed(t), dir, ""); got != "/w/d-two /w/d/one" {
		t.Errorf(`got = %v; want "/w/d-two /w/d/one"`, got)
	}
}
