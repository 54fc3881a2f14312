// Package spell finds names for "did you mean …?".
package spell

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Near returns up to most names that word may mean, best first: names that
// contain it, else names with a few other letters, in any case.
func Near(word string, names []string, most int) []string {
	type found struct {
		name     string
		distance int
	}
	typed := []byte(strings.ToLower(word))
	wrong := min(1+len(typed)/6, len(typed)-1) // letters that may be
	var inside, near []found
	var known []byte
	for _, name := range names {
		known = appendLower(known[:0], name)
		if bytes.Contains(known, typed) {
			inside = append(inside, found{name, len(known)})
			continue
		}
		if d := distance(typed, known, wrong); d <= wrong {
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

// appendLower appends a name in small letters.
func appendLower(b []byte, name string) []byte {
	for i := range len(name) {
		c := name[i]
		if c >= utf8.RuneSelf {
			return append(b, strings.ToLower(name[i:])...)
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		b = append(b, c)
	}
	return b
}

// Distance counts letters to insert, delete, change or swap to make b of a.
func Distance(a, b string) int { return distance([]byte(a), []byte(b), len(a)+len(b)) }

// distance is Distance up to most, else any larger number, found early.
func distance(a, b []byte, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1 // so many letters must be put in or taken out at least
	}
	// A row says how far it is from the first letters of a to those of b.
	var room [3 * 32]int
	rows := room[:]
	if n := 3 * (len(b) + 1); n > len(rows) {
		rows = make([]int, n)
	}
	n := len(b) + 1
	last, row, next := rows[:n], rows[n:2*n], rows[2*n:3*n]
	for j := range row {
		row[j] = j
	}
	before := 0 // the least of the row before
	for i := range len(a) {
		next[0] = i + 1
		least := i + 1
		for j := range len(b) {
			d := row[j]
			if a[i] != b[j] {
				d = 1 + min(d, row[j+1], next[j])
			}
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				d = min(d, last[j-1]+1)
			}
			next[j+1] = d
			least = min(least, d)
		}
		if least > most && before > most {
			return most + 1 // and it only gets farther
		}
		before = least
		last, row, next = row, next, last
	}
	return row[len(b)]
}
