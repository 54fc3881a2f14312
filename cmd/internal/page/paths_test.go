package page

import (
	"slices"
	"testing"
)

// Rows of an index with absolute paths must not reveal folders of this computer.
func TestHideFolders(t *testing.T) {
	names := []any{"/home/me/a.Map.Gbx", `C:\Users\me\b.Map.Gbx`, "/home/me/served/c.Map.Gbx", "maps/d.Map.Gbx", nil}
	table := &Table{Columns: []string{"name", "path"}, Paths: []string{"", "", "served/c.Map.Gbx", "", ""}}
	for _, n := range names {
		table.Rows, table.Texts = append(table.Rows, []any{"x", n}), append(table.Texts, []string{"x", ""})
	}
	table.hideFolders()
	var got []any
	for _, r := range table.Rows {
		got = append(got, r[1])
	}
	if want := []any{"a.Map.Gbx", "b.Map.Gbx", "served/c.Map.Gbx", "maps/d.Map.Gbx", nil}; !slices.Equal(got, want) {
		t.Errorf("rows = %v, want %v", got, want)
	}
}
