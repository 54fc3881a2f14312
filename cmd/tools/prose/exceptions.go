package main

import (
	_ "embed"
	"fmt"
	"strings"
)

// exceptionLines has lines "FILE: RULE: WORDS # REASON"; a * is any rule or words. Empty lines and lines that begin
// with # are skipped.
//
//go:embed exceptions.txt
var exceptionLines string

// An exception is a finding that stays: a quotation, or a word that is right there.
type exception struct{ file, rule, text, reason string }

func readExceptions() ([]exception, error) { return parseExceptions(exceptionLines) }

func parseExceptions(lines string) ([]exception, error) {
	var list []exception
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		entry, reason, _ := strings.Cut(line, " # ")
		parts := strings.SplitN(entry, ": ", 3)
		if len(parts) != 3 || reason == "" {
			return nil, fmt.Errorf("exceptions.txt: expected FILE: RULE: WORDS # REASON, found %q", line)
		}
		list = append(list, exception{parts[0], parts[1], parts[2], reason})
	}
	return list, nil
}

func isExcepted(list []exception, f finding) bool {
	for _, e := range list {
		if e.file == f.file && (e.rule == "*" || e.rule == f.rule) && (e.text == "*" || e.text == f.text) {
			return true
		}
	}
	return false
}
