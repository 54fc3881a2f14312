package index

import (
	"strings"
	"sync"

	"pakbox/fact"
	"pakbox/fact/condition"
)

// searched lists the columns that the full-text search includes.
var searched = sync.OnceValue(func() (list []searchedColumn) {
	for _, t := range tables {
		for i, c := range t.Columns() {
			if c.Search != "" {
				list = append(list, searchedColumn{t, i, c.Search})
			}
		}
	}
	return list
})

type searchedColumn struct {
	table *Table
	at    int
	by    fact.Search
}

// AddTexts fills the table texts from the other tables: for each file the texts in its
// rows, including its name.
func (r *Rows) AddTexts() {
	r.cells[textsTable.number] = nil
	found := make(map[int64]map[fact.Search]*phrases, r.Len(filesTable))
	for i := range r.Len(filesTable) {
		found[r.Row(filesTable, i)[0].(int64)] = map[fact.Search]*phrases{fact.ByName: {}, fact.ByAuthor: {}, fact.ByComment: {}}
	}
	for _, c := range searched() {
		for i := range r.Len(c.table) {
			row := r.Row(c.table, i)
			if s, ok := row[c.at].(string); ok {
				found[row[0].(int64)][c.by].add(s)
			}
		}
	}
	for i := range r.Len(filesTable) {
		key := r.Row(filesTable, i)[0]
		of := found[key.(int64)]
		r.add(textsTable, key, of[fact.ByName].text(), of[fact.ByAuthor].text(), of[fact.ByComment].text())
	}
}

// phrases collects texts, each once.
type phrases struct {
	list []string
	seen map[string]bool
}

func (p *phrases) add(s string) {
	s = strings.TrimSpace(condition.Fold(s))
	if s == "" || p.seen[s] {
		return
	}
	if p.seen == nil {
		p.seen = map[string]bool{}
	}
	p.seen[s] = true
	p.list = append(p.list, s)
}

func (p *phrases) text() string { return strings.Join(p.list, "\n") }
