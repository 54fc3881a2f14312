package sqlite

import "context"

// Note has the index say something about itself. It belongs to the transaction
// that the next Commit ends.
func (d *DB) Note(ctx context.Context, name, value string) error {
	if err := d.begin(ctx); err != nil {
		return err
	}
	_, err := d.conn.ExecContext(ctx, "insert or replace into pakbox_about values (?, ?)", name, value)
	return err
}

// About is what an index says about itself under a name; "" if that is nothing.
func About(ctx context.Context, q querier, name string) (value string, err error) {
	all, err := AboutAll(ctx, q)
	return all[name], err
}

// AboutAll is all that an index says about itself.
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

// About is what the index says about itself.
func (d *DB) About(ctx context.Context) (map[string]string, error) { return AboutAll(ctx, d.conn) }
