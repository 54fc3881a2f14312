// Package format writes sources in one form: keys in lower case and without
// blanks, numbers without blanks at their ends, one empty line at most between
// others, and three dashes behind an object. Comments stay as they are, and so
// do lines that makeobj does not read.
//
// The form means the same: the compiler makes the same objects of it.
package format

import (
	"bytes"
	"strings"

	"pakbox/simutrans/dat"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
)

const byteOrderMark = "\xef\xbb\xbf" // makeobj cannot read it

// Source formats a source. Its keys are those of a target.
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

// blocks divides a source into objects. A line of dashes is the last of each.
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

// numbers tells the keys of an object's type whose values are numbers. Blanks
// around a number do not count; around a text or an image they may.
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

// squeeze leaves one of several empty lines, and none at the ends.
func squeeze(lines []string) (out []string) {
	for i, line := range lines {
		if line != "" || len(out) > 0 && out[len(out)-1] != "" && i < len(lines)-1 {
			out = append(out, line)
		}
	}
	for len(out) > 0 && out[len(out)-1] == "" {
		out = out[:len(out)-1]
	}
	return out
}
