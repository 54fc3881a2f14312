package main

import (
	"regexp"
	"strings"
)

const maxSubject = 72

var (
	subjectForm = regexp.MustCompile(`^[a-z0-9][a-z0-9/_.*, -]*: [a-z][a-z-]*\b`)
	noVerb      = regexp.MustCompile(`^(?:an?|the|its?|it|this|these|those|they|there|what|who|whoever|whatever|no|not|names?|tests?|one|two|all|every|each|of|in|on|for|with|without|when|if|by|also|files?|maps?|docs?|wip)\b`)
	imperatives = regexp.MustCompile(`^(?:name|test|file|map)\b [a-z]`)
	participle  = regexp.MustCompile(`^[a-z]+(?:ed|ing)\b`)
	stemEnd     = regexp.MustCompile(`^(?:embed|need|feed|seed|speed|proceed|exceed|shed|bring|string|ping|ring)\b`)
)

// checkSubjects checks lines of the form "HASH SUBJECT": a subject is
// "package: imperative verb and object".
func checkSubjects(lines string) []finding {
	var found []finding
	for line := range strings.Lines(lines) {
		hash, subject, _ := strings.Cut(strings.TrimSpace(line), " ")
		if advice := subjectAdvice(subject); subject != "" && advice != "" {
			found = append(found, finding{file: hash, rule: "commit subject", text: subject, advice: advice})
		}
	}
	return found
}

// subjectAdvice returns what to do about a subject, or "".
func subjectAdvice(subject string) string {
	_, act, _ := strings.Cut(subject, ": ")
	words := strings.Fields(act)
	switch {
	case len([]rune(subject)) > maxSubject:
		return "shorten it to 72 characters"
	case !subjectForm.MatchString(subject):
		return `write "package: imperative verb and object"`
	case noVerb.MatchString(act) && !imperatives.MatchString(act), participle.MatchString(act) && !stemEnd.MatchString(act), len(words) > 1 && words[1] == "of":
		return "begin the part behind the colon with a verb in the imperative"
	}
	for _, p := range []string{"wip", "squash", "fixup"} {
		if strings.Contains(" "+strings.ToLower(subject)+" ", " "+p+" ") {
			return "name the change"
		}
	}
	return ""
}
