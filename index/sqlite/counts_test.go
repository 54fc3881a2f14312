package sqlite_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pakbox/fault"
	"pakbox/index"
	"pakbox/index/sqlite"
)

// changedAt are the rows of a file of a size that was changed at a time.
func changedAt(path string, size int64, at string) *index.Rows {
	when, _ := time.Parse(time.RFC3339, at)
	ns := when.UnixNano()
	return index.FailureRow(path, index.StatusUnreadable, size, &ns, errors.New("not today"))
}

// The largest number comes first. Sizes are in classes, years in the zone of the reader.
func TestShareNames(t *testing.T) {
	zone := time.Local
	t.Cleanup(func() { time.Local = zone })
	db, _ := filledIndex(t, "a.sqlite")
	for i, c := range []struct {
		size int64
		at   string
	}{
		{0, "2020-06-01T00:00:00Z"}, {1023, "2020-06-01T00:00:00Z"}, {1 << 10, "2020-12-31T08:59:59Z"}, {10 << 10, "2020-12-31T09:07:00Z"},
		{100<<10 - 1, "2020-12-31T09:15:00Z"}, {1 << 20, "2021-01-01T14:59:59Z"}, {10 << 20, "2021-01-01T15:00:00Z"}, {1 << 40, "2021-06-01T00:00:00Z"},
	} {
		path := fmt.Sprint("f", i)
		if err := db.Put(t.Context(), sqlite.State{Path: path}, changedAt(path, c.size, c.at)); err != nil {
			t.Fatal(err)
		}
	}
	if list, err := db.Shares(t.Context()); err != nil || list != nil {
		t.Errorf("not committed, and counted: %v, %v", list, err)
	}
	if err := db.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	list, err := db.Shares(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, s := range list {
		got[s.Section] += fmt.Sprintf("%s %d %d, ", s.Name, s.Files, s.Bytes)
	}
	if want := "10 MiB and more 2 1099522113536, 10 to 100 KiB 2 112639, below 1 KiB 2 1023, 1 to 10 KiB 1 1024, 1 to 10 MiB 1 1048576, "; got["size"] != want {
		t.Errorf("sizes: %s", got["size"])
	}
	years := "2020 3 2047, 2021 2 1099522113536, 2020-12-31 09:00 1 10240, 2020-12-31 09:15 1 102399, 2021-01-01 14:45 1 1048576, "
	if got["year"] != years {
		t.Errorf("years: %s", got["year"])
	}
	for hours, want := range map[int]string{0: "2020 2021", 14: "2020 2021", -14: "2020 2021", 15: "2021 2021", -15: "2020 2020"} {
		time.Local = time.FixedZone("", hours*3600)
		at := "2020-12-31 09:00"
		if hours < 0 {
			at = "2021-01-01 14:45"
		}
		if got := sqlite.YearOf(at); !slices.Contains(strings.Fields(want), got) || sqlite.YearOf("1999") != "1999" || sqlite.YearOf("") != "" {
			t.Errorf("%s in a zone of %d hours is in %s, want one of %s", at, hours, got, want)
		}
	}
	time.Local = time.FixedZone("", 3600)
	if a, b := sqlite.YearOf("2020-12-31 22:45"), sqlite.YearOf("2020-12-31 23:00"); a != "2020" || b != "2021" {
		t.Errorf("an hour before the turn of the year it is %s, and then %s", a, b)
	}
	if a, b, c := sqlite.SizeClass("below 1 KiB"), sqlite.SizeClass("10 MiB and more"), sqlite.SizeClass("none"); a != 0 || b != 5 || c != 6 {
		t.Errorf("places of sizes: %d, %d, %d", a, b, c)
	}
}

// Rows that were rolled back do not count, and do not appear with the next commit.
func TestRolledBack(t *testing.T) {
	db, _ := filledIndex(t, "a.sqlite")
	if err := db.Put(t.Context(), state("x"), rowsOf("x", 1)); err != nil {
		t.Fatal(err)
	}
	db.Rollback(t.Context())
	if err := put(db, "y", 3000); err != nil {
		t.Fatal(err)
	}
	if got, err := db.Load(t.Context(), "x"); err != nil || got.Len(tableNamed("files")) != 0 || got.Len(tableNamed("maps")) != 0 {
		t.Errorf("rows of a file that was rolled back: %v, %v", got, err)
	}
	list, err := db.Shares(t.Context())
	if err != nil || len(list) == 0 || slices.ContainsFunc(list, func(s sqlite.Share) bool { return s.Section == "kind" && s.Files != 1 }) {
		t.Errorf(`list = %v, err = %v; want no error, list not empty, one file of each kind`, list, err)
	}
	if some, err := db.Seen(t.Context()); !some || err != nil {
		t.Errorf("some = %t, err = %v; want some = true, no error", some, err)
	}
}

// Files that another index does not know are removed, below a root, where they are asked for.
func TestRemoveUnknown(t *testing.T) {
	db, own := filledIndex(t, "a.sqlite", "d/a", "d/b", "d/c", "d.e", "f")
	other, file := filledIndex(t, "b.sqlite", "d/b")
	if err := errors.Join(other.Close(), db.Put(t.Context(), state("d/new"), rowsOf("d/new", 9000))); err != nil {
		t.Fatal(err)
	}
	var asked []string
	mine := func(path string) bool { asked = append(asked, path); return path != "d/c" }
	if err := db.RemoveUnknown(t.Context(), file, "d", mine); err != nil {
		t.Fatal(err)
	}
	if got := paths(below(t, db, ".")); got != "d/b d/c d.e f" || !slices.Equal(asked, []string{"d/a", "d/c", "d/new"}) || db.Pending() != 0 {
		t.Errorf("%s, asked %q, %d pending", got, asked, db.Pending())
	}
	if got, err := db.Load(t.Context(), "d/a"); err != nil || got.Len(tableNamed("files")) != 0 {
		t.Errorf(`got = %v, err = %v; want no error, got.Len(tableNamed("files")) = 0`, got, err)
	}
	if err := db.RemoveUnknown(t.Context(), file+"none", "d", mine); err == nil || !strings.Contains(err.Error(), file+"none: ") {
		t.Errorf(`err = %v; want an error, err with file + "none: "`, err)
	}
	changed(t, file, "drop table pakbox_state")
	if err := db.RemoveUnknown(t.Context(), file, ".", mine); err == nil || !strings.HasPrefix(err.Error(), own+": ") {
		t.Errorf(`err = %v; want an error, err beginning with own + ": "`, err)
	}
	if got := paths(below(t, db, ".")); got != "d/b d/c d.e f" {
		t.Errorf("after one that failed: %s", got)
	}
	good, file := filledIndex(t, "c.sqlite", "f")
	if err := errors.Join(good.Close(), db.RemoveUnknown(t.Context(), file, ".", func(string) bool { return true })); err != nil {
		t.Fatal(err)
	}
	if got := paths(below(t, db, ".")); got != "f" {
		t.Errorf(`got = %v; want "f"`, got)
	}
}

// While an index is made for the first time nobody looks for copies; when something is
// removed from it, it can be searched from then on.
func TestCopiesAfterRemoval(t *testing.T) {
	db := open(t, t.TempDir()+"/a.sqlite")
	if some, err := db.Seen(t.Context()); some || err != nil {
		t.Errorf("an empty index knows files: %t, %v", some, err)
	}
	for _, path := range []string{"x", "y"} {
		if err := put(db, path, 1); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []int{0, 1} {
		if same, err := db.SameContent(t.Context(), contentOfX()); err != nil || len(same) != want {
			t.Errorf("%+v, %v, want %d", same, err, want)
		}
		if err := errors.Join(db.Remove(t.Context(), "x"), db.Commit(t.Context())); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// Members of joined objects become columns: their names in any case, values of any kind,
// and no more of them than a table can have.
func TestJoinedValues(t *testing.T) {
	db, file := filledIndex(t, "a.sqlite", "x")
	join := func(objects string) (int, error) {
		return db.Join(t.Context(), "join_r", strings.NewReader(objects), "uid")
	}
	if n, err := join(`{"uid":"a","WR":9007199254740993,"list":[1,"b"]} {"uid":"b","wr":1e3,"list":{"c":null},"yes":true} {"uid":"c","wr":null}`); n != 3 || err != nil {
		t.Fatalf("n = %v, err = %v; want n = 3, no error", n, err)
	}
	read, err := sqlite.OpenReadOnly(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	if got, want := values(t, read, "select uid, ifnull(wr, '-'), ifnull(list, '-') || ifnull(yes, '-') from join_r order by uid"), `a 9007199254740993 [1,"b"]-, b 1000 {"c":null}1, c - --`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := values(t, read, "select uid, 1, 1 from join_r where uid = 'B' collate nocase"); got != "b 1 1" {
		t.Errorf(`got = %v; want "b 1 1"`, got)
	}
	if got := values(t, read, "select group_concat(name), 1, 1 from pragma_table_info('join_r')"); got != "uid,WR,list,yes 1 1" {
		t.Errorf("columns %s", got)
	}
	var many strings.Builder // with uid as another one
	for i := range 499 {
		fmt.Fprintf(&many, `,"m%d":%d`, i, i)
	}
	if n, err := join(`{"uid":"a"` + many.String() + `} {"uid":"b","more":1}`); n != 1 || !errors.Is(err, fault.Limit) {
		t.Errorf("n = %d, err = %v; want n = 1, err matching fault.Limit", n, err)
	}
	if _, err := join(`{"uid":"a"} [`); err == nil || !strings.Contains(err.Error(), "object 2 is no JSON object") || !errors.Is(err, fault.Corrupt) {
		t.Errorf(`err = %v; want an error, err with "object 2 is no JSON object", err matching fault.Corrupt`, err)
	}
	if _, err := join(`{"uid":"a"} {"uid":null}`); err == nil || !strings.Contains(err.Error(), `object 2 has no member "uid"`) {
		t.Errorf("err = %v; want an error, err with `object 2 has no member \"uid\"`", err)
	}
	if got := values(t, read, "select count(*), max(wr), max(uid) from join_r"); got != "3 9007199254740993 c" {
		t.Errorf("after some that failed: %s", got)
	}
	for file, want := range map[string]string{"a/B c--d.v2.jsonl": "join_b_c_d_v2", "_x_.json": "join_x", "plain": "join_plain"} {
		if got := sqlite.JoinName(file); got != want {
			t.Errorf("%s: %s, want %s", file, got, want)
		}
	}
}
