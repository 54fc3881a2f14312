package index

import (
	"fmt"
	"strings"

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

// TableList is the content of TablesText for --json.
type TableList struct {
	Version int     `json:"version" doc:"version of the tables"`
	Tables  []table `json:"tables" doc:"the tables of an index"`
}

type table struct {
	Name    string   `json:"name" doc:"name of the table"`
	Doc     string   `json:"doc" doc:"meaning of a row"`
	Columns []column `json:"columns" doc:"columns of the table"`
}

type column struct {
	Name string     `json:"name" doc:"name of the column"`
	Kind index.Type `json:"kind" doc:"type of the values"`
	Null bool       `json:"null" doc:"whether values may be null"`
	Doc  string     `json:"doc" doc:"meaning of the values"`
}

// Tables lists the tables of an index and their columns.
func Tables() TableList {
	var list []table
	for _, t := range index.Tables() {
		out := table{Name: t.Name, Doc: t.Doc}
		for _, c := range t.Columns() {
			out.Columns = append(out.Columns, column{c.Name, c.Type, c.Null, c.Sentence()})
		}
		list = append(list, out)
	}
	return TableList{index.Version, list}
}
