package ask

import "context"

// Plan is how SQLite goes about a search, in its words.
func (x *Index) Plan(ctx context.Context, s Search) (*Result, error) {
	text, args, _, err := x.question(ctx, s)
	if err != nil {
		return nil, err
	}
	return x.SQL(ctx, "explain query plan "+text, args...)
}
