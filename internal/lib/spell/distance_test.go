package spell

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// reference is the distance as it is defined: the fewest letters to insert, delete, change
// or swap with their neighbour, each part of the words touched once.
func reference(a, b string) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		for j := range d[i] {
			if i == 0 || j == 0 {
				d[i][j] = i + j
				continue
			}
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}

func TestDistanceIsAsDefined(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	word := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = "abc"[r.IntN(3)]
		}
		return string(b)
	}
	for range 4000 {
		a, b := word(r.IntN(40)), word(r.IntN(70))
		if r.IntN(2) == 0 { // near one another
			b = strings.Replace(a, "ab", "ba", r.IntN(3)) + word(r.IntN(3))
		}
		want := reference(a, b)
		if got := Distance(a, b); got != want {
			t.Fatalf("%q and %q: %d, want %d", a, b, got, want)
		}
		most := r.IntN(8)
		if got := distance([]byte(a), []byte(b), most); min(got, most+1) != min(want, most+1) {
			t.Fatalf("%q and %q up to %d: %d, want %d", a, b, most, got, want)
		}
	}
}

func TestNear(t *testing.T) {
	names := []string{"blocks", "items", "Item", "info", "clips", "Größe", "a much longer name than all of the others are", "x"}
	for _, test := range []struct {
		word string
		most int
		want string
	}{
		{"ITEM", 5, "Item items"}, {"tem", 1, "Item"}, {"itmes", 5, "items"}, {"blokcs", 5, "blocks"}, {"inof", 5, "info"}, {"größ", 5, "Größe"}, {"clisp", 0, ""},
		{"a much longer naem than all of the otters are", 5, "a much longer name than all of the others are"}, {"zzzz", 5, ""}, {"y", 5, ""},
	} {
		if got := strings.Join(Near(test.word, names, test.most), " "); got != test.want {
			t.Errorf("%s: %q, want %q", test.word, got, test.want)
		}
	}
	if got := Near("abcdef", []string{"abcdxx", "abcdex", "abcdfe"}, 5); !slices.Equal(got, []string{"abcdex", "abcdfe", "abcdxx"}) {
		t.Errorf("%q: the nearest comes first", got)
	}
}

// At most so many names are given, also if there are fewer, and equally near ones in the
// order in which they came. A word of one letter is near to none.
func TestNearNumbers(t *testing.T) {
	names := []string{"abcdef1", "abcdef2", "abcdef3"}
	for most, want := range []int{0, 1, 2, 3, 3} {
		for _, word := range []string{"abcdef", "bacdef3"} { // in all of them, and near to them
			got := Near(word, names, most)
			if len(got) != want {
				t.Errorf("%d of %s: %q", most, word, got)
			}
		}
	}
	for _, test := range []struct {
		word  string
		names []string
		want  string
	}{
		{"abcxef", names, "abcdef1 abcdef2 abcdef3"}, {"abxxef", names, ""}, {"abcdxf1", names, "abcdef1 abcdef2 abcdef3"}, {"abcdefghijk", []string{"abcdefghixx", "abcdefghxxx"}, "abcdefghixx"},
		{"ab", []string{"ax", "xx", "b"}, "ax b"}, {"a", []string{"b", ""}, ""}, {"", []string{"b", "a"}, "b a"},
		{"ÄB", []string{"xäb", "äc"}, "xäb"}, {"zAZ", []string{"ZAz@[", "`{"}, "ZAz@["},
	} {
		if got := strings.Join(Near(test.word, test.names, 5), " "); got != test.want {
			t.Errorf("%s: %q, want %q", test.word, got, test.want)
		}
	}
}
