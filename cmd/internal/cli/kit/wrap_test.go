package kit

import (
	"strings"
	"testing"
)

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

// Which lines belong together: a paragraph, or an item of a list with the deeper lines
// below it.
func TestWrapParts(t *testing.T) {
	w := strings.Repeat("word ", 15) // 75 characters
	filled := strings.TrimSuffix(w, " ")
	for _, test := range []struct{ name, text, want string }{
		{"80 characters stay", w + "12345\nnext", w + "12345\nnext"},
		{"81 do not", w + "123456\nnext", filled + "\n123456 next"},
		{"characters, not bytes", w + "äöüßÄ\nnext", w + "äöüßÄ\nnext"},
		{"deeper lines do not belong to a paragraph", w + "123456\n  code  here\n", filled + "\n123456\n  code  here\n"},
		{"nor is a command", w + "123456\n  pakbox ls x\nnext", filled + "\n123456\n  pakbox ls x\nnext"},
		{"deeper lines of an item without label", "  " + w + "1234\n    next\nother", "  " + filled + "\n    1234 next\nother"},
		{"an indented paragraph", "  " + w + "1234\n  next\nother", "  " + filled + "\n  1234 next\nother"},
		{"an item with a label after it", "  " + w + "1234\n  one  text", "  " + filled + "\n  1234\n  one  text"},
		{"an item without deeper lines", "  one  " + w + "\n  two  text", "  one  " + filled[:69] + "\n       word\n  two  text"},
		{"a label with deeper lines", "  one  " + w + "\n     more\n  two  text", "  one  " + filled[:69] + "\n     word more\n  two  text"},
		{"less indented", "    " + w + "12\n  next", "    " + filled + "\n    12\n  next"},
		{"one word that is too wide", strings.Repeat("x", 81), strings.Repeat("x", 81)},
	} {
		if got := Wrap(test.text); got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}

// A command line is broken at spaces that are not in quotes, so that it can be typed as it
// stands.
func TestWrapCommands(t *testing.T) {
	a := strings.Repeat("a", 30)
	for text, want := range map[string]string{
		"  pakbox " + a + " " + a + " 234567890":                "  pakbox " + a + " " + a + " 234567890", // 80 characters
		"  pakbox " + a + " " + a + " 234567890 2":              "  pakbox " + a + " " + a + " \\\n      234567890 2",
		"  pakbox " + a + " " + a + " " + a + " " + a + " " + a: "  pakbox " + a + " " + a + " \\\n      " + a + " " + a + " \\\n      " + a,
		"  pakbox " + a + " 'it \"" + a + "' b c d e f g":       "  pakbox " + a + " 'it \"" + a + "' b \\\n      c d e f g",
		"  pakbox " + a + " " + a + " 2345678":                  "  pakbox " + a + " " + a + " 2345678",
		"  pakbox " + a + " " + a + " 2345678 23":               "  pakbox " + a + " " + a + " 2345678 \\\n      23",
		"  pakbox " + a + " " + a + " 23456789 2":               "  pakbox " + a + " " + a + " \\\n      23456789 2",
		"  pakbox " + a + a + a:                                 "  pakbox \\\n      " + a + a + a,
		"  pakbox 'a " + a + a + a + "'":                        "  pakbox \\\n      'a " + a + a + a + "'",
	} {
		if got := Wrap(text); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}
