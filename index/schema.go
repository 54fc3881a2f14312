package index

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
)

// Table is one of the tables.
type Table struct {
	Name    string
	Doc     string
	Columns []Column
	Row     reflect.Type // of its rows

	field int // in Rows
}

// Column is a column of a table.
type Column struct {
	Name string
	Kind Kind
	Null bool // it may be unknown
	Ref  bool // it is the key of a file
	Doc  string
}

// Kind is what a column holds.
type Kind string

// Kinds of columns.
const (
	Integer  Kind = "integer"
	Real     Kind = "real"
	Boolean  Kind = "boolean"
	Text     Kind = "text"
	Bytes    Kind = "bytes"
	Integers Kind = "integers" // a list
)

// Tables lists all tables, files first.
var Tables = sync.OnceValue(func() []Table {
	t := reflect.TypeFor[Rows]()
	list := make([]Table, t.NumField())
	for i := range list {
		f := t.Field(i)
		row := f.Type.Elem()
		list[i] = Table{Name: f.Tag.Get("table"), Doc: f.Tag.Get("doc"), Row: row, field: i}
		for k := range row.NumField() {
			list[i].Columns = append(list[i].Columns, columnOf(row.Field(k)))
		}
	}
	return list
})

// TableNamed finds a table.
func TableNamed(name string) (Table, bool) {
	for _, t := range Tables() {
		if t.Name == name {
			return t, true
		}
	}
	return Table{}, false
}

func columnOf(f reflect.StructField) Column {
	name, _, _ := strings.Cut(f.Tag.Get("parquet"), ",")
	c := Column{Name: name, Doc: f.Tag.Get("doc")}
	_, c.Ref = f.Tag.Lookup("ref")
	t := f.Type
	if t.Kind() == reflect.Pointer {
		c.Null, t = true, t.Elem()
	}
	switch t.Kind() {
	case reflect.Int64:
		c.Kind = Integer
	case reflect.Float64:
		c.Kind = Real
	case reflect.Bool:
		c.Kind = Boolean
	case reflect.String:
		c.Kind = Text
	case reflect.Array:
		c.Kind = Bytes
	case reflect.Slice:
		c.Kind = Integers
	default:
		panic(fmt.Sprintf("index: column %s is a %v", name, t)) // of this package's own types
	}
	return c
}

// Of returns the rows of a table, which can be set.
func (t Table) Of(r *Rows) reflect.Value { return reflect.ValueOf(r).Elem().Field(t.field) }

// Append adds the rows of another file.
func (r *Rows) Append(more *Rows) {
	for _, t := range Tables() {
		of := t.Of(r)
		of.Set(reflect.AppendSlice(of, t.Of(more)))
	}
}

// fieldIndex gives the fields of each row type by the names of their columns.
var fieldIndex = sync.OnceValue(func() map[reflect.Type]map[string]int {
	index := map[reflect.Type]map[string]int{}
	for _, t := range Tables() {
		index[t.Row] = map[string]int{}
		for i, c := range t.Columns {
			index[t.Row][c.Name] = i
		}
	}
	return index
})
