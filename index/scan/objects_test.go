package scan_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zeebo/blake3"

	"pakbox/index"
	"pakbox/index/scan"
	"pakbox/index/sqlite"
	"pakbox/index/store"
)

// bucket is a store with one bucket, b. A tag is the number of times that an object was put.
type bucket struct {
	mu      sync.Mutex
	objects map[string][]byte
	tags    map[string]int
	read    []string       // requests for content, with their ranges
	before  func(r string) // receives each request for content before its answer
}

func (b *bucket) put(name string, data []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.objects[name] = data
	b.tags[name]++
}

func (b *bucket) tag(name string) string { return fmt.Sprintf(`"%s-%d"`, name, b.tags[name]) }

// long is when all objects were put.
var long = time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC)

func (b *bucket) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, ok := strings.CutPrefix(r.URL.Path, "/b/")
	if !ok {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	if r.URL.Query().Has("list-type") {
		b.mu.Lock()
		defer b.mu.Unlock()
		fmt.Fprint(w, "<R>")
		for name, data := range b.objects {
			if strings.HasPrefix(name, r.URL.Query().Get("prefix")) {
				fmt.Fprintf(w, "<Contents><Key>%s</Key><Size>%d</Size><LastModified>%s</LastModified><ETag>", name, len(data), long.Format(time.RFC3339))
				xml.EscapeText(w, []byte(b.tag(name)))
				fmt.Fprint(w, "</ETag></Contents>")
			}
		}
		fmt.Fprint(w, "</R>")
		return
	}
	if b.before != nil {
		b.before(name)
	}
	b.mu.Lock()
	data, ok := b.objects[name]
	tag := b.tag(name)
	b.read = append(b.read, name+r.Header.Get("Range"))
	b.mu.Unlock()
	if !ok {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	w.Header().Set("ETag", tag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
}

// newBucket starts a store, and opens it.
func newBucket(t *testing.T) (*bucket, *store.Store) {
	t.Helper()
	b := &bucket{objects: map[string][]byte{}, tags: map[string]int{}}
	server := httptest.NewServer(b)
	t.Cleanup(server.Close)
	s, err := store.Open(func(name string) string { return map[string]string{"AWS_ENDPOINT_URL": server.URL}[name] })
	must(t, err)
	return b, s
}

// states are the files of index.sqlite: path, status and size.
func states(t *testing.T) string {
	t.Helper()
	db, err := sqlite.OpenReadOnly(t.Context(), "index.sqlite")
	must(t, err)
	defer db.Close()
	var list string
	must(t, db.QueryRow("select ifnull(group_concat(path || ' ' || status || ' ' || size, ', '), '') from (select * from files where parent is null order by path)").Scan(&list))
	return list
}

// Objects are read, found unchanged, reread and removed as files are. Those beside an
// object count: it is looked at again because they may have changed.
func TestObjects(t *testing.T) {
	world(t)
	b, s := newBucket(t)
	for _, name := range []string{"pair/hello.eix", "pair/hello.epk", "d/one", "d-two", "tram.png"} {
		data, err := os.ReadFile("w/" + name)
		must(t, err)
		b.put("in/"+name, data)
	}
	b.put("inside", []byte("the same letters"))
	o := scan.Options{Store: s, Skip: func(path string) bool { return path == "s3://b/in/d-two" }}
	for _, c := range []struct {
		what string
		do   func()
		want string
	}{
		{"first", nil, "4 files of 18068, 0 unchanged, 4 read, 0 reused, 0 removed, 0 kept"},
		{"again", nil, "4 files of 18068, 2 unchanged, 2 read, 0 reused, 0 removed, 0 kept"},
		{"another tag", func() { b.put("in/d/one", []byte("2")) }, "4 files of 18068, 1 unchanged, 3 read, 0 reused, 0 removed, 0 kept"},
		{"gone", func() { delete(b.objects, "in/d/one") }, "3 files of 18067, 1 unchanged, 2 read, 0 reused, 1 removed, 0 kept"},
	} {
		if c.do != nil {
			c.do()
		}
		if got := scanned(t, o, "s3://b/in/"); got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
	}
	rows, err := scan.File(t.Context(), &index.Indexer{}, "w/pair/hello.eix")
	must(t, err)
	one := scan.ListEntry{Path: "s3://b/in/pair/hello.eix", Size: 236, Tag: b.tag("in/pair/hello.eix")}
	stored, seen, err := one.Rows(t.Context(), &index.Indexer{}, s)
	if entries := tableNamed("entries"); err != nil || stored.Len(entries) != rows.Len(entries) || stored.Len(entries) == 0 || seen != nil {
		t.Errorf("an object with another beside it: %+v, seen %+v, %v", stored, seen, err)
	}
	one = scan.ListEntry{Path: "s3://b/in/tram.png", Size: 16551, Tag: b.tag("in/tram.png")}
	if _, seen, err = one.Rows(t.Context(), &index.Indexer{}, s); err != nil || seen == nil || *seen != one {
		t.Errorf("seen %+v, want %+v, %v", seen, one, err)
	}
	delete(b.objects, "in/pair/hello.epk")
	one = scan.ListEntry{Path: "s3://b/in/pair/hello.eix", Size: 236, Tag: b.tag("in/pair/hello.eix")}
	if alone, seen, err := one.Rows(t.Context(), &index.Indexer{}, s); err != nil || alone == nil || seen != nil {
		t.Errorf("without the one beside it: %+v, seen %+v, %v", alone, seen, err)
	}
	if got := scanned(t, scan.Options{Store: s}, "s3://none/in"); !strings.HasSuffix(got, "s3://none/in (false)") {
		t.Errorf(`got = %v; want got ending in "s3://none/in (false)"`, got)
	}
}

// An object that changes, or goes, between the list and its content.
func TestObjectMeanwhile(t *testing.T) {
	t.Chdir(t.TempDir())
	b, s := newBucket(t)
	for _, name := range []string{"a", "b", "c"} {
		b.put("in/"+name, []byte("text"))
	}
	b.before = func(name string) {
		switch name {
		case "in/a":
			b.put(name, []byte("text")) // another tag with each request
		case "in/b":
			b.mu.Lock()
			delete(b.objects, name)
			b.mu.Unlock()
		}
	}
	got := scanned(t, scan.Options{Store: s, Workers: 1}, "s3://b/in")
	if want := "3 files of 12, 0 unchanged, 2 read, 0 reused, 1 removed, 0 kept, s3://b/in/a (true)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := states(t), "s3://b/in/a changed 4, s3://b/in/c unknown 4"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if tries := len(slices.DeleteFunc(slices.Clone(b.read), func(r string) bool { return r != "in/a" })); tries != 2 {
		t.Errorf("read %d times, want twice: %q", tries, b.read)
	}
	b.before = nil
	one := scan.ListEntry{Path: "s3://b/in/c", Size: 3, Tag: b.tag("in/c")} // the list has another size
	if rows, seen, err := one.Rows(t.Context(), &index.Indexer{}, s); err != nil || seen != nil || !rows.Has(index.StatusChanged) {
		t.Errorf("rows = %+v, seen = %+v, err = %v; want no error, seen = nil, rows.Has(index.StatusChanged) = true", rows, seen, err)
	}
}

// An object that is larger than what is kept in memory is read in ranges, and has the same
// hash as a file.
func TestLargeObject(t *testing.T) {
	t.Chdir(t.TempDir())
	b, s := newBucket(t)
	data := append(bytes.Repeat([]byte("0123456789abcdef"), (64<<20)/16), "the end"...)
	b.put("large", data)
	one := scan.ListEntry{Path: "s3://b/large", Size: int64(len(data)), Tag: b.tag("large")}
	rows, _, err := one.Rows(t.Context(), &index.Indexer{}, s)
	must(t, err)
	if got, want := rows.Get(tableNamed("files"), 0, "blake3"), blake3.Sum256(data); fmt.Sprintf("%x", got) != fmt.Sprintf("%x", want) {
		t.Errorf("the hash is %x, want %x", got, want)
	}
	if i := slices.IndexFunc(b.read, func(r string) bool { return !strings.HasPrefix(r, "largebytes=") }); i >= 0 || len(b.read) < 2 {
		t.Errorf("not in ranges: %q", b.read)
	}
}

// A program with its own workers gets each file with what a scan knows about it, and learns
// whether it must read it again: a file without its key, one that needs another, one that
// was just changed.
func TestListed(t *testing.T) {
	world(t)
	list := func(root string) (all []scan.ListEntry, failed []string) {
		scan.List(t.Context(), nil, root, func(l scan.ListEntry) { all = append(all, l) }, func(path string, err error) { failed = append(failed, path) })
		return all, failed
	}
	all, failed := list("./w/")
	var names []string
	again := ""
	write(t, "w/tram.png", []byte("just written"))
	must(t, os.Chtimes("w/tram.png", time.Now(), time.Now()))
	must(t, os.Remove("w/empty"))
	for _, l := range all {
		names = append(names, l.Path)
		rows, seen, err := l.Rows(t.Context(), &index.Indexer{}, nil)
		switch {
		case err != nil:
			t.Error(err)
		case rows == nil:
			again += l.Path + " gone, "
		case seen == nil:
			again += l.Path + ", "
		case *seen != l || l.MtimeNS != 1_500_000_000_123_456_789 && l.Path != "w/link":
			t.Errorf("%+v was seen as %+v", l, *seen)
		}
	}
	slices.Sort(names)
	if got := strings.Join(names, " "); got != wholeWorld || failed != nil {
		t.Errorf("%s, failed %q", got, failed)
	}
	if want := "w/Sample.Pack.Gbx, w/empty gone, w/pair/hello.eix, w/pair/hello.epk, w/tram.png, "; again != want {
		t.Errorf("to be read again: %s, want %s", again, want)
	}
	if all, failed := list("none"); all != nil || !slices.Equal(failed, []string{"none"}) {
		t.Errorf("%+v, failed %q", all, failed)
	}
}

// Whether a file may be half written depends on it and on the files beside it.
func TestDoubt(t *testing.T) {
	world(t)
	data, err := os.ReadFile("w/pair/hello.eix")
	must(t, err)
	write(t, "w/pair/half.eix", data[:len(data)/2])
	newer := time.Unix(1_600_000_000, 0)
	must(t, os.Chtimes("w/pair/hello.epk", newer, newer))
	var mu sync.Mutex
	heard := map[string]string{}
	writing := false
	o := scan.Options{
		Rehash: true,
		Unfinished: func(file string, changed time.Time) bool {
			return writing && file == filepath.FromSlash("w/pair/hello.epk") && changed.Equal(newer)
		},
		Doubt: func(file string, changed, latest time.Time, sound bool) bool {
			mu.Lock()
			defer mu.Unlock()
			at := fmt.Sprint(latest.Unix())
			if time.Since(latest) < time.Minute {
				at = "now"
			}
			heard[filepath.ToSlash(file)] = fmt.Sprint(changed.Unix(), " ", at, " ", sound)
			return !sound
		},
	}
	for _, is := range []bool{false, true} {
		writing = is
		got := scanned(t, o, "w/pair")
		latest := map[bool]string{true: "now", false: "1600000000"}[is]
		if heard["w/pair/hello.eix"] != "1500000000 "+latest+" true" || heard["w/pair/half.eix"] != "1500000000 1500000000 false" {
			t.Errorf("while the other is written %t: %q", is, heard)
		}
		if !strings.Contains(got, map[bool]string{true: "3 files of 1634, 0 unchanged, 1 read", false: "3 files of 1634, 0 unchanged, 2 read"}[is]) {
			t.Errorf(`got = %v; want got with map[bool]string{true: "3 files of 1634, 0 unchanged, 1 read", false: "3 files of 1634, 0 unchanged, 2 read"}[is]`, got)
		}
	}
	if got := states(t); strings.Contains(got, "half.eix") {
		t.Errorf("a half written file has a row: %s", got)
	}
}
