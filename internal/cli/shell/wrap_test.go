package shell

import "testing"

// Only lines that are too wide are filled anew: paragraphs, items of lists below their
// labels, command lines outside of quotes.
func TestWrap(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"short\nlines stay\n\n  a  list", "short\nlines stay\n\n  a  list"},
		{"this paragraph has a line that is wider than eighty characters, which is too much of it,\nand another\n\nnext",
			"this paragraph has a line that is wider than eighty characters, which is too\nmuch of it, and another\n\nnext"},
		{"  ok    good\n  info  entries, size, stored_size, ratio, file_size, and the facts that the format itself has;\n        more\n  last  one",
			"  ok    good\n  info  entries, size, stored_size, ratio, file_size, and the facts that the\n        format itself has; more\n  last  one"},
		{"  pakbox campaign create My.Campaign.Gbx rally --id MyTitle@me --name 'Rally cup' --at ':user:\\Maps\\Rally'",
			"  pakbox campaign create My.Campaign.Gbx rally --id MyTitle@me --name \\\n      'Rally cup' --at ':user:\\Maps\\Rally'"},
	} {
		if got := Wrap(test.text); got != test.want {
			t.Errorf("got\n%s\nwant\n%s", got, test.want)
		}
	}
}
