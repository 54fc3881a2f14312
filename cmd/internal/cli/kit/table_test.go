package kit

import (
	"slices"
	"strings"
	"testing"
)

// A table that is wider than the terminal gives way in its widest columns, and
// shows where it did. Codes of colours take no room.
func TestTableFitsTerminal(t *testing.T) {
	table := Table{Width: 40}
	table.Add("NAME", "SIZE", "COMMENT")
	table.Add("a", "1", strings.Repeat("long ", 20))
	table.Add("\x1b[31m"+strings.Repeat("x", 30)+"\x1b[0m", "22", "short")
	var b strings.Builder
	table.Print(&b)
	for _, line := range strings.Split(strings.TrimRight(b.String(), "\n"), "\n") {
		if n := shownWidth(line); n > 40 {
			t.Errorf("%d characters: %q", n, line)
		}
	}
	if !strings.Contains(b.String(), "…") || !strings.Contains(b.String(), "…\x1b[0m") {
		t.Errorf("the mark of a cut is missing, or a colour continues behind it:\n%q", b.String())
	}
	wide := Table{}
	wide.Rows = table.Rows
	b.Reset()
	wide.Print(&b)
	if strings.Contains(b.String(), "…") {
		t.Errorf("what goes to no terminal is cut:\n%s", b.String())
	}
}

