package index

import (
	"fmt"
	"strings"

	"pakbox/cmd/internal/question"
	"pakbox/index"
)

// TablesText lists the tables of an index and their columns.
func TablesText() string {
	var b strings.Builder
	b.WriteString("An index has these tables. Each has the column file, the key of a file.\nUse it to join tables: select … from maps join files using (file). An unknown value is null.\n")
	for _, t := range index.Tables() {
		fmt.Fprintf(&b, "\n%s: %s\n", t.Name, t.Doc)
		for _, c := range t.Columns() {
			null := ""
			if c.Null {
				null = "?"
			}
			fmt.Fprintln(&b, strings.TrimRight(fmt.Sprintf("  %-24s %-9s %s", c.Name, string(c.Type)+null, c.Sentence()), " "))
		}
	}
	return b.String()
}

// TablesObject is the content of TablesText for --json.
func TablesObject() *question.Object {
	type column struct {
		Name string     `json:"name"`
		Kind index.Type `json:"kind"`
		Null bool       `json:"null"`
		Doc  string     `json:"doc"`
	}
	type table struct {
		Name    string   `json:"name"`
		Doc     string   `json:"doc"`
		Columns []column `json:"columns"`
	}
	var list []table
	for _, t := range index.Tables() {
		out := table{Name: t.Name, Doc: t.Doc}
		for _, c := range t.Columns() {
			out.Columns = append(out.Columns, column{c.Name, c.Type, c.Null, c.Sentence()})
		}
		list = append(list, out)
	}
	return new(question.Object).Add("version", index.Version).Add("tables", list)
}
