package main

import (
	"fmt"
	"regexp"
	"strings"
)

// maxWords is the length of a sentence in Markdown, in words. Readers lose a longer one.
const maxWords = 25

var (
	sentenceEnd = regexp.MustCompile(`[.?!:;]["*)]*(?:\s|$)`)
	codeFence   = regexp.MustCompile("^ *```")
	listItem    = regexp.MustCompile(`^ *(?:[-*]|\d+\.) `)
	inlineCode  = regexp.MustCompile("`[^`]*`")
	aside       = regexp.MustCompile(`\([^()]*\)`)
)

// checkSentences reports sentences of Markdown with too many words. Code counts as one
// word, an aside in parentheses as none. Tables and blocks of code have no sentences.
func checkSentences(name, text string) []finding {
	var found []finding
	for _, p := range proseBlocks(text) {
		rest, line := p.text, p.line
		for rest != "" {
			sentence := rest
			if end := sentenceEnd.FindStringIndex(rest); end != nil {
				sentence = rest[:end[1]]
			}
			words := strings.Fields(aside.ReplaceAllString(inlineCode.ReplaceAllString(sentence, "code"), ""))
			if len(words) > maxWords {
				found = append(found, finding{
					file: name, line: line, rule: "long sentence", text: strings.Join(words[:6], " ") + " …",
					advice: fmt.Sprintf("%d words; the limit is %d", len(words), maxWords),
				})
			}
			line += strings.Count(sentence, "\n")
			rest = rest[len(sentence):]
		}
	}
	return found
}

// proseBlocks returns the paragraphs and list items of Markdown.
func proseBlocks(text string) []passage {
	var list []passage
	number, inFence, inBlock := 0, false, false
	for line := range strings.Lines(text) {
		number++
		trimmed := strings.TrimSpace(line)
		if codeFence.MatchString(line) {
			inFence, inBlock = !inFence, false
			continue
		}
		switch {
		case inFence || trimmed == "" || strings.HasPrefix(trimmed, "|") || strings.HasPrefix(trimmed, "#") || strings.HasPrefix(line, "    "):
			inBlock = false
		case inBlock && !listItem.MatchString(line):
			list[len(list)-1].text += "\n" + trimmed
		default:
			list = append(list, passage{number, trimmed})
			inBlock = true
		}
	}
	return list
}

var (
	changeForm = regexp.MustCompile(`^- (?:Added|Changed|Fixed): [^ ]`)
	oldForm    = regexp.MustCompile(`\(was: [^)]`)
)

// checkChangelog reports entries of the changelog that are not "Added: …", "Fixed: …" or
// "Changed: … (was: …)".
func checkChangelog(name, text string) []finding {
	var found []finding
	for _, p := range proseBlocks(text) {
		if !strings.HasPrefix(p.text, "- ") {
			continue
		}
		entry := strings.Join(strings.Fields(p.text), " ")
		advice := ""
		switch {
		case !changeForm.MatchString(entry):
			advice = "begin with Added, Changed or Fixed and a colon"
		case strings.HasPrefix(entry, "- Changed: ") && !oldForm.MatchString(entry):
			advice = `end with the old behaviour: "(was: …)"`
		default:
			continue
		}
		found = append(found, finding{file: name, line: p.line, rule: "form of changes", text: entry[:min(len(entry), 40)], advice: advice})
	}
	return found
}
