package spell_test

import (
	"slices"
	"testing"

	"pakbox/internal/lib/spell"
)

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"speed", "speed", 0},
		{"topsped", "topspeed", 1}, {"lnog", "long", 1}, {"kitten", "sitting", 3}, {"ab", "ba", 1}, {"abcd", "badc", 2},
	} {
		if got := spell.Distance(c.a, c.b); got != c.want {
			t.Errorf("from %q to %q: %d, want %d", c.a, c.b, got, c.want)
		}
		if got := spell.Distance(c.b, c.a); got != c.want {
			t.Errorf("from %q to %q: %d, want %d", c.b, c.a, got, c.want)
		}
	}
}

func TestNear(t *testing.T) {
	names := []string{"mapName", "mapKind", "authorTime", "goldTime", "bronzeTime", "x"}
	for _, c := range []struct {
		word string
		want []string
	}{
		{"mapNam", []string{"mapName"}},
		{"mpaName", []string{"mapName"}},
		{"MAPKIND", []string{"mapKind"}},
		{"time", []string{"goldTime", "authorTime"}}, // at most two, the shorter first
		{"q", nil}, // a letter is not near another one
		{"nothing at all", nil},
	} {
		if got := spell.Near(c.word, names, 2); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.word, got, c.want)
		}
	}
}
