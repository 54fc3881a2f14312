package index

import "testing"

// A column that the table does not have must not give the value of another column.
func TestRowsGetUnknownColumn(t *testing.T) {
	files, _ := TableNamed("files")
	var rows Rows
	rows.Add("files", map[string]any{"path": "a.Map.Gbx"})
	if got := rows.Get(files, 0, "path"); got != "a.Map.Gbx" {
		t.Errorf("Get(path) = %v, want a.Map.Gbx", got)
	}
	if got := rows.Get(files, 0, "no_such_column"); got != nil {
		t.Errorf("Get(no_such_column) = %v, want nil", got)
	}
}
