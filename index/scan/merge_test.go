package scan_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/index"
	"pakbox/index/scan"
	"pakbox/index/sqlite"
)

// parts scans w in two parts, and returns their files.
func parts(t *testing.T, x index.Indexer) (list []string) {
	t.Helper()
	for i := range 2 {
		list = append(list, filepath.Join(t.TempDir(), "part.sqlite"))
		_, err := run(list[i], "w", scan.Options{Shard: i, Shards: 2, Indexer: x})
		must(t, err)
	}
	return list
}

// notes are an index's notes about itself.
func notes(t *testing.T, file string) map[string]string {
	t.Helper()
	about, err := scan.About(t.Context(), file)
	must(t, err)
	return about
}

// merge merges parts into an index.
func merge(ctx context.Context, file string, parts []string, complete bool) error {
	db, err := sqlite.Open(ctx, file)
	if err != nil {
		return err
	}
	defer db.Close()
	return scan.Merge(ctx, db, parts, complete)
}

// A part is marked with its number and its listing. A whole index lacks the mark.
func TestParts(t *testing.T) {
	world(t)
	listing := ""
	for i, file := range parts(t, index.Indexer{}) {
		part, of, hash := scan.Part(notes(t, file))
		if part != i+1 || of != 2 || hash == "" || listing != "" && hash != listing {
			t.Errorf("part %d is %d of %d of %q", i+1, part, of, hash)
		}
		listing = hash
	}
	mustRun(t, "whole.sqlite", "w")
	if part, of, hash := scan.Part(notes(t, "whole.sqlite")); part != 0 || of != 0 || hash != "" {
		t.Errorf("%d of %d of %q", part, of, hash)
	}
	// A part is made only in a new index, or in that of the same part.
	db, err := sqlite.Open(t.Context(), "whole.sqlite")
	must(t, err)
	defer db.Close()
	mustBe := func(o scan.Options, want string) {
		t.Helper()
		if err := o.SamePart(t.Context(), db); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	mustBe(scan.Options{}, "")
	mustBe(scan.Options{Shard: 0, Shards: 2}, "the index is one of all files")
	_, err = scan.Run(t.Context(), db, []string{"w"}, scan.Options{Shard: 1, Shards: 2})
	must(t, err)
	mustBe(scan.Options{Shard: 1, Shards: 2}, "")
	mustBe(scan.Options{Shard: 0, Shards: 2}, "part 2/2")
	mustBe(scan.Options{Shard: 1, Shards: 3}, "part 2/2")
	// The part of a folder that cannot be listed is not finished.
	if _, err := run("lost.sqlite", "none", scan.Options{Shard: 0, Shards: 2}); err != nil || scan.Finished(notes(t, "lost.sqlite")) {
		t.Errorf("%v, %q", err, notes(t, "lost.sqlite"))
	}
	fresh, err := sqlite.Open(t.Context(), "new.sqlite")
	must(t, err)
	defer fresh.Close()
	o := scan.Options{Shard: 1, Shards: 3}
	must(t, o.SamePart(t.Context(), fresh))
}

// The options of an index are in its notes, and in those of the index into which it is
// merged.
func TestAsked(t *testing.T) {
	world(t)
	for want, x := range map[string]index.Indexer{
		"": {}, "--check": {Check: true}, "--lint or --verify": {Lint: true}, "--check --lint or --verify": {Check: true, Verify: true},
	} {
		file := filepath.Join(t.TempDir(), "merged.sqlite")
		must(t, merge(t.Context(), file, parts(t, x), true))
		about := notes(t, file)
		if got := strings.Join(scan.Flags(about), " "); got != want {
			t.Errorf("asked for %q, want %q", got, want)
		}
		here, err := filepath.Abs("w")
		must(t, err)
		if about["root w"] != filepath.ToSlash(here) {
			t.Errorf("the roots: %q", about)
		}
		if part, of, _ := scan.Part(about); part != 0 || of != 0 || !scan.Finished(about) {
			t.Errorf("a whole of parts is %d of %d, finished %t", part, of, scan.Finished(about))
		}
	}
}

// Incomplete parts make an index marked as incomplete. A merge of all parts removes rows
// that they no longer have, and keeps rows that were never theirs.
func TestMergeAgain(t *testing.T) {
	world(t)
	list := parts(t, index.Indexer{})
	must(t, merge(t.Context(), "index.sqlite", list[:1], false))
	if scan.Finished(notes(t, "index.sqlite")) {
		t.Error("half of the parts are a whole")
	}
	must(t, merge(t.Context(), "index.sqlite", list, true))
	if got := indexed(t); got != wholeWorld || !scan.Finished(notes(t, "index.sqlite")) {
		t.Errorf("%s, %q", got, notes(t, "index.sqlite"))
	}
	mustRun(t, "other.sqlite", "other")
	must(t, merge(t.Context(), "index.sqlite", []string{"other.sqlite"}, true))
	must(t, os.RemoveAll("w/d"))
	must(t, os.Remove("w/empty"))
	list = parts(t, index.Indexer{})
	for _, c := range []struct {
		complete bool
		want     string
	}{{false, "other/linked " + wholeWorld}, {true, "other/linked w/Sample.Pack.Gbx w/d-two w/d.three w/link w/pair/hello.eix w/pair/hello.epk w/tram.png"}} {
		must(t, merge(t.Context(), "index.sqlite", list, c.complete))
		if got := indexed(t); got != c.want {
			t.Errorf("complete %t: %s, want %s", c.complete, got, c.want)
		}
	}
}

// A merge that fails leaves an index marked as unfinished; so does the merge
// into an index whose scan was stopped.
func TestMergeStopped(t *testing.T) {
	world(t)
	list := parts(t, index.Indexer{})
	err := merge(t.Context(), "index.sqlite", []string{list[0], "none.sqlite", list[1]}, true)
	if err == nil || scan.Finished(notes(t, "index.sqlite")) {
		t.Errorf("%v, %q", err, notes(t, "index.sqlite"))
	}
	must(t, merge(t.Context(), "index.sqlite", list, true)) // once more, to the end
	if !scan.Finished(notes(t, "index.sqlite")) || indexed(t) != wholeWorld {
		t.Errorf("%q, %s", notes(t, "index.sqlite"), indexed(t))
	}
	ctx, cancel := context.WithCancel(t.Context())
	db, err := sqlite.Open(t.Context(), "stopped.sqlite")
	must(t, err)
	stop := scan.Options{Skip: func(string) bool { cancel(); return false }}
	if _, err := scan.Run(ctx, db, []string{"other"}, stop); err == nil {
		t.Error("a scan that was cancelled has no error")
	}
	must(t, db.Close())
	must(t, merge(t.Context(), "stopped.sqlite", list, true))
	if scan.Finished(notes(t, "stopped.sqlite")) {
		t.Error("a merge finishes a scan")
	}
}

// A sentence for a folder that cannot be listed; a file that cannot be read has a row.
func TestUnlisted(t *testing.T) {
	t.Chdir(t.TempDir())
	r, err := run("index.sqlite", "none", scan.Options{})
	must(t, err)
	r.Problems = append(r.Problems, scan.Problem{Path: "d/a", Err: os.ErrPermission, Indexed: true})
	if got := r.UnlistedFolders(); len(got) != 1 || !strings.Contains(got[0], "none") || fmt.Sprint(r.Unseen) != "[none]" {
		t.Errorf("%q, unseen %q", got, r.Unseen)
	}
}
