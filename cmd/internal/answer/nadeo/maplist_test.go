package nadeo

import (
	"slices"
	"testing"
)

func TestComparePaths(t *testing.T) {
	want := []string{"A1", "a1b", "A02", "A2x", "A10", "B/1", "B/2", "B/10", "C"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortStableFunc(got, comparePaths)
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
