package fact

import (
	"fmt"
	"strings"
)

// Placeholders lists the words in braces of a template.
func Placeholders(template string) (words []string) {
	eachPart(template, func(string) {}, func(word string) { words = append(words, word) })
	return words
}

// Fill replaces each word in braces by a text. {{ stands for a brace. A word that value
// does not know is an error.
func Fill(template string, value func(word string) (string, bool)) (filled string, err error) {
	var b strings.Builder
	eachPart(template, func(text string) { b.WriteString(text) }, func(word string) {
		text, ok := value(word)
		if !ok && err == nil {
			err = fmt.Errorf("there is nothing to put in the place of {%s}", word)
		}
		b.WriteString(text)
	})
	return b.String(), err
}

// eachPart calls text with the plain parts of a template and word with the words in
// braces, in their order. A word has no brace and no slash: {a/b} is plain text.
func eachPart(template string, text, word func(string)) {
	for {
		before, rest, found := strings.Cut(template, "{")
		text(before)
		if !found {
			return
		}
		end := strings.IndexAny(rest, "{}/")
		switch {
		case end == 0 && rest[0] == '{':
			text("{")
			template = rest[1:]
		case end >= 0 && rest[end] == '}':
			word(rest[:end])
			template = rest[end+1:]
		default:
			text("{")
			template = rest
		}
	}
}
