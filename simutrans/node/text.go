package node

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/japanese"
)

// Display returns the string of a TEXT node as UTF-8. Authors used the encoding of their
// editor: UTF-8, Latin-1 and the Japanese CP932 occur. Valid UTF-8 is taken as UTF-8;
// otherwise valid CP932 with a Japanese letter is taken as CP932; anything else as
// Latin-1.
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

// isJapanese reports whether r is a full-width kana or a common ideograph. Half-width
// kana do not count, because Latin-1 letters look like them in CP932.
func isJapanese(r rune) bool { return r >= 0x3040 && r <= 0x30FF || r >= 0x4E00 && r <= 0x9FFF }
