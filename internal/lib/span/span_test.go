package span_test

import (
	"math"
	"reflect"
	"testing"

	"pakbox/internal/lib/span"
)

func TestIn(t *testing.T) {
	for _, test := range []struct{ offset, size, start, end int64 }{
		{0, 100, 0, 100}, {99, 1, 99, 100}, {100, 0, 0, 0}, {100, 1, 0, 0}, {-1, 5, 0, 0}, {5, -1, 0, 0},
		{1, 100, 0, 0}, {math.MaxInt64, 5, 0, 0}, {5, math.MaxInt64, 0, 0},
	} {
		if got := span.In(test.offset, test.size, 100); got != (span.Span{Start: test.start, End: test.end}) {
			t.Errorf("%d bytes at %d: %v", test.size, test.offset, got)
		}
	}
}

func TestOverlapping(t *testing.T) {
	for _, test := range []struct {
		spans []span.Span
		want  map[int]int
	}{
		{nil, map[int]int{}},
		{[]span.Span{{10, 20}, {0, 10}, {20, 30}}, map[int]int{}},
		{[]span.Span{{10, 20}, {0, 11}}, map[int]int{0: 1}},
		{[]span.Span{{0, 100}, {10, 20}, {15, 30}, {99, 101}, {100, 102}}, map[int]int{1: 0, 2: 0, 3: 0, 4: 3}},
		{[]span.Span{{5, 5}, {0, 10}, {9, 3}}, map[int]int{}},
		{[]span.Span{{5, 6}, {5, 6}}, map[int]int{1: 0}},
	} {
		if got := span.Overlapping(test.spans); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%v: %v, want %v", test.spans, got, test.want)
		}
	}
}
