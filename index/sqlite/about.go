package sqlite

import "context"

// Note stores a note of the index about itself. It is part of the transaction that the
// next Commit ends.
func (d *DB) Note(ctx context.Context, name, value string) error {
	if err := d.begin(ctx); err != nil {
		return err
	}
	_, err := d.conn.ExecContext(ctx, "insert or replace into pakbox_about values (?, ?)", name, value)
	return err
}

// About returns the note of an index with a name; "" if none exists.
func About(ctx context.Context, q querier, name string) (value string, err error) {
	all, err := AboutAll(ctx, q)
	return all[name], err
}

// AboutAll returns all notes of an index.
func AboutAll(ctx context.Context, q querier) (map[string]string, error) {
	rows, err := q.QueryContext(ctx, "select name, value from pakbox_about")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := map[string]string{}
	for rows.Next() {
		var name, value string
		if err := rows.Scan(&name, &value); err != nil {
			return nil, err
		}
		all[name] = value
	}
	return all, rows.Err()
}

// About returns all notes of the index.
func (d *DB) About(ctx context.Context) (map[string]string, error) { return AboutAll(ctx, d.conn) }
