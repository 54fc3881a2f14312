package ask

import (
	"context"
	"fmt"
	"strings"
)

// Search is what files are looked for by.
type Search struct {
	Words  []string // word=value and the like, or what is searched for in names, authors and comments
	Fields []string // words whose values are given; DefaultFields if there are none
	Sort   []string // words to order by, with - before them for the largest first; the path if there are none
	Limit  int      // of rows; 0 for all
}

// DefaultFields are what people look for first.
var DefaultFields = []string{"path", "kind", "name", "author", "env", "author_time", "time", "size"}

// Find looks for files. It gives their words beside the answer's columns, which
// are named after them.
func (x *Index) Find(ctx context.Context, s Search) (*Answer, []*Word, error) {
	text, args, fields, err := x.question(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	a, err := x.SQL(ctx, text, args...)
	return a, fields, err
}

// question is a search in SQL, with its values, and the words of its columns.
func (x *Index) question(ctx context.Context, s Search) (text string, args []any, fields []*Word, err error) {
	q, err := newQuestion(s.Words)
	if err == nil {
		err = x.lead(ctx, q, s.Limit)
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

// newQuestion asks for the files for which all conditions hold.
func newQuestion(words []string) (*question, error) {
	q := &question{used: map[string]bool{}}
	for _, text := range words {
		c, err := parseCondition(text)
		if err == nil {
			err = q.add(c)
		}
		if err != nil {
			return nil, err
		}
	}
	return q, nil
}

func (q *question) fields(names []string) (words []*Word, selected string, err error) {
	if len(names) == 0 {
		names = DefaultFields
	}
	var list []string
	for _, name := range names {
		w, err := q.word(name)
		if err != nil {
			return nil, "", err
		}
		words, list = append(words, w), append(list, fmt.Sprintf("%s as %q", w.value(), w.Name))
	}
	return words, strings.Join(list, ",\n\t"), nil
}

// word finds a word whose value is needed.
func (q *question) word(name string) (*Word, error) {
	w, err := wordNamed(name)
	if err == nil {
		for _, c := range w.columns {
			q.use(c)
		}
	}
	return w, err
}

func (q *question) order(names []string) (string, error) {
	var list []string
	for _, name := range names {
		name, descending := strings.CutPrefix(name, "-")
		w, err := q.word(name)
		if err != nil {
			return "", err
		}
		e := q.sorted(w.value())
		switch {
		case w.Kind == Text && w.search != "":
			e = foldFunction + "(" + e + ")"
		case w.Kind == Text:
			e += " collate nocase"
		}
		if descending {
			e += " desc"
		}
		list = append(list, e+" nulls last")
	}
	return strings.Join(append(list, q.sorted("f.path")), ", "), nil
}

// sorted is an expression to sort by. A few are sorted sooner than all are
// walked through in order, which + keeps SQLite from.
func (q *question) sorted(expression string) string {
	if q.few {
		return "+" + expression
	}
	return expression
}

// sql is the question in SQL.
func (q *question) sql(selected, order string, limit int) (text string, args []any) {
	from, args := q.from()
	text = "select " + selected + from + "\norder by " + order
	if limit > 0 {
		text += fmt.Sprintf("\nlimit %d", limit)
	}
	return text, args
}

// from is where the files are that are asked for, and the values of that. What
// is searched for leads the way, because it finds few.
func (q *question) from() (text string, args []any) {
	from, where, args := "files f", q.where, q.args
	if len(q.match) > 0 {
		from = "search s cross join texts t on t.id = s.rowid cross join files f on f.file = t.file"
		where = append([]string{"search match ?"}, where...)
		args = append([]any{strings.Join(q.match, " AND ")}, args...)
	}
	for _, alias := range []string{"m", "r", "i", "p"} {
		if q.used[alias] {
			from += fmt.Sprintf("\n\tleft join %s %s on %s.file = f.file", single[alias], alias, alias)
		}
	}
	text = "\nfrom " + from
	if len(where) > 0 {
		text += "\nwhere " + strings.Join(where, "\n\tand ")
	}
	return text, args
}
