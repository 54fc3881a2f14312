package sqlite

import (
	"context"
	"fmt"

	"pakbox/index/engine"
)

// Merge adds all files of another index. For a file in both, the rows of the other index
// replace the rows here.
func (d *DB) Merge(ctx context.Context, other string) (err error) {
	if err := check(ctx, other); err != nil {
		return err
	}
	always := context.WithoutCancel(ctx) // if the merge is cancelled, the next one must find nothing of it
	if _, err := d.conn.ExecContext(always, "attach ? as other", ReadOnly(other)); err != nil {
		return inFile(err, other)
	}
	defer d.run(always, "detach other")
	// One statement changes pages all over the index. Its rollback data may be too large
	// for memory.
	d.run(ctx, "pragma temp_store = file")
	defer d.run(always, "pragma temp_store = memory")
	if err := d.begin(ctx); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			d.Rollback(ctx)
			if code, _ := engine.Code(err); code == full || code == busy {
				other = d.path
			}
			err = inFile(err, other)
		}
	}()
	if err := d.flush(ctx); err != nil {
		return err
	}
	if err := d.dropCommon(ctx); err != nil {
		return err
	}
	for _, t := range d.tables {
		if _, err := d.conn.ExecContext(ctx, fmt.Sprintf("insert into main.%s(%s) select %s from other.%s order by rowid", t.Name, t.columns, t.columns, t.Name)); err != nil {
			return err
		}
	}
	if _, err := d.conn.ExecContext(ctx, "insert into main.pakbox_state select * from other.pakbox_state"); err != nil {
		return err
	}
	if _, err := d.conn.ExecContext(ctx, "insert into main.pakbox_shares select * from other.pakbox_shares where true"+moreShares); err != nil {
		return err
	}
	return d.Commit(ctx)
}

// dropCommon removes the files that the attached index also has.
func (d *DB) dropCommon(ctx context.Context) error {
	common, err := keys(ctx, d.conn, "select key from main.pakbox_state where key in (select key from other.pakbox_state)")
	if err != nil {
		return err
	}
	for _, path := range common {
		if err := d.drop(ctx, path); err != nil {
			return err
		}
	}
	return nil
}

// RemoveUnknown removes the files below root that another index does not know, of those
// for which mine is true.
func (d *DB) RemoveUnknown(ctx context.Context, other, root string, mine func(path string) bool) error {
	if err := d.begin(ctx); err != nil { // not in the list below what was not written yet
		return err
	}
	if err := d.flush(ctx); err != nil {
		return err
	}
	if err := d.Commit(ctx); err != nil {
		return err
	}
	always := context.WithoutCancel(ctx)
	if _, err := d.conn.ExecContext(always, "attach ? as other", ReadOnly(other)); err != nil {
		return inFile(err, other)
	}
	first, last := between(root)
	gone, err := keys(ctx, d.conn, `select key from main.pakbox_state where key >= ? and key < ?
		and key not in (select key from other.pakbox_state)`, first, last)
	d.run(always, "detach other")
	if err != nil {
		return inFile(err, d.path)
	}
	for _, path := range gone {
		if mine(path) {
			if err := d.Remove(ctx, path); err != nil {
				return err
			}
		}
	}
	return d.Commit(ctx)
}

// keys returns the paths of which a query returns the keys.
func keys(ctx context.Context, q querier, query string, args ...any) (paths []string, err error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var k []byte
		if err := rows.Scan(&k); err != nil {
			return nil, err
		}
		paths = append(paths, pathOf(k))
	}
	return paths, rows.Err()
}
