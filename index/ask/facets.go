package ask

import (
	"context"
	"database/sql/driver"
	"fmt"
	"time"

	sqlite "modernc.org/sqlite"
)

// Facet counts the found files by the values of one word: how many each would leave.
type Facet struct {
	Title  string       `json:"title"`
	Word   string       `json:"word"`
	Values []FacetValue `json:"values"` // the most frequent first
}

// FacetValue is a value that Word=Value asks for.
type FacetValue struct {
	Value string `json:"value"`
	Files int64  `json:"files"`
}

// facets are the words that narrow a search. A year is that of the local day, as in
// the conditions on dates.
var facets = []struct{ title, word, by string }{
	{"kind", "kind", ""}, {"game", "game", ""}, {"environment", "env", ""}, {"mode", "mode", ""}, {"mood", "mood", ""},
	{"year", "changed", yearFunction + "(files.mtime_ns)"}, {"format", "format", ""}, {"status", "status", ""},
}

// mostValues is how many values of a facet are told.
const mostValues = 12

// yearFunction is the year of a time, in SQL.
const yearFunction = "pakbox_year"

func init() {
	sqlite.MustRegisterScalarFunction(yearFunction, 1, func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
		if ns, ok := args[0].(int64); ok {
			return time.Unix(0, ns).Format("2006"), nil
		}
		return nil, nil
	})
}

// Facets tells by which words the files that Find finds can be told apart. Those
// that nothing is known by, and those that all files have in common without
// having been asked for, are left out.
func (x *Index) Facets(ctx context.Context, words []string) ([]Facet, error) {
	out := []Facet{}
	for _, f := range facets {
		q, err := newQuestion(words)
		if err == nil {
			err = x.lead(ctx, q, 0, false)
		}
		if err != nil {
			return nil, err
		}
		w, err := q.word(f.word)
		if err != nil {
			return nil, err
		}
		by := f.by
		if by == "" {
			by = w.value()
		}
		from, args := q.from()
		// Conditions do not tell capitals from small letters either.
		query := fmt.Sprintf("select min(%[1]s), count(*)%[2]s\ngroup by %[1]s collate nocase order by 2 desc, 1 limit %[3]d", by, from, mostValues+1)
		one := Facet{Title: f.title, Word: f.word, Values: []FacetValue{}}
		groups := 0
		err = x.each(ctx, query, args, func(values []driver.Value) {
			groups++
			n, _ := values[1].(int64)
			if value := text(values[0]); value != "" && len(one.Values) < mostValues {
				one.Values = append(one.Values, FacetValue{value, n})
			}
		})
		if err != nil {
			return nil, err
		}
		if len(one.Values) > 0 && (groups > 1 || asks(words, f.word)) {
			out = append(out, one)
		}
	}
	return out, nil
}

// asks reports whether one of the conditions is on a word.
func asks(words []string, word string) bool {
	for _, text := range words {
		if c, err := parseCondition(text); err == nil && c.word != nil && c.word.Name == word {
			return true
		}
	}
	return false
}
