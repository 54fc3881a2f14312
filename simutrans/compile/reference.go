package compile

import "strings"

// reference is where an image is to be found, in the words of a .dat:
//
//	[> ]folder/name.row.column[,dx[,dy]]
//	[> ]folder/name.number
//	-
//
// ">" forbids the game to zoom the image. The name ends at its first dot.
type reference struct {
	empty    bool
	fixed    bool // not to be zoomed
	file     string
	row, col int
	single   bool // one number instead of row and column: it is in row
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
	r.row = atoi(row)
	if !ok {
		r.single = true // offsets are not looked for
		return r
	}
	col, offsets, _ := strings.Cut(rest, ",")
	r.col = atoi(col)
	dx, dy, _ := strings.Cut(offsets, ",")
	r.dx, r.dy = atoi(dx), atoi(dy)
	return r
}

// atoi reads the number a string begins with, as C does: 0 if there is none.
func atoi(s string) int {
	s = strings.TrimLeft(s, " \t")
	sign := 1
	if s != "" && (s[0] == '-' || s[0] == '+') {
		if s[0] == '-' {
			sign = -1
		}
		s = s[1:]
	}
	n := 0
	for i := 0; i < len(s) && s[i] >= '0' && s[i] <= '9' && n < 1<<24; i++ {
		n = n*10 + int(s[i]-'0')
	}
	return sign * n
}
