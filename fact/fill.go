package fact

import (
	"fmt"
	"regexp"
)

var placeholder = regexp.MustCompile(`\{\{|\{([^{}/]*)\}`)

// Placeholders lists the words in braces of a template.
func Placeholders(template string) (words []string) {
	for _, found := range placeholder.FindAllStringSubmatch(template, -1) {
		if found[0] != "{{" {
			words = append(words, found[1])
		}
	}
	return words
}

// Fill puts a text in the place of each word in braces. {{ is a brace. A word
// that value does not know is an error.
func Fill(template string, value func(word string) (string, bool)) (string, error) {
	var wrong error
	text := placeholder.ReplaceAllStringFunc(template, func(found string) string {
		if found == "{{" {
			return "{"
		}
		text, ok := value(found[1 : len(found)-1])
		if !ok && wrong == nil {
			wrong = fmt.Errorf("there is nothing to put in the place of %s", found)
		}
		return text
	})
	return text, wrong
}
