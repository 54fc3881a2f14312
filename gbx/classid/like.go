package classid

import (
	"cmp"
	"slices"
	"strings"
)

// Like returns the names that someone who typed this one may have meant, best
// first: those that contain it, else those that differ in a few letters.
func Like(name string, most int) []string {
	type found struct {
		name     string
		distance int
	}
	typed := strings.ToLower(name)
	var inside, near []found
	for _, c := range names().classes {
		known := strings.ToLower(c.Name)
		if strings.Contains(known, typed) {
			inside = append(inside, found{c.Name, len(known)})
		} else if d := distance(typed, known); d <= 1+len(typed)/6 {
			near = append(near, found{c.Name, d})
		}
	}
	if len(inside) > 0 {
		near = inside
	}
	slices.SortStableFunc(near, func(a, b found) int { return cmp.Compare(a.distance, b.distance) })
	list := make([]string, 0, most)
	for _, f := range near[:min(most, len(near))] {
		list = append(list, f.name)
	}
	return list
}

// distance counts the letters to put in, take out or change to make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			d := diagonal
			if a[i] != b[j] {
				d = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], d
		}
	}
	return row[len(b)]
}
