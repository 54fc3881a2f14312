package styled

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestText(t *testing.T) {
	for _, c := range []struct{ in, plain, ansi string }{
		{"plain", "plain", "plain"},
		{"$f00red$z no", "red no", "\x1b[0;38;2;255;0;0mred\x1b[0m no"},
		{"$o$0f0b$$", "b$", "\x1b[0;1;38;2;0;255;0mb$\x1b[0m"},
		{"\ufeff$l[http://a.b/?x=\"]go$l$t end", "go end", "go END"},
		{"$l[javascript:alert(1)]x", "x", "x"},
		{"5$", "5", "5"},
		{"<b>\x1b[2J", "<b>\x1b[2J", "<b>[2J"},
		{"a\u202egpj", "a\u202egpj", "agpj"},
		{"$éa$»b", "ab", "ab"},
		{"$<$f00$oa$>b$>", "ab", "\x1b[0;1;38;2;255;0;0ma\x1b[0mb"},
		{"$00f$<$z$ia$>b", "ab", "\x1b[0;3ma\x1b[0;38;2;0;0;255mb\x1b[0m"},
		{"H$cooy$0.$F0", "Hy", "H\x1b[0;38;2;204;0;0my\x1b[0m"},
		{"$f1\u0948\u0948$9éèx", "\u0948x", "\x1b[0;38;2;255;17;0m\u0948\x1b[0;38;2;153;0;0mx\x1b[0m"},
		{"$s$w$na$m$g", "a", "a"},
		{"$ia$ib$Oc$od", "abcd", "\x1b[0;3ma\x1b[0mb\x1b[0;1mc\x1b[0md"},
		{"$ta$ub$tc$g", "abc", "ABc"},
		{"$A9Fa$gb", "ab", "\x1b[0;38;2;170;153;255ma\x1b[0mb"},
		{"$09aa", "a", "\x1b[0;38;2;0;153;170ma\x1b[0m"},
		{"$h[x]a$hb$p[y]c", "abc", "abc"}, // the second $h closes the link
		{"$l[x]a$lb$l[y]c", "abc", "abc"},
		{"$l[x]a$z$l[y]c", "ac", "ac"},
		{"$l[x]a$l[y]c", "a[y]c", "a[y]c"},
		{"$l[]a$la$l[", "aa[", "aa["},
		{"$l", "", ""},
		{"$>a$<$<$f00b$>c$>d", "abcd", "a\x1b[0;38;2;255;0;0mb\x1b[0mcd"},
	} {
		if got := Plain(c.in); got != c.plain {
			t.Errorf("Plain(%q) = %q, want %q", c.in, got, c.plain)
		}
		if got := ANSI(c.in); got != c.ansi {
			t.Errorf("ANSI(%q) = %q, want %q", c.in, got, c.ansi)
		}
	}
}

// The end of a link is looked for no further than a link can be, so that a text
// takes time that grows with its length, not with its square.
func TestLongText(t *testing.T) {
	link := func(n int) string { return "$l[" + strings.Repeat("x", n) + "]y" }
	if got := Plain(link(maxLink - 3)); got != "y" {
		t.Errorf("the longest link: %.20q", got)
	}
	if got := Plain(link(maxLink - 2)); got != link(maxLink - 2)[2:] {
		t.Errorf("one that is too long: %.20q", got)
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"$f00a$z", "$l[x]y$l", "$", "$$", "$o$i$w", "\ufeff$1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if p := Plain(s); utf8.ValidString(s) && !utf8.ValidString(p) {
			t.Errorf("%q becomes %q", s, p)
		}
		if a := ANSI(s); strings.Count(a, "\x1b") != strings.Count(a, "\x1b[0") {
			t.Errorf("%q lets an escape through: %q", s, a)
		}
	})
}

// The games mark every text that is not ASCII, and only those.
func TestMarked(t *testing.T) {
	for text, want := range map[string]string{"": "", "a": "a", "\ufeffa": "a", "é": "\ufeffé", "\ufeffé": "\ufeffé", "a\x7f": "a\x7f", "\u0080": "\ufeff\u0080"} {
		if got := Marked(text); got != want || IsASCII(text) != (want == text && !strings.HasPrefix(want, "\ufeff")) {
			t.Errorf("%q is %q, ASCII %v; want %q", text, got, IsASCII(text), want)
		}
	}
}

func TestSpans(t *testing.T) {
	got := Spans("a$F00b$z$o$ic$w$od$ne$mf$tg$l[x]h")
	want := []Span{{Text: "a"}, {Text: "b", Color: "#ff0000"}, {Text: "c", Bold: true, Italic: true}, {Text: "d", Italic: true, Wide: true},
		{Text: "e", Italic: true, Narrow: true}, {Text: "f", Italic: true}, {Text: "G", Italic: true}, {Text: "H", Italic: true}}
	if !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if list := Spans(""); list == nil || len(list) != 0 {
		t.Errorf("%+v: an empty name is an empty list, also in JSON", list)
	}
}
