package picture

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Players write their names in all scripts, and mix letters that look alike. The Go
// typefaces have Latin, Greek and Cyrillic letters; DejaVu has most other European
// letters and many signs. A typeface for the rest would be larger than everything else.
// So missing letters are replaced: variants of a letter (ｆｕｌｌ width, 𝒄𝒖𝒓𝒔𝒊𝒗𝒆, accents) by
// the plain letter, and others by the name of their script and their number: [Han 3],
// [Arabic 5].

// drawnText returns a text with only drawable letters. It drops the private characters of
// the games' own typefaces, which players use as icons in their names.
func drawnText(s string) string {
	var b strings.Builder
	script, count := "", 0
	flush := func() {
		if count > 0 {
			fmt.Fprintf(&b, "[%s %d]", script, count)
			count = 0
		}
	}
	for _, r := range s {
		if unicode.Is(unicode.Co, r) || unicode.Is(unicode.Cf, r) {
			continue
		}
		text, ok := lettersFor(r)
		if ok {
			flush()
			b.WriteString(text)
			continue
		}
		name := scriptOf(r)
		if name != script {
			flush()
			script = name
		}
		if name == "" {
			b.WriteRune(noSign)
			continue
		}
		count++
	}
	flush()
	return strings.TrimSpace(b.String())
}

// lettersFor returns the letters that replace a character; false if none exist.
func lettersFor(r rune) (string, bool) {
	if hasGlyph(r) {
		return string(r), true
	}
	var b strings.Builder
	for _, part := range norm.NFKD.String(string(r)) {
		switch {
		case unicode.Is(unicode.Mn, part): // an accent alone would be drawn beside its letter
		case hasGlyph(part):
			b.WriteRune(part)
		default:
			return "", false
		}
	}
	return b.String(), true
}

// noSign stands for a sign that no typeface has and that belongs to no script.
const noSign = '▯'

// scriptOf names the script of a character, "" if it has none.
func scriptOf(r rune) string {
	for name, table := range unicode.Scripts {
		if name != "Common" && name != "Inherited" && unicode.Is(table, r) {
			return strings.ReplaceAll(name, "_", " ")
		}
	}
	return ""
}

// hasGlyph reports whether one of the typefaces can draw a character. Arabic does not
// count: its letters change with their neighbours, and drawing that needs more than a
// typeface.
func hasGlyph(r rune) bool {
	_, more := widthsOf(moreLetters)[r]
	return inGo(r) || more && !unicode.Is(unicode.Arabic, r)
}

// inGo reports whether the Go typefaces have a character. Both typefaces have the same
// characters.
func inGo(r rune) bool {
	_, ok := widthsOf(regularLetters)[r]
	return ok
}

// inSight puts the letters of right-to-left scripts into the order in which they appear
// from left to right.
func inSight(s string) string {
	runes := []rune(s)
	for i := 0; i < len(runes); {
		n := i
		for n < len(runes) && unicode.In(runes[n], unicode.Hebrew, unicode.Syriac, unicode.Thaana, unicode.Nko) {
			n++
		}
		slices.Reverse(runes[i:n])
		i = max(n, i+1)
	}
	return string(runes)
}
