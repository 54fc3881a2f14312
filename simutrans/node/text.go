package node

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/japanese"
)

// Display returns a string of a TEXT node as people read it. Authors have
// used whatever encoding their editor had: UTF-8, Latin-1 and the Japanese
// CP932 occur. What is valid UTF-8 is taken for it, then what is valid CP932
// with a Japanese letter in it, and Latin-1 fits everything else.
func Display(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	if text, err := japanese.ShiftJIS.NewDecoder().String(s); err == nil && strings.ContainsFunc(text, isJapanese) && !strings.ContainsRune(text, utf8.RuneError) {
		return text
	}
	runes := make([]rune, len(s))
	for i := range len(s) {
		runes[i] = rune(s[i])
	}
	return string(runes)
}

// isJapanese reports full-width kana and the common ideographs. Half-width
// kana are what Latin-1 letters look like in CP932.
func isJapanese(r rune) bool { return r >= 0x3040 && r <= 0x30FF || r >= 0x4E00 && r <= 0x9FFF }
