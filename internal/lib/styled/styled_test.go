package styled

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestText(t *testing.T) {
	for _, c := range []struct{ in, plain, ansi, html string }{
		{"plain", "plain", "plain", "plain"},
		{"$f00red$z no", "red no", "\x1b[0;38;2;255;0;0mred\x1b[0m no", `<span style="color:#f00">red</span> no`},
		{"$o$0f0b$$", "b$", "\x1b[0;1;38;2;0;255;0mb$\x1b[0m", `<span style="color:#0f0;font-weight:bold">b$</span>`},
		{"\ufeff$l[http://a.b/?x=\"]go$l$t end", "go end", "go END", `<a href="http://a.b/?x=&#34;" rel="nofollow">go</a> END`},
		{"$l[javascript:alert(1)]x", "x", "x", "x"},
		{"5$", "5", "5", "5"},
		{"<b>\x1b[2J", "<b>\x1b[2J", "<b>[2J", "&lt;b&gt;\x1b[2J"},
		{"a\u202egpj", "a\u202egpj", "agpj", "a\u202egpj"},
		{"$éa$»b", "ab", "ab", "ab"},
		{"$<$f00$oa$>b$>", "ab", "\x1b[0;1;38;2;255;0;0ma\x1b[0mb", `<span style="color:#f00;font-weight:bold">a</span>b`},
		{"$00f$<$z$ia$>b", "ab", "\x1b[0;3ma\x1b[0;38;2;0;0;255mb\x1b[0m", `<span style="font-style:italic">a</span><span style="color:#00f">b</span>`},
		{"H$cooy$0.$F0", "Hy", "H\x1b[0;38;2;204;0;0my\x1b[0m", `H<span style="color:#c00">y</span>`},
		{"$f1\u0948\u0948$9éèx", "\u0948x", "\x1b[0;38;2;255;17;0m\u0948\x1b[0;38;2;153;0;0mx\x1b[0m", "<span style=\"color:#f10\">\u0948</span><span style=\"color:#900\">x</span>"},
		{"$s$w$na$m$g", "a", "a", `<span style="letter-spacing:-.1em;text-shadow:1px 1px 1px #000">a</span>`},
	} {
		if got := Plain(c.in); got != c.plain {
			t.Errorf("Plain(%q) = %q, want %q", c.in, got, c.plain)
		}
		if got := ANSI(c.in); got != c.ansi {
			t.Errorf("ANSI(%q) = %q, want %q", c.in, got, c.ansi)
		}
		if got := HTML(c.in); got != c.html {
			t.Errorf("HTML(%q) = %q, want %q", c.in, got, c.html)
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
		if h := HTML(s); utf8.ValidString(s) && strings.Count(h, "<script") > 0 {
			t.Errorf("%q becomes %q", s, h)
		}
	})
}
