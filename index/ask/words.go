package ask

import (
	"slices"
	"strings"
	"sync"

	"pakbox/fact"
	"pakbox/fault"
	"pakbox/index"
	"pakbox/internal/lib/spell"
	"pakbox/internal/lib/styled"
)

// Word is a word for searching files: the name of a fact, or a further name that several
// facts and columns share.
type Word struct {
	Name string
	Kind fact.Kind // kind of the first column
	Doc  string
	// Tables are the tables with a column of this name. It is empty for a further name.
	Tables []string

	columns []wordColumn
}

// wordColumn is one of the columns of a word.
type wordColumn struct {
	table string
	*index.Column
}

// single are the tables with one row for each file. Other tables may have several.
var single = []string{"files", "maps", "replays", "items", "packs"}

func (c wordColumn) several() bool { return !slices.Contains(single, c.table) }

// column is the name of the column in SQL.
func (c wordColumn) column() string { return c.table + `."` + c.Name + `"` }

// Words lists all words for searching files: first the further names, in the order of the
// tables, then the names of facts.
var Words = sync.OnceValue(func() []*Word {
	var words, names []*Word
	add := func(list []*Word, name, doc string, c wordColumn, own bool) []*Word {
		i := slices.IndexFunc(list, func(w *Word) bool { return w.Name == name })
		if i < 0 {
			i, list = len(list), append(list, &Word{Name: name, Kind: c.Kind, Doc: doc})
		}
		columns := append(list[i].columns, c)
		if last := len(columns) - 2; last >= 0 && c.Kind == fact.Login && columns[last].table == c.table && columns[last].Kind == fact.Styled {
			columns[last], columns[last+1] = c, columns[last] // a login comes before a nickname
		}
		list[i].columns = columns
		if own {
			list[i].Tables = append(list[i].Tables, c.table)
		}
		return list
	}
	for _, t := range index.Tables() {
		for i := range t.Columns() {
			c := wordColumn{t.Name, &t.Columns()[i]}
			for _, w := range c.Also {
				words = add(words, w.Name, w.Doc, c, false)
			}
			if c.Own || !c.Kind.Scalar() {
				continue
			}
			names = add(names, c.Name, c.Doc, c, true)
			if c.Fact.Name != c.Name { // a fact has two names, such as medals.author and medals_author
				names = add(names, c.Fact.Name, c.Doc, c, false)
			}
		}
	}
	// If a further name is also the name of a fact, the word has the columns of both.
	for _, n := range names {
		i := slices.IndexFunc(words, func(w *Word) bool { return w.Name == n.Name })
		switch {
		case i < 0:
			words = append(words, n)
		case words[i].columns[0].table != "files": // except for columns of files: size means the size of the file, not of an archive
			words[i].columns = append(words[i].columns, n.columns...)
		}
	}
	return words
})

// among returns the word with only the columns of some tables, and of files.
func (w *Word) among(tables map[string]bool) *Word {
	some := *w
	some.columns = slices.DeleteFunc(slices.Clone(w.columns), func(c wordColumn) bool { return c.table != "files" && !tables[c.table] })
	if len(some.columns) == len(w.columns) {
		return w
	}
	return &some
}

// wordNamed finds a word.
func wordNamed(name string) (*Word, error) {
	words := Words()
	if i := slices.IndexFunc(words, func(w *Word) bool { return w.Name == strings.ToLower(name) }); i >= 0 {
		return words[i], nil
	}
	names := make([]string, len(words))
	for i, w := range words {
		names[i] = w.Name
	}
	u := fault.Usagef("unknown word %q", name)
	if near := spell.Near(name, names, 1); len(near) > 0 {
		return nil, u.Hint("did you mean %s?", near[0])
	}
	for _, known := range names { // environment is env
		if len(known) > 2 && strings.HasPrefix(strings.ToLower(name), known) {
			return nil, u.Hint("did you mean %s?", known)
		}
	}
	return nil, u.Hint("words are %s", strings.Join(names, ", "))
}

// isText reports whether values of a kind are text in SQL, or bytes compared as hex
// digits.
func isText(k fact.Kind) bool { return !k.Numeric() && k != fact.Flag }

// value is an SQL expression for the word's value of a file, for output and sorting: the
// first column that has a value.
func (w *Word) value() string {
	var list []string
	for _, c := range w.columns {
		e := c.column()
		if c.several() {
			e = "(select min(" + e + ") from " + c.table + " where " + c.table + ".file = files.file)"
		}
		if c.Type == index.Text {
			e = "nullif(" + e + ", '')"
		}
		list = append(list, e)
	}
	switch len(list) {
	case 0:
		return "null"
	case 1:
		return list[0]
	}
	return "coalesce(" + strings.Join(list, ", ") + ")"
}

// Text returns a value of the word as text for people.
func (w *Word) Text(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return styled.Plain(v)
	case int64:
		switch w.Kind {
		case fact.Flag:
			return fact.Flag.Text(v != 0)
		case fact.Bytes:
			return fact.SizeText(v)
		}
		return w.Kind.Text(v / w.columns[0].Unit())
	}
	return w.Kind.Text(value)
}
