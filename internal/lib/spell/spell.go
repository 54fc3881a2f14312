// Package spell finds the names that someone who typed another one may have
// meant, so that a message can ask "did you mean …?".
package spell

import (
	"cmp"
	"slices"
	"strings"
)

// Near returns the names that someone who typed word may have meant, best
// first and at most that many: those that contain it, else those that differ
// in a few letters. Case does not count.
func Near(word string, names []string, most int) []string {
	type found struct {
		name     string
		distance int
	}
	typed := strings.ToLower(word)
	var inside, near []found
	for _, name := range names {
		known := strings.ToLower(name)
		if strings.Contains(known, typed) {
			inside = append(inside, found{name, len(known)})
		} else if d := Distance(typed, known); d <= 1+len(typed)/6 && d < len(typed) {
			near = append(near, found{name, d})
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

// Distance counts the letters to put in, take out, change or swap with the
// next to make b of a.
func Distance(a, b string) int {
	last, row, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next[0] = i + 1
		for j := range len(b) {
			d := row[j]
			if a[i] != b[j] {
				d = 1 + min(d, row[j+1], next[j])
			}
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				d = min(d, last[j-1]+1)
			}
			next[j+1] = d
		}
		last, row, next = row, next, last
	}
	return row[len(b)]
}
