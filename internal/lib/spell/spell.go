// Package spell finds similar names, for "did you mean …?".
package spell

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Near returns up to most names that the user may have meant, best first: names that
// contain the word, otherwise names that differ in a few letters. Case does not matter.
func Near(word string, names []string, most int) []string {
	type found struct {
		name     string
		distance int
	}
	typed := []byte(strings.ToLower(word))
	wrong := min(1+len(typed)/6, len(typed)-1) // number of letters that may differ
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

// appendLower appends a name in lower case.
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

// Distance counts the letters to insert, delete, change or swap to turn a into b.
func Distance(a, b string) int { return distance([]byte(a), []byte(b), len(a)+len(b)) }

// distance is Distance up to most. Beyond that it stops early and returns any larger
// number.
func distance(a, b []byte, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1 // the difference in length alone is larger
	}
	// A row has the distances between the first letters of a and those of b.
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
		if least > most {
			return most + 1 // it can only grow: what a swap adds to is at most one less
		}
		last, row, next = row, next, last
	}
	return row[len(b)]
}
