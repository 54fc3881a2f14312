package sqlite

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"time"

	"pakbox/index"
)

// Share is the number of files with one name in a section, and their bytes. The index
// updates these numbers with each file, because counting a million files takes seconds.
type Share struct {
	Section, Name string
	Files, Bytes  int64
}

// Sections are the sections in the order of output.
var Sections = []string{"kind", "format", "status", "game", "class", "environment", "mode", "object", "year", "size"}

// sizeClasses are the names in the section size. A file belongs to the first class whose
// limit is above its size.
var sizeClasses = []struct {
	below int64
	name  string
}{
	{1 << 10, "below 1 KiB"}, {10 << 10, "1 to 10 KiB"}, {100 << 10, "10 to 100 KiB"}, {1 << 20, "100 KiB to 1 MiB"}, {10 << 20, "1 to 10 MiB"}, {1<<63 - 1, "10 MiB and more"},
}

// SizeClass is the position of a name in the section size, from the smallest.
func SizeClass(name string) int {
	for i, c := range sizeClasses {
		if c.name == name {
			return i
		}
	}
	return len(sizeClasses)
}

// The year of a file depends on the time zone of the reader, which may differ from that
// of the writer. Near the turn of a year, within the span of all time zones, files are
// therefore counted by quarters of an hour.
const (
	yearForm    = "2006"
	quarterForm = "2006-01-02 15:04"
	zonesApart  = 15 * time.Hour
)

// yearName is the name of a time in the section year.
func yearName(t time.Time) string {
	if t.Add(-zonesApart).Year() != t.Add(zonesApart).Year() {
		return t.Truncate(15 * time.Minute).Format(quarterForm)
	}
	return t.Format(yearForm)
}

// YearOf returns the local year for a name in the section year.
func YearOf(name string) string {
	if t, err := time.ParseInLocation(quarterForm, name, time.UTC); err == nil {
		return t.Local().Format(yearForm)
	}
	return name
}

// sharedTables are the tables whose rows count in the shares of kinds, games and years.
var sharedTables = []string{"files", "maps", "sim_objects"}

// share counts the rows of a file and of the files in it. sign is 1, or -1 for removed
// rows. Files inside others count only in the section object.
func (d *DB) share(rows *index.Rows, sign int64) {
	files, _ := index.TableNamed("files")
	maps, _ := index.TableNamed("maps")
	objects, _ := index.TableNamed("sim_objects")
	sizes, outer := map[any]int64{}, map[any]bool{}
	add := func(section string, name any, size int64) {
		text, _ := name.(string)
		key := Share{Section: section, Name: text}
		s := d.shares[key]
		d.shares[key] = Share{Files: s.Files + sign, Bytes: s.Bytes + sign*size}
	}
	for i := range rows.Len(files) {
		get := func(column string) any { return rows.Get(files, i, column) }
		size, _ := get("size").(int64)
		sizes[get("file")] = size
		if get("parent") != nil {
			continue
		}
		outer[get("file")] = true
		for _, section := range Sections[:3] {
			add(section, get(section), size)
		}
		if get("format") == "gbx" {
			add("game", get("game"), size)
			add("class", get("class_name"), size)
		}
		if ns, ok := get("mtime_ns").(int64); ok {
			add("year", yearName(time.Unix(0, ns).UTC()), size)
		}
		for _, c := range sizeClasses {
			if size < c.below {
				add("size", c.name, size)
				break
			}
		}
	}
	for i := range rows.Len(maps) {
		if file := rows.Get(maps, i, "file"); outer[file] {
			add("environment", rows.Get(maps, i, "collection_name"), sizes[file])
			add("mode", rows.Get(maps, i, "mode"), sizes[file])
		}
	}
	for i := range rows.Len(objects) {
		add("object", rows.Get(objects, i, "type"), sizes[rows.Get(objects, i, "file")])
	}
}

// writeShares writes the changed shares.
func (d *DB) writeShares(ctx context.Context) error {
	for key, s := range d.shares {
		if _, err := d.conn.ExecContext(ctx, "insert into pakbox_shares values (?, ?, ?, ?)"+moreShares, key.Section, key.Name, s.Files, s.Bytes); err != nil {
			return err
		}
	}
	clear(d.shares)
	return nil
}

// unshare subtracts the rows of removed files. It does not read hashes, because no share
// depends on them.
func (d *DB) unshare(ctx context.Context, files []int64) error {
	rows := &index.Rows{}
	for i := range d.tables {
		t := &d.tables[i]
		if !slices.Contains(sharedTables, t.Name) {
			continue
		}
		columns := slices.Clone(t.names)
		for i, at := range t.of {
			if t.Columns()[at].Type == index.Bytes {
				columns[i] = "null"
			}
		}
		if err := t.load(ctx, d.conn, files, strings.Join(columns, ", "), rows); err != nil {
			return err
		}
	}
	d.share(rows, -1)
	return nil
}

// moreShares adds the numbers to existing shares.
const moreShares = " on conflict do update set files = files + excluded.files, bytes = bytes + excluded.bytes"

// Shares returns the committed shares.
func (d *DB) Shares(ctx context.Context) ([]Share, error) { return Shares(ctx, d.read) }

// Shares returns all shares with files, the largest number of files first.
func Shares(ctx context.Context, db *sql.DB) (list []Share, err error) {
	rows, err := db.QueryContext(ctx, "select section, name, files, bytes from pakbox_shares where files > 0 order by files desc, name")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var s Share
		if err := rows.Scan(&s.Section, &s.Name, &s.Files, &s.Bytes); err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, rows.Err()
}
