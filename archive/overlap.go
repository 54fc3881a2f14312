package archive

import (
	"cmp"
	"slices"

	"pakbox/fault"
)

// Span is a part of a file, from Start to before End.
type Span struct{ Start, End int64 }

// Overlapping finds the spans that begin inside another, and says which other.
// Empty spans take no place.
func Overlapping(spans []Span) map[int]int {
	var order []int
	for i, s := range spans {
		if s.Start < s.End {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(spans[i].Start, spans[j].Start) })
	found := map[int]int{}
	last, end := -1, int64(0) // the one that reaches furthest so far
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

// Spans are the places of entries in their file of the given size. Where one
// does not lie in the file its span is empty.
func Spans(entries []Entry, size int64) []Span {
	spans := make([]Span, len(entries))
	for i, e := range entries {
		if e.Offset >= 0 && e.StoredSize > 0 && e.StoredSize <= size && e.Offset <= size-e.StoredSize {
			spans[i] = Span{e.Offset, e.Offset + e.StoredSize}
		}
	}
	return spans
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

// ExcessiveError is the finding about a file of which [Excessive] is true.
func ExcessiveError(size int64) error {
	return fault.New(fault.Limit, "entries claim many times the %d bytes of the file; those that overlap others are not read", size)
}
