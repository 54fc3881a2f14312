package span

import "testing"

func TestCovered(t *testing.T) {
	if n := Covered([]Span{{10, 20}, {0, 5}, {12, 15}, {18, 25}, {5, 5}}); n != 20 {
		t.Errorf("%d bytes", n)
	}
}
