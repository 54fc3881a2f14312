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
	if _, err := d.conn.ExecContext(ctx, "attach ? as other", ReadOnly(other)); err != nil {
		return inFile(err, other)
	}
	defer d.run(ctx, "detach other")
	// One statement changes pages all over the index. Its rollback data may be too large
	// for memory.
	d.run(ctx, "pragma temp_store = file")
	defer d.run(ctx, "pragma temp_store = memory")
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
	rows, err := d.conn.QueryContext(ctx, "select key from main.pakbox_state where key in (select key from other.pakbox_state)")
	if err != nil {
		return err
	}
	var common []string
	for rows.Next() {
		var k []byte
		if err := rows.Scan(&k); err != nil {
			rows.Close()
			return err
		}
		common = append(common, pathOf(k))
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for _, path := range common {
		if err := d.drop(ctx, path); err != nil {
			return err
		}
	}
	return nil
}
