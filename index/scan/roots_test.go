package scan_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"pakbox/index/scan"
	"pakbox/index/sqlite"
)

// A file has one row, however its folder is named, in one scan or in several.
func TestOneRowForAFile(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"maps/a", "maps/sub/b", "other/c"} {
		write(t, name, []byte(name))
	}
	above := filepath.Join("..", filepath.Base(dir), "maps")
	for _, c := range []struct {
		scans [][]string
		want  string
	}{
		{[][]string{{"maps"}, {filepath.Join(dir, "maps")}}, "maps/a maps/sub/b"},
		{[][]string{{"maps/sub"}, {filepath.Join(dir, "maps")}}, "maps/a maps/sub/b"},
		{[][]string{{"maps", filepath.Join(dir, "maps", "sub"), "./maps"}}, "maps/a maps/sub/b"},
		{[][]string{{"maps"}, {dir}}, "maps/a maps/sub/b other/c"},
		{[][]string{{filepath.Join(dir, "maps")}, {"maps/sub"}, {"."}}, filepath.ToSlash(dir) + "/maps/a " + filepath.ToSlash(dir) + "/maps/sub/b " + filepath.ToSlash(dir) + "/other/c"},
		{[][]string{{above}, {filepath.Join(dir, "maps")}}, "maps/a maps/sub/b"},
	} {
		file := filepath.Join(t.TempDir(), "index.sqlite")
		for _, roots := range c.scans {
			db, err := sqlite.Open(context.Background(), file)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := scan.Run(context.Background(), db, roots, scan.Options{}); err != nil {
				t.Fatal(err)
			}
			db.Close()
		}
		if got := indexedFiles(t, file); got != c.want {
			t.Errorf("%q: %s, want %s", c.scans, got, c.want)
		}
	}
}

// indexedFiles lists the files of an index.
func indexedFiles(t *testing.T, file string) (list string) {
	t.Helper()
	db, err := sqlite.OpenReadOnly(context.Background(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRow("select ifnull(group_concat(path, ' '), '') from (select path from files where parent is null order by path)").Scan(&list); err != nil {
		t.Fatal(err)
	}
	return list
}

// A file that somebody may be writing to has no row until it is finished, and
// keeps the row that it has.
func TestUnfinished(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"d/a", "d/b"} {
		write(t, name, []byte(name))
	}
	unfinished := ""
	o := scan.Options{Unfinished: func(file string, changed time.Time) bool {
		return file == filepath.FromSlash(unfinished) && changed.Unix() == 1_500_000_000
	}}
	for _, c := range []struct{ unfinished, want string }{{"d/b", "d/a"}, {"", "d/a d/b"}, {"d/b", "d/a d/b"}} {
		unfinished = c.unfinished
		if _, err := run("index.sqlite", "d", o); err != nil {
			t.Fatal(err)
		}
		if got := indexedFiles(t, "index.sqlite"); got != c.want {
			t.Errorf("while %q is written: %s, want %s", c.unfinished, got, c.want)
		}
		write(t, "d/b", []byte("changed"))
	}
}
