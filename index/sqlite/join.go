package sqlite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"pakbox/fault"
)

// notWord matches characters that are not allowed in the name of a table.
var notWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^a-z0-9_]+`) })

// JoinName is the name of the table for facts from a file: join_maps_2024 for Maps
// 2024.jsonl.
func JoinName(file string) string {
	base := filepath.Base(file)
	base = strings.ToLower(strings.TrimSuffix(base, filepath.Ext(base)))
	return "join_" + strings.Trim(notWord().ReplaceAllString(base, "_"), "_")
}

// joinColumns is the largest number of members that the objects of a file may have.
const joinColumns = 500

// Join makes a table of facts from another source. r has JSON objects, one after the
// other; each member becomes a column, and the member on gets an SQLite index. The table
// replaces one of the same name. Members that are objects or lists are stored as JSON. It
// returns the number of rows.
func (d *DB) Join(ctx context.Context, table string, r io.Reader, on string) (rows int, err error) {
	if err := d.Commit(ctx); err != nil {
		return 0, err
	}
	if err := d.begin(ctx); err != nil {
		return 0, err
	}
	defer func() {
		if err != nil {
			d.Rollback(context.WithoutCancel(ctx))
		}
	}()
	if err := d.run(ctx, "drop table if exists "+quote(table), "create table "+quote(table)+"("+identifier(on)+" not null)"); err != nil {
		return 0, err
	}
	columns := []string{on}
	dec := json.NewDecoder(r)
	dec.UseNumber()
	for ; ; rows++ {
		var object map[string]any
		if err := dec.Decode(&object); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return rows, fault.New(fault.Corrupt, "object %d is no JSON object: %v", rows+1, err)
		}
		if object[on] == nil {
			return rows, fault.Usagef("object %d has no member %q to join by", rows+1, on)
		}
		if columns, err = d.joinRow(ctx, table, columns, object); err != nil {
			return rows, err
		}
	}
	if err := d.run(ctx, "create index "+quote(table+"_on")+" on "+quote(table)+"("+identifier(on)+" collate nocase)"); err != nil {
		return rows, err
	}
	return rows, d.Commit(ctx)
}

// joinRow inserts an object. New members become new columns, in the order of their names.
func (d *DB) joinRow(ctx context.Context, table string, columns []string, object map[string]any) ([]string, error) {
	var names, marks []string
	var values []any
	for _, name := range slices.Sorted(maps.Keys(object)) {
		v := object[name]
		if !slices.ContainsFunc(columns, func(c string) bool { return strings.EqualFold(c, name) }) {
			if strings.ContainsRune(name, 0) {
				return nil, fault.New(fault.Corrupt, "an object has a member with a null character in its name, %q, which no column can have", name)
			}
			if len(columns) == joinColumns {
				return nil, fault.New(fault.Limit, "the objects have more than %d members", joinColumns)
			}
			if err := d.run(ctx, "alter table "+quote(table)+" add column "+identifier(name)); err != nil {
				return nil, err
			}
			columns = append(columns, name)
		}
		names, marks, values = append(names, identifier(name)), append(marks, "?"), append(values, joined(v))
	}
	_, err := d.conn.ExecContext(ctx, fmt.Sprintf("insert into %s(%s) values (%s)", quote(table), strings.Join(names, ", "), strings.Join(marks, ", ")), values...)
	return columns, err
}

// joined converts a JSON value for SQLite.
func joined(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		f, _ := v.Float64()
		return f
	case map[string]any, []any:
		text, _ := json.Marshal(v) // cannot fail: the value came from JSON
		return string(text)
	}
	return v
}

// identifier quotes a name for SQL.
func identifier(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
