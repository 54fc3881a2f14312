package ask

import (
	"context"
	"database/sql/driver"
	"fmt"
	"time"

	"pakbox/index/engine"
)

// Facet counts the found files by the values of one word, so that a user can narrow the
// search.
type Facet struct {
	Title  string       `json:"title"`
	Word   string       `json:"word"`
	Values []FacetValue `json:"values"` // the most frequent first
}

// FacetValue is a value of the word. The condition Word=Value selects its files.
type FacetValue struct {
	Value string `json:"value"`
	Files int64  `json:"files"`
}

// facets are the words that can narrow a search. The year is that of the local day, as in
// conditions on dates.
var facets = []struct{ title, word, by string }{
	{"kind", "kind", ""}, {"game", "game", ""}, {"environment", "env", ""}, {"mode", "mode", ""}, {"mood", "mood", ""},
	{"year", "changed", yearFunction + "(files.mtime_ns)"}, {"format", "format", ""}, {"status", "status", ""},
}

// mostValues is the largest number of values in a facet.
const mostValues = 12

// yearFunction is the name of the SQL function that gives the year of a time.
const yearFunction = "pakbox_year"

func init() {
	engine.Function(yearFunction, false, func(v driver.Value) driver.Value {
		if ns, ok := v.(int64); ok {
			return time.Unix(0, ns).Format("2006")
		}
		return nil
	})
}

// Facets returns the words that distinguish the files of a search, with the number of
// files for each value. It leaves out words without known values. It also leaves out a
// word with the same value in all files, unless the search asks for it.
func (x *Index) Facets(ctx context.Context, words []string) ([]Facet, error) {
	out := []Facet{}
	filled, err := x.filled(ctx)
	if err != nil {
		return nil, err
	}
	for _, f := range facets {
		q, err := newQuestion(words, filled)
		if err == nil {
			err = x.lead(ctx, q, 0, false)
		}
		if err != nil {
			return nil, err
		}
		_, by, err := q.value(f.word)
		if err != nil {
			return nil, err
		}
		if f.by != "" {
			by = f.by
		}
		from, args := q.from()
		// Group without letter case, because conditions ignore it too.
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

// asks reports whether one of the conditions is about a word.
func asks(words []string, word string) bool {
	for _, text := range words {
		if c, err := parseCondition(text); err == nil && c.word != nil && c.word.Name == word {
			return true
		}
	}
	return false
}