// A template names an output for each input.
func TestNamesOfOutputs(t *testing.T) {
	inFolder := Input{Path: "maps/cup/A.Map.Gbx", Folder: "maps", Number: 3, Many: true}
	given := Input{Path: "maps/cup/A.Map.Gbx", Number: 1}
	inZip := Input{Path: "maps.zip/cup/A B.Map.Gbx", Number: 2, Many: true}
	for _, test := range []struct {
		o    Output
		in   Input
		want string
	}{
		{Output{Dir: "out"}, inFolder, "out/cup/A.png"},
		{Output{Dir: "out"}, given, "out/A.png"},
		{Output{Dir: "out"}, inZip, "out/A B.png"},
		{Output{Dir: "out/{n}"}, inZip, "out/2/A B.png"},
		{Output{Out: "{dir}-{name}.png"}, inFolder, "cup-A.png"},
		{Output{Out: "{file}.png"}, given, "A.Map.Gbx.png"},
		{Output{Out: "x.png"}, given, "x.png"},
		{Output{Out: "-"}, given, "-"},
		{Output{}, given, ""},
		{Output{Named: true}, given, "A.png"},
	} {
		if got := test.o.name(test.in, ".png"); strings.ReplaceAll(got, `\`, "/") != test.want {
			t.Errorf("%+v of %s is %q, want %q", test.o, test.in.Path, got, test.want)
		}
	}
	for file, want := range map[string]string{
		"A.Map.Gbx": "A", "a/b.c.zip": "b.c", "Mr. Big.Gbx": "Mr. Big", ".Gbx": ".Gbx", "-": "stdin", "x": "x", "A.B.Map.Gbx": "A.B",
	} {
		if got := BaseName(file); got != want {
			t.Errorf("%s is called %q, want %q", file, got, want)
		}
	}
}

// A table that is too wide first loses columns with the same value in all rows, then its last
// columns, and has a note about it; the other columns stay readable.
func TestTableLeavesOutColumns(t *testing.T) {
	table := Table{Width: 80, numbers: make([]bool, 6)}
	table.Add("PATH", "GHOST", "RACE_TIME", "NICK", "MAP_UID", "CHECKPOINTS")
	for i := range 3 {
		n := strings.Repeat(string(rune('a'+i)), 40)
		table.Add(n+".Replay.Gbx", "0", "0:19.51"+n[:1], n, n, n+n)
	}
	left := table.fit()
	want := []string{"the same in all rows: GHOST 0", "left out, for want of room: CHECKPOINTS"}
	if !slices.Equal(left, want) {
		t.Errorf("left out %q, want %q", left, want)
	}
	var b strings.Builder
	table.Print(&b)
	for _, line := range strings.Split(strings.TrimRight(b.String(), "\n"), "\n") {
		if n := shownWidth(line); n > 80 {
			t.Errorf("%d characters: %q", n, line)
		}
	}
	if !strings.Contains(b.String(), "0:19.51a") || !strings.Contains(b.String(), "MAP_UID") {
		t.Errorf("a short column is cut, or one is missing:\n%s", b.String())
	}
	narrow := Table{Width: 80}
	narrow.Add("NAME", "KIND")
	narrow.Add("a", "block")
	narrow.Add("b", "block")
	if left := narrow.fit(); left != nil || len(narrow.Rows[0]) != 2 {
		t.Errorf("a table with room enough lost columns: %q", left)
	}
}

// The widest columns give way, the first of equal ones first, down to eight characters;
// numbers stand at the right, and a line has no spaces at its end.
func TestWidthsOfTable(t *testing.T) {
	for _, c := range []struct {
		width, right int
		rows         [][]string
		want         string
	}{
		{0, 0, [][]string{{"a", "bb"}, {"ccc", ""}}, "a    bb\nccc\n"},
		{0, 1, [][]string{{"1", "b"}, {"222", "c"}}, "  1  b\n222  c\n"},
		{22, 0, [][]string{{"abcdefghij", "abcdefghij"}}, "abcdefghij  abcdefghij\n"},
		{21, 0, [][]string{{"abcdefghij", "abcdefghij"}}, "abcdefgh…  abcdefghij\n"},
		{20, 0, [][]string{{"abcdefghij", "abcdefghij"}}, "abcdefgh…  abcdefgh…\n"},
		{5, 0, [][]string{{"abcdefghij", "abcdefgh"}}, "abcdefg…  abcdefgh\n"},
		{20, 1, [][]string{{"1234567890", "abcdefghijkl"}, {"1", "a"}}, "12345678…  abcdefgh…\n        1  a\n"},
	} {
		table := Table{Rows: c.rows, Width: c.width, Right: c.right}
		var b strings.Builder
		if table.Print(&b); b.String() != c.want {
			t.Errorf("%d: %q, want %q", c.width, b.String(), c.want)
		}
	}
	var table Table
	table.Row("size", "3")
	table.Row("none", "")
	if len(table.Rows) != 1 || strings.Join(table.Rows[0], "|") != "  size|3" {
		t.Errorf(`table.Rows = %q; want table.Rows of length 1, strings.Join(table.Rows[0], "|") = " size|3"`, table.Rows)
	}
	for text, want := range map[string]string{"abc": "abc", "abcd": "ab…", "\x1b[1mabc\x1b[0m": "\x1b[1mabc\x1b[0m", "\x1b[1mabcd\x1b[0m": "\x1b[1mab…\x1b[0m", "äöüß": "äö…", "a\x1b[bcd": "a\x1b…"} {
		if got := shorten(text, 3); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]int{"": 0, "äb": 2, "\x1b[31mab\x1b[0mc": 3, "\x1b[ab": 4} {
		if got := shownWidth(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// Columns are only omitted for lack of space: not for the width of a heading alone, not the
// first column, and no column of two rows because its values are equal.
func TestColumnsThatStay(t *testing.T) {
	long := strings.Repeat("x", 30)
	for _, c := range []struct {
		width int
		rows  [][]string
		want  string
		cells int
	}{
		{0, [][]string{{"A", "B"}, {long, long}}, "", 2}, {10, [][]string{{"A", "B", long}}, "", 3}, {34, [][]string{{"A", "B"}, {long, long}, {long, long}}, "", 2},
		{33, [][]string{{"A", "B"}, {long, long}}, "", 2}, {33, [][]string{{"A", "B"}, {long, long}, {"y", long}}, "the same in all rows: B " + long, 1},
		{50, [][]string{{"A", "B", "C"}, {long, long, long}}, "left out, for want of room: C", 2}, {52, [][]string{{"A", "B", "C"}, {long, long, long}}, "", 3},
		{20, [][]string{{"A", "\x1b[1mB\x1b[0m", "C", "D"}, {long, "b", "c", "d"}, {long, "b", long, "d"}}, "the same in all rows: B b, D d", 2},
		{20, [][]string{{"A", "B", "C", "D"}, {long, long, long, long}}, "left out, for want of room: C, D", 2},
	} {
		table := Table{Rows: c.rows, Width: c.width, numbers: make([]bool, len(c.rows[0]))}
		if got := strings.Join(table.fit(), "; "); got != c.want || len(table.Rows[0]) != c.cells || len(table.numbers) != c.cells {
			t.Errorf("%d: %q, %d cells; want %q, %d", c.width, got, len(table.Rows[0]), c.want, c.cells)
		}
	}
}
