package index

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strconv"

	"pakbox/fact"
	"pakbox/internal/lib/pathname"
)

// Rows are rows of all tables: of a file and the files in it, or of many files. The zero
// value is empty.
//
// A row has a value for each column of its table: nil, an int64, a float64, a bool, a
// string, a []byte or a []*int64, according to the column's type.
type Rows struct {
	cells [len(tables)][]any // for each table the values of its rows, one row after the other
}

// Len is the number of rows of a table.
func (r *Rows) Len(t *Table) int { return len(r.cells[t.number]) / len(t.Columns()) }

// Row returns a row of a table. Changing its values changes the row.
func (r *Rows) Row(t *Table, i int) []any {
	n := len(t.Columns())
	return r.cells[t.number][i*n : (i+1)*n : (i+1)*n]
}

// Cells are the values of all rows of a table, one row after the other.
func (r *Rows) Cells(t *Table) []any { return r.cells[t.number] }

// Get returns the value of a column; nil if the table does not have the column.
func (r *Rows) Get(t *Table, i int, column string) any {
	at, ok := t.at()[column]
	if !ok {
		return nil
	}
	return r.Row(t, i)[at]
}

// Add adds a row, given by the names of its table and columns. Other columns are null, or
// empty if they cannot be null.
func (r *Rows) Add(table string, named map[string]any) {
	t, _ := TableNamed(table)
	row := t.empty()
	for name, v := range named {
		if !t.set(row, name, v) {
			panic("index: " + table + " has no column " + name)
		}
	}
	r.AddRow(t, row)
}

// AddRow adds a row whose values already have the types of their columns.
func (r *Rows) AddRow(t *Table, row []any) { r.cells[t.number] = append(r.cells[t.number], row...) }

// add adds a row, given by the values in the order of the columns.
func (r *Rows) add(t *Table, values ...any) {
	if len(values) != len(t.Columns()) {
		panic(fmt.Sprintf("index: %d values for the %d columns of %s", len(values), len(t.Columns()), t.Name))
	}
	cells := r.cells[t.number]
	for i, v := range values {
		cells = append(cells, t.columns[i].value(v))
	}
	r.cells[t.number] = cells
}

// empty returns a row without any known value.
func (t *Table) empty() []any {
	row := make([]any, len(t.Columns()))
	for i := range row {
		row[i] = t.columns[i].value(nil)
	}
	return row
}

// set sets a column of a row, and returns whether the table has this column.
func (t *Table) set(row []any, column string, v any) bool {
	i, ok := t.at()[column]
	if ok {
		row[i] = t.columns[i].value(v)
	}
	return ok
}

// fill sets the columns with the names of facts. info --json prints the same facts, so a
// row and info always agree.
func (t *Table) fill(row []any, facts fact.Record) {
	for i := range facts {
		if at, ok := t.at()[facts[i].Column()]; ok && t.columns[at].Type == typeOf(facts[i].Kind) {
			row[at] = t.columns[at].value(facts[i].Value)
		}
	}
}

// value converts a value to the type of the column. An empty text becomes null if the
// column may be null. A hash may be given as hex digits.
func (c *Column) value(x any) any {
	switch v := x.(type) {
	case nil:
		return c.nothing()
	case string:
		switch {
		case c.Type == Bytes:
			data, _ := hex.DecodeString(v) // cannot fail: the digits are our own
			return data
		case v == "" && c.Null:
			return nil
		}
		return x
	case int64:
		switch c.Type {
		case Real:
			return float64(v)
		case Text:
			return strconv.FormatInt(v, 10)
		}
		return x
	case int:
		return c.value(int64(v))
	case uint32:
		return c.value(int64(v))
	case *int64:
		if v == nil {
			return c.nothing()
		}
		return *v
	case json.Number: // an amount of money
		f, _ := v.Float64()
		return f
	case Hash:
		return v[:]
	}
	return x
}

// nothing returns the value of a column that stands for "unknown".
func (c *Column) nothing() any {
	switch {
	case c.Null:
		return nil
	case c.Type == Integer:
		return int64(0)
	case c.Type == Real:
		return float64(0)
	case c.Type == Boolean:
		return false
	case c.Type == Text:
		return ""
	case c.Type == Bytes:
		return make([]byte, c.Size)
	}
	return []*int64{}
}

// notNegative returns a number, or null for a negative one.
func notNegative(n int64) any { return fact.Known(n, n >= 0) }

// Has reports whether any file has this status.
func (r *Rows) Has(status string) bool {
	for i := range r.Len(filesTable) {
		if r.Get(filesTable, i, "status") == status {
			return true
		}
	}
	return false
}

// Content returns the hash of the first file, if it could be read.
func (r *Rows) Content() (hash Hash, ok bool) {
	if r.Len(filesTable) == 0 {
		return hash, false
	}
	content, ok := r.Get(filesTable, 0, "blake3").([]byte)
	copy(hash[:], content)
	return hash, ok
}

// Append adds the rows of another file.
func (r *Rows) Append(more *Rows) {
	for i := range r.cells {
		r.cells[i] = append(r.cells[i], more.cells[i]...)
	}
}

// marks are the lengths of all tables at one moment.
type marks [len(tables)]int

func (r *Rows) mark() (m marks) {
	for i := range r.cells {
		m[i] = len(r.cells[i])
	}
	return m
}

// since copies the rows that were added after a mark.
func (r *Rows) since(m marks) (added Rows) {
	for i := range r.cells {
		added.cells[i] = slices.Clone(r.cells[i][m[i]:])
	}
	return added
}

// Sort puts the rows in the order of an index: by the path of the file, as its text is
// stored. Rows of the same file keep their order.
func (r *Rows) Sort() {
	paths := make(map[int64]string, r.Len(filesTable))
	for i := range r.Len(filesTable) {
		name := r.Get(filesTable, i, "path").(string)
		if stored := pathname.Escaped(name); stored != name {
			name = stored + "\x00" + name
		}
		paths[r.Get(filesTable, i, "file").(int64)] = name
	}
	for _, t := range tables {
		order := make([]int, r.Len(t))
		keys := make([]string, len(order))
		for i := range order {
			order[i], keys[i] = i, paths[r.Row(t, i)[0].(int64)]
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(keys[a], keys[b]) })
		sorted := make([]any, 0, len(r.cells[t.number]))
		for _, from := range order {
			sorted = append(sorted, r.Row(t, from)...)
		}
		r.cells[t.number] = sorted
	}
}

// Move changes the rows of a file to those of the same content at another path.
func (r *Rows) Move(from, to string, mtimeNS *int64) {
	keys := map[any]any{nil: nil}
	for i := range r.Len(filesTable) {
		f := r.Row(filesTable, i)
		old := f[filesTable.at()["path"]].(string)
		moved := to + old[len(from):]
		filesTable.set(f, "path", moved)
		keys[f[0]] = Key(moved)
		if f[filesTable.at()["parent"]] == nil {
			filesTable.set(f, "name", path.Base(to))
			filesTable.set(f, "mtime_ns", mtimeNS)
		}
	}
	for _, t := range tables {
		for k, c := range t.Columns() {
			if c.Ref {
				for i := range r.Len(t) {
					row := r.Row(t, i)
					row[k] = keys[row[k]]
				}
			}
		}
	}
	r.AddTexts() // the texts include the name of the file
}
