package index

import (
	"fmt"
	"strings"
	"sync"

	"pakbox/fact"
)

// Table is the declaration of one table.
type Table struct {
	Name string
	Doc  string

	number   int // position in Tables
	declared func() [][]Column
	once     sync.Once
	columns  []Column
	places   map[string]int
}

// Columns lists the columns. They are made when they are first needed: most runs of the
// program need no table.
func (t *Table) Columns() []Column {
	t.once.Do(t.declare)
	return t.columns
}

// declare makes the columns. Of several with the same name the first is used: columns
// that only the index has come before facts of files.
func (t *Table) declare() {
	t.places = map[string]int{}
	for _, columns := range t.declared() {
		for _, c := range columns {
			if _, known := t.places[c.Name]; !known {
				t.places[c.Name] = len(t.columns)
				t.columns = append(t.columns, c)
			}
		}
	}
}

// at has the position of each column.
func (t *Table) at() map[string]int {
	t.once.Do(t.declare)
	return t.places
}

// Column is a column of a table: a fact, and how the table stores it.
type Column struct {
	*fact.Fact
	Name string // the fact's name without dots
	Type Type
	Size int  // length of values of type Bytes
	Null bool // the value may be unknown
	Ref  bool // the value is the key of a file
	Own  bool // only the index has this column: it is not a fact of a file
	Nano bool // the value is in nanoseconds, although the unit of its kind is milliseconds
	Raw  bool // a name that need not be UTF-8
}

// Unit is how many units of the column make one unit of its kind.
func (c *Column) Unit() int64 {
	if c.Nano {
		return 1_000_000
	}
	return 1
}

// Sentence describes the column, with the unit of its numbers.
func (c *Column) Sentence() string {
	unit := c.Kind.Unit()
	if c.Nano {
		unit = "nano" + strings.TrimPrefix(unit, "milli")
	}
	if unit == "" {
		return c.Doc
	}
	return c.Doc + " (" + unit + ")"
}

// Type is the type of a column's values.
type Type string

// Types of columns, each with the type of its values in Go.
const (
	Integer  Type = "integer"  // int64
	Real     Type = "real"     // float64
	Boolean  Type = "boolean"  // bool
	Text     Type = "text"     // string
	Bytes    Type = "bytes"    // []byte
	Integers Type = "integers" // []*int64
)

// typeOf returns the type of columns for a kind of facts, "" if columns cannot hold it.
func typeOf(k fact.Kind) Type {
	switch k {
	case fact.Text, fact.Styled, fact.Login, fact.ID:
		return Text
	case fact.Count, fact.Bytes, fact.Time, fact.Moment:
		return Integer
	case fact.Number:
		return Real
	case fact.Flag:
		return Boolean
	case fact.Hash:
		return Bytes
	case fact.Times:
		return Integers
	}
	return ""
}

// hashSize is the size of a BLAKE3 or SHA-256 hash.
const hashSize = 32

// column declares a column from a fact.
func column(f *fact.Fact, null bool) Column {
	c := Column{Fact: f, Name: f.Column(), Type: typeOf(f.Kind), Null: null}
	switch c.Type {
	case Bytes:
		c.Size = hashSize
	case "":
		panic(fmt.Sprintf("index: %s is a %s, and no column holds that", f.Name, f.Kind)) // a mistake in a declaration
	}
	return c
}

// always declares a column that only the index has and that is never null.
func always(name string, kind fact.Kind, doc string) Column {
	return own(column(&fact.Fact{Name: name, Kind: kind, Doc: doc}, false))
}

// maybe declares a column that only the index has and that may be null.
func maybe(name string, kind fact.Kind, doc string) Column {
	return own(column(&fact.Fact{Name: name, Kind: kind, Doc: doc}, true))
}

// raw declares that a text may be a name that is not UTF-8.
func (c Column) raw() Column {
	c.Raw = true
	return c
}

func own(c Column) Column {
	c.Own = true
	return c
}

// word declares a word for searching by the column. A column that only the index has can
// be searched by no other word.
func (c Column) word(name, doc string) Column {
	c.Also = append(c.Also, fact.Word{Name: name, Doc: doc})
	return c
}

// indexed declares that the column has an SQLite index, so that rows are found quickly.
func (c Column) indexed() Column {
	c.Indexed = true
	return c
}

// searched declares that the full-text search includes the column.
func (c Column) searched(by fact.Search) Column {
	c.Search = by
	return c
}

// fileKey declares the first column of a table: the key of a file.
func fileKey(doc string) Column { return refers(always("file", fact.Count, doc)) }

// refers declares that a column holds the key of a file.
func refers(c Column) Column {
	c.Ref = true
	return c
}

// factsOf declares a column for each fact of a subject that is a single value, or a list
// of times.
func factsOf(s *fact.Subject) (columns []Column) {
	for _, f := range s.Columns() {
		columns = append(columns, column(f, !f.Always && f.Kind != fact.Times))
	}
	return columns
}

// NewTable declares a table, whose columns are those of all parts.
func NewTable(name, doc string, parts func() [][]Column) *Table {
	return &Table{Name: name, Doc: doc, declared: parts}
}

// Tables lists all tables, files first.
func Tables() []*Table { return tables[:] }

// TableNamed finds a table.
func TableNamed(name string) (*Table, bool) {
	for _, t := range tables {
		if t.Name == name {
			return t, true
		}
	}
	return nil, false
}
