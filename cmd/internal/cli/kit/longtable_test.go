package kit

import (
	"strings"
	"testing"
)

// A table of many rows has the lines of a plain one, also where its rows fill several
// pieces and one cell is longer than a piece.
func TestLongTable(t *testing.T) {
	var long, all, said strings.Builder
	table, plain, short := LongTable{}, Table{}, Table{}
	add := func(cells ...string) {
		table.Add(cells...)
		plain.Add(cells...)
		short.Add(cells[0], cells[2], cells[3])
	}
	add("path", "empty", "name", "size")
	for i := range 20_000 {
		add("maps/a.Map.Gbx", "", strings.Repeat("ä", i%7), []string{"", "12 B", "\x1b[1m3 kB\x1b[0m"}[i%3])
	}
	add("long", "", "", strings.Repeat("x", pieceSize)) // not padded, as the last one
	if len(table.pieces) < 3 {
		t.Fatalf("%d pieces are too few for this test", len(table.pieces))
	}
	for _, c := range []struct {
		onlySaid bool
		like     *Table
		want     *strings.Builder
	}{{false, &plain, &all}, {true, &short, &said}} {
		long.Reset()
		c.like.Print(c.want)
		if err := table.Print(&long, c.onlySaid); err != nil || long.String() != c.want.String() {
			t.Errorf("only columns with a text, %t: %d bytes instead of the %d of a plain table, %v", c.onlySaid, long.Len(), c.want.Len(), err)
		}
	}
}

// A table with a head alone keeps its columns, and one whose columns are all empty has empty lines.
func TestLongTableWithoutTexts(t *testing.T) {
	var out strings.Builder
	var table LongTable
	table.Add("path", "name")
	table.Print(&out, true)
	table.Add("", "")
	table.Print(&out, true)
	table.Add("a", "")
	table.Print(&out, true)
	if got, want := out.String(), "path  name\n"+"\n\n"+"path\n\na\n"; got != want {
		t.Errorf("%q instead of %q", got, want)
	}
}
