package compile

import (
	"strings"

	"pakbox/simutrans/object"
)

// reference is a reference to an image in a .dat:
//
//	[> ]folder/name.row.column[,dx[,dy]]
//	[> ]folder/name.number
//	-
//
// ">" forbids the game to zoom the image. The name ends at its first dot.
type reference struct {
	empty    bool
	fixed    bool // the game must not zoom the image
	file     string
	row, col int
	single   bool // one number instead of row and column; it is stored in row
	byRows   bool // see object.Target.NumberByRows
	noNumber bool
	dx, dy   int
}

func parseReference(value string) (r reference) {
	value = strings.TrimSpace(value)
	if rest, ok := strings.CutPrefix(value, ">"); ok {
		r.fixed = true
		value = strings.TrimSpace(rest)
	}
	if value == "-" {
		r.empty = true
		return r
	}
	base := strings.LastIndexByte(value, '/') + 1
	name, numbers, ok := strings.Cut(value[base:], ".")
	r.file = value[:base] + name + ".png"
	if !ok {
		r.noNumber = true
		return r
	}
	row, rest, ok := strings.Cut(numbers, ".")
	r.row = object.Atoi(row)
	if !ok {
		r.single = true // offsets are not read in this form
		return r
	}
	col, offsets, _ := strings.Cut(rest, ",")
	r.col = object.Atoi(col)
	r.single = r.col == -1 // makeobj takes column -1 for no column
	dx, dy, _ := strings.Cut(offsets, ",")
	r.dx, r.dy = object.Atoi(dx), object.Atoi(dy)
	return r
}
