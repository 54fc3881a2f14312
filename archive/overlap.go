package archive

import (
	"cmp"
	"slices"
)

// Overlapping finds the entries whose stored data begins inside that of
// another, in a file of the given size, and says which other.
func Overlapping(entries []Entry, size int64) map[int]int {
	var order []int
	for i, e := range entries {
		if e.Offset >= 0 && e.StoredSize > 0 && e.StoredSize <= size && e.Offset <= size-e.StoredSize {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(entries[i].Offset, entries[j].Offset) })
	found := map[int]int{}
	last, end := -1, int64(0) // the one that reaches furthest so far
	for _, i := range order {
		e := &entries[i]
		if e.Offset < end {
			found[i] = last
		}
		if e.Offset+e.StoredSize > end {
			last, end = i, e.Offset+e.StoredSize
		}
	}
	return found
}

// Excessive reports whether entries overlap so much that reading them all would
// take many times what their file does: a small file could keep a verifier
// busy for days.
func Excessive(entries []Entry, size int64) bool {
	var claimed int64
	for _, e := range entries {
		claimed += min(max(e.StoredSize, 0), size)
	}
	return claimed/2 > size
}
