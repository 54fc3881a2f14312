package kit

import (
	"strings"
	"unicode/utf8"
)

// HelpWidth is the largest width of help lines, in characters.
const HelpWidth = 80

// Wrap re-wraps the parts of a help text that have a line wider than HelpWidth. A part is
// a paragraph, or an item of a list with the deeper lines below it. A command line that
// is too wide is continued after a \.
func Wrap(text string) string {
	lines := strings.Split(text, "\n")
	var out []string
	for len(lines) > 0 {
		n := partLength(lines)
		part := lines[:n]
		lines = lines[n:]
		switch {
		case !isWide(part):
			out = append(out, part...)
		case isCommandLine(part[0]):
			out = append(out, continued(part[0])...)
		default:
			out = append(out, fill(part)...)
		}
	}
	return strings.Join(out, "\n")
}

func isWide(lines []string) bool {
	for _, line := range lines {
		if utf8.RuneCountInString(line) > HelpWidth {
			return true
		}
	}
	return false
}

func isCommandLine(line string) bool { return strings.HasPrefix(line, "  pakbox ") }

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// labelOf returns the beginning of a line up to its text: spaces, and the label of a list
// item with the spaces after it.
func labelOf(line string) string {
	in := indentOf(line)
	if i := strings.Index(line[in:], "  "); in > 0 && i >= 0 {
		return line[:in+i+indentOf(line[in+i:])]
	}
	return line[:in]
}

// partLength returns how many of the lines belong to the first part.
func partLength(lines []string) int {
	first := lines[0]
	if first == "" || isCommandLine(first) {
		return 1
	}
	in, labelled, n := indentOf(first), len(labelOf(first)) > indentOf(first), 1
	for ; n < len(lines); n++ {
		line := lines[n]
		deeper := indentOf(line) > in
		if line == "" || isCommandLine(line) || indentOf(line) < in || labelled != deeper && (labelled || in == 0) || !deeper && len(labelOf(line)) > in {
			break
		}
	}
	return n
}

// fill re-wraps the lines of a part. The indentation of the second line holds for all
// lines after the first.
func fill(lines []string) []string {
	line := labelOf(lines[0])
	indent := strings.Repeat(" ", len(line))
	if len(lines) > 1 {
		indent = lines[1][:indentOf(lines[1])]
	}
	words := strings.Fields(lines[0][len(line):])
	for _, l := range lines[1:] {
		words = append(words, strings.Fields(l)...)
	}
	var filled []string
	begun := false
	for _, word := range words {
		switch {
		case begun && utf8.RuneCountInString(line+" "+word) > HelpWidth:
			filled = append(filled, line)
			line = indent + word
		case begun:
			line += " " + word
		default:
			line, begun = line+word, true
		}
	}
	return append(filled, line)
}

// continued breaks a command line at spaces outside quotes.
func continued(line string) (lines []string) {
	const more = " \\"
	quote, last := byte(0), 0
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case quote == 0 && c == ' ' && i > indentOf(line):
			if i > HelpWidth-len(more) && last > 0 {
				lines = append(lines, line[:last]+more)
				line = "      " + line[last+1:]
				i, last = i-last+5, 0
			}
			last = i
		}
	}
	if len(line) > HelpWidth && last > 0 {
		lines = append(lines, line[:last]+more)
		line = "      " + line[last+1:]
	}
	return append(lines, line)
}
