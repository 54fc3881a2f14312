package main

import (
	"path"
	"regexp"
	"strings"
)

// A rule finds words that need a second reading. A match of allowed at the same place
// is not a finding.
type rule struct {
	name    string
	pattern *regexp.Regexp
	allowed *regexp.Regexp // nil allows nothing
	advice  string
}

const (
	forms     = `(?:is|are|was|were)`
	clauseTop = `(?m)(?:^\W{0,6}|[.;:,(|>] |["` + "`" + `])`
)

// rules are the rules about words. Their patterns match across the ends of lines.
var rules = []rule{
	{"negated noun", regexp.MustCompile(`\b` + forms + `\s+no\s+[a-z]+`), regexp.MustCompile(`no\s+(?:longer|more|less|different|such)`),
		`write "is not an X", "unknown X" or "no X found"`},
	{"none", regexp.MustCompile(`\b` + forms + `\s+none\b`), nil, "name the missing thing"},
	{"speech", regexp.MustCompile(`(?i)\b(?:tells?|told|says|said|speaks?|spoken|hears|heard)\b`), regexp.MustCompile(`^tell git`),
		"software reports, prints, returns or warns"},
	{"clause as subject", regexp.MustCompile(clauseTop + `(?:What|Who|Whoever|Whatever|Whichever|That which)\b`), nil,
		"name the subject with a noun"},
	{"chain of pronouns", regexp.MustCompile(`\b(?:(?:that|those) which|those of those|what has|what is left|what was meant|what it was|that of that)\b`), nil,
		"use a noun"},
	{"unnamed subject", regexp.MustCompile(`(?i)\b(?:nothing|nobody|somebody|anybody|whoever)\s+(?:speaks|says|tells|shows|knows)\b`), nil,
		"name the subject"},
	{"fronted of", regexp.MustCompile(`(?m)(?:^[\s/#*|>-]*|[.;:!?] )Of (?:an?|the|these|those|other|all|each|every)\b`), nil,
		"put the subject first"},
	{"roundabout", regexp.MustCompile(`\b(?:to be had|is to stand|are to stand|has gone since|have gone since)\b`), nil,
		"use the direct verb"},
	{"cancel", regexp.MustCompile(`(?i)\bcall(?:ed|s|ing)?\s+(?:it\s+|them\s+)?off\b`), nil, `write "cancel"`},
	{"embed", regexp.MustCompile(`(?i)\b(?:bring|brings|bringing|brought)\b(?:[^.;\n]|\.\w){0,14}\balong\b`), nil, `write "embed" or "include"`},
	{"re-encode", regexp.MustCompile(`(?i)\bcod(?:e|es|ed|ing)\s+(?:them\s+|it\s+)?(?:back|anew|again)\b`), nil, `write "re-encode" or "round trip"`},
	{"fix", regexp.MustCompile(`(?i)\bmend(?:s|ed|ing)?\b`), nil, `write "fix"`},
	{"duplicate", regexp.MustCompile(`\bthere\s+twice\b`), nil, `write "duplicate"`},
	{"extension", regexp.MustCompile(`(?i)\b(?:file'?s? endings?|the endings? of (?:the |a |its )?(?:file|name)|an? ending\b|another ending|whose ending)`), nil,
		`write "extension"`},
	{"parent folder", regexp.MustCompile(`(?i)\bfolders?\s+above\b`), nil, `write "parent folder"`},
	{"full screen", regexp.MustCompile(`(?i)\bwhole\s+screen\b`), nil, `write "full screen"`},
}

// check returns the findings of a file.
func check(name, text string) []finding {
	var found []finding
	for _, p := range passages(name, text) {
		found = append(found, p.check(name)...)
	}
	if path.Ext(name) == ".md" {
		found = append(found, checkSentences(name, text)...)
	}
	if path.Base(name) == "CHANGELOG.md" {
		found = append(found, checkChangelog(name, text)...)
	}
	return found
}

func (p passage) check(name string) []finding {
	var found []finding
	for _, r := range rules {
		for _, at := range r.pattern.FindAllStringIndex(p.text, -1) {
			words := p.text[at[0]:at[1]]
			if r.allowed != nil && r.allowed.MatchString(p.text[at[0]:]) && r.allowed.FindStringIndex(p.text[at[0]:])[0] < len(words) {
				continue
			}
			if r.name == "clause as subject" && isQuestion(p.text[at[1]:]) {
				continue
			}
			start := at[1] - len(strings.TrimLeft(words, " \t\n/*#|>-"))
			found = append(found, finding{
				file: name, line: p.line + strings.Count(p.text[:start], "\n"), rule: r.name, advice: r.advice,
				text: strings.Join(strings.Fields(words), " "),
			})
		}
	}
	return found
}

// isQuestion reports whether the sentence that rest ends is a question.
func isQuestion(rest string) bool {
	for i, r := range rest {
		switch {
		case r == '?':
			return true
		case r == '!' || r == '\n' && strings.HasPrefix(rest[i:], "\n\n"):
			return false
		case r == '.' && (i+1 == len(rest) || strings.ContainsRune(" \n\"`)", rune(rest[i+1]))):
			return false
		}
	}
	return false
}
