package proto

import (
	"cmp"
	"slices"

	"pakbox/fault"
)

// merge returns the table with the records of other in place of its own. Records that
// other does not have stay. New records are inserted by their vnums if the table is in
// that order, because clients may search it so; otherwise they come last.
//
// Of several records with the same vnum, those of other replace the last ones: the client
// uses the last.
func (t *table) merge(other *table) (*table, error) {
	if t.layout.stride != other.layout.stride {
		return nil, fault.New(fault.Unsupported, "the records of the file have %d bytes, those of the table have %d", other.layout.stride, t.layout.stride).
			Hint("--remove-missing replaces the whole table")
	}
	places := map[recordKey]int{} // indexes in t
	ordered := true
	list := make([][]byte, t.count())
	for i, k := range t.keys() {
		ordered = ordered && (i == 0 || t.record(i-1).vnum() <= k.vnum)
		places[k], list[i] = i, t.record(i).data
	}
	for i, k := range other.keys() {
		if at, ok := places[k]; ok {
			list[at] = other.record(i).data
		} else {
			list = append(list, other.record(i).data)
		}
	}
	if ordered {
		slices.SortStableFunc(list, func(a, b []byte) int {
			return cmp.Compare(record{t, a}.vnum(), record{t, b}.vnum())
		})
	}
	now := t.with(slices.Concat(list...))
	now.notes = other.notes
	return now, nil
}
