package ask

import (
	"context"
	"fmt"
	"strings"

	"pakbox/index"
)

// Search describes a search for files.
type Search struct {
	Words  []string // conditions such as word=value, and texts to search for in names, authors and comments
	Fields []string // words whose values are returned; DefaultFields if empty
	Sort   []string // words to sort by, with - for descending order; by path if empty
	Limit  int      // largest number of rows; 0 for all
}

// DefaultFields are the words whose values are returned by default.
var DefaultFields = []string{"path", "kind", "name", "author", "env", "author_time", "time", "size"}

// Find searches for files. It returns the rows, and the words of the columns. Each column
// is named after its word.
func (x *Index) Find(ctx context.Context, s Search) (*Result, []*Word, error) {
	text, args, fields, err := x.question(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	a, err := x.SQL(ctx, text, args...)
	return a, fields, err
}

// question converts a search to SQL. It returns the query, its values, and the words of
// its columns.
func (x *Index) question(ctx context.Context, s Search) (text string, args []any, fields []*Word, err error) {
	filled, err := x.filled(ctx)
	if err != nil {
		return "", nil, nil, err
	}
	q, err := newQuestion(s.Words, filled)
	if err == nil {
		err = x.lead(ctx, q, s.Limit, len(s.Sort) > 0)
	}
	if err != nil {
		return "", nil, nil, err
	}
	fields, selected, err := q.fields(s.Fields)
	if err != nil {
		return "", nil, nil, err
	}
	order, err := q.order(s.Sort)
	if err != nil {
		return "", nil, nil, err
	}
	text, args = q.sql(selected, order, s.Limit)
	return text, args, fields, nil
}

func (q *question) fields(names []string) (words []*Word, selected string, err error) {
	if len(names) == 0 {
		names = DefaultFields
	}
	var list []string
	for _, name := range names {
		w, value, err := q.value(name)
		if err != nil {
			return nil, "", err
		}
		words, list = append(words, w), append(list, fmt.Sprintf("%s as %q", value, w.Name))
	}
	return words, strings.Join(list, ",\n\t"), nil
}

func (q *question) order(names []string) (string, error) {
	var list []string
	for _, name := range names {
		name, descending := strings.CutPrefix(name, "-")
		w, value, err := q.value(name)
		if err != nil {
			return "", err
		}
		e := q.sorted(value)
		if w.columns[0].Type == index.Text {
			e = foldFunction + "(" + e + ")"
		}
		if descending {
			e += " desc"
		}
		list = append(list, e+" nulls last")
	}
	return strings.Join(append(list, q.sorted("files.path")), ", "), nil
}

// sql returns the query and its values.
func (q *question) sql(selected, order string, limit int) (text string, args []any) {
	from, args := q.from()
	text = "select " + selected + from + "\norder by " + order
	if limit > 0 {
		text += fmt.Sprintf("\nlimit %d", limit)
	}
	return text, args
}
