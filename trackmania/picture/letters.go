package picture

import (
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/text/unicode/norm"
)

// The typefaces in the program have Latin, Greek and Cyrillic letters. Players
// write their names in all scripts; a typeface for those would be larger than
// everything else, so what is missing is drawn in another way: a letter that is
// a form of others (ｆｕｌｌ width, 𝒄𝒖𝒓𝒔𝒊𝒗𝒆, with accents) as those, and others by
// the name of their script: [Han 3], [Arabic 5].

// drawnText makes a text of letters that can be drawn. It leaves out what only
// the games' own typefaces have: the private characters with which players put
// icons into their names.
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
		if name := scriptOf(r); name != script {
			flush()
			script = name
		}
		count++
	}
	flush()
	return strings.TrimSpace(b.String())
}

// lettersFor are the letters that a character is drawn as; false if there are
// none.
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

// scriptOf names the script of a character, or its kind if it belongs to none.
func scriptOf(r rune) string {
	for name, table := range unicode.Scripts {
		if name != "Common" && name != "Inherited" && unicode.Is(table, r) {
			return strings.ReplaceAll(name, "_", " ")
		}
	}
	return "symbol"
}

// hasGlyph reports whether the typefaces hold a character; both hold the same.
func hasGlyph(r rune) bool {
	if r < unicode.MaxASCII {
		return true
	}
	var buffer sfnt.Buffer
	i, err := regular().GlyphIndex(&buffer, r)
	return err == nil && i != 0
}
