// Package span finds parts of a file that overlap.
package span

import (
	"cmp"
	"math"
	"slices"
)

// Span is a part of a file: Start ≤ offset < End.
type Span struct{ Start, End int64 }

// In returns the span of size bytes at offset. It is empty if it reaches beyond the file.
func In(offset, size, fileSize int64) Span {
	if offset < 0 || size <= 0 || size > fileSize || offset > fileSize-size {
		return Span{}
	}
	return Span{offset, offset + size}
}

// Covered counts the bytes that are in at least one span.
func Covered(spans []Span) (total int64) {
	end := int64(math.MinInt64)
	for _, s := range slices.SortedFunc(slices.Values(spans), func(a, b Span) int { return cmp.Compare(a.Start, b.Start) }) {
		if s.End > end {
			total += s.End - max(s.Start, end)
			end = s.End
		}
	}
	return total
}

// Overlapping maps each span that begins inside another span to that span.
func Overlapping(spans []Span) map[int]int {
	var order []int
	for i, s := range spans {
		if s.Start < s.End {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(spans[i].Start, spans[j].Start) })
	found := map[int]int{}
	last, end := -1, int64(0) // the span with the largest end so far
	for _, i := range order {
		if last >= 0 && spans[i].Start < end {
			found[i] = last
		}
		if last < 0 || spans[i].End > end {
			last, end = i, spans[i].End
		}
	}
	return found
}
