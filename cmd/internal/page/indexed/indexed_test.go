package indexed

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	answers "pakbox/cmd/internal/answer/index"
	"pakbox/cmd/internal/page"
	"pakbox/fault"
	"pakbox/index"
	"pakbox/index/sqlite"
	"pakbox/internal/testkit/leak"
)

// made makes an index of a few maps.
func made(t *testing.T, names ...string) (file string) {
	t.Helper()
	ctx := t.Context()
	file = filepath.Join(t.TempDir(), "index.sqlite")
	db, err := sqlite.Open(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		path := fmt.Sprintf("maps/%d.Map.Gbx", i)
		rows := &index.Rows{}
		rows.Add("files", map[string]any{
			"file": index.Key(path), "path": path, "name": filepath.Base(path), "size": 1000 * (i + 1), "mtime_ns": int64(i), "blake3": index.Hash{byte(i)},
			"status": index.StatusOK, "kind": "map", "format": "gbx",
		})
		rows.Add("maps", map[string]any{"file": index.Key(path), "name": name, "uid": "u" + fmt.Sprint(i/2), "medals_author": 30_000 + i, "collection_name": "Stadium"})
		rows.AddTexts()
		if err := db.Put(ctx, sqlite.State{Path: path}, rows); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(db.Finish(ctx), db.Close()); err != nil {
		t.Fatal(err)
	}
	return file
}

func opened(t *testing.T, names ...string) *Collection {
	t.Helper()
	c, err := Open(t.Context(), made(t, names...), "all/index.sqlite")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func TestAsk(t *testing.T) {
	c := opened(t, "$f00One", "Two", "Three")
	if n, err := c.Files(t.Context()); n != 3 || err != nil || c.Name() != "all/index.sqlite" {
		t.Errorf("index has %d files in %s, %v", n, c.Name(), err)
	}
	if paths, err := c.First(t.Context()); err != nil || !slices.Equal(slices.Sorted(slices.Values(paths)), []string{"maps/0.Map.Gbx", "maps/1.Map.Gbx", "maps/2.Map.Gbx"}) {
		t.Errorf("paths = %q, %v", paths, err)
	}
	const query = "select path, medals_author as t, null as n, 1.5 as r from maps join files using (file) order by path"
	c.At(func(path string) string { return strings.Replace(path, "maps/1", "here/1", 1) })
	got, err := c.Ask(t.Context(), page.Asked{Query: query}, 3)
	if err != nil || got.Cut || !slices.Equal(got.Columns, []string{"path", "t", "n", "r"}) || len(got.Rows) != 3 {
		t.Fatalf("Find = %+v, %v", got, err)
	}
	if want := []string{"maps/0.Map.Gbx", "here/1.Map.Gbx", "maps/2.Map.Gbx"}; !slices.Equal(got.Paths, want) {
		t.Errorf("got.Paths = %q; want got.Paths equal to %q", got.Paths, want)
	}
	if want := []string{"maps/1.Map.Gbx", "30001", "", "1.5"}; !slices.Equal(got.Texts[1], want) {
		t.Errorf("got.Texts[1] = %q; want got.Texts[1] equal to %q", got.Texts[1], want)
	}
	if first := got.Rows[0][0]; first != "maps/0.Map.Gbx" {
		t.Errorf("rows of two answers are mixed: %v", first)
	}
	for limit, cut := range map[int]bool{2: true, 3: false, 1: true} {
		for _, q := range []page.Asked{{Query: query}, {Words: []string{"env=Stadium"}}} {
			got, err := c.Ask(t.Context(), q, limit)
			if err != nil || got.Cut != cut || len(got.Rows) != limit || len(got.Texts) != limit || len(got.Paths) != limit {
				t.Errorf("%v with a limit of %d rows = %d rows, cut %v, %v", q, limit, len(got.Rows), got.Cut, err)
			}
		}
	}
	words, err := c.Ask(t.Context(), page.Asked{Words: []string{"author=0:30.001"}}, 10)
	if err != nil || len(words.Rows) != 1 || !slices.Contains(words.Texts[0], "0:30.001") || words.Paths[0] != "here/1.Map.Gbx" {
		t.Errorf("words = %+v, %v", words, err)
	}
	none, err := c.Ask(t.Context(), page.Asked{Query: "select 1 as one where 0"}, 10)
	if err != nil || none.Rows == nil || none.Texts == nil || none.Paths == nil || len(none.Rows) != 0 {
		t.Errorf("answer without rows = %+v, %v", none, err)
	}
	if paths, err := c.Ask(t.Context(), page.Asked{Query: "select 7 as path"}, 10); err != nil || paths.Paths[0] != "" {
		t.Errorf("a number was returned as a path: %+v, %v", paths, err)
	}
}

func TestCSVAndFacets(t *testing.T) {
	c := opened(t, "One", "Two, or \"2\"")
	var b bytes.Buffer
	if err := c.CSV(t.Context(), &b, page.Asked{Query: "select name, medals_author as t from maps order by name"}); err != nil || b.String() != "name,t\nOne,30000\n\"Two, or \"\"2\"\"\",30001\n" {
		t.Errorf("CSV = %s, %v", b.String(), err)
	}
	b.Reset()
	if err := c.CSV(t.Context(), &b, page.Asked{Words: []string{"env=Stadium"}}); err != nil || strings.Count(b.String(), "\n") != 3 {
		t.Errorf("CSV = %s, %v", b.String(), err)
	}
	if facets, err := c.Facets(t.Context(), nil); err != nil || facets == nil {
		t.Errorf("facets = %v, %v", facets, err)
	}
	for _, q := range []page.Asked{{Query: "select nothing"}, {Words: []string{"nothing=1"}}, {Query: "delete from maps"}} {
		if err := c.CSV(t.Context(), &b, q); err == nil {
			t.Errorf("%v succeeded, want an error", q)
		}
		if got, err := c.Ask(t.Context(), q, 10); err == nil || got != nil {
			t.Errorf("%v succeeded, want an error", q)
		}
	}
}

// A failure in the middle of an answer is reported as an error.
func TestFailsInTheMiddle(t *testing.T) {
	c := opened(t, "One")
	q := page.Asked{Query: "select 1 as a union all select abs(-9223372036854775808)"}
	if got, err := c.Ask(t.Context(), q, 10); err == nil {
		t.Errorf("got = %+v; want an error", got)
	}
	if err := c.CSV(t.Context(), &bytes.Buffer{}, q); err == nil {
		t.Error("CSV succeeded, want an error")
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.First(gone); err == nil {
		t.Error("a cancelled question got an answer")
	}
}

func TestOpenAndClose(t *testing.T) {
	file := made(t, "One")
	before := leak.OpenFiles()
	c, err := Open(t.Context(), file, "x")
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	text := filepath.Join(t.TempDir(), "text.txt")
	if err := os.WriteFile(text, []byte("no index"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{text, text + ".none"} {
		if c, err := Open(t.Context(), path, "x"); err == nil || c != nil {
			t.Errorf("opening %s as an index succeeded", path)
		}
	}
	if after := leak.OpenFiles(); after != before {
		t.Errorf("open files = %d, want %d as before", after, before)
	}
}

// If a map has several copies, the first path counts.
func TestMapPath(t *testing.T) {
	file := made(t, "One", "Copy", "Other")
	for uid, want := range map[string]string{"u0": "maps/0.Map.Gbx", "u1": "maps/2.Map.Gbx"} {
		if got, err := answers.MapPath(t.Context(), file, uid); err != nil || got != want {
			t.Errorf("path of %s = %s, %v", uid, got, err)
		}
	}
	_, err := answers.MapPath(t.Context(), file, "u9")
	if !errors.Is(err, fault.Unsupported) || !strings.Contains(err.Error(), "u9") || !strings.Contains(err.Error(), file) {
		t.Errorf(`err = %v; want err matching fault.Unsupported, err with "u9", err with %q`, err, file)
	}
	if _, err := answers.MapPath(t.Context(), file+".none", "u0"); err == nil {
		t.Error("a missing index found a map")
	}
}
