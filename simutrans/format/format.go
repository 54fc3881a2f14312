// Package format formats sources: keys in lower case and without blanks, numbers without
// blanks at their ends, at most one empty line in a row, and three dashes after an
// object. Comments and lines that makeobj does not read stay as they are.
//
// The compiler makes the same objects from the formatted source.
package format

import (
	"bytes"
	"slices"
	"strings"

	"pakbox/simutrans/dat"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

const byteOrderMark = "\xef\xbb\xbf" // makeobj cannot read it

// Source formats a source. target determines the known keys.
func Source(src []byte, target object.Target) []byte {
	for bytes.HasPrefix(src, []byte(byteOrderMark)) {
		src = src[len(byteOrderMark):]
	}
	newline := "\n"
	if bytes.Contains(src, []byte("\r\n")) {
		newline = "\r\n"
	}
	var out []string
	for _, block := range blocks(src) {
		isNumber := numbers(block, target)
		for _, line := range block {
			out = append(out, formatLine(line, isNumber))
		}
	}
	return []byte(strings.Join(squeeze(out), newline) + newline)
}

// blocks splits a source into objects. Each block ends with its line of dashes.
func blocks(src []byte) (list [][]string) {
	var block []string
	for line := range strings.Lines(string(src)) {
		line = strings.TrimRight(line, "\r\n")
		block = append(block, line)
		if strings.HasPrefix(line, "-") {
			list = append(list, block)
			block = nil
		}
	}
	return append(list, block)
}

// numbers returns a function that reports whether the values of a key are numbers. Blanks
// around a number have no meaning; around a text or an image they may have one.
func numbers(block []string, target object.Target) func(stem string) bool {
	for _, line := range block {
		key, value, _ := strings.Cut(line, "=")
		if t, ok := node.ObjType(value); ok && strings.EqualFold(strings.TrimRight(key, " "), "obj") {
			keys := object.ByStem(t, target)
			return func(stem string) bool {
				k, known := keys[stem]
				return known && !k.IsText && !k.IsImage && k.Refers == 0 && len(k.Words) == 0
			}
		}
	}
	return func(string) bool { return false }
}

// formatLine formats one line.
func formatLine(line string, isNumber func(stem string) bool) string {
	switch {
	case line == "" || strings.ContainsRune(line, 0) || len(line) > dat.MaxLine:
		return line
	case line[0] == '-' && strings.Trim(line, "- \t\r") == "":
		return "---"
	case line[0] == '#' || line[0] == ' ' || line[0] == '-':
		return strings.TrimRight(line, " \t\r")
	}
	key, value, ok := strings.Cut(line, "=")
	if !ok || !dat.IsKey(key) {
		return line
	}
	key = dat.NormalKey(key)
	if isNumber(dat.Stem(key)) {
		value = strings.Trim(value, " \t\r")
	}
	return key + "=" + value
}

// squeeze replaces several empty lines by one, and removes those at the ends. One stays in
// front of a byte order mark, which would be at the beginning of the source otherwise.
func squeeze(lines []string) (out []string) {
	for _, line := range lines {
		if line != "" || len(out) > 0 && out[len(out)-1] != "" {
			out = append(out, line)
		}
	}
	for len(out) > 0 && out[len(out)-1] == "" {
		out = out[:len(out)-1]
	}
	if len(out) > 0 && strings.HasPrefix(out[0], byteOrderMark) {
		out = slices.Insert(out, 0, "")
	}
	return out
}
