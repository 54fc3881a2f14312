package question

import "testing"

// Words of English in numbers, and lists of any length.
func TestCountAndOrList(t *testing.T) {
	for _, c := range []struct {
		n           int
		thing, want string
	}{{1, "day", "1 day"}, {2, "day", "2 days"}, {2, "key", "2 keys"}, {0, "entry", "0 entries"}, {3, "file", "3 files"}} {
		if got := Count(c.n, c.thing); got != c.want {
			t.Errorf("Count(%d, %q) = %q, want %q", c.n, c.thing, got, c.want)
		}
	}
	for _, c := range []struct {
		names []string
		want  string
	}{{nil, ""}, {[]string{"a"}, "a"}, {[]string{"a", "b"}, "a or b"}, {[]string{"a", "b", "c"}, "a, b or c"}} {
		if got := OrList(c.names); got != c.want {
			t.Errorf("OrList(%q) = %q, want %q", c.names, got, c.want)
		}
	}
}
